//! An abridged message and the whole one give the same octets, edits, issues and spans, whatever
//! the message.

mod messages;

use std::cell::Cell;
use std::fs;
use std::io::{Cursor, ErrorKind};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use self::messages::{message, options, piece};
use super::*;
use crate::facts::line_ends::to_crlf;
use crate::{Issue, Profile};

/// So small that a message of a few kilobytes has omissions.
const SMALL: [Scale; 3] = [
    Scale { window: 50, kept: 1 },
    Scale { window: 333, kept: 64 },
    Scale { window: 4096, kept: 500 },
];

fn abridged(octets: &[u8], scale: Scale) -> Abridged<Cursor<&[u8]>> {
    Abridged::read_by(Cursor::new(octets), scale, usize::MAX).expect("memory")
}

/// Returns what a plan says, in words.
fn texts<'p>(edits: impl Iterator<Item = Edit<'p>>, report: &Report) -> (Vec<String>, Vec<String>) {
    let edit = |edit: Edit<'_>| {
        format!("{:?} {} {} {}", edit.span(), edit.rule(), edit.part(), edit.reason())
    };
    (edits.map(edit).collect(), report.issues().iter().map(Issue::to_string).collect())
}

/// Compares both plans of a message; returns whether something was left out, and whether that plan
/// was made.
fn compare(octets: &[u8], normalizer: &Normalizer, scale: Scale) -> Result<(bool, bool), String> {
    let mut message = abridged(octets, scale);
    if message.length() != octets.len() as u64 || !octets.starts_with(message.head()) {
        return Err("it was read otherwise than it is".to_owned());
    }
    let has_gaps = message.held() < octets.len();
    let whole = normalizer.plan(octets);
    let Some(mut plan) = message.plan(normalizer) else {
        let again = message.into_whole().map_err(|error| error.to_string())?;
        return if again == octets && has_gaps {
            Ok((true, false))
        } else {
            Err("given up".to_owned())
        };
    };
    let same = texts(plan.edits(), plan.report()) == texts(whole.edits(), whole.report())
        && plan.charset_labels().eq(whole.charset_labels())
        && *plan.report() == *whole.report();
    if !same {
        let (plan, whole) =
            (texts(plan.edits(), plan.report()), texts(whole.edits(), whole.report()));
        return Err(format!("{plan:#?} instead of {whole:#?}"));
    }
    let mut out = Vec::new();
    let count = plan.write_to(&mut out).map_err(|error| error.to_string())?;
    let (mut lf, mut expected) = (Vec::new(), Vec::new());
    plan.write_lf_to(&mut lf)
        .and_then(|_| whole.write_lf_to(&mut expected))
        .map_err(|error| error.to_string())?;
    if out == *whole.octets() && count == out.len() as u64 && lf == expected {
        Ok((has_gaps, true))
    } else {
        Err("other octets".to_owned())
    }
}

/// Compares them at every scale; returns whether every plan with an omission was made, if there was
/// any.
fn agrees(octets: &[u8], normalizer: &Normalizer) -> Option<bool> {
    let mut all = None;
    for scale in SMALL {
        match compare(octets, normalizer, scale) {
            Ok((true, made)) => all = Some(all.unwrap_or(true) && made),
            Ok(_) => {}
            Err(why) => {
                panic!("{scale:?}, {normalizer:?}: {why} for {}", String::from_utf8_lossy(octets))
            }
        }
    }
    all
}

fn profiles() -> [Normalizer; 2] {
    [Profile::Transport, Profile::Archive].map(|profile| Normalizer::new().profile(profile))
}

/// Returns lines of 76 symbols, no two alike.
fn run(lines: usize) -> String {
    (0..lines).map(|number| format!("{number:08}{}\n", "+/aZ".repeat(17))).collect()
}

/// Returns a message with 8-bit text and one attachment, with LF or CR LF.
fn attached(fields: &str, lines: usize, end: &str) -> Vec<u8> {
    format!(
        "Subject: Trois sacs\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"=_b\"\n\n--=_b\n\
        Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\ncaf\u{e9}\n--=_b\n{fields}\n{}\
        YQ==\n--=_b--\n",
        run(lines)
    )
    .replace('\n', end)
    .into_bytes()
}

#[test]
fn attachments_are_left_out() {
    for end in ["\n", "\r\n"] {
        for fields in [
            "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n",
            "Content-Type: application/zip; name=\"caf\u{e9}.zip\"\nContent-Transfer-Encoding: BASE64 \n",
            "Content-Type: text/html; name=x\nContent-Transfer-Encoding: base64\n",
            "Content-Type: application/octet-stream\n",
        ] {
            for normalizer in profiles() {
                assert_eq!(agrees(&attached(fields, 40, end), &normalizer), Some(true), "{fields}");
            }
        }
    }
}

#[test]
fn what_has_to_be_read_is_not() {
    let [transport, archive] = profiles();
    let text = attached("Content-Transfer-Encoding: base64\n", 40, "\r\n");
    assert_eq!(agrees(&text, &archive), Some(false));
    assert_eq!(agrees(&text, &transport), Some(true));
    for fields in [
        "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n",
        "Content-Type: multipart/mixed; boundary=x\nContent-Transfer-Encoding: base64\n",
        "Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n",
    ] {
        for normalizer in profiles() {
            assert_eq!(agrees(&attached(fields, 40, "\r\n"), &normalizer), Some(false), "{fields}");
        }
    }
    // A signature over a given number of octets.
    let fields = "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n";
    for (signature, expected) in [("d=x; l=900", false), ("d=x", true)] {
        let signed =
            [format!("DKIM-Signature: {signature}\r\n").into_bytes(), attached(fields, 40, "\r\n")]
                .concat();
        assert_eq!(agrees(&signed, &archive), Some(expected), "{signature}");
    }
}

#[test]
fn at_its_own_scale() {
    let fields = "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n";
    let octets = attached(fields, 40_000, "\r\n");
    let message = abridged(&octets, Scale::default());
    assert!(message.held() < 200_000, "{}", message.held());
    for normalizer in profiles() {
        assert_eq!(compare(&octets, &normalizer, Scale::default()), Ok((true, true)));
    }
}

#[test]
fn a_message_may_begin_anywhere() {
    let fields = "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n";
    let octets = attached(fields, 40, "\r\n");
    let mut input = Cursor::new([b"Before.\r\n", octets.as_slice()].concat());
    input.set_position(9);
    let mut message = Abridged::read_by(&mut input, SMALL[1], usize::MAX).expect("memory");
    let mut out = Vec::new();
    message.plan(&Normalizer::new()).expect("a plan").write_to(&mut out).expect("memory");
    assert_eq!(out, Normalizer::new().normalize(&octets).octets());
    assert_eq!(message.into_whole().expect("memory"), octets);
}

#[test]
fn a_file_that_changes_is_reported() {
    let fields = "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n";
    let octets = attached(fields, 60, "\r\n");
    let at = octets.len() / 2;
    let mut swapped = octets.clone();
    swapped.swap(at, at + 78 + 1);
    let mut torn = octets.clone();
    torn[at] = b'-';
    for changed in [swapped, torn, octets[..at].to_vec()] {
        assert_ne!(changed, octets);
        let Abridged { start, octets, omissions, scale, .. } = abridged(&octets, SMALL[1]);
        let mut message = Abridged { input: Cursor::new(changed), start, octets, omissions, scale };
        let mut plan = message.plan(&Normalizer::new()).expect("a plan");
        let error = plan.write_to(&mut Vec::new()).expect_err("it is another one");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}

#[test]
fn both_plans_agree() {
    let pieces = prop::collection::vec(piece(), 0..20).prop_map(|pieces| pieces.concat());
    let inputs = (prop_oneof![pieces, message(), message()], any::<bool>(), options());
    let (abridged, planned) = (Cell::new(0), Cell::new(0));
    let cases = Config::default().cases.max(5000);
    let mut runner =
        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases) });
    let agreed = runner.run(&inputs, |(octets, crlf, normalizer)| {
        let octets = if crlf { to_crlf(&octets) } else { octets };
        if let Some(made) = agrees(&octets, &normalizer) {
            abridged.set(abridged.get() + 1);
            planned.set(planned.get() + usize::from(made));
        }
        Ok(())
    });
    agreed.unwrap_or_else(|failure| panic!("{failure}"));
    let (abridged, planned) = (abridged.get(), planned.get());
    eprintln!("{abridged} messages with omissions, {planned} planned with them");
    assert!(abridged > 3000 && planned > 250, "{abridged} abridged, {planned} planned");
}

/// Returns where real mail is, if there is any.
fn real_mail() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/dev")];
    let mut mail = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "eml") {
                mail.push(path);
            }
        }
    }
    mail
}

#[test]
fn both_plans_of_real_mail_agree() {
    let (mut abridged, mut planned) = (0, 0);
    for path in real_mail() {
        let octets = fs::read(&path).expect("a file");
        let crlf = to_crlf(&octets);
        for octets in [octets, crlf] {
            for normalizer in profiles() {
                if let Some(made) = agrees(&octets, &normalizer) {
                    abridged += 1;
                    planned += usize::from(made);
                }
            }
        }
    }
    eprintln!("{abridged} messages with omissions, {planned} planned with them");
    assert!(2 * planned >= abridged, "{planned} of {abridged}");
}
