//! Where mailboxes are cut into messages, compared with Python's `mailbox` module: at the same
//! octets, or elsewhere for a reason that is named here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::mailboxes::boxes;
use crate::support::{PROJECT, World, json_lines};

/// First and last octet of each message.
type Places = Vec<(usize, usize)>;

/// Where each message of a mailbox is, according to the command.
fn places(path: &Path) -> Places {
    let world = World::new();
    let path = path.to_str().expect("a name");
    let ran = world.run(&["normalize", "--format", "mbox", "--check", "--report", "-", path]);
    let number =
        |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("it is small");
    let place = |line: &Value| {
        let octets = &line["mailbox"]["octets"];
        (number(&octets[0]), number(&octets[1]))
    };
    ran.json().iter().map(place).collect()
}

/// The messages' places according to Python's `mailbox`; nothing if Python is missing.
fn places_of_python(path: &Path) -> Option<Places> {
    const SCRIPT: &str = "import mailbox, sys\n\
        box = mailbox.mbox(sys.argv[1], create=False); box._generate_toc()\n\
        file = open(sys.argv[1], 'rb')\n\
        for start, stop in box._toc.values():\n    file.seek(start); file.readline(); print(file.tell(), max(stop, file.tell()))";
    let Ok(ran) = Command::new("python3").args(["-c", SCRIPT]).arg(path).output() else {
        assert!(
            std::env::var_os("SEVENBIT_REQUIRE").is_none_or(|tools| tools != "all"),
            "no python3"
        );
        println!("no python3: {} is not compared", path.display());
        return None;
    };
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let line = |line: &str| {
        let (start, stop) = line.split_once(' ').expect("two numbers");
        (start.parse().expect("a number"), stop.parse().expect("a number"))
    };
    Some(String::from_utf8_lossy(&ran.stdout).lines().map(line).collect())
}

/// How two ways to cut a mailbox differ.
#[derive(Debug, PartialEq, Eq)]
enum Difference {
    None,
    /// Python does not recognise an empty line of CRLF before the next message, and adds it to the
    /// message.
    EmptyLineOfCrlf,
    /// A correct `Content-Length` says where a message ends: with its last empty line, or before
    /// some.
    EndByLength,
    /// Python splits at every line that begins with `From `: also in a message with a
    /// `Content-Length`, at text that was not quoted, and at a field `From :`.
    FewerMessages,
    /// A difference without a known reason.
    Odd,
}

fn difference(octets: &[u8], ours: &Places, theirs: &Places) -> Difference {
    let is_one_of_theirs = |start: usize| theirs.iter().any(|other| other.0 == start);
    if ours.len() < theirs.len() && ours.iter().all(|place| is_one_of_theirs(place.0)) {
        return Difference::FewerMessages;
    }
    if ours.len() != theirs.len() {
        return Difference::Odd;
    }
    let each = ours.iter().zip(theirs).map(|(ours, theirs)| match (ours, theirs) {
        _ if ours == theirs => Difference::None,
        _ if ours.0 != theirs.0 => Difference::Odd,
        _ if ours.1 < theirs.1 && octets[ours.1..theirs.1] == *b"\r\n" => {
            Difference::EmptyLineOfCrlf
        }
        _ if ours.1 - ours.0 == declared_length(&octets[ours.0..ours.1]) => Difference::EndByLength,
        _ => Difference::Odd,
    });
    let mut found: Vec<Difference> = each.filter(|each| *each != Difference::None).collect();
    found.dedup();
    if found.len() > 1 { Difference::Odd } else { found.pop().unwrap_or(Difference::None) }
}

/// The length of a message according to its `Content-Length`.
fn declared_length(message: &[u8]) -> usize {
    let text = String::from_utf8_lossy(message).to_lowercase();
    let said =
        text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let body = ["\r\n\r\n", "\n\n"].iter().filter_map(|end| {
        let at = message.windows(end.len()).position(|window| window == end.as_bytes())?;
        Some(at + end.len())
    });
    body.min().unwrap_or_default() + said.unwrap_or(usize::MAX / 2)
}

/// Compares each of `paths`; `expected` says how its cuts differ from Python's.
fn compare(paths: &[PathBuf], expected: impl Fn(&str) -> Difference) {
    let mut messages = 0;
    for path in paths {
        let Some(theirs) = places_of_python(path) else { return };
        let ours = places(path);
        let octets = fs::read(path).expect("a mailbox");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        assert_eq!(
            difference(&octets, &ours, &theirs),
            expected(name),
            "{name}: {ours:?}, Python {theirs:?}"
        );
        messages += ours.len();
    }
    println!("{} mailboxes of {messages} messages compared", paths.len());
}

#[test]
fn mailboxes_written_for_this_are_cut_as_by_python_or_for_a_reason() {
    compare(&boxes(), |name| match name {
        "mboxcl2.mbox" | "text-from.mbox" | "quoted-separators.mbox" => Difference::FewerMessages,
        "crlf.mbox" | "thunderbird.mbox" => Difference::EmptyLineOfCrlf,
        _ => Difference::None,
    });
}

fn corpora() -> PathBuf {
    Path::new(PROJECT).join("../shared/corpora")
}

/// Every file called `.mbox` below a directory.
fn mailboxes_below(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = paths
        .flat_map(|path| if path.is_dir() { mailboxes_below(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "mbox"))
        .collect();
    found.sort();
    found
}

#[test]
fn real_mailboxes_are_cut_as_by_python_or_for_a_reason() {
    let paths = mailboxes_below(&corpora());
    if paths.is_empty() {
        println!("no corpora beside the project: nothing to compare");
    }
    compare(&paths, |name| match name {
        // The second has a file of `git format-patch` as an attachment.
        "t__mboxes__mboxcl2.lies.mbox" | "test__corpora__indexing__mbox-attachment.mbox" => {
            Difference::FewerMessages
        }
        "tests__spam.mbox" => Difference::EndByLength,
        "t__mboxes__testmbox.dos.mbox"
        | "tests__data__spam.mbox"
        | "mailbox__mbox-0.mbox"
        | "maildir__not__rb-issue-368-bug.mbox" => Difference::EmptyLineOfCrlf,
        _ => Difference::None,
    });
}

#[test]
fn each_file_of_a_real_tar_file_is_a_message() {
    let tar = corpora().join("bulk/spamassassin-corpus.tar");
    let Ok(original) = fs::read(&tar) else {
        println!("no corpora beside the project: nothing to compare");
        return;
    };
    let world = World::new();
    let tar = tar.to_str().expect("a name");
    world
        .run(&["normalize", tar, "-o", "out.tar", "--report", "r"])
        .exits(0)
        .says(&["6,044 messages"]);
    let mut archive = tar::Archive::new(original.as_slice());
    let files = archive.entries().expect("entries").map(|entry| entry.expect("an entry"));
    let files = files.filter(|entry| entry.header().entry_type().is_file());
    let report = json_lines(&world.read("r"));
    let mut count = 0;
    for (entry, line) in files.zip(&report) {
        let start = entry.raw_file_position();
        let mailbox = &line["mailbox"];
        assert_eq!(mailbox["octets"][0], start);
        assert_eq!(mailbox["octets"][1], start + entry.size());
        assert_eq!(mailbox["name"], *entry.path().expect("a path").to_string_lossy());
        count += 1;
    }
    assert_eq!((count, report.len()), (6044, 6044));
}
