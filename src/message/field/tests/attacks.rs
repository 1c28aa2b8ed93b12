//! Decoded text never becomes structure: no field, no mailbox, no parameter.

use super::*;
use crate::decode::{ParameterTexts, RawText, Wanted, mailboxes};
use crate::syntax::parameter::FILE_OF_DISPOSITION;

/// Returns the resulting field for both profiles; it is one field of the same name, and all its
/// other lines are continuations.
fn outputs(raw: &[u8]) -> Vec<String> {
    let after = |profile| {
        let out = match apply(&rules(profile), raw, &mut Vec::new()) {
            FieldVerdict::Keep => raw.to_vec(),
            FieldVerdict::Write(out) => out,
            FieldVerdict::Drop => panic!("dropped"),
        };
        laws::assert_safe(&out);
        String::from_utf8(out).unwrap()
    };
    [Profile::Archive, Profile::Transport].into_iter().map(after).collect()
}

fn value(field: &str) -> &[u8] {
    field.split_once(':').unwrap().1.as_bytes()
}

#[track_caller]
fn addresses(raw: &str, expected: &[&str]) {
    for out in outputs(format!("From: {raw}\r\n").as_bytes()) {
        let found = mailboxes(value(&out), &RawText::Alone);
        let found: Vec<&str> = found.iter().map(|(_, address)| address.as_str()).collect();
        assert_eq!(found, expected, "{out}");
    }
}

#[test]
fn encoded_line_ends_start_no_field() {
    for word in [
        "=?utf-8?Q?a=0D=0ABcc:_x@evil?=",
        "=?utf-8?B?YQ0KQmNjOiB4QGV2aWw=?=",
        "=?utf-7?Q?a+AA0ACg-Bcc:_x?=",
    ] {
        for name in ["Subject", "From", "Keywords", "Received", "Message-ID", "Content-Type"] {
            for out in outputs(format!("{name}: {word}\r\n").as_bytes()) {
                let text = crate::decode_header(value(&out)).into_text();
                assert!(!text.contains(['\r', '\n']) && out.matches("\r\n").count() == 1, "{out}");
            }
        }
    }
}

#[test]
fn encoded_specials_make_no_mailbox() {
    addresses("=?utf-8?Q?x=40evil=3E=2C_y=40evil?= <a@b>", &["a@b"]);
    addresses("=?iso-8859-1?Q?=3Cx=40evil=3E?= <a@b>", &["a@b"]);
    addresses("=?utf-7?Q?+ADw-x+AEA-evil+AD4-?= <a@b>", &["a@b"]);
    addresses("\"=?iso-8859-1?Q?x=40evil=3E_=22?=\" <a@b>", &["a@b"]);
    addresses("=?koi8-r?Q?=F0?= (=?koi8-r?Q?=29_=3Cx=40evil=3E?=) <a@b>", &["a@b"]);
    addresses("a@b (=?iso-8859-1?Q?=29=2C_x=40evil?=)", &["a@b"]);
    addresses("=?koi8-r?Q?=F0=3A_x=40evil=3B?= <a@b>", &["a@b"]);
}

#[test]
fn addresses_are_never_decoded() {
    // Some readers do: what they would find is no address for any.
    addresses("<=?utf-8?Q?x=40evil=3E?=@b>", &[]);
    addresses("=?utf-8?Q?x=40evil=2Eexample=3E=20?=foo@b", &[]);
    addresses("<a@=?iso-8859-1?Q?evil?=>", &[]);
    addresses("<=?utf-7?Q?+AGE-?=@b>, \u{e9} <c@d>", &["c@d"]);
    addresses("\"=?x?q?=41=42?=\"@b, \u{e9} <c@d>", &["c@d"]);
}

#[test]
fn quotes_comments_and_groups_hide_nothing() {
    addresses("\"a <x@evil>\" \u{e9} <a@b>", &["a@b"]);
    addresses("\"x@evil, \\\"\" <a@b>, \u{e9} <c@d>", &["a@b", "c@d"]);
    addresses("(x@evil, \u{e9}) a@b", &["a@b"]);
    addresses("x (x@evil): \u{e9} <a@b>;", &["a@b"]);
    addresses("\"a b\"@c, \u{e9} <\"x>y\"@d>", &["\"a b\"@c", "\"x>y\"@d"]);
    addresses("\u{e9} <@x,@y:a@b>, c@d", &["a@b", "c@d"]);
}

#[test]
fn decoded_domains_hold_no_specials() {
    for domain in [
        "b\u{ff0e}c\u{ff20}evil",
        "b\u{2024}c",
        "\u{fe52}evil",
        "b\u{ff1e}\u{ff0c}x\u{ff20}evil",
        "\u{0}\u{e9}",
    ] {
        for out in outputs(format!("From: <a@{domain}>\r\n").as_bytes()) {
            let found = mailboxes(value(&out), &RawText::Alone);
            assert!(
                found.len() <= 1 && found.iter().all(|(_, a)| a.matches('@').count() <= 1),
                "{out}"
            );
        }
    }
}

#[test]
fn decoded_values_make_no_parameter() {
    let raw = "Content-Disposition: attachment; filename*=utf-8''a%22%3B%20x%3D%22y%0D%0AX-Evil%3A%20b; z=\u{e9}\r\n";
    for out in outputs(raw.as_bytes()) {
        let read =
            ParameterTexts::read(value(&out), FILE_OF_DISPOSITION, Wanted::All, |_| RawText::Alone);
        assert_eq!(read.get("filename"), Some("a\"; x=\"y X-Evil: b"));
        assert!(read.get("x").is_none() && read.get("z").is_some(), "{out}");
    }
}

#[test]
fn over_long_everything() {
    for piece in
        ["x", "=?utf-8?Q?", "(", "\"", "<", "a@b,", ";x=y", "=?x?Q?a?=", "\u{e9}", "\\", " ", "é "]
    {
        for name in ["Subject", "To", "Received", "Content-Type", "Keywords", "References"] {
            outputs(format!("{name}: {}\u{e9}\r\n", piece.repeat(20_000)).as_bytes());
        }
    }
    outputs(format!("{}: x\r\n", "n".repeat(2000)).as_bytes());
}
