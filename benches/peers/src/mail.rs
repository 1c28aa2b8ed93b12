//! The messages: real mail if it is beside the project, else mail made from the prose.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::mail;

pub struct Corpus {
    pub name: String,
    pub messages: Vec<Vec<u8>>,
}

impl Corpus {
    fn new(name: &str, messages: Vec<Vec<u8>>) -> Self {
        let octets: usize = messages.iter().map(Vec::len).sum();
        let name = format!("{name} ({} messages, {:.1} MB)", messages.len(), octets as f64 / 1e6);
        Self { name, messages }
    }

    pub fn octets(&self) -> usize {
        self.messages.iter().map(Vec::len).sum()
    }
}

pub struct Corpora {
    /// Mail as a server sees it.
    pub mixed: Vec<Corpus>,
    /// Only messages that contain an octet above 7F.
    pub eightbit: Corpus,
}

impl Corpora {
    /// From `folder`, if that exists.
    pub fn load(folder: &Path) -> Self {
        match real(folder) {
            Some(Real { packed, dev }) => {
                let eightbit =
                    packed.iter().chain(&dev).filter(|message| !message.is_ascii()).cloned().collect();
                Self {
                    mixed: vec![Corpus::new("SpamAssassin", packed), Corpus::new("dev", dev)],
                    eightbit: Corpus::new("8-bit of both", eightbit),
                }
            }
            None => Self {
                mixed: vec![Corpus::new("made of prose", (0..4_000).map(mail::mixed).collect())],
                eightbit: Corpus::new("made of prose, 8-bit", (0..1_000).map(mail::eightbit).collect()),
            },
        }
    }
}

/// Real mail with CRLF line ends.
struct Real {
    /// The SpamAssassin corpus.
    packed: Vec<Vec<u8>>,
    /// The single messages of `dev`.
    dev: Vec<Vec<u8>>,
}

fn real(folder: &Path) -> Option<Real> {
    let packed = unpacked(&folder.join("bulk/spamassassin-corpus.tar"))?;
    let mut paths = Vec::new();
    messages_below(&folder.join("dev"), &mut paths);
    paths.sort();
    let dev = paths.iter().filter_map(|path| fs::read(path).ok()).map(|message| as_sent(&message)).collect();
    Some(Real { packed, dev })
}

fn unpacked(path: &Path) -> Option<Vec<Vec<u8>>> {
    let mut archive = tar::Archive::new(fs::File::open(path).ok()?);
    let mut messages = Vec::new();
    for entry in archive.entries().ok()? {
        let mut entry = entry.ok()?;
        if entry.header().entry_type().is_file() {
            let mut octets = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut octets).ok()?;
            messages.push(as_sent(&octets));
        }
    }
    Some(messages)
}

fn messages_below(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            messages_below(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "eml") {
            paths.push(path);
        }
    }
}

/// The message as it was on the wire: without the line that a mailbox puts before it, lone LF as
/// CRLF.
fn as_sent(stored: &[u8]) -> Vec<u8> {
    let line_end = stored.iter().position(|&octet| octet == b'\n').map_or(0, |at| at + 1);
    let stored = if stored.starts_with(b"From ") { &stored[line_end..] } else { stored };
    let mut sent = Vec::with_capacity(stored.len() + stored.len() / 30);
    for (at, &octet) in stored.iter().enumerate() {
        if octet == b'\n' && (at == 0 || stored[at - 1] != b'\r') {
            sent.push(b'\r');
        }
        sent.push(octet);
    }
    sent
}
