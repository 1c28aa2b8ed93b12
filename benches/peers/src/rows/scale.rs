//! Figures other than speed: allocations for a clean message, memory for a big one.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use sevenbit::{Normalizer, Profile};

use crate::allocations;
use crate::support::Numbers;
use crate::support::text::language;
use crate::table::{Goal, Row, Table};

/// For the fields, and for the text of a Content-Type.
const FEW: usize = 2;

pub fn rows(table: &mut Table) {
    for profile in [Profile::Transport, Profile::Archive] {
        clean(profile, table);
    }
    for profile in ["transport", "archive"] {
        big(profile, table);
    }
}

/// A message in which nothing has to change, longer and longer.
fn clean(profile: Profile, table: &mut Table) {
    let mut row = Row::new(
        &format!("allocations, {profile:?}").to_lowercase(),
        "clean messages of 4 kB, 64 kB, 1 MB".to_owned(),
        0,
    );
    if !table.wants(&row.operation, &row.corpus) {
        return;
    }
    let normalizer = Normalizer::new().profile(profile);
    let message = |octets| {
        let text: String = language("en").prose(octets, 1).chars().filter(char::is_ascii).collect();
        format!("{HEADER}\r\n{text}").into_bytes()
    };
    let messages = [4 << 10, 64 << 10, 1 << 20].map(message);
    normalizer.normalize(&messages[0]); // what is made once for all messages is made now
    let counts = messages.each_ref().map(|message| allocations::of(|| normalizer.normalize(message)));
    let borrowed = messages
        .iter()
        .all(|message| matches!(normalizer.normalize(message).into_octets(), Cow::Borrowed(_)));
    let counted = counts.map(|count| count.to_string()).join(", ");
    row.measured = Some(format!("{counted}, {}", if borrowed { "borrowed" } else { "NOT borrowed" }));
    row.goals.push(Goal::Said(
        format!("borrowed, at most {FEW} at any length"),
        borrowed && counts.iter().all(|&count| count <= FEW),
    ));
    table.add(row);
}

const HEADER: &str = "Received: from window.example by harbour.example; Mon, 2 Feb 2026 06:15:01 +0100\r\n\
    Date: Mon, 2 Feb 2026 06:15:00 +0100\r\n\
    From: The Sorter <sorter@post.example>\r\n\
    To: keeper@lighthouse.example\r\n\
    Subject: Three sacks, as always\r\n\
    Message-ID: <6150@post.example>\r\n\
    MIME-Version: 1.0\r\n\
    Content-Type: text/plain; charset=us-ascii\r\n\
    Content-Transfer-Encoding: 7bit\r\n";

const BIG: usize = 200_000_000;

/// The command on one message of 200 MB, file to file.
fn big(profile: &str, table: &mut Table) {
    let mut row = Row::new(
        &format!("200 MB, file to file, {profile}"),
        "text in 8bit and a file in base64".to_owned(),
        BIG,
    );
    let command = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/sevenbit");
    if !table.wants(&row.operation, &row.corpus) {
        return;
    }
    if !command.is_file() {
        eprintln!(
            "{}: left out, as the command is not built: cargo build --release",
            row.operation
        );
        return;
    }
    let folder = env::temp_dir().join(format!("sevenbit-peers-{}", std::process::id()));
    let measured = fs::create_dir_all(&folder).and_then(|()| run(&command, profile, &folder));
    let _ = fs::remove_dir_all(&folder);
    match measured {
        Err(error) => eprintln!("{}: {error}", row.operation),
        Ok(found) => {
            let megabytes = found.octets as f64 / 1e6;
            row.measured = Some(format!(
                "{:.0} MB/s (copy and sync {:.0}), peak {:.0} MB, {:.0} of its own",
                megabytes / found.seconds,
                megabytes / found.copy_seconds,
                found.peak as f64 / 1e6,
                found.own as f64 / 1e6
            ));
            row.goals.push(Goal::Said(
                "peak under 1.1 × the message".to_owned(),
                (found.peak as f64) < 1.1 * found.octets as f64,
            ));
            row.goals.push(Goal::Said("under 40 MB of its own".to_owned(), found.own < 40_000_000));
            table.add(row);
        }
    }
}

struct Found {
    octets: u64,
    seconds: f64,
    copy_seconds: f64,
    /// Peak resident octets, including mapped files.
    peak: u64,
    /// Peak resident octets without those of files.
    own: u64,
}

fn run(command: &Path, profile: &str, folder: &Path) -> io::Result<Found> {
    let [input, output, copy] = ["in.eml", "out.eml", "copy.eml"].map(|name| folder.join(name));
    write_big(&input)?;
    let start = Instant::now();
    fs::copy(&input, &copy)?;
    // The command names nothing before it is on the disk.
    fs::File::open(&copy)?.sync_all()?;
    let copy_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let mut child = start_command(command, profile, &input, &output)?;
    let (peak, own) = watch(&mut child)?;
    let seconds = start.elapsed().as_secs_f64();
    if !output.is_file() {
        return Err(io::Error::other("the command wrote nothing"));
    }
    Ok(Found { octets: fs::metadata(&input)?.len(), seconds, copy_seconds, peak, own })
}

fn start_command(command: &Path, profile: &str, input: &PathBuf, output: &PathBuf) -> io::Result<Child> {
    let mut command = Command::new(command);
    command.args(["normalize", "--quiet", "--profile", profile]).arg(input).arg("--output").arg(output);
    command.stdout(Stdio::null()).spawn()
}

/// Watches the memory of `child` until it ends.
fn watch(child: &mut Child) -> io::Result<(u64, u64)> {
    let status = format!("/proc/{}/status", child.id());
    let (mut peak, mut own) = (0, 0);
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let field = |name: &str| -> u64 {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
        };
        peak = peak.max(field("VmHWM:"));
        own = own.max(field("RssAnon:"));
        if let Some(status) = child.try_wait()? {
            return if status.success() {
                Ok((peak, own))
            } else {
                Err(io::Error::other(format!("the command ended with {status}")))
            };
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn write_big(path: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(fs::File::create(path)?);
    let text = language("fr").prose(2_000_000, 1);
    let line = encodify::base64::MIME.encode(Numbers::new(9).octets(57 * 1_000));
    write!(
        out,
        "Subject: Trois sacs\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"=_b\"\r\n\r\n"
    )?;
    write!(
        out,
        "--=_b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
    )?;
    write!(out, "--=_b\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n")?;
    for _ in 0..(BIG - text.len()) / line.len() {
        out.write_all(line.as_bytes())?;
    }
    write!(out, "\r\n--=_b--\r\n")?;
    out.flush()
}
