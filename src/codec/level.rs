//! Which vectors the processor has.

pub(super) use fearless_simd::Level;

/// Whether octets are picked out of a vector (`compress`) by a few instructions: everywhere but in SSE2, which moves
/// no octets by index, and where there are no vectors.
pub(super) fn picks(level: Level) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return level.as_sse4_2().is_some();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return !level.is_fallback();
}

/// All that this processor can be made to use.
#[cfg(test)]
pub(super) fn all() -> Vec<Level> {
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return [
        best.as_sse2().map(Level::Sse2),
        best.as_sse4_2().map(Level::Sse4_2),
        best.as_avx2().map(Level::Avx2),
        best.as_avx512().map(Level::Avx512),
    ]
    .into_iter()
    .flatten()
    .collect();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return vec![best];
}
