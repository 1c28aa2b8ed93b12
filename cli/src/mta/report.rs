//! The report of a filter: a line of JSON for each message, and what the command `report` makes of
//! them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::filter::{Record, guarded};
use super::log::shown;
use crate::args::AddressChoice;
use crate::heading::Heading;
use crate::term::plural;

/// How many senders are listed.
const MOST_SENDERS: usize = 20;

/// One message.
#[derive(Debug, Deserialize, Serialize)]
struct Line {
    /// Seconds since 1970.
    time: u64,
    id: String,
    client: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(default)]
    to: Vec<String>,
    #[serde(flatten)]
    heading: Heading,
    octets: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    octets_out: Option<u64>,
    fate: String,
    /// What its client was told, and who has decided that; reports of before have neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    answer: String,
    /// The connection, as the log numbers it, and its peer.
    #[serde(default)]
    connection: u64,
    #[serde(default)]
    peer: String,
    dry_run: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    codes: Vec<String>,
}

/// The connection that a message has come by.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// Its number in the log.
    pub connection: u64,
    /// Who has made it.
    pub peer: String,
}

/// The file that lines are added to.
#[derive(Debug)]
pub struct Report {
    path: PathBuf,
    file: Mutex<File>,
}

impl Report {
    /// Opens it.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), file: Mutex::new(open(path)?) })
    }

    /// Opens it again, because another file may be in its place.
    ///
    /// # Errors
    /// Those of the system: the old one stays open.
    pub fn reopen(&self) -> io::Result<()> {
        let file = open(&self.path)?;
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = file;
        Ok(())
    }

    /// Adds a line.
    ///
    /// # Errors
    /// Those of the file.
    pub fn add(&self, from: Origin, record: &Record, addresses: AddressChoice) -> io::Result<()> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let line = Line {
            time,
            id: record.id.clone(),
            client: record.client.clone(),
            from: shown(&record.envelope.from, addresses),
            to: record.envelope.to.iter().filter_map(|to| shown(to, addresses)).collect(),
            heading: heading(record, addresses),
            octets: record.octets,
            octets_out: record.octets_out,
            fate: record.fate.as_str().to_owned(),
            outcome: Some(record.outcome.as_str().to_owned()),
            by: Some(record.by.as_str().to_owned()),
            answer: record.answer.clone(),
            connection: from.connection,
            peer: from.peer,
            dry_run: record.dry_run,
            rule: record.rule.clone(),
            codes: record.codes.iter().map(|code| code.as_str().to_owned()).collect(),
        };
        let mut octets = serde_json::to_vec(&line)?;
        octets.push(b'\n');
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&octets)
    }
}

/// Returns the heading of a message, with no more of it than is shown of addresses: a subject has
/// whatever people write, and no hash of it is of use.
fn heading(record: &Record, addresses: AddressChoice) -> Heading {
    if matches!(addresses, AddressChoice::None) {
        return Heading::default();
    }
    let Heading { message_id, subject } =
        guarded(|| Heading::of(&record.header)).unwrap_or_default();
    Heading {
        message_id: message_id.and_then(|id| shown(&id, addresses)),
        subject: subject.filter(|_| matches!(addresses, AddressChoice::Plain)),
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().create(true).append(true).open(path)
}

/// The number of messages that have something, and of those that changed, or would have in a dry run.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    all: u64,
    changed: u64,
}

/// The messages that passed in a dry run, or those that did not.
#[derive(Debug, Default)]
struct Tally {
    all: Count,
    fates: Counts,
}

/// Sums up a report.
///
/// # Errors
/// Those of reading; a line that is none of a report ([`InvalidData`](io::ErrorKind::InvalidData));
/// those of `out`.
pub fn sum_up(path: &Path, mut out: impl Write) -> io::Result<()> {
    let (mut done, mut dry) = <(Tally, Tally)>::default();
    let (mut codes, mut senders, mut rules) = <(Counts, Counts, Counts)>::default();
    let mut outcomes = Counts::default();
    let mut odd = None;
    for (number, line) in (1..).zip(BufReader::new(File::open(path)?).lines()) {
        if let Some(error) = odd {
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
        let line = line?;
        let line: Line = match serde_json::from_str(&line) {
            Ok(line) => line,
            Err(error) => {
                odd = Some(not_of_a_report(number, &line, &error));
                continue;
            }
        };
        let changed = u64::from(line.fate == "changed" || line.fate == "quarantined");
        let add = |count: &mut Count| {
            *count = Count { all: count.all + 1, changed: count.changed + changed }
        };
        let tally = if line.dry_run { &mut dry } else { &mut done };
        add(&mut tally.all);
        add(tally.fates.entry(line.fate).or_default());
        if let (Some(outcome), Some(by)) = (line.outcome, line.by) {
            add(outcomes.entry(format!("{outcome} ({by})")).or_default());
        }
        line.codes.into_iter().for_each(|code| add(codes.entry(code).or_default()));
        line.rule.into_iter().for_each(|rule| add(rules.entry(rule).or_default()));
        add(senders.entry(line.from.as_deref().map_or("?", domain).to_lowercase()).or_default());
    }
    let total = done.all.all + dry.all.all;
    write_summary(&mut out, done.all, dry.all)?;
    if odd.is_some() && total > 0 {
        writeln!(out, "The last line is cut off, and not counted.")?;
    } else if let Some(error) = odd {
        return Err(io::Error::new(io::ErrorKind::InvalidData, error));
    }
    for (title, tally) in
        [("What was done", done), ("What would have been done to messages of the dry run", dry)]
    {
        let fates = in_order(tally.fates, |count| count.all);
        list(&mut out, title, fates, usize::MAX, |count| percent(count.all, tally.all.all))?;
    }
    let share = |count: Count| percent(count.all, total);
    list(
        &mut out,
        "What became of them",
        in_order(outcomes, |count| count.all),
        usize::MAX,
        share,
    )?;
    list(
        &mut out,
        "What was found, by the code, and in how many that changed or would have",
        in_order(codes, |count| count.all),
        usize::MAX,
        |count| format!("{}, {}", share(count), count.changed),
    )?;
    list(&mut out, "By the rule", in_order(rules, |count| count.all), usize::MAX, share)?;
    let senders = in_order(senders, |count| count.changed);
    list(
        &mut out,
        "Whose, by the sender's domain: what changed or would have, of all",
        senders,
        MOST_SENDERS,
        |count| format!("{} of {}", count.changed, count.all),
    )
}

/// Writes how many messages there were, and how many of them changed, or would have in a dry run.
fn write_summary(out: &mut impl Write, done: Count, dry: Count) -> io::Result<()> {
    let total = done.all + dry.all;
    let messages = format!("{total} message{}", plural(total));
    let changed = format!("{} changed", percent(done.changed, total));
    let would_change = format!("{} would have changed", percent(dry.changed, total));

    match (done.all, dry.all) {
        (_, 0) => writeln!(out, "{messages}; {changed}"),
        (0, _) => writeln!(out, "{messages}, in a dry run; {would_change}"),
        (_, dry) => {
            writeln!(out, "{messages}, {dry} of them in a dry run; {changed}, {would_change}")
        }
    }
}

/// The words for a line that is none of a report.
fn not_of_a_report(number: usize, line: &str, error: &serde_json::Error) -> String {
    let why = if line.trim_start().starts_with('{') {
        error.to_string()
    } else {
        "it is text of another kind, as of a log".to_owned()
    };
    format!(
        "line {number} is not of a report, which has an object of JSON on each line (`--report FILE` \
         of the filter writes one): {why}"
    )
}

type Counts = BTreeMap<String, Count>;

/// The counts from the largest of what is shown of them to the least, equal ones by their names.
fn in_order(counts: Counts, shown: impl Fn(&Count) -> u64) -> Vec<(String, Count)> {
    let mut counts: Vec<(String, Count)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse((shown(count), count.all)));
    counts
}

/// Writes counts with a title.
fn list(
    out: &mut impl Write,
    title: &str,
    counts: Vec<(String, Count)>,
    most: usize,
    shown: impl Fn(Count) -> String,
) -> io::Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}:")?;
    // Names from mail are shown without control characters.
    counts.iter().take(most).try_for_each(|(name, count)| {
        writeln!(out, "  {:>20}  {}", shown(*count), name.escape_debug())
    })?;
    match counts.len().saturating_sub(most) {
        0 => Ok(()),
        more => writeln!(out, "  {more} more"),
    }
}

fn percent(part: u64, all: u64) -> String {
    // Counts of messages are exact in 52 bits.
    #[expect(clippy::cast_precision_loss)]
    let share = if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
    format!("{part} ({share:.1} %)")
}

fn domain(address: &str) -> &str {
    match address.rsplit_once('@') {
        Some((_, domain)) => domain,
        None if address.is_empty() => "<>",
        None => address,
    }
}

#[cfg(test)]
mod tests {
    use sevenbit::Code;

    use super::*;
    use crate::mta::filter::{Addresses, Fate};
    use crate::mta::laws::filter;

    #[test]
    fn what_a_dry_run_would_have_done_is_said_apart() {
        let folder = tempfile::TempDir::new().expect("a directory");
        let path = folder.path().join("report");
        let report = Report::open(&path).expect("a file");
        let add = |fate, dry_run| {
            let record = Record { fate, dry_run, ..Record::new(&filter(), 7) };
            report.add(Origin::default(), &record, AddressChoice::Plain).expect("written");
            let mut said = Vec::new();
            sum_up(&path, &mut said).expect("a report");
            String::from_utf8(said).expect("text")
        };

        let said = add(Fate::Changed, true);
        let dry = "1 message, in a dry run; 1 (100.0 %) would have changed\n";
        assert!(said.starts_with(dry) && !said.contains("What was done"), "{said}");

        for (fate, dry_run) in [(Fate::Clean, true), (Fate::Changed, false)] {
            add(fate, dry_run);
        }
        let said = add(Fate::Clean, false);
        for part in [
            "4 messages, 2 of them in a dry run; 1 (25.0 %) changed, 1 (25.0 %) would have changed\n",
            "What was done:\n            1 (50.0 %)  changed\n",
            "What would have been done to messages of the dry run:\n            1 (50.0 %)  changed\n",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }

    #[test]
    fn what_is_added_is_summed_up() {
        let folder = tempfile::TempDir::new().expect("a directory");
        let path = folder.path().join("report");
        let report = Report::open(&path).expect("a file");
        let add = |from: &str, fate, codes: &[Code]| {
            let envelope =
                Addresses { from: from.to_owned(), to: vec!["b@example.com".to_owned()] };
            let record =
                Record { envelope, fate, codes: codes.to_vec(), ..Record::new(&filter(), 7) };
            report.add(Origin::default(), &record, AddressChoice::Plain).expect("written");
        };
        add("a@example.org", Fate::Changed, &[Code::RawHeaderText, Code::BareLineEnd]);
        std::fs::rename(&path, folder.path().join("older")).expect("renamed");
        report.reopen().expect("a file");
        add("a@Example.org", Fate::Changed, &[Code::RawHeaderText]);
        add("a@example.net", Fate::Clean, &[]);
        add("", Fate::Clean, &[]);
        let mut said = Vec::new();
        sum_up(&path, &mut said).expect("a report");
        let said = String::from_utf8(said).expect("text");
        for part in [
            "3 messages; 1 (33.3 %) changed\n\nWhat was done:\n",
            "1 (33.3 %), 1  raw-header-text",
            "3 (100.0 %)  deferred (sevenbit)",
            "1 of 1  example.org",
            "0 of 1  <>",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        for (octets, why) in [
            ("{}\n", "missing field `time`"),
            ("2026-11-19T10:00:00Z INFO message\n", "text of another kind"),
            ("2026\n", "text of another kind"),
        ] {
            std::fs::write(&path, octets).expect("written");
            let error = sum_up(&path, io::sink()).expect_err("no report").to_string();
            let wanted = error.starts_with("line 1 ") && error.contains("an object of JSON");
            assert!(wanted && error.contains(why), "{error}");
        }
    }
}
