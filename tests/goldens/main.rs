//! The messages written for this project, and their expected output: `corpus/mail/NAME.eml` against
//! `corpus/expected/PROFILE/NAME.eml` and the report in `corpus/expected/PROFILE/NAME.report`: a
//! line for each issue, with its part, span, code, rule and the charset that was guessed. Words for
//! people are not in it.
//!
//! `SEVENBIT_BLESS=1 cargo test --test goldens` rewrites the expectations; read them before they
//! are kept.

#[path = "../laws/mod.rs"]
mod laws;
mod vectors_codec;
mod vectors_header;
mod view;

use std::fs;
use std::path::{Path, PathBuf};

use sevenbit::{Code, Doubtful, Issue, Message, Normalizer, Profile, Unlabelled};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn messages() -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(corpus().join("mail"))
        .expect("corpus/mail")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .map(|path| {
            (
                path.file_stem().expect("a name").to_string_lossy().into_owned(),
                fs::read(&path).expect("a file"),
            )
        })
        .collect();
    found.sort();
    found
}

fn profiles() -> [(&'static str, Profile); 2] {
    [("transport", Profile::Transport), ("archive", Profile::Archive)]
}

/// Compares with the expectation, or writes it.
fn expect(path: &Path, found: &[u8], wrong: &mut Vec<String>) {
    if std::env::var_os("SEVENBIT_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder made");
        fs::write(path, found).expect("an expectation written");
    } else if fs::read(path).ok().as_deref() != Some(found) {
        wrong.push(format!(
            "{} differs; found:\n{}",
            path.display(),
            String::from_utf8_lossy(found)
        ));
    }
}

/// Returns the line of a report for an issue: `1.2 340..352 charset-guessed B7 windows-1251`.
fn line(issue: &Issue) -> String {
    let (start, end) = (issue.span().start, issue.span().end);
    let charset = issue.charset().map(|charset| format!(" {charset}")).unwrap_or_default();
    format!("{} {start}..{end} {} {}{charset}\n", issue.part(), issue.code(), issue.rule())
}

#[test]
fn every_message_has_the_expected_output() {
    let mut wrong = Vec::new();
    for (name, octets) in messages() {
        for (folder, profile) in profiles() {
            let output = Normalizer::new().profile(profile).normalize(&octets);
            let report: String = output.report().issues().iter().map(line).collect();
            let folder = corpus().join("expected").join(folder);
            expect(&folder.join(format!("{name}.eml")), output.octets(), &mut wrong);
            expect(&folder.join(format!("{name}.report")), report.as_bytes(), &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The README of the corpus says what each message shows, and what it must become.
#[test]
fn every_message_has_a_row() {
    let readme = fs::read_to_string(corpus().join("README.md")).expect("the corpus's README");
    let names = || messages().into_iter().map(|(name, _)| name);
    let missing: Vec<String> =
        names().filter(|name| !readme.contains(&format!("| `{name}` |"))).collect();
    assert!(missing.is_empty(), "without a row in corpus/README.md: {missing:?}");
}

#[test]
fn every_message_keeps_every_law() {
    for (name, octets) in messages() {
        laws::every_law(&octets).unwrap_or_else(|why| panic!("{name}: {why}"));
        laws::answers::hold(&octets).unwrap_or_else(|why| panic!("{name}: {why}"));
        for profile in laws::PROFILES {
            laws::view_is_kept(&octets, profile).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }
}

/// Mojibake is written as it was meant where that is asked for, what may be meant stays, and a
/// second time nothing is left.
#[test]
fn mojibake_is_mended_on_request() {
    let mail = fs::read(corpus().join("mail/b7-mojibake.eml")).expect("a message");
    let done = Normalizer::new().doubtful(Doubtful::Repair).normalize(&mail);
    let message = Message::parse(done.octets());
    let russian = "Привет, как дела? Пишу тебе из Москвы.";
    let texts: Vec<String> = message
        .parts()
        .filter(|part| part.is_leaf())
        .filter_map(|part| part.text().map(Into::into))
        .collect();
    let texts: Vec<&str> = texts.iter().map(|text| text.trim_end()).collect();
    assert_eq!(
        texts,
        [
            russian,
            russian,
            "お世話になっております。会議は明日の午後です。",
            "schöne Grüße aus München",
            "schöne Grüße aus München, Käse und Brötchen",
            "Zażółć gęślą jaźń, proszę, dziękuję",
            "schöne Grüße; «Ã la carte» in quotes",
        ]
    );
    assert_eq!(message.subject().as_deref(), Some("会議の日程について"));
    assert_eq!(message.mailboxes("from")[0].name(), "Jürgen Müller");

    let mends = |issue: &&sevenbit::Issue| issue.code() == Code::TextRepaired;
    assert_eq!(done.report().issues().iter().filter(mends).count(), 7);
    for (name, octets) in messages() {
        let once = Normalizer::new().doubtful(Doubtful::Repair).normalize(&octets).into_octets();
        let twice = Normalizer::new().doubtful(Doubtful::Repair).normalize(&once);
        assert!(twice.octets() == &*once, "{name}");
    }
}

/// `Unlabelled::Guess` changes only labels, and some of them.
#[test]
fn guessing_changes_labels_and_no_octets() {
    let mut differ = 0;
    for (name, octets) in messages() {
        laws::guessed::only_labels_are_guessed(&octets)
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        let transport = Normalizer::new().profile(Profile::Transport);
        let guessed = transport.normalize(&octets).into_octets();
        let kept = transport.unlabelled(Unlabelled::Keep).normalize(&octets).into_octets();
        let count = |octets: &[u8]| String::from_utf8_lossy(octets).matches("unknown-8bit").count();
        assert!(count(&guessed) <= count(&kept), "{name}");
        differ += usize::from(guessed != kept);
    }
    assert!(differ > 5, "{differ} messages have a label that was guessed");
}

/// One normaliser, used for a thousand messages in any order and by several threads, gives the same
/// results as a new one, from a slice as from a reader that returns pieces of any size.
#[test]
fn one_normalizer_serves_them_all() {
    let messages = messages();
    for (_, profile) in profiles() {
        let fresh = || Normalizer::new().profile(profile);
        let expected: Vec<_> =
            messages.iter().map(|(_, octets)| fresh().normalize(octets).into_parts()).collect();
        let reused = Normalizer::new().profile(profile);
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let (messages, expected, reused) = (&messages, &expected, &reused);
                scope.spawn(move || {
                    for step in 0..500 {
                        let at = (step * 37 + worker * 101) % messages.len();
                        let (name, octets) = &messages[at];
                        let mut read = Vec::new();
                        let report = reused
                            .normalize_reader(Dribble(octets), &mut read)
                            .expect("octets in memory");
                        assert!(
                            read == *expected[at].0 && report == expected[at].1,
                            "{name}, {profile:?}"
                        );
                        let (whole, report) = reused.normalize(octets).into_parts();
                        assert!(
                            whole == expected[at].0 && report == expected[at].1,
                            "{name}, {profile:?}"
                        );
                    }
                });
            }
        });
    }
}

/// A reader that returns three octets at a time.
struct Dribble<'a>(&'a [u8]);

impl std::io::Read for Dribble<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let some = into.len().min(3);
        std::io::Read::read(&mut self.0, &mut into[..some])
    }
}

/// A message stored with LF has the same output as one that came with CRLF, if it had only CRLF.
#[test]
fn line_ends_of_storage_do_not_matter() {
    for (name, octets) in messages() {
        let text = String::from_utf8_lossy(&octets).into_owned();
        let only_crlf = text.replace("\r\n", "").find(['\r', '\n']).is_none();
        if !only_crlf || text.contains('\u{FFFD}') || text.to_lowercase().contains(": binary") {
            continue;
        }
        for (_, profile) in profiles() {
            let stored = text.replace("\r\n", "\n").into_bytes();
            let normalizer = Normalizer::new().profile(profile);
            let (as_crlf, as_lf) = (normalizer.normalize(&octets), normalizer.normalize(&stored));
            let (as_crlf, as_lf) = (
                String::from_utf8_lossy(as_crlf.octets()),
                String::from_utf8_lossy(as_lf.octets()),
            );
            assert_eq!(as_crlf, as_lf, "{name}, {profile:?}");
        }
    }
}
