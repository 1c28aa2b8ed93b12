use std::io::{self, Cursor, Read};

use proptest::prelude::*;

use super::*;

/// A stream that yields `step` octets at a time.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(self.0.len()).min(into.len());
        let (now, rest) = self.0.split_at(length);
        into[..length].copy_from_slice(now);
        self.0 = rest;
        Ok(length)
    }
}

fn mails(mbox: &[u8], dialect: Dialect, step: usize) -> Vec<Mail> {
    Mbox::new(Slow(mbox, step), dialect).map(|mail| mail.expect("memory")).collect()
}

#[track_caller]
fn splits(mbox: &str, dialect: Dialect, messages: &[&str]) {
    for step in [1, 7, 1 << 20] {
        let mails = mails(mbox.as_bytes(), dialect, step);
        let found: Vec<_> =
            mails.iter().map(|mail| String::from_utf8_lossy(mail.octets()).into_owned()).collect();
        assert_eq!(found, messages, "{step} octets at a time");
    }
}

const DATE: &str = "From a@example.org Thu Nov 19 10:00:00 2026\n";
const DATE_ONLY: &str = "Thu Nov 19 10:00:00 2026";

#[test]
fn one_empty_line_is_the_mailbox_s() {
    splits(
        &format!("{DATE}A: 1\n\nx\n\n{DATE}A: 2\n\ny\n\n\n{DATE}A: 3\n\nz"),
        Dialect::Auto,
        &["A: 1\n\nx\n", "A: 2\n\ny\n\n", "A: 3\n\nz"],
    );
    let crlf = format!("{DATE}A: 1\n\nx\n\n{DATE}A: 2\n\ny\n\n").replace('\n', "\r\n");
    splits(&crlf, Dialect::Auto, &["A: 1\r\n\r\nx\r\n", "A: 2\r\n\r\ny\r\n"]);
}

#[test]
fn what_looks_like_text_is_text() {
    let text = "A: 1\n\nOne.\n\nFrom the start on\nit was so.\nFrom 10:00 to 2026 too.\n";
    splits(&format!("{DATE}{text}\n{DATE}A: 2\n\n"), Dialect::Auto, &[text, "A: 2\n"]);
    splits(
        &format!("{DATE}A: 1\n\nx\n{DATE}A: 2\n\ny\n"),
        Dialect::Auto,
        &["A: 1\n\nx\n", "A: 2\n\ny\n"],
    );
    splits(&format!("{DATE}A: 1\n\n\nFrom odd\nA: 2\n\n"), Dialect::Auto, &["A: 1\n\n", "A: 2\n"]);
    splits(&format!("{DATE}\nx\n\nFrom odd\n\ny\n"), Dialect::Mboxrd, &["\nx\n", "\ny\n"]);
}

#[test]
fn the_separator_of_thunderbird_is_known_where_a_file_begins_with_it() {
    for apart in ["", "\n"] {
        let mbox = format!(
            "From \nA: 1\n\nx\n>From \n{apart}From \nA: 2\n\ny\n{apart}From - {DATE_ONLY}\nA: 3\n\nz\n"
        );
        splits(&mbox, Dialect::Auto, &["A: 1\n\nx\nFrom \n", "A: 2\n\ny\n", "A: 3\n\nz\n"]);
        splits(
            &mbox.replace('\n', "\r\n"),
            Dialect::Auto,
            &["A: 1\r\n\r\nx\r\nFrom \r\n", "A: 2\r\n\r\ny\r\n", "A: 3\r\n\r\nz\r\n"],
        );
    }
    let nested = "From \n>From - Thu Nov 19 10:00:00 2026\nA: 1\n\nFrom \nA: 2\n\n";
    splits(nested, Dialect::Auto, &["From - Thu Nov 19 10:00:00 2026\nA: 1\n", "A: 2\n"]);
    let older = format!("From - {DATE_ONLY}\nA: 1\n\nx\nFrom \nA: 2\n\n");
    splits(&older, Dialect::Auto, &["A: 1\n\nx\n", "A: 2\n"]);
    let text = "A: 1\n\nx\nFrom \nB: 2\n";
    splits(&format!("{DATE}{text}\n{DATE}A: 2\n\n"), Dialect::Auto, &[text, "A: 2\n"]);
}

#[test]
fn patches_and_prose_with_a_date_do_not_separate() {
    let patch = format!("From {} Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n", "0a".repeat(20));
    let text = format!(
        "A: 1\n\nIt says:\n\n{patch}\nFrom {DATE_ONLY} on\nthere was text.\n\nFrom http\nhttps://example.org\n"
    );
    splits(&format!("{DATE}{text}\n{DATE}A: 2\n\n"), Dialect::Auto, &[&text, "A: 2\n"]);
    let message = patch.split_once('\n').expect("lines").1;
    splits(&format!("{patch}\n{patch}\n"), Dialect::Auto, &[message, message]);
}

#[test]
fn doubtful_places_are_given_however_a_message_is_read() {
    let text =
        format!("A: 1\n\nFrom 10:00 on\n\n{}\nFrom {DATE_ONLY} on\nx\n", "Text.\n".repeat(30_000));
    let mbox = format!("{DATE}{text}{DATE}A: 2\n\nFrom me\n\n{DATE}A: 3\n");
    let places: Vec<u64> = ["From 10:00", "From Thu", "From a@"]
        .iter()
        .map(|from| (mbox[1..].find(from).expect("it is there") + 1) as u64)
        .collect();
    for limit in [usize::MAX, 1000, 0] {
        for step in [7, 1 << 20] {
            let mut mails = Mbox::new(Slow(mbox.as_bytes(), step), Dialect::Auto).limit(limit);
            let mut found = Vec::new();
            while let Some(mail) = mails.next() {
                mail.expect("memory");
                mails.rest().read_to_end(&mut Vec::new()).expect("memory");
                found.extend(mails.doubts());
            }
            assert_eq!(found, places, "{limit}, {step} octets at a time");
        }
    }
}

#[test]
fn a_right_length_counts_and_a_wrong_one_does_not() {
    let inner = format!("Content-Length: 53\n\nx\n\n{DATE}A: no\n");
    assert_eq!(inner.split_once("\n\n").map(|(_, body)| body.len()), Some(53));
    splits(
        &format!("{DATE}{inner}\n{DATE}A: 2\n\n>From y\n"),
        Dialect::Auto,
        &[&inner, "A: 2\n\nFrom y\n"],
    );
    let lies = inner.replace("53", "54");
    splits(&format!("{DATE}{lies}"), Dialect::Mboxcl2, &["Content-Length: 54\n\nx\n", "A: no\n"]);
    // By chance it points between the CR and the LF of a line before the message after next.
    let in_crlf = |text: &str| text.replace('\n', "\r\n");
    let second = in_crlf("A: 2\n\ny\n");
    let between = in_crlf(&format!("x\n\n{DATE}")).len() + second.len();
    for inside in [between - 1, between + 1] {
        let first = in_crlf(&format!("Content-Length: {inside}\n\nx\n"));
        let mbox = in_crlf(&format!("{DATE}{{}}\n{DATE}{{}}\n{DATE}A: 3\n"));
        let mbox = mbox.replacen("{}", &first, 1).replacen("{}", &second, 1);
        assert!(mbox.contains("\r\n\r\nFrom ") && !mbox.contains("\r\r"));
        splits(&mbox, Dialect::Auto, &[&first, &second, "A: 3\r\n"]);
    }
    let huge = "Content-Length: 99999999999999999999\n\nx\n";
    splits(&format!("{DATE}{huge}"), Dialect::Mboxcl, &[huge]);
}

#[test]
fn each_dialect_quotes_in_its_way() {
    let mbox = format!("{DATE}A: 1\n\n>From x\n>>From y\n");
    splits(&mbox, Dialect::Auto, &["A: 1\n\nFrom x\n>From y\n"]);
    splits(&mbox, Dialect::Mboxrd, &["A: 1\n\nFrom x\n>From y\n"]);
    splits(&mbox, Dialect::Mboxo, &["A: 1\n\nFrom x\n>>From y\n"]);
    splits(&mbox, Dialect::Mboxcl, &["A: 1\n\nFrom x\n>>From y\n"]);
    splits(&mbox, Dialect::Mboxcl2, &["A: 1\n\n>From x\n>>From y\n"]);
}

#[test]
fn odd_beginnings_and_ends() {
    splits("", Dialect::Auto, &[]);
    splits("\n\n", Dialect::Auto, &[]);
    splits("From ", Dialect::Auto, &[""]);
    splits(&format!("{DATE}{DATE}{DATE}\n"), Dialect::Auto, &["", "", ""]);
    splits(&format!("A: 0\n\nx\n\n{DATE}A: 1\n\n"), Dialect::Auto, &["A: 0\n\nx\n", "A: 1\n"]);
    splits(&format!("\n\n{DATE}A: 1\n\nx"), Dialect::Auto, &["A: 1\n\nx"]);
}

#[test]
fn spans_say_where_a_message_lies() {
    let mbox = format!("{DATE}A: 1\n\n>From x\n\n{DATE}A: 2\n\ny\n");
    let mails = mails(mbox.as_bytes(), Dialect::Auto, 3);
    let cut = |mail: &Mail| &mbox[mail.span().start as usize..mail.span().end as usize];
    assert_eq!(mails.iter().map(cut).collect::<Vec<_>>(), ["A: 1\n\n>From x\n", "A: 2\n\ny\n"]);
    assert_eq!(mails[1].postmark(), DATE.as_bytes());
}

#[test]
fn what_comes_before_an_error_is_given() {
    struct Breaks;
    impl Read for Breaks {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let good = format!("{DATE}A: 1\n\nx\n\n").repeat(300);
    for step in [7, 1 << 20] {
        let mbox = Mbox::new(Slow(good.as_bytes(), step).chain(Breaks), Dialect::Auto);
        let given: Vec<bool> = mbox.map(|mail| mail.is_ok()).collect();
        assert_eq!(
            given.iter().filter(|is_ok| **is_ok).count(),
            299,
            "all but the one that may go on"
        );
        assert_eq!(given.last(), Some(&false), "then the error");
    }
    // The error comes after as many octets as are read at a time.
    let first = format!("{DATE}A: 1\n\nx\n\n").repeat(20);
    let whole = format!("{first}{DATE}A: 2\n\n");
    let whole = format!("{whole}{}", "x".repeat((64 << 10) - whole.len()));
    let given: Vec<bool> =
        Mbox::new(whole.as_bytes().chain(Breaks), Dialect::Auto).map(|mail| mail.is_ok()).collect();
    assert_eq!(given.iter().filter(|is_ok| **is_ok).count(), 20);
}

#[test]
fn several_messages_are_seen_and_one_is_one() {
    let many = |octets: &str| {
        [1, 7, 1 << 20].map(|step| holds_several(Slow(octets.as_bytes(), step)).expect("memory"))
    };
    let one = format!("{DATE}A: 1\n\n{}", "A line.\n".repeat(100_000));
    assert_eq!(many(&format!("{one}\n{DATE}A: 2\n\n")), [true; 3]);
    assert_eq!(many(&format!("{one}\n{DATE}A: 2\n\n").replace('\n', "\r\n")), [true; 3]);
    for single in [
        &one,
        "A: 1\n\nx\n",
        "",
        &format!("{one}\nFrom now on\nA: 2\n"),
        &format!("{one}{DATE}A: 2\n"),
    ] {
        assert_eq!(many(single), [false; 3]);
    }
    assert_eq!(many(&format!("A: 0\n\n{DATE}A: 1\n")), [false; 3]);
    assert_eq!(many(&format!("From now on\n\n{DATE}A: 1\n")), [false; 3]);
    let folder = format!("From \nA: 1\n\n{}From \nA: 2\n\n", "A line.\n".repeat(100_000));
    assert_eq!(many(&folder), [true; 3]);
    assert_eq!(many(&format!(">{DATE}A: 1\n\n{DATE}A: 2\n")), [true; 3]);
    assert_eq!(many("From \nA: 1\n\nFrom \nno field\n"), [false; 3]);
}

#[test]
fn lines_end_with_cr_too() {
    let three =
        format!("{DATE}A: 1\n\nx\n>From y\n\n{DATE}A: 2\n\nFrom me to you\n\n{DATE}A: 3\n\n");
    let cr = three.replace('\n', "\r");
    splits(&cr, Dialect::Auto, &["A: 1\r\rx\rFrom y\r", "A: 2\r\rFrom me to you\r", "A: 3\r"]);
    let mails = mails(cr.as_bytes(), Dialect::Auto, 3);
    assert_eq!(mails[1].postmark(), DATE.replace('\n', "\r").as_bytes());
    assert!(holds_several(cr.as_bytes()).expect("memory") && begins_mbox(cr.as_bytes()));

    let mixed = format!(
        "{DATE}A: 1\n\nx\n\n{}{DATE}A: 3\n",
        format!("{DATE}A: 2\n\ny\n\n").replace('\n', "\r")
    );
    splits(&mixed, Dialect::Auto, &["A: 1\n\nx\n", "A: 2\r\ry\r", "A: 3\n"]);
    let length =
        format!("{DATE}Content-Length: 4\nA: 1\n\n\nx\ny\n\n{DATE}A: 2\n").replace('\n', "\r");
    splits(&length, Dialect::Mboxcl2, &["Content-Length: 4\rA: 1\r\r\rx\ry", "A: 2\r"]);
    let text = "A: 1\n\nA bar\rFrom x\ry: z\n";
    splits(&format!("{DATE}{text}\n{DATE}A: 2\n"), Dialect::Auto, &[text, "A: 2\n"]);
}

#[test]
fn numbers_marks_and_lost_octets_do_not_hide_a_separator() {
    let number = "From 6543210987654321012\n";
    splits(
        &format!("{number}A: 1\n\nx\n\n{number}A: 2\n"),
        Dialect::Auto,
        &["A: 1\n\nx\n", "A: 2\n"],
    );
    assert!(
        holds_several(format!("{number}A: 1\n\nx\n\n{number}A: 2\n").as_bytes()).expect("memory")
    );
    for before in ["\u{feff}", "\0\0\0", "\u{feff}\n\0"] {
        splits(
            &format!("{before}{DATE}A: 1\n\nx\n\n{DATE}A: 2\n"),
            Dialect::Auto,
            &["A: 1\n\nx\n", "A: 2\n"],
        );
    }
    for lost in [1, 100, 5000] {
        let nuls = "\0".repeat(lost);
        let mbox = format!("{DATE}A: 1\n\nx\n\n{nuls}{DATE}A: 2\n\ny{nuls}{DATE}A: 3\n{nuls}");
        splits(&mbox, Dialect::Auto, &["A: 1\n\nx\n", "A: 2\n\ny", &format!("A: 3\n{nuls}")]);
    }
    splits("\u{feff}A: 1\n", Dialect::Auto, &["\u{feff}A: 1\n"]);
    splits(
        &format!("{DATE}A: 1\n\nx\n\nFrom joe\nSubject : y\n\n"),
        Dialect::Auto,
        &["A: 1\n\nx\n", "Subject : y\n"],
    );
}

const DIALECTS: [Dialect; 5] =
    [Dialect::Auto, Dialect::Mboxo, Dialect::Mboxrd, Dialect::Mboxcl, Dialect::Mboxcl2];

/// Mailboxes in which everything that a rule examines occurs often, in any order.
fn mailboxes() -> impl Strategy<Value = Vec<u8>> {
    let length = |n: usize| format!("Content-Length: {n}\n");
    let piece = prop_oneof![
        4 => Just(DATE.to_owned()),
        2 => Just("\n".to_owned()),
        2 => Just(format!("\n{DATE}Subject: x\n\n")),
        1 => Just("\r\n".to_owned()),
        1 => Just("From here on\n".to_owned()),
        1 => Just("From 10:00 on\n".to_owned()),
        2 => Just("From \n".to_owned()),
        1 => Just("From \nSubject: x\n\n".to_owned()),
        1 => Just(format!("From {} Mon Sep 17 00:00:00 2001\nSubject: x\n\n", "0".repeat(40))),
        1 => Just(">From a\n>>From b\n".to_owned()),
        1 => Just("X: y\n".to_owned()),
        1 => Just("Text.\r\n".to_owned()),
        1 => Just("\r".to_owned()),
        1 => Just(format!("\r{DATE}Subject : x\r\r").replace('\n', "\r")),
        1 => (1..9000_usize).prop_map(|n| "\0".repeat(n)),
        1 => Just("\u{feff}From 6543210987654321012\nX: y\n".to_owned()),
        2 => (0..300_usize).prop_map(move |n| format!("{DATE}{}\n", length(n))),
        1 => (1..9000_usize).prop_map(|n| "\n".repeat(n)),
        1 => (3000..9000_usize).prop_map(|n| format!("From {}\n", "x".repeat(n))),
        1 => (0..9000_usize).prop_map(|n| "z".repeat(n)),
        // A length that is right, over lines that would separate.
        2 => (0..4_usize).prop_map(move |n| {
            let body = format!("\n{DATE}A: 1\n\n").repeat(n);
            format!("\n{DATE}{}\n{body}\n{DATE}A: 2\n\n", length(body.len()))
        }),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat().into_bytes())
}

/// Returns whether octets are the empty line after a message, or nothing. After a length that does
/// not count the last line end, that comes too.
fn is_between(mut octets: &[u8], dialect: Dialect) -> bool {
    for _ in 0..if dialect.has_lengths() { 2 } else { 1 } {
        octets = &octets[super::postmark::blank(octets).unwrap_or_default()..];
    }
    octets.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// Ranges of any sizes, at any strides, yield what the whole yields, each message by the range
    /// of its start.
    #[test]
    fn cut_by_ranges_is_not_cut(
        mbox in mailboxes(),
        sizes in prop::collection::vec(1..400_u64, 1..6),
        stride in 1..5000_u64,
    ) {
        for dialect in DIALECTS {
            let all = || Mbox::range_by(stride, Cursor::new(&mbox), 0..u64::MAX, dialect).expect("memory");
            let expected: Vec<Mail> = all().map(|mail| mail.expect("memory")).collect();
            let (mut found, mut start) = (Vec::new(), 0);
            for size in sizes.iter().cycle() {
                let range = start..start + size;
                let mails = Mbox::range_by(stride, Cursor::new(&mbox), range.clone(), dialect).expect("memory");
                for mail in mails {
                    let mail = mail.expect("memory");
                    prop_assert!(range.contains(&mail.start()) || !dialect.is_splittable());
                    found.push(mail);
                }
                start = range.end;
                if start > mbox.len() as u64 {
                    break;
                }
            }
            prop_assert_eq!(&found, &expected, "{:?}", dialect);
        }
    }

    /// However a stream yields its octets, and whatever the limit, the messages are the same.
    #[test]
    fn messages_read_in_pieces_are_the_same(mbox in mailboxes(), step in 1..5000_usize, limit in 0..500_usize) {
        for dialect in DIALECTS {
            let expected = mails(&mbox, dialect, 1 << 20);
            let mut pieces = Mbox::new(Slow(&mbox, step), dialect).limit(limit);
            for whole in &expected {
                let mail = pieces.next().expect("a message").expect("memory");
                let mut octets = mail.octets().to_vec();
                prop_assert!(octets.len() <= limit && mail.is_whole() == (whole.span() == mail.span()));
                pieces.rest().read_to_end(&mut octets).expect("memory");
                prop_assert_eq!(&octets, whole.octets(), "{:?}", dialect);
                prop_assert_eq!(mail.start(), whole.start());
            }
            prop_assert!(pieces.next().is_none());
            let passed = Mbox::new(Slow(&mbox, step), dialect).limit(limit);
            prop_assert_eq!(passed.count(), expected.len());
        }
    }

    /// The octets of a mailbox are those of its messages, of `From ` lines, and of what is between:
    /// an empty line, octets 00 where a write was lost, at the beginning a BOM and empty lines.
    #[test]
    fn every_octet_is_accounted_for(mbox in mailboxes()) {
        for dialect in DIALECTS {
            let mut at = 0;
            for mail in mails(&mbox, dialect, 1 << 20) {
                let [start, end] = [mail.span().start, mail.span().end].map(|at| usize::try_from(at).expect("memory"));
                let gap = mbox[at..start].strip_suffix(mail.postmark());
                let mut between = gap.expect("the From line is before the message").to_vec();
                if at == 0 {
                    between = between.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&between).to_vec();
                    between.retain(|octet| !matches!(octet, b'\r' | b'\n'));
                }
                between.retain(|octet| *octet != 0);
                prop_assert!(is_between(&between, dialect), "{:?}: {:?}", dialect, between);
                at = end;
            }
            if at > 0 {
                prop_assert!(is_between(&mbox[at..], dialect), "{:?}: {:?}", dialect, &mbox[at..]);
            }
        }
    }
}

#[test]
fn a_from_line_after_a_bom_is_in_the_range_that_holds_it() {
    let mbox = "\u{feff}From 6543210987654321012\nX: y\n".as_bytes();
    for dialect in DIALECTS.into_iter().filter(|dialect| dialect.is_splittable()) {
        let starts = |range| {
            let mails = Mbox::range_by(1, Cursor::new(mbox), range, dialect).expect("memory");
            mails.map(|mail| mail.expect("memory").start()).collect::<Vec<_>>()
        };
        for at in 0..mbox.len() as u64 {
            let expected: &[u64] = if at == 3 { &[3] } else { &[] };
            assert_eq!(starts(at..at + 1), expected, "{dialect:?} {at}");
        }
    }
}
