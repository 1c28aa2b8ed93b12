//! The laws, over fields made of what goes wrong in mail.

use proptest::prelude::*;

use super::*;
use crate::charset::Evidence;
use crate::decode::{RawText, mailboxes};
use crate::message::field::FieldKind;
use crate::message::field::address_list::without_specs;
use crate::syntax::encoded_word::{longest_word, next_word};
use crate::{Charset, DecodeFault, Severity, Span};

pub(super) const NAMES: &[&str] = &[
    "Subject",
    "From",
    "To",
    "Return-Path",
    "Keywords",
    "List-Id",
    "Content-Type",
    "Content-Disposition",
    "Message-ID",
    "Received",
    "DKIM-Signature",
    "X-A-Name-That-Is-Rather-Long-And-Leaves-Little-Room-For-Anything-Else-On-Its-Line",
];

pub(super) const PIECES: &[&str] = &[
    " ",
    "  ",
    "\t",
    "\r\n ",
    "\n\t",
    "\r\n \r\n ",
    "\r",
    "\n",
    "\r\n",
    "=?",
    "?=",
    "=?utf-8?Q?",
    "=?utf-8?B?",
    "=?iso-8859-1?q?",
    "=?x-foo?Q?",
    "=?unknown-8bit?Q?",
    "=?iso-2022-jp?B?",
    "=?us-ascii*en?Q?",
    "=?utf-16?B?",
    "=?utf-7?Q?",
    "=?koi8-r?Q?=F0=D2?=",
    "=?utf-8?Q?=C3=A9?=",
    "=?utf-8?B?w6k=?=",
    "=?utf-8?B?w6k?=",
    "=?utf-8?Q?=C3?=",
    "=?utf-8?Q?=A9?=",
    "=?utf-8?Q?a=0D=0Ab?=",
    "=?utf-8?Q?=00?=",
    "=?x-foo?Q?abc?=",
    "=?x-unknown?Q?=E9?=",
    "=?unknown-8bit?Q?=E9?=",
    "=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=",
    "=?utf-8?Q??=",
    "=?utf-8?Q?a,_b_<c@d>?=",
    "=E9",
    "w6k=",
    "é",
    "日本",
    "e\u{301}",
    "👩‍👩‍👧",
    "\u{85}",
    "\u{fffd}",
    "\0",
    "\x0b",
    "\x0e",
    "\x1b$B",
    "\x1b(B",
    "\x7f",
    "a",
    "b c",
    "abc",
    "<",
    ">",
    "<a@b>",
    "a@b.c",
    "@",
    ",",
    ";",
    ":",
    "(",
    ")",
    "\"",
    "\\",
    "[",
    "]",
    ".",
    "\"a b\"",
    "(c)",
    "(é)",
    "\"é\"",
    "<é@b>",
    "<a@é.b>",
    "name=",
    "filename=",
    "filename*=",
    "name*0=",
    "name*1*=",
    "charset=",
    "boundary=",
    "utf-8''",
    "iso-8859-1'en'",
    "%C3%A9",
    "%E9",
    "%",
    "=",
    "*",
    "'",
    "text/plain",
    "attachment",
    "from ",
    "by ",
    "for ",
    "id ",
    "with ",
    "group:",
    "?",
    "_",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

/// Octets that are shown as text when a law breaks.
#[derive(Clone, PartialEq)]
pub(super) struct Octets(pub(super) Vec<u8>);

impl std::fmt::Debug for Octets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

pub(super) fn value() -> impl Strategy<Value = Octets> {
    let piece = prop_oneof![
        20 => prop::sample::select(PIECES).prop_map(|s| s.as_bytes().to_vec()),
        2 => prop::collection::vec(any::<u8>(), 1..4),
        1 => (prop::sample::select(PIECES), 1..60_usize).prop_map(|(s, n)| s.as_bytes().repeat(n)),
        1 => prop::sample::select(vec![900_usize, 998, 1200]).prop_map(|n| vec![b'y'; n]),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| Octets(pieces.concat()))
}

pub(super) fn field() -> impl Strategy<Value = Octets> {
    (prop::sample::select(NAMES), value())
        .prop_map(|(name, value)| Octets([name.as_bytes(), b": ", &value.0, b"\r\n"].concat()))
}

/// Returns a guess that is not sure.
fn unsure() -> Guess {
    let mut evidence = Evidence::default();
    evidence.add(b"\x04\xC2\x9E\x1B\xF3\xFE\x8F\xAA\x99");
    evidence.guess().unwrap_or(Guess::WITHOUT_EVIDENCE)
}

pub(super) fn profiles() -> impl Strategy<Value = FieldRules> {
    let profile = prop::sample::select(vec![Profile::Transport, Profile::Archive]);
    let certain = |label| Charset::for_label(label).map(Guess::certain);
    let guesses = vec![None, certain("koi8-r"), certain("euc-jp"), Some(unsure())];
    (profile, prop::sample::select(guesses))
        .prop_map(|(profile, guess)| FieldRules { guess, ..rules(profile) })
}

/// Returns how tests are run; more cases with `CASES=100000 cargo test --lib field::tests`.
pub(super) fn config() -> ProptestConfig {
    let cases = std::env::var("CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Asserts rules G1 to G4 for a field that is written or kept.
pub(super) fn assert_safe(field: &[u8]) {
    let shown = String::from_utf8_lossy(field).into_owned();
    assert!(field.ends_with(b"\r\n"), "{shown:?}");
    let raw = RawField::split(field);
    let measured = match raw.row.kind {
        FieldKind::AddressList => without_specs(&raw),
        _ => field.to_vec(),
    };
    assert_words_fit(&String::from_utf8_lossy(&measured));
    for (n, line) in shown[..shown.len() - 2].split("\r\n").enumerate() {
        assert!(line.bytes().all(|o| matches!(o, b' '..=b'~' | b'\t')), "octets: {shown:?}");
        assert!(line.len() <= 998, "length: {shown:?}");
        let starts = line.starts_with([' ', '\t']);
        assert!(starts == (n > 0) && !line.trim().is_empty(), "continuation: {shown:?}");
        assert!(n > 0 || line.contains(':'), "name: {shown:?}");
    }
}

fn assert_words_fit(field: &str) {
    for line in field.split("\r\n") {
        let longest = longest_word(line.as_bytes());
        assert!(longest <= 75 && (longest == 0 || line.len() <= 76), "word: {field:?}");
    }
}

fn out(rules: &FieldRules, raw: &[u8]) -> (Vec<u8>, Vec<Issue>) {
    let mut issues = Vec::new();
    let out = match apply(rules, raw, &mut issues) {
        FieldVerdict::Keep => raw.to_vec(),
        FieldVerdict::Write(out) => out,
        FieldVerdict::Drop => panic!("dropped"),
    };
    for issue in &issues {
        assert!(
            issue.span().start <= issue.span().end && issue.span().end <= raw.len(),
            "{issue:?}"
        );
    }
    (out, issues)
}

fn squeeze(text: &str) -> String {
    text.split(|c: char| c.is_whitespace()).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns how raw octets are shown: by the guess for a message, or piece by piece as they are
/// written without one.
fn shown(rules: &FieldRules) -> RawText {
    rules.guess.map_or(RawText::Each, |guess| RawText::shown(Some(guess)))
}

fn subject_text(raw: &[u8], rules: &FieldRules) -> String {
    let field = RawField::split(raw);
    squeeze(crate::decode::text(field.value(), &shown(rules)).text())
}

pub(super) fn boxes(raw: &[u8], rules: &FieldRules) -> Vec<(String, String)> {
    let field = RawField::split(raw);
    let found = mailboxes(field.value(), &shown(rules));
    // An encoded-word needs white space after a comment inside a comment.
    let apart = |name: &str| squeeze(&name.replace('(', " ( ").replace(')', " ) "));
    found.into_iter().map(|(name, address)| (apart(&name), address)).collect()
}

/// Returns whether nothing is left of an encoded-word, or of a NUL: in its place, what is around it
/// is kept apart by a space (rule G7).
fn leaves_nothing(raw: &[u8]) -> bool {
    let text =
        |span: Span| crate::decode::text(&raw[span.start..span.end], &RawText::Unknown).into_text();
    let mut words = std::iter::successors(next_word(raw, 0), |(span, _)| next_word(raw, span.end))
        .map(|(span, _)| span);
    raw.contains(&0) || words.any(|span| text(span).is_empty())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn output_is_safe_and_stays(raw in field(), rules in profiles()) {
        let raw = raw.0;
        let (once, _) = out(&rules, &raw);
        assert_safe(&if once == raw { crlf(&once) } else { once.clone() });
        let mut again = Vec::new();
        if let FieldVerdict::Write(twice) = apply(&rules, &once, &mut again) {
            prop_assert_eq!(Octets(once), Octets(twice), "{:?}", again);
        }
    }

    #[test]
    fn archive_keeps_the_text(raw in value()) {
        let rules = rules(Profile::Archive);
        let raw = [b"Subject: ", &raw.0[..], b"\r\n"].concat();
        let (once, issues) = out(&rules, &raw);
        // Text that cannot be read keeps its octets; the characters shown for them may come and go.
        let unread = [Code::CharsetUnknown, Code::Decode(DecodeFault::UndecodableText)];
        if !issues.iter().any(|i| unread.contains(&i.code())) {
            prop_assert_eq!(subject_text(&raw, &rules), subject_text(&once, &rules), "{:?}", String::from_utf8_lossy(&once));
        }
    }

    /// A list that is too long for a header section need not be written to its end (rule G7).
    #[test]
    fn lists_end_early_only_where_they_are_too_long(
        value in value(),
        times in 1..60_usize,
        most in 0..4000_usize,
        rules in profiles(),
    ) {
        let raw = [b"To: ", &value.0.repeat(times)[..], b"\r\n"].concat();
        let (whole, _) = out(&rules, &raw);
        let (cut, _) = out(&FieldRules { max_header_octets: most, ..rules }, &raw);
        prop_assert!(cut == whole || cut.len() > most && whole.len() > most, "{:?}", Octets(raw));
    }

    #[test]
    fn mailboxes_stay(raw in value(), rules in profiles()) {
        let raw = [b"To: ", &raw.0[..], b"\r\n"].concat();
        let (once, issues) = out(&rules, &raw);
        let reported = [Code::AddressNotAscii, Code::AddressUnreadable, Code::DomainToAscii, Code::CharsetUnknown, Code::CharsetGuessed, Code::FieldDowngraded, Code::Decode(DecodeFault::UndecodableText)];
        let lossy = |value: &[u8]| !crate::decode::text(value, &RawText::Unknown).is_lossless();
        let eight_bit = !rules.policy.rewrites && (lossy(&raw) || lossy(&once) || std::str::from_utf8(&raw).is_err());
        // Octets whose charset no guess is sure of stay as they are; what is shown for them may
        // come and go.
        let is_unsure = rules.guess.is_some_and(|guess| !guess.is_sure());
        let is_kept = |i: &Issue| is_unsure && i.code() == Code::RawHeaderText;
        if !eight_bit && !issues.iter().any(|i| reported.contains(&i.code()) || is_kept(i)) {
            let leaves_space = leaves_nothing(&raw);
            let read = |mail: &[u8]| {
                let tidy = |name: String| if leaves_space { name.replace(' ', "") } else { name };
                boxes(mail, &rules).into_iter().map(|(name, spec)| (tidy(name), spec)).collect::<Vec<_>>()
            };
            prop_assert_eq!(read(&raw), read(&once), "{:?}", String::from_utf8_lossy(&once));
        }
    }

    #[test]
    fn an_address_that_goes_is_a_loss(raw in value(), rules in profiles()) {
        let raw = [b"To: ", &raw.0[..], b"\r\n"].concat();
        let (once, issues) = out(&rules, &raw);
        let count = |mail: &[u8]| boxes(mail, &rules).iter().filter(|(_, spec)| spec.contains('@')).count();
        let is_lost = issues.iter().any(|issue| issue.severity() == Severity::Loss);
        prop_assert!(is_lost || count(&once) >= count(&raw), "{:?}", String::from_utf8_lossy(&once));
    }
}

#[test]
fn a_list_ends_soon_after_it_is_too_long() {
    let raw = [b"To: ", &b"a@b c@d, ".repeat(400)[..], b"\r\n"].concat();
    let rules = rules(Profile::Transport);
    let (whole, _) = out(&rules, &raw);
    let (cut, _) = out(&FieldRules { max_header_octets: 1000, ..rules }, &raw);
    assert!((1001..2000).contains(&cut.len()) && whole.len() > 4000);
    assert!(whole.starts_with(&cut[..1000]));
}

/// Returns kept octets as the message layer writes them.
fn crlf(octets: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(octets).replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()
}
