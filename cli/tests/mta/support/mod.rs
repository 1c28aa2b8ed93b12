//! Support for the tests: a private Postfix, the filters as processes, a client and a sink of our
//! own.

mod certificates;
mod client;
mod filter;
mod packets;
mod postfix;
mod sink;

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub use certificates::NamedCertificates;
pub use client::{Client, Mail};
pub use filter::{Filter, binary, open_to_all, sevenbit};
pub use packets::{fields_and_body, packet};
pub use postfix::Postfix;
pub use sink::{Arrived, Sink, SinkOptions, has_offers};

/// The folder of the project, whose messages, pages and units are read.
pub const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A port on which no process listens, and which stays free until its server listens: it is none
/// of those that the system gives to connections, and this process is given it once.
pub fn free_port() -> u16 {
    const FIRST: u32 = 10_000;
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let of_connections = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range")
        .ok()
        .and_then(|range| range.split_whitespace().next()?.parse::<u32>().ok())
        .filter(|&first| first > 2 * FIRST)
        .unwrap_or(32_768);
    let count = of_connections - FIRST;

    // Processes that run side by side begin far from each other.
    let begin = std::process::id().wrapping_mul(997);
    (0..count)
        .map(|_| begin.wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)))
        .filter_map(|number| u16::try_from(FIRST + number % count).ok())
        .find(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok())
        .expect("a port")
}

/// Says what is not tried on this machine. With `SEVENBIT_REQUIRE=all`, as in CI, that is an error.
#[track_caller]
pub fn not_tried(what: &str) {
    assert!(
        std::env::var_os("SEVENBIT_REQUIRE").is_none_or(|tools| tools != "all"),
        "not tried: {what}"
    );
    eprintln!("not tried: {what}");
}

/// The filters of this build.
pub const FILTERS: &[&str] =
    if cfg!(feature = "hooks") { &["milter", "gateway", "hooks"] } else { &["milter", "gateway"] };

/// The text with a folder in place of those that packages make for sockets and reports, and systemd
/// for secrets.
pub fn with_folders(text: &str, folder: &Path) -> String {
    const MADE_BY_PACKAGES: [&str; 6] = [
        "/run/credentials/sevenbit-hooks.service/",
        "/run/sevenbit/",
        "/var/log/sevenbit-hooks/",
        "/var/log/sevenbit-gateway/",
        "/var/log/sevenbit-milter/",
        "/var/spool/postfix/sevenbit/",
    ];
    let folder = format!("{}/", folder.display());
    MADE_BY_PACKAGES.iter().fold(text.to_owned(), |text, name| text.replace(name, &folder))
}

/// Whether `program` can be run; if not, says what is not tried.
pub fn has(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("PATH=$PATH:/usr/sbin command -v {program}")])
        .output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        not_tried(&format!("{program} is not installed (cli/tests/mta/install.sh)"));
    }
    found
}

/// Whether the machine knows a user, as whom a server runs; if not, says what is not tried.
pub fn has_user(name: &str) -> bool {
    let found = Command::new("id").arg(name).output().is_ok_and(|output| output.status.success());
    if !found {
        not_tried(&format!("there is no user {name} (cli/tests/mta/install.sh)"));
    }
    found
}

/// Whether a private Postfix can be run here.
pub fn has_postfix() -> bool {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !root {
        not_tried("Postfix is started by root only");
    }
    root && has("postfix")
}

/// A timeout for something that takes seconds on an idle machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until it is so; if that fails, says what it waited for.
#[track_caller]
pub fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}: not in {} s", PATIENCE.as_secs());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Messages written for this project, with their names.
pub fn corpus() -> Vec<(PathBuf, Vec<u8>)> {
    read_all(&Path::new(PROJECT).join("corpus/mail"))
}

/// Real mail beside the project, if it is there: files, and archives of them.
pub fn real_mail() -> Vec<(PathBuf, Vec<u8>)> {
    let shared = Path::new(PROJECT).join("../shared/corpora");
    let packed = read_packed(&shared.join("bulk/spamassassin-corpus.tar"));
    [read_all(&shared.join("dev")), packed].concat()
}

fn read_packed(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(file) = fs::File::open(path) else { return Vec::new() };
    let mut archive = tar::Archive::new(file);
    let mut found = Vec::new();
    for entry in archive.entries().expect("an archive") {
        let mut entry = entry.expect("an entry");
        if entry.header().entry_type().is_file() {
            let mut octets = Vec::new();
            entry.read_to_end(&mut octets).expect("a message");
            found.push((entry.path().expect("a name").into_owned(), octets));
        }
    }
    found
}

fn read_all(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(read_all(&path));
        } else {
            let octets = fs::read(&path).expect("a message");
            found.push((path, octets));
        }
    }
    found.sort();
    found
}
