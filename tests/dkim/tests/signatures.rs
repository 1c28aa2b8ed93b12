//! The reports of sevenbit about DKIM signatures and ARC sets, compared with a verifier (rule G12):
//! a signature that is not reported still verifies, and one that is reported does not.

mod oracle;

use std::fs;
use std::path::{Path, PathBuf};

use mail_auth::dkim::Canonicalization::{self, Relaxed, Simple};
use oracle::{DOMAIN, Oracle, Scheme};
use sevenbit::{Code, Normalizer, Profile};

const FIELDS: &[&str] = &["From", "To", "Subject", "Date"];
/// Every field signed once more than it occurs, and MIME fields that are absent.
const OVERSIGNED: &[&str] = &[
    "From",
    "From",
    "To",
    "To",
    "Cc",
    "Subject",
    "Subject",
    "Date",
    "Date",
    "Message-ID",
    "MIME-Version",
    "MIME-Version",
    "Content-Type",
    "Content-Type",
    "Content-Transfer-Encoding",
    "Content-Transfer-Encoding",
    "Content-Disposition",
];

fn schemes() -> impl Iterator<Item = Scheme> {
    const FORMS: [(Canonicalization, Canonicalization); 4] =
        [(Relaxed, Relaxed), (Relaxed, Simple), (Simple, Relaxed), (Simple, Simple)];
    FORMS.into_iter().flat_map(|(header, body)| {
        [(FIELDS, false), (FIELDS, true), (OVERSIGNED, false), (OVERSIGNED, true)]
            .into_iter()
            .map(move |(fields, length)| Scheme { header, body, length, fields })
    })
}

/// The outcome for many messages.
#[derive(Debug, Default)]
struct Outcome {
    verified: usize,
    kept: usize,
    broken: usize,
    /// Not reported, and no longer verifying.
    missed: Vec<String>,
    /// Reported because verifiers differ (`src/message/plan/dkim.rs` says where), and accepted by
    /// this one.
    doubtful: usize,
    /// Reported, and still verifying.
    wolf: Vec<String>,
}

/// The header had a line that is not a field, or white space before a colon; or text follows where
/// `l=` ends in a relaxed body, whose white space mail-auth counts.
fn is_documented(what: &str, said: &str) -> bool {
    said.contains(": header") || what.contains("/relaxed") && what.ends_with("l=, with a footer")
}

impl Outcome {
    /// Normalises a signed message and compares the report with the verifier's verdict.
    fn judge(&mut self, what: &str, signed: &[u8], verifies: impl Fn(&[u8]) -> bool) {
        if !verifies(signed) {
            return;
        }
        for profile in [Profile::Transport, Profile::Archive] {
            self.verified += 1;
            let output = Normalizer::new().profile(profile).normalize(signed);
            let says = |issue: &&sevenbit::Issue| {
                issue.code() == Code::DkimBroken && issue.detail().to_string().starts_with(DOMAIN)
            };
            let said = output.report().issues().iter().find(says).map(ToString::to_string);
            let after = verifies(output.octets());
            match (said, after) {
                (None, true) => self.kept += 1,
                (Some(_), false) => self.broken += 1,
                (None, false) => self.missed.push(format!("{what}, {profile:?}")),
                (Some(said), true) if is_documented(what, &said) => self.doubtful += 1,
                (Some(said), true) => self.wolf.push(format!("{what}, {profile:?}: {said}")),
            }
        }
    }

    fn tell(&self, of: &str) {
        println!(
            "{of}: {} verified before; {} not reported and verify, {} reported and broken, {} reported where verifiers \
             differ, {} missed, {} cried wolf",
            self.verified,
            self.kept,
            self.broken,
            self.doubtful,
            self.missed.len(),
            self.wolf.len()
        );
        self.missed.iter().for_each(|missed| println!("  missed: {missed}"));
        self.wolf.iter().take(10).for_each(|wolf| println!("  wolf: {wolf}"));
    }
}

fn messages(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path: PathBuf = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "eml") {
                found.push((path.display().to_string(), fs::read(&path).expect("a file")));
            }
        }
    }
    found.sort();
    found
}

fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Lines as they were on the wire.
fn with_crlf(message: &[u8]) -> Vec<u8> {
    let lines = message.split(|&octet| octet == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.collect::<Vec<_>>().join(&b"\r\n"[..])
}

/// A signed message after its signature; one that was stored with LF is signed as it was sent.
fn with_signature(fields: Option<Vec<u8>>, message: &[u8]) -> Option<Vec<u8>> {
    Some([fields?.as_slice(), message].concat())
}

fn judge_all(oracle: &Oracle, messages: &[(String, Vec<u8>)], schemes: &[Scheme], outcome: &mut Outcome) {
    for (name, octets) in messages {
        // Verifiers differ about l= if empty lines end the text.
        let message = [with_crlf(octets).trim_ascii_end(), b"\r\n"].concat();
        for &scheme in schemes {
            let what = format!("{name}, {scheme:?}");
            let Some(signed) = with_signature(oracle.sign(&message, scheme), &message) else { continue };
            outcome.judge(&what, &signed, |message| oracle.verifies(message));
            if scheme.length {
                let footer = [&signed, "\r\n-- \r\nvon der Liste angehängt\r\n".as_bytes()].concat();
                outcome.judge(&format!("{what}, with a footer"), &footer, |message| oracle.verifies(message));
            }
        }
    }
}

#[test]
fn signatures_of_the_corpus() {
    let oracle = Oracle::new();
    let mut outcome = Outcome::default();
    let messages = messages(&project().join("corpus/mail"));
    judge_all(&oracle, &messages, &schemes().collect::<Vec<_>>(), &mut outcome);
    outcome.tell("DKIM over corpus/mail");
    assert!(outcome.verified > 1000 && outcome.missed.is_empty() && outcome.wolf.is_empty());
}

#[test]
fn seals_of_the_corpus() {
    let oracle = Oracle::new();
    let mut outcome = Outcome::default();
    for (name, octets) in messages(&project().join("corpus/mail")) {
        let message = with_crlf(&octets);
        for scheme in schemes() {
            let Some(sealed) = with_signature(oracle.seal(&message, scheme), &message) else { continue };
            let what = format!("{name}, {scheme:?}");
            outcome.judge(&what, &sealed, |message| oracle.chain_verifies(message));
            let Some(twice) = with_signature(oracle.seal(&sealed, scheme), &sealed) else { continue };
            outcome.judge(&format!("{what}, two sets"), &twice, |message| oracle.chain_verifies(message));
        }
    }
    outcome.tell("ARC over corpus/mail");
    assert!(outcome.verified > 1000 && outcome.missed.is_empty() && outcome.wolf.is_empty());
}

/// Transport changes nothing in a message in its normal form, so every signature over it remains
/// valid.
#[test]
fn transport_breaks_nothing_in_its_normal_form() {
    let oracle = Oracle::new();
    let normalizer = Normalizer::new().profile(Profile::Transport);
    let mut verified = 0;
    for (name, octets) in messages(&project().join("corpus/mail")) {
        let message = normalizer.normalize(&octets).into_octets().into_owned();
        for scheme in schemes() {
            let Some(signed) = with_signature(oracle.sign(&message, scheme), &message) else { continue };
            if oracle.verifies(&signed) {
                verified += 1;
                let after = normalizer.normalize(&signed);
                assert!(oracle.verifies(after.octets()), "{name}, {scheme:?}");
            }
        }
    }
    println!("{verified} signatures over normal forms hold");
    assert!(verified > 1000);
}

/// Real mail beside the project, signed here: its own keys no longer exist.
#[test]
fn signatures_of_real_mail() {
    let corpora = project().join("../shared/corpora/dev");
    if !corpora.is_dir() {
        eprintln!("no corpora beside the project: nothing to sign");
        return;
    }
    let oracle = Oracle::new();
    let mut outcome = Outcome::default();
    let schemes = [
        Scheme { header: Relaxed, body: Relaxed, length: false, fields: OVERSIGNED },
        Scheme { header: Simple, body: Simple, length: true, fields: FIELDS },
    ];
    judge_all(&oracle, &messages(&corpora), &schemes, &mut outcome);
    outcome.tell("DKIM over real mail");
    assert!(outcome.missed.is_empty());
}
