use std::time::Instant;

use super::*;

fn nodes(value: &str) -> Vec<Node> {
    let list = list(value.as_bytes());
    let (mut stretches, mut found) = (list.stretches(), Vec::new());
    while let Some(Stretch { nodes, separator }) = stretches.next() {
        found.extend(nodes.iter().chain(separator).cloned());
    }
    found
}

fn shape(value: &str) -> Vec<(Role, &str)> {
    let visible = |n: &Node| n.role != Role::Space;
    let show = |n: Node| (n.role, &value[n.span.start..n.span.end]);
    nodes(value).into_iter().filter(visible).map(show).collect()
}

#[test]
fn plain_lists() {
    use Role::*;
    assert_eq!(shape("a@b, c@d"), [(Bare, "a@b"), (Comma, ","), (Bare, "c@d")]);
    assert_eq!(shape("John Doe <j@x>"), [(Phrase, "John Doe"), (Angle, "<j@x>")]);
    assert_eq!(shape("\"a, b\" <j@x> (c)"), [(Phrase, "\"a, b\""), (Angle, "<j@x>"), (Comment, "(c)")]);
    assert_eq!(shape("<@a,@b:c@d>"), [(Angle, "<@a,@b:c@d>")]);
    assert_eq!(shape("root"), [(Bare, "root")]);
}

#[test]
fn groups() {
    use Role::*;
    assert_eq!(
        shape("undisclosed-recipients:;"),
        [(Phrase, "undisclosed-recipients"), (GroupOpen, ":"), (GroupClose, ";")]
    );
    assert_eq!(
        shape("Team: a@b, C <c@d>;, e@f"),
        [
            (Phrase, "Team"),
            (GroupOpen, ":"),
            (Bare, "a@b"),
            (Comma, ","),
            (Phrase, "C"),
            (Angle, "<c@d>"),
            (GroupClose, ";"),
            (Comma, ","),
            (Bare, "e@f"),
        ]
    );
    assert_eq!(
        shape("Re: someone <a@b>"),
        [(Phrase, "Re"), (GroupOpen, ":"), (Phrase, "someone"), (Angle, "<a@b>")]
    );
}

#[test]
fn broken_lists() {
    use Role::*;
    assert_eq!(shape("John Doe j@x"), [(Phrase, "John Doe"), (Bare, "j@x")]);
    assert_eq!(shape("<a@b, <c@d>"), [(Angle, "<a@b"), (Comma, ","), (Angle, "<c@d>")]);
    assert_eq!(shape("a . b @ c . d"), [(Bare, "a . b @ c . d")]);
    assert_eq!(shape("\"never closed <a@b>"), [(Phrase, "\"never closed"), (Angle, "<a@b>")]);
    assert_eq!(shape("(never closed a@b"), [(Phrase, "(never closed"), (Bare, "a@b")]);
}

#[test]
fn every_octet_is_covered() {
    for value in ["a@b, c", ";;,,<", "\"\"\"<<>>(((", ": a : ; @ @", "a@", "@b", "(((()", "[x"] {
        let mut at = 0;
        for node in nodes(value) {
            assert_eq!(node.span.start, at, "{value}");
            at = node.span.end;
        }
        assert_eq!(at, value.len(), "{value}");
    }
}

/// Asserts that eight times the octets take eight times as long, where quadratic time would be sixty-four
/// times as long: the best of many tries, each shorter than a time slice on a busy machine.
#[test]
fn hostile_lists_are_linear() {
    let time = |value: &str| {
        let tries = (0..20).map(|_| {
            let begun = Instant::now();
            let covered: usize = nodes(value).iter().map(|node| node.span.len()).sum();
            assert_eq!(covered, value.len());
            begun.elapsed()
        });
        tries.min().unwrap_or_default()
    };
    for piece in ["(", "<", "\"", "[", "\\\"", "a:", "@", "a@", ",", "<a@b>,", ":;", "\x1b$B"] {
        let (short, long) = (piece.repeat(1_000), piece.repeat(8_000));
        // A busy machine may interrupt every try of one of the two.
        let mut ratios = (0..10).map(|_| time(&long).as_secs_f64() / time(&short).as_secs_f64());
        assert!(ratios.any(|ratio| ratio < 24.0), "{piece:?} grows faster than its length");
    }
}
