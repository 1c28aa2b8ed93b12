//! Which vectors the processor has.

pub(super) use fearless_simd::Level;
use fearless_simd::dispatch;

/// Whether octets are picked out of a vector (`compress`) by a few instructions: SSE2 moves no octets by index, and NEON
/// is given that move by way of memory.
#[inline]
pub(super) fn picks(level: Level) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return level.as_sse4_2().is_some();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return {
        _ = level;
        false
    };
}

/// Runs a loop of the plain kind in the processor's widest vectors: the compiler makes it once for each level. `work` and
/// what it calls are to be inlined always.
#[inline]
pub(super) fn vectorize<R>(work: impl FnOnce() -> R) -> R {
    dispatch!(Level::new(), _simd => work())
}

/// All levels that run here, the best first.
#[cfg(test)]
pub(super) fn all() -> Vec<Level> {
    use fearless_simd::Simd;
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let lower =
        [best.as_avx2().map(Simd::level), best.as_sse4_2().map(Simd::level), best.as_sse2().map(Simd::level)];
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let lower = [Some(Level::baseline())];
    std::iter::once(best).chain(lower.into_iter().flatten()).collect()
}
