//! Looks up each element of a slice in a table.

/// Writes `of` of each element of `from` to `to`. Four are taken in a step: a compiler that
/// optimises for size leaves a loop as it is, and most of the work of such a short one would be
/// counting.
#[inline(always)]
pub(super) fn map<T: Copy, U>(from: &[T], to: &mut [U], of: impl Fn(T) -> U) {
    let ((steps, rest), (to_steps, to_rest)) = (from.as_chunks(), to.as_chunks_mut());
    for (&[a, b, c, d], to) in steps.iter().zip(to_steps) {
        *to = [of(a), of(b), of(c), of(d)];
    }
    for (&last, to) in rest.iter().zip(to_rest) {
        *to = of(last);
    }
}
