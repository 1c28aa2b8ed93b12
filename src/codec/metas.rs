//! Where the `<meta` tags of HTML begin.

use std::sync::LazyLock;

use memchr::memmem::Finder;

const META: &[u8] = b"<meta";

/// Every few words a tag begins, but hardly one with this letter: searching both octets takes no stop at the others.
static STARTS: LazyLock<[Finder<'_>; 2]> = LazyLock::new(|| [b"<m", b"<M"].map(Finder::new));

/// Returns where each `<meta` begins, in any case, in order.
pub(crate) fn metas(html: &[u8]) -> Vec<usize> {
    let starts = STARTS.iter().flat_map(|start| start.find_iter(html));
    let mut metas: Vec<usize> = starts.filter(|&at| is_meta(&html[at..])).collect();
    metas.sort_unstable();
    metas
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
            prop_assert_eq!(metas(html), naive);
        }
    }
}
