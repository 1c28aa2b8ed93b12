use std::time::Instant;

use super::*;

/// Returns the entries of a list: names, addr-specs in angle brackets, text in braces, members in
/// parentheses; `!` if it is broken.
fn shape(value: &str) -> String {
    let list = list(value.as_bytes());
    let entries = list.entries.iter().map(|entry| shape_of(&list, entry));
    let entries = entries.collect::<Vec<_>>().join(", ").replace("(, ", "(").replace(", )", ")");
    entries + if list.is_broken { " !" } else { "" }
}

fn shape_of(list: &AddressList<'_>, entry: &Entry) -> String {
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    match entry {
        Entry::Mailbox(mailbox) => {
            let phrases = list.names(mailbox.before()).chain(list.names(mailbox.after()));
            let names = phrases.map(span_of).map(|span| text(&list.value[span.start..span.end]));
            let name = names.map(|name| name + " ").collect::<String>();
            format!("{name}<{}>", text(&list.spec(mailbox)))
        }
        Entry::Group(name) => text(list.octets(*name)) + "(",
        Entry::End(_) => ")".to_owned(),
        Entry::Text(words) | Entry::EmptyGroup(words) => {
            format!("{{{}}}", text(list.octets(*words)))
        }
        Entry::Unwritable(_) | Entry::NotAscii(_) => String::new(),
    }
}

#[test]
fn lists() {
    for (value, expected) in [
        ("a@b, c@d", "<a@b>, <c@d>"),
        ("John Doe <j@x>", "John Doe <j@x>"),
        ("\"a, b\" <j@x> (c)", "\"a, b\" <j@x>"),
        ("root, B <c>", "<root>, B <c>"),
        ("Ada, \"The Crew\", (c)", "<Ada>, {\"The Crew\"}, {(c)}"),
        ("undisclosed-recipients:;", "undisclosed-recipients()"),
        ("Team: a@b, C <c@d>;, e@f", "Team(<a@b>, C <c@d>), <e@f>"),
        ("<>", "<>"),
        ("a@b,, c@d,", "<a@b>, <c@d>"),
        ("\"a b\".c@d", "<\"a b\".c@d>"),
        ("Team: a@b; (the end)", "Team(<a@b>)"),
    ] {
        assert_eq!(shape(value), expected, "{value}");
    }
}

#[test]
fn broken_lists() {
    for (value, expected) in [
        ("<@a,@b:c@d>", "<c@d>"),
        ("<mailto:a@b>", "<a@b>"),
        ("John Doe j@x", "John Doe <j@x>"),
        ("<a@b, <c@d>", "<a@b>, <c@d>"),
        ("Ada <a@b, c@d>", "Ada <a@b>, <c@d>"),
        ("<a@b>Ada", "Ada <a@b>"),
        ("Ada <<a@b>>", "Ada <a@b>"),
        ("a . b @ c . d", "<a.b@c.d>"),
        ("<a@b> <c@d> Di", "<a@b>, Di <c@d>"),
        ("a@b c@d", "<a@b>, <c@d>"),
        ("a@b <>", "<a@b>"),
        ("\"never closed <a@b>", "\"never closed <a@b>"),
        ("(never closed a@b", "(never closed <a@b>"),
        ("Re: someone <a@b>", "Re(someone <a@b>)"),
        ("a: b: c@d;", "a: b(<c@d>)"),
        ("a: b@c, d:", "a(<b@c>), d()"),
        ("a@b; c@d", "<a@b>, <c@d>"),
        ("undisclosed-recipients;;", "undisclosed-recipients()"),
        // The name of a mailbox in brackets has commas.
        ("Lind, Ada, PhD <a@b>, c@d", "Lind, Ada, PhD <a@b>, <c@d>"),
        ("\"Name, Inc.\", <a@b>", "\"Name, Inc.\" <a@b>"),
        // A local part gets the quotes that it lacks.
        ("<No One@b.c>", "<\"No One\"@b.c>"),
        ("reply-[n2]@b.c", "<\"reply-[n2]\"@b.c>"),
        ("a\\@b.c", "<\"a\\\\\"@b.c>"),
        ("\"Ada\"a@b.c", "\"Ada\" <a@b.c>"),
        // Not addresses.
        ("Ann <ann@b,c>", "{Ann <ann@b,c>}"),
        ("<No-One:;@b.c>", "{<No-One:;@b.c>}"),
        ("<a@b:c@d>", "{<a@b:c@d>}"),
        ("al\"i\"ce@b.c", "{al\"i\"ce@b.c}"),
        ("a@", "{a@}"),
        ("a@@b.c", "{a@@b.c}"),
        ("@a@b.c @Ada", "{@a@b.c @Ada}"),
        ("bob@box@b.c", "{bob@box@b.c}"),
        ("Bob <bob@box eve@b.c>", "{Bob <bob@box eve@b.c>}"),
        ("<a b>", "{<a b>}"),
    ] {
        assert_eq!(shape(value), format!("{expected} !"), "{value}");
    }
}

/// Asserts that eight times the octets take eight times as long, where quadratic time would be
/// sixty-four times as long: the best of many tries, each shorter than a time slice on a busy
/// machine.
#[test]
fn hostile_lists_are_linear() {
    let time = |value: &str| {
        let tries = (0..20).map(|_| {
            let begun = Instant::now();
            assert!(list(value.as_bytes()).members().count() <= value.len());
            begun.elapsed()
        });
        tries.min().unwrap_or_default()
    };
    for piece in [
        "(", "<", "\"", "[", "\\\"", "a:", "@", "a@", ",", "<a@b>,", ":;", "\x1b$B", "a,", "<a@,",
        "a;<", "( )@",
    ] {
        let (short, long) = (piece.repeat(250), piece.repeat(2_000));
        // A busy machine may interrupt every try of one of the two.
        let mut ratios = (0..10).map(|_| time(&long).as_secs_f64() / time(&short).as_secs_f64());
        assert!(ratios.any(|ratio| ratio < 24.0), "{piece:?} grows faster than its length");
    }
}

/// A hostile list has an entry for two octets and a token for each: fresh memory would cost more
/// time than reading.
#[test]
fn lists_are_small() {
    assert_eq!((size_of::<Token>(), size_of::<Entry>()), (12, 28));
    assert_eq!([7, u32::MAX as usize, usize::MAX].map(place), [7, u32::MAX, u32::MAX]);
}
