//! Where the `<meta` tags of HTML begin.

const META: &[u8] = b"<meta";

/// Returns where each `<meta` begins, in any case, in order. Every few words a tag begins, but
/// hardly one with this letter: searching both octets takes no stop at the others.
#[cfg(not(target_arch = "wasm32"))]
pub fn metas(html: &[u8]) -> impl Iterator<Item = usize> {
    use std::sync::LazyLock;

    use memchr::memmem::Finder;

    static STARTS: LazyLock<[Finder<'_>; 2]> = LazyLock::new(|| [b"<m", b"<M"].map(Finder::new));
    let [mut lower, mut upper] = STARTS.each_ref().map(|start| start.find_iter(html).peekable());
    let starts = std::iter::from_fn(move || match (lower.peek(), upper.peek()) {
        (Some(one), Some(other)) if other < one => upper.next(),
        (Some(_), _) => lower.next(),
        (None, _) => upper.next(),
    });
    starts.filter(|&at| is_meta(&html[at..]))
}

/// Returns where each `<meta` begins, for WebAssembly, where the size of the module counts.
#[cfg(target_arch = "wasm32")]
pub(crate) fn metas(html: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'<', html).filter(|&at| is_meta(&html[at..]))
}

fn is_meta(tag: &[u8]) -> bool {
    tag.get(..META.len()).is_some_and(|start| start.eq_ignore_ascii_case(META))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    proptest! {
        #[test]
        fn all_are_found(html in "(<[mM][eE][tT][aA]|<m|<M|<|meta| |[a-z]{0,40}){0,20}") {
            let html = html.as_bytes();
            let naive: Vec<usize> = (0..html.len()).filter(|&at| is_meta(&html[at..])).collect();
            prop_assert_eq!(metas(html).collect::<Vec<_>>(), naive);
        }
    }
}
