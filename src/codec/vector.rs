//! What vectors can do here.

use fearless_simd::Level;

/// Whether octets can be squeezed out of a vector quickly: SSE2 does not move them by index, and `compress` goes through
/// memory for NEON.
#[inline]
pub(crate) fn compresses(level: Level) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return level.as_sse4_2().is_some();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return {
        _ = level;
        false
    };
}

/// All levels that run here, the best first.
#[cfg(test)]
pub(crate) fn levels() -> Vec<Level> {
    use fearless_simd::Simd;
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let lower =
        [best.as_avx2().map(Simd::level), best.as_sse4_2().map(Simd::level), best.as_sse2().map(Simd::level)];
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let lower = [Some(Level::baseline())];
    std::iter::once(best).chain(lower.into_iter().flatten()).collect()
}
