//! The laws as property tests: over any octets, and over messages made of the pieces that break
//! rewriters.

mod attacks;
mod corpora;
#[path = "../laws/mod.rs"]
mod laws;

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use base64::prelude::{BASE64_STANDARD, Engine};
use laws::PROFILES;
use laws::options::Options;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sevenbit::{Abridged, Message, Normalizer, Profile, TextEncoding, Undecodable};

/// Pieces of mail, most of them hostile in some company.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: &[&[u8]] = &[
        b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"\n\n", b" ", b"\t", b": ", b";", b"\"", b"(", b")", b"<", b">", b"@",
        b"From: ", b"To: a@b, ", b"Subject: ", b"Received: from x by y; ", b"Message-ID: <1@x>\r\n", b"From x y\r\n",
        b"Content-Type: text/plain; charset=utf-8\r\n", b"Content-Type: text/html; charset=koi8-r\r\n",
        b"Content-Type: multipart/mixed; boundary=b\r\n", b"Content-Type: multipart/signed; boundary=\"b2\"\r\n",
        b"Content-Type: multipart/digest; boundary=b--\r\n", b"Content-Type: message/rfc822\r\n",
        b"Content-Type: message/partial; id=1\r\n", b"Content-Type: message/delivery-status\r\n",
        b"Content-Type: image/png; name=\"\xc3\xa9.png\"\r\n", b"Content-Transfer-Encoding: base64\r\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n", b"Content-Transfer-Encoding: 8bit\r\n",
        b"Content-Transfer-Encoding: binary\r\n", b"Content-Transfer-Encoding: x-uuencode\r\n",
        b"Content-Disposition: attachment; filename*0*=utf-8''%C3; filename*1*=%A9\r\n",
        b"Content-Disposition: attachment; filename*=UTF-16''", b"%00e%00.%00x%00", b"%FE%FF%00e", b"e%00%0D%00%0A%00", b"%D8%00", b"MIME-Version: 1.0\r\n",
        b"--b\r\n", b"--b--\r\n", b"--b2\r\n", b"--b2--\r\n", b"--b-- \t\r\n", b"--bogus", b"--", b"--b",
        b"=?utf-8?Q?=C3=A9?=", b"=?utf-8?B?w6k=?=", b"=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", b"=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=",
        b"=?koi8-r?Q?=F0?=", b"=?x?Q?a", b"?=", b"=?", b"=\r\n", b"=E9", b"=e9 ", b"=", b"=0D=0A", b"caf\xc3\xa9", b"\xe9", b"\0",
        b"\x1b$B", b"\x1b(B", b"+AOk-", b"~{", b"text", b"From me", b".", b"begin 644 f\r\n#0V%T\r\n`\r\nend\r\n", b"w6k=", b"AAAA",
        b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        b"-----BEGIN PGP SIGNED MESSAGE-----\r\n", b"<meta charset=koi8-r>", b"a.b@\xc3\xa9.example", b"DKIM-Signature: d=x; h=from:subject\r\n",
    ];
    prop_oneof![
        20 => prop::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..20),
        1 => (900usize..1100).prop_map(|len| vec![b'x'; len]),
    ]
}

/// A message that prints readably when a law is broken.
#[derive(Clone)]
struct Octets(Vec<u8>);

impl std::fmt::Debug for Octets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

impl std::ops::Deref for Octets {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

fn message() -> impl Strategy<Value = Octets> {
    prop_oneof![
        9 => prop::collection::vec(piece(), 0..40).prop_map(|pieces| Octets(pieces.concat())),
        1 => prop::collection::vec(any::<u8>(), 0..400).prop_map(Octets),
    ]
}

/// A message with address lists, most of them broken.
fn addresses() -> impl Strategy<Value = Octets> {
    const PIECES: &[&str] = &[
        "a@b.example",
        "<c@d.example>",
        "<",
        ">",
        "@",
        ",",
        ";",
        ":",
        " ",
        " ",
        "\r\n ",
        "(c)",
        "\"",
        "\\",
        ".",
        "Ada",
        "Lind",
        "root",
        "\"Name, Inc.\"",
        "\"q r\"@s.example",
        "[n]",
        "[IPv6:::1]",
        "=?utf-8?Q?=C3=A9?=",
        "=?utf-8?q?e=40f?=",
        "\u{e9}",
        "e@\u{e9}.example",
        "undisclosed-recipients",
        "mailto:",
        "<>",
        "<g@h.example,",
        "i j@k.example",
    ];
    let list = || {
        prop::collection::vec(prop::sample::select(PIECES), 0..12)
            .prop_map(|pieces| pieces.concat())
    };
    let field = (prop::sample::select(vec!["From", "To", "To", "Cc"]), list());
    let fields = prop::collection::vec(field, 1..4);
    fields.prop_map(|fields| {
        let fields = fields.into_iter().map(|(name, list)| format!("{name}: {list}\r\n"));
        Octets((fields.collect::<String>() + "\r\ntext\r\n").into_bytes())
    })
}

fn hold(law: Result<(), String>) -> Result<(), TestCaseError> {
    law.map_err(TestCaseError::fail)
}

/// How many inputs each law is tested on: `PROPTEST_CASES`, or what fits into a minute.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn spans_lie_in_the_input(octets in message()) {
        hold(laws::spans_lie_in_the_input(&octets))?;
    }

    #[test]
    fn output_is_safe(octets in message()) {
        for profile in PROFILES {
            hold(laws::output_is_safe(&octets, profile))?;
        }
    }

    #[test]
    fn normalizing_twice_is_once(octets in message()) {
        for profile in PROFILES {
            hold(laws::normalizing_twice_is_once(&octets, profile))?;
        }
    }

    #[test]
    fn normal_form_is_borrowed(octets in message()) {
        for profile in PROFILES {
            hold(laws::normal_form_is_borrowed(&octets, profile))?;
        }
    }

    #[test]
    fn addresses_are_kept(octets in addresses()) {
        hold(laws::addresses::mailboxes_are_displayed_as_written(&octets))?;
        for profile in PROFILES {
            hold(laws::addresses::addresses_are_kept(&octets, profile))?;
            hold(laws::normalizing_twice_is_once(&octets, profile))?;
            hold(laws::view_is_kept(&octets, profile))?;
        }
    }

    #[test]
    fn the_view_is_kept(octets in message()) {
        for profile in PROFILES {
            hold(laws::view_is_kept(&octets, profile))?;
        }
    }

    #[test]
    fn every_way_gives_the_same(octets in message()) {
        for profile in PROFILES {
            hold(laws::every_way_gives_the_same(&octets, profile))?;
        }
    }

    #[test]
    fn guessing_is_safe(octets in message()) {
        hold(laws::guessed::guessing_is_safe(&octets))?;
    }

    #[test]
    fn header_changes_and_body_are_the_message(octets in message()) {
        for profile in PROFILES {
            hold(laws::changes::header_changes_and_body_are_the_message(&octets, profile))?;
        }
    }
}

/// Fields of every kind, made of pieces without fold points.
fn unfoldable() -> impl Strategy<Value = Octets> {
    const NAMES: &[&str] = &[
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
        "Final-Recipient",
        "MIME-Version",
        "Content-Transfer-Encoding",
    ];
    const PIECES: &[&[u8]] = &[
        b"a \xe9;b", b"\xe9;", b";", b",", b".", b"@", b"<", b">", b"(c)", b"(\xe9)", b"\"a b\"", b"\"", b"\\", b"[", b"]", b":", b"a@b",
        b"=?utf-8?Q?a?=", b"=?utf-8?Q?", b"?=", b" by \xe9", b"(", b")", b"x=y;", b"x*=u'e'", b"%41", b"a", b" ", b"\r\n ", b"\x1b$B",
        b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ];
    let piece = (prop::sample::select(PIECES), prop_oneof![1usize..3, 1usize..400]);
    let value = prop::collection::vec(piece, 1..5);
    (prop::sample::select(NAMES), value).prop_map(|(name, pieces)| {
        let value: Vec<u8> =
            pieces.into_iter().flat_map(|(piece, times)| piece.repeat(times)).collect();
        Octets([name.as_bytes(), b": ", &value, b"\r\n\r\ntext\r\n"].concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases() / 4, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rule G3, for every field of every kind.
    #[test]
    fn no_line_of_a_header_is_too_long(octets in unfoldable()) {
        for profile in PROFILES {
            hold(laws::output_is_safe(&octets, profile))?;
            hold(laws::normalizing_twice_is_once(&octets, profile))?;
        }
    }
}

/// An attachment so large that not all of it is in memory when it is read from a file: its meaning
/// may depend on the octets in the middle alone.
fn large_attachment(fields: &str, end: &str, middle: &[u8], line_end: &str) -> Vec<u8> {
    let plain = "a,b,c\r\n".repeat(50_000);
    let content =
        [end.as_bytes(), plain.as_bytes(), middle, plain.as_bytes(), end.as_bytes()].concat();
    let mut octets = format!(
        "Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\n{fields}\n\
        Content-Transfer-Encoding: base64\n\n"
    );
    for line in content.chunks(57) {
        octets.push_str(&BASE64_STANDARD.encode(line));
        octets.push('\n');
    }
    octets.push_str("--b--\n");
    octets.replace('\n', line_end).into_bytes()
}

#[test]
fn every_way_gives_the_same_for_large_attachments() {
    let fields = [
        "Content-Type: text/csv",
        "Content-Type: text/csv; charset=us-ascii",
        "Content-Type: text/plain; charset=utf-8\nContent-Disposition: attachment",
        "Content-Type: text/plain\nContent-Disposition: attachment",
        "Content-Type: text/html; name=x",
        "Content-Type: text/html",
        "Content-Type: message/partial",
        "Content-Type: application/zip",
    ];
    for (fields, line_end) in fields.iter().flat_map(|fields| [(fields, "\n"), (fields, "\r\n")]) {
        for (end, middle) in [
            ("", "\u{e9}\r\n".as_bytes()),
            ("", b"\xE9\r\n"),
            ("\u{e9}\r\n", b"\xE9\r\n"),
            ("", b""),
        ] {
            let octets = large_attachment(fields, end, middle, line_end);
            let abridged = Abridged::read(Cursor::new(&octets)).expect("memory");
            assert!(abridged.held() < 200_000, "{}", abridged.held());
            for profile in PROFILES {
                let held = laws::every_way_gives_the_same(&octets, profile);
                held.unwrap_or_else(|why| panic!("{why}: {fields:?}, {end:?}, {middle:?}"));
            }
            // A guess for the header depends on the texts.
            let raw = [b"X-Raw: Sch\xF6ne Gr\xFC\xDFe\n", &octets[..]].concat();
            let held = laws::guessed::guessing_is_safe(&raw);
            held.unwrap_or_else(|why| panic!("{why}: {fields:?}, {end:?}, {middle:?}"));
        }
    }
}

/// Every two odd pieces side by side in every place, and every two odd lines.
#[test]
fn every_pair_keeps_the_laws() {
    let pairs = laws::combinations::pairs().chain(laws::combinations::pairs_of_lines());
    for (number, message) in pairs.enumerate() {
        let held = laws::targets::check_by("message", &message, number as u64);
        held.unwrap_or_else(|why| panic!("{why}: {:?}", Octets(message)));
    }
}

proptest! {
    // Always the same ones: fuzzing looks for more.
    #![proptest_config(ProptestConfig { cases: 10 * cases(), rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_tree_keeps_the_laws(octets in prop::collection::vec(any::<u8>(), 8..80)) {
        let held = laws::targets::check("trees", &octets);
        hold(held.map_err(|why| format!("{why}: {:?}", Octets(laws::trees::message(&octets)))))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10 * cases(), rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_question_has_an_answer(octets in prop::collection::vec(any::<u8>(), 8..80), stream in prop::collection::vec(any::<u8>(), 0..200)) {
        hold(laws::targets::check("view", &laws::trees::message(&octets)))?;
        hold(laws::targets::check("tnef", &stream))?;
    }
}

/// Findings of fuzzing, each minimised: `corpus/findings/TARGET-WHAT`. Most need some option, so
/// all 256 combinations are tried; where few inputs are asked for, a quarter of them: those whose
/// digits, in fours, have the same sum, so that the options of any three digits are still combined in
/// every way.
#[test]
fn findings_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/findings");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("findings")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for (at, path) in paths.into_iter().enumerate() {
        let name = path.file_name().expect("a name").to_string_lossy();
        let (target, _) = name.split_once('-').expect("TARGET-WHAT");
        if ["milter", "gateway", "outlook"].contains(&target) {
            continue; // the tests of their crates keep them
        }
        assert!(laws::targets::TARGETS.contains(&target), "{name}");
        let octets = fs::read(&path).expect("a file");
        // Where time is short, each with one number of four.
        let is_chosen = |number: &u64| {
            let sum_of_digits: u64 = (0..4).map(|digit| number >> (2 * digit) & 3).sum();
            cases() >= 2000 || sum_of_digits % 4 == at as u64 % 4
        };
        let short = [Options::SHORT_MESSAGE, Options::SHORT_MESSAGE | 1];
        for number in (0..512).filter(is_chosen).chain(short) {
            laws::targets::check_by(target, &octets, number)
                .unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }
}

/// Rule B3: text that is written in UTF-7 is labelled so, and reads as before; octets that stay are
/// never taken for it.
#[test]
fn text_in_utf7_says_so() {
    let mail =
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nпривет\r\n".as_bytes();
    for profile in [Profile::Archive, Profile::Transport] {
        let normalizer = Normalizer::new().profile(profile).text_encoding(TextEncoding::Utf7);
        let octets = normalizer.normalize(mail).into_octets();
        let label = if profile == Profile::Archive { "utf-7" } else { "utf-8" };
        let message = Message::parse(&octets);
        assert_eq!(message.root().charset_label(), Some(label));
        assert_eq!(message.root().text().as_deref(), Some("привет\n"));
        assert_eq!(normalizer.normalize(&octets).octets(), &*octets);
    }
}

/// Text in UTF-7 that is already as it would be written is not rewritten; unreadable text keeps its
/// octets.
#[test]
fn other_options_keep_the_laws() {
    let messages: [&[u8]; 7] = [
        b"Content-Type: text/plain; charset=utf-8\r\n\r\n\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82\r\n",
        b"To: root\xac : ;\r\nX-Last: x\r\n\r\nbody\r\n",
        b"Content-Type: text/plain; \r\n\r\nb\xe9\r\n",
        b"0\nContent-Type:multipart/m boundary=mix\n--mix\nContent-Type:message/rfc822\n--mix\nContent-Type:message/rfc822",
        b":\xc3\xbc=?utf-8?Q?=C3=?=",
        b":\rReply-To:a,b<c@e m",
        b"Subject: =?windows-1251?B?0J/RgNC40LLQtdGC?= gr\xC3\x83\xC2\xBC\xC3\x83\xC5\xB8e\r\n\r\nsch\xC3\x83\xC2\xB6n\r\n",
    ];
    for (message, number) in
        messages.into_iter().flat_map(|message| (0..512).map(move |at| (message, at)))
    {
        let options = laws::options::Options::numbered(number);
        laws::every_law_by(message, &options).unwrap_or_else(|why| panic!("{why}"));
    }
    let normalizer = Normalizer::new().undecodable(Undecodable::Replace);
    for message in messages {
        let once = normalizer.normalize(message).into_octets();
        assert_eq!(normalizer.normalize(&once).octets(), &*once);
    }
}

/// Each change to this message is seen by the law of views, with and without repairs elsewhere in
/// the message.
#[test]
fn the_view_law_sees_a_loss() {
    let message = "From: A <a@b>\r\nTo: c@d, e@f\r\nSubject: one two\r\nDate: Mon, 10 Mar 2025 21:33:00 +0000\r\n\
        Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\ntext caf\u{e9} a\r\n--b\r\n\
        Content-Type: image/png; name=n.png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b\r\n\
        Content-Type: text/rfc822-headers\r\n\r\nSubject: inner\r\nX: y\r\n--b--\r\n";
    for (old, new) in [
        ("A <a@b>", "B <a@b>"),
        ("A <a@b>", "A <a@c>"),
        ("c@d, e@f", "c@d"),
        ("one two", "onetwo"),
        ("21:33:00", "21:33:01"),
        ("text caf\u{e9} a", "text caf\u{e9} b"),
        ("text caf\u{e9} a", "text caf\u{e8} a"),
        ("name=n.png", "name=m.png"),
        ("AAAA", "AAAB"),
        ("image/png", "image/gif"),
        ("Subject: inner", "Subject: other"),
        ("--b\r\nContent-Type: image", "Content-Type: image"),
        ("--b--", "--b\r\n\r\nmore\r\n--b--"),
    ] {
        assert!(message.contains(old), "{old}");
        for before in [message.to_owned(), format!("X-Raw: \u{e9}\r\n{message}")] {
            for profile in PROFILES {
                let seen = |after: &str| {
                    let output = Normalizer::new().profile(profile).normalize(after.as_bytes());
                    laws::view::compare(before.as_bytes(), &output, sevenbit::Limits::default())
                };
                assert_eq!(seen(&before), Ok(()));
                assert!(
                    seen(&before.replacen(old, new, 1)).is_err(),
                    "{old} -> {new}, {profile:?}"
                );
            }
        }
    }
}

#[test]
fn values_stand_beside_blanks() {
    for profile in PROFILES {
        for before in laws::values::BLANKS {
            for after in laws::values::BLANKS {
                laws::values::values_stand(before, after, profile)
                    .unwrap_or_else(|why| panic!("{why}"));
            }
        }
    }
}
