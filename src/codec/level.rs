//! Which vectors the processor has, and for what they are worth it.

pub(super) use fearless_simd::Level;

/// The vectors out of which octets are picked (`compress`) by a few instructions: all but those of SSE2, which moves no octets
/// by index.
pub(super) fn picking() -> Option<Level> {
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return best.as_sse4_2().map(|_| best);
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return Some(best).filter(|level| !level.is_fallback());
}

/// Those for which that is one instruction, of 64 octets: cheap enough to compute with what was picked.
pub(super) fn picking_at_once() -> Option<Level> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return Level::new().as_avx512().map(Level::Avx512);
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return None;
}

/// All that this processor can be made to use, and none.
#[cfg(test)]
pub(super) fn all() -> Vec<Option<Level>> {
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let levels = [
        best.as_sse2().map(Level::Sse2),
        best.as_sse4_2().map(Level::Sse4_2),
        best.as_avx2().map(Level::Avx2),
        best.as_avx512().map(Level::Avx512),
    ];
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let levels = [Some(best)];
    std::iter::once(None).chain(levels.into_iter().filter(Option::is_some)).collect()
}
