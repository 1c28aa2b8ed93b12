//! Which vectors the processor has, and which operations are fast enough on them.

pub(super) use fearless_simd::Level;
use fearless_simd::dispatch;

/// Returns whether picking octets out of a vector (`compress`) takes few instructions: SSE2 cannot
/// move octets by index, and on NEON the move goes through memory.
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

/// Returns the processor's vectors, if `compress` is fast on them.
pub(super) fn picking() -> Option<Level> {
    Some(Level::new()).filter(|&level| picks(level))
}

/// Returns the processor's vectors, if `compress` is a single instruction on 64 octets: cheap
/// enough to compute with what was picked.
pub(super) fn picking_at_once() -> Option<Level> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return Level::new().as_avx512().map(Level::Avx512);
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return None;
}

/// Runs a scalar loop compiled for the processor's widest vectors; the compiler makes one copy for
/// each level. `work` and everything that it calls must be `#[inline(always)]`.
#[inline]
pub(super) fn vectorize<R>(work: impl FnOnce() -> R) -> R {
    dispatch!(Level::new(), _simd => work())
}

/// Returns `level`, or none where it never picks: whatever is done with it is then not part of such
/// a build.
#[inline(always)]
pub(super) fn if_any_picks(level: Option<Level>) -> Option<Level> {
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) { level } else { None }
}

/// Returns all levels that run here, the best first.
#[cfg(test)]
pub(super) fn all() -> Vec<Level> {
    use fearless_simd::Simd;
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let lower = [
        best.as_avx2().map(Simd::level),
        best.as_sse4_2().map(Simd::level),
        best.as_sse2().map(Simd::level),
    ];
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let lower = [Some(Level::baseline())];
    std::iter::once(best).chain(lower.into_iter().flatten()).collect()
}

/// Returns all levels that run here, plus none.
#[cfg(test)]
pub(super) fn all_and_none() -> Vec<Option<Level>> {
    all().into_iter().map(Some).chain([None]).collect()
}
