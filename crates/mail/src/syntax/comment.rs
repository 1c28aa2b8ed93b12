//! Comments (RFC 5322, 3.2.2), and the pieces that they consist of.

use nom::IResult;

use super::lexical::{fail, split};
use crate::Span;

/// Parses `comment = "(" *([FWS] ccontent) [FWS] ")"`, including the parentheses. It counts depth
/// instead of recursing.
pub fn comment(input: &[u8]) -> IResult<&[u8], &[u8]> {
    if input.first() != Some(&b'(') {
        return fail(input);
    }
    let mut depth = 0_usize;
    for (at, parenthesis) in parentheses(input) {
        depth = if parenthesis == b'(' { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return split(input, at + 1);
        }
    }
    fail(input)
}

/// A piece of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentPiece {
    Open,
    Close,
    /// Text between parentheses, its quoted-pairs and folds still in.
    Text(Span),
}

/// Returns a comment cut at its parentheses, and how deep they are nested. Those deeper than
/// `max_depth` are text.
pub fn comment_pieces(comment: &[u8], max_depth: usize) -> (Vec<CommentPiece>, usize) {
    let mut pieces = Vec::new();
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut from = 0;
    for (at, parenthesis) in parentheses(comment) {
        let (piece, level) = if parenthesis == b'(' {
            depth += 1;
            (CommentPiece::Open, depth)
        } else {
            let level = depth;
            depth = depth.saturating_sub(1);
            (CommentPiece::Close, level)
        };
        deepest = deepest.max(depth);
        if level > max_depth {
            continue;
        }
        if from < at {
            pieces.push(CommentPiece::Text(Span::new(from, at)));
        }
        pieces.push(piece);
        from = at + 1;
    }
    (pieces, deepest)
}

/// Returns the parentheses in `octets` that no backslash quotes, each with its offset.
fn parentheses(octets: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let octet = *octets.get(at)?;
            at += if octet == b'\\' { 2 } else { 1 };
            if matches!(octet, b'(' | b')') {
                return Some((at - 1, octet));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_where_they_are_closed() {
        let cases = [
            ("(a) b", Some("(a)")),
            ("(a (b) c) d", Some("(a (b) c)")),
            (r"(\)) x", Some(r"(\))")),
            (r"(\\) x", Some(r"(\\)")),
            (r"(\", None),
            ("(a (b)", None),
            (")", None),
            ("", None),
        ];
        for (input, expected) in cases {
            let found = comment(input.as_bytes()).ok().map(|(_, found)| found);
            assert_eq!(found, expected.map(str::as_bytes), "{input:?}");
        }
    }

    #[test]
    fn pieces_as_deep_as_allowed() {
        use CommentPiece::{Close, Open, Text};
        let text = |start, end| Text(Span::new(start, end));
        assert_eq!(
            comment_pieces(br"(a\)(b))", 2).0,
            [Open, text(1, 4), Open, text(5, 6), Close, Close]
        );
        assert_eq!(comment_pieces(b"(a(b(c)d)e)", 1), (vec![Open, text(1, 10), Close], 3));
        assert_eq!(comment_pieces(b"((()))", 2), (vec![Open, Open, text(2, 4), Close, Close], 3));
    }
}
