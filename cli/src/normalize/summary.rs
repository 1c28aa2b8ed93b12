//! The summary of a run over many messages, for a person.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use sevenbit::{Code, Severity};
use sevenbit_store::Kind;

use super::ending::Ending;
use super::job::Done;
use crate::input::{Item, Skipped};
use crate::issue::is_doubt;
use crate::output::NotKept;
use crate::place::{is_stdin, shown};
use crate::term::{COLUMNS, grouped, plural, rate, rows, safe_line, seconds, size, style};

/// Counts over a run.
#[derive(Debug)]
pub struct Summary {
    begun: Instant,
    changed: u64,
    normal: u64,
    refused: u64,
    failed: u64,
    skipped: BTreeMap<Skipped, u64>,
    octets: u64,
    kept: u64,
    /// Files that are no mail.
    others: BTreeMap<Kind, u64>,
    /// Copies of earlier messages, which were left out.
    copies: u64,
    /// Messages of which the output has no place for something, and what.
    incomplete: u64,
    not_kept: BTreeMap<NotKept, u64>,
    /// Names of files that were replaced under another name.
    links: u64,
    /// `From ` lines in mailboxes that may or may not separate messages.
    doubts: usize,
    codes: BTreeMap<Code, u64>,
    /// Messages of which something was lost.
    lossy: u64,
    /// Messages that readers may take otherwise than they were written.
    doubtful: u64,
    charsets: BTreeMap<String, u64>,
    /// The message that a person would look at first, and how much it asks for that.
    example: Option<(Interest, String)>,
    /// The message that took longest: how long, its name, its length.
    slowest: Option<(Duration, String, u64)>,
}

/// How much a message asks to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Interest {
    Nothing,
    Repair,
    Doubt,
    Loss,
}

impl Interest {
    fn of(codes: &[Code]) -> Self {
        let of_code = |code: &Code| match code.severity() {
            Severity::Loss => Self::Loss,
            _ if is_doubt(*code) => Self::Doubt,
            Severity::Repair => Self::Repair,
            _ => Self::Nothing,
        };
        codes.iter().map(of_code).max().unwrap_or(Self::Nothing)
    }
}

/// The file that has a message as it was after the run.
#[derive(Clone, Copy, Debug)]
pub enum AsItWas<'a> {
    /// The input.
    Input,
    /// A copy below this directory.
    Below(&'a Path),
    /// No file: it was replaced.
    Nowhere,
}

/// Returns the command that shows a message as a page, if it can be read once more.
fn explain_command(item: &Item, as_it_was: AsItWas<'_>) -> Option<String> {
    if is_stdin(&item.name) {
        return None;
    }
    let name = match as_it_was {
        AsItWas::Input => Cow::Borrowed(&*item.name),
        AsItWas::Below(directory) => Cow::Owned(directory.join(&item.relative)),
        AsItWas::Nowhere => return None,
    };
    let number = item.number().map(|number| format!("--message {number} "));
    let file = shown(&name);
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+,@%=:".contains(c);
    let file = if file.chars().all(is_plain) {
        file
    } else {
        format!("'{}'", file.replace('\'', r"'\''")).into()
    };
    Some(format!(
        "sevenbit explain {}{} -o page.html",
        number.unwrap_or_default(),
        safe_line(&file)
    ))
}

/// How many charset labels are counted.
const MAX_CHARSETS: usize = 1000;

/// How many of them are shown.
const SHOWN_CHARSETS: usize = 12;

impl Default for Summary {
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            changed: 0,
            normal: 0,
            refused: 0,
            failed: 0,
            skipped: BTreeMap::new(),
            octets: 0,
            kept: 0,
            others: BTreeMap::new(),
            copies: 0,
            incomplete: 0,
            not_kept: BTreeMap::new(),
            links: 0,
            doubts: 0,
            codes: BTreeMap::new(),
            lossy: 0,
            doubtful: 0,
            charsets: BTreeMap::new(),
            example: None,
            slowest: None,
        }
    }
}

impl Summary {
    /// Counts a message.
    ///
    /// `as_it_was` names the file that has it as it was, if that is not its input.
    pub fn count(&mut self, done: &Done, as_it_was: AsItWas<'_>) {
        match done.ending {
            Ending::Changed => self.changed += 1,
            Ending::Normal => self.normal += 1,
            Ending::Refused => self.refused += 1,
            Ending::Kept => self.kept += 1,
        }
        self.octets += done.octets_in;
        self.doubts += done.item.position().map_or(0, |position| position.doubts.len());
        for code in &done.codes {
            *self.codes.entry(*code).or_default() += 1;
        }
        let interest = Interest::of(&done.codes);
        self.lossy += u64::from(interest == Interest::Loss);
        self.doubtful += u64::from(done.codes.iter().any(|code| is_doubt(*code)));
        if self.example.as_ref().is_none_or(|(most, _)| interest > *most)
            && let Some(command) = explain_command(&done.item, as_it_was)
        {
            self.example = Some((interest, command));
        }
        for charset in &done.charsets {
            self.count_charset(charset);
        }
        if self.slowest.as_ref().is_none_or(|(slowest, ..)| done.took > *slowest) {
            self.slowest =
                Some((done.took, shown(&done.item.called()).into_owned(), done.octets_in));
        }
    }

    /// Labels are arbitrary text from mail: only a limited number of them are counted separately.
    fn count_charset(&mut self, charset: &str) {
        let is_new = !self.charsets.contains_key(charset);
        let charset =
            if is_new && self.charsets.len() >= MAX_CHARSETS { "others" } else { charset };
        match self.charsets.get_mut(charset) {
            Some(count) => *count += 1,
            None => _ = self.charsets.insert(charset.to_owned(), 1),
        }
    }

    /// Whether any message was processed.
    pub fn has_messages(&self) -> bool {
        self.changed + self.normal + self.refused + self.kept > 0
    }

    /// Counts an input that failed.
    pub fn failed(&mut self) {
        self.failed += 1;
    }

    /// Counts a copy of an earlier message.
    pub fn copy(&mut self) {
        self.copies += 1;
    }

    /// Counts a message without what the output has no place for.
    pub fn not_kept(&mut self, what: &[NotKept]) {
        self.incomplete += u64::from(!what.is_empty());
        for what in what {
            *self.not_kept.entry(*what).or_default() += 1;
        }
    }

    /// Counts names that a file had beside the one under which it was replaced.
    pub fn cut_links(&mut self, names: u64) {
        self.links += names;
    }

    /// Counts something that was skipped.
    pub fn skipped(&mut self, what: Skipped) {
        *self.skipped.entry(what).or_default() += 1;
    }

    /// Counts a file that is no mail.
    pub fn no_mail(&mut self, kind: Kind) {
        *self.others.entry(kind).or_default() += 1;
    }

    /// The summary, in the words that a person reads at the end of a run.
    pub fn text<'a>(&'a self, told: Told<'a>) -> impl Display + 'a {
        Text { summary: self, told, time: self.begun.elapsed() }
    }
}

/// What a summary says besides its counts.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// Whether every code and charset is counted, not the most frequent codes alone.
    pub is_full: bool,
    /// Whether nothing was written.
    pub checked: bool,
    /// What becomes of files that are no mail.
    pub others: OthersFate,
    /// The file or directory that mail was written to.
    pub output: Option<&'a str>,
    /// The number of messages and files that an earlier run had done, which this one continued.
    pub earlier: u64,
    /// The report.
    pub report: Option<&'a str>,
    /// Whether the report has every issue, not only those that were asked for.
    pub reports_all: bool,
}

/// The fate of files that are no mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OthersFate {
    /// They stay where they are, beside mail that is written there.
    Stay,
    /// They are not in the output, which could hold them.
    Missing,
    /// They are copied.
    Copied,
    /// They are not in the output, which has no place for them.
    LeftOut,
}

impl OthersFate {
    fn words(self) -> &'static str {
        match self {
            Self::Stay => "",
            Self::Missing => ", not in the output (`--others copy` copies them)",
            Self::Copied => ", copied",
            Self::LeftOut => ", not in the output",
        }
    }
}

/// How many codes a short summary names, after losses and after doubts.
const SHORT_NAMED: usize = 3;

/// How many codes a short summary counts.
const SHORT_CODES: usize = 10;

/// The length of a command that has room on a line.
const LONGEST_COMMAND: usize = 76;

/// Sorts by frequency, the most frequent first.
fn by_frequency<K: Ord>(counts: &BTreeMap<K, u64>) -> Vec<(&K, u64)> {
    let mut counts: Vec<_> = counts.iter().map(|(key, count)| (key, *count)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

struct Text<'a> {
    summary: &'a Summary,
    told: Told<'a>,
    time: Duration,
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;

        self.head(f)?;
        let changed = if self.told.checked { "would change" } else { "changed" };
        row(f, changed, summary.changed, style::STRONG)?;
        row(f, "already normal", summary.normal, style::STRONG)?;
        if summary.refused > 0 {
            row(f, "refused", summary.refused, style::ODD)?;
        }
        row(f, "failed", summary.failed, style::BAD)?;
        if summary.copies > 0 {
            row(f, "left out: copies of earlier messages", summary.copies, style::STRONG)?;
        }
        self.skipped(f)?;
        self.others(f)?;
        if summary.kept > 0 {
            row(f, "kept as they were", summary.kept, style::BAD)?;
        }
        if summary.incomplete > 0 {
            let counts = by_frequency(&summary.not_kept).into_iter();
            let counts: Vec<_> =
                counts.map(|(what, count)| format!("{} {}", what.said(), grouped(count))).collect();
            let what =
                format!("not in the output, which has no place for it: {}", counts.join(", "));
            row(f, &what, summary.incomplete, style::ODD)?;
        }
        if summary.links > 0 {
            let what = "other names of these files (hard links) have the messages as they were";
            row(f, what, summary.links, style::ODD)?;
        }
        if summary.doubts > 0 {
            let what = "doubtful `From ` lines: they may or may not separate messages";
            row(f, what, summary.doubts as u64, style::ODD)?;
        }

        self.named(f, "lost something", summary.lossy, style::BAD, |code| {
            code.severity() == Severity::Loss
        })?;
        self.named(f, "in doubt", summary.doubtful, style::ODD, is_doubt)?;
        if self.told.is_full {
            self.found(f)?;
            self.charsets(f)?;
            self.slowest(f)
        } else {
            self.most_frequent(f)?;
            self.next_step(f)
        }
    }
}

impl Text<'_> {
    /// `12  skipped: 9 hidden files, 3 links`
    fn skipped(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skipped = by_frequency(&self.summary.skipped);
        let named = match skipped.as_slice() {
            [] => return Ok(()),
            [(what, count)] => name_of(**what, *count).to_owned(),
            several => {
                let named = several.iter().map(|(what, count)| {
                    format!("{} {}", grouped(*count), name_of(**what, *count))
                });
                named.collect::<Vec<_>>().join(", ")
            }
        };
        let count = skipped.iter().map(|(_, count)| count).sum();
        row(f, &format!("skipped: {named}"), count, style::STRONG)
    }

    /// `21  lost something: duplicate-field 12, address-not-ascii 9`
    fn named(
        &self,
        f: &mut fmt::Formatter<'_>,
        what: &str,
        messages: u64,
        style: anstyle::Style,
        belongs: fn(Code) -> bool,
    ) -> fmt::Result {
        if messages == 0 {
            return Ok(());
        }
        let codes = by_frequency(&self.summary.codes);
        let codes: Vec<_> = codes.into_iter().filter(|(code, _)| belongs(**code)).collect();
        // The last one is named in the room of `1 more`.
        let is_all = self.told.is_full || codes.len() == SHORT_NAMED + 1;
        let most = if is_all { codes.len() } else { SHORT_NAMED };
        let more = match codes.len().saturating_sub(most) {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        let counts = counts_of(codes.into_iter().take(most));
        row(f, &format!("{what}: {counts}{more}"), messages, style)
    }

    /// The codes that most messages have, as running text.
    fn most_frequent(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes = by_frequency(&self.summary.codes);
        if codes.is_empty() {
            return Ok(());
        }
        let more = match codes.len().saturating_sub(SHORT_CODES) {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        let text = format!("found: {}{more}", counts_of(codes.into_iter().take(SHORT_CODES)));
        rows(&text, COLUMNS).into_iter().try_for_each(|row| write!(f, "\n{row}"))
    }

    /// What shows more.
    fn next_step(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.summary.codes.is_empty() {
            return Ok(());
        }
        let faint = style::FAINT;
        let each = match self.told.report {
            Some(report) if self.told.reports_all => {
                format!("{} lists every issue", safe_line(report))
            }
            Some(report) => format!("{} lists those that were asked for", safe_line(report)),
            None => "`--report FILE` lists every issue".to_owned(),
        };
        let example = self.summary.example.as_ref().map(|(_, command)| command.as_str());
        match example {
            Some(command) if command.len() > LONGEST_COMMAND => {
                write!(f, "\n{faint}next: {each}; one message is shown by\n  {command}{faint:#}")
            }
            _ => {
                let command = example.unwrap_or("sevenbit explain FILE");
                write!(f, "\n{faint}next: `{command}` shows one message,\n{each}{faint:#}")
            }
        }
    }

    /// `37  files are no mail: 21 SQLite databases, 16 images`
    fn others(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = by_frequency(&self.summary.others);
        let count = kinds.iter().map(|(_, count)| count).sum();
        if count == 0 {
            return Ok(());
        }
        let named = |(kind, count): &(&Kind, u64)| match count {
            1 => kind.one.to_owned(),
            count => format!("{} {}", grouped(*count), kind.many),
        };
        let kinds: Vec<String> = kinds.iter().map(named).collect();
        let are = if count == 1 { "file is" } else { "files are" };
        let fate = self.told.others.words();
        row(f, &format!("{are} no mail{fate}: {}", kinds.join(", ")), count, style::STRONG)
    }

    fn found(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes = by_frequency(&self.summary.codes);
        if codes.is_empty() {
            return Ok(());
        }
        let label = style::LABEL;
        write!(f, "\n\n{label}  messages  what was found{label:#}")?;
        codes.into_iter().try_for_each(|(code, count)| found(f, *code, count))
    }

    fn charsets(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let charsets = by_frequency(&self.summary.charsets);
        if charsets.is_empty() {
            return Ok(());
        }
        let label = style::LABEL;
        write!(f, "\n\n{label}  messages  charset{label:#}")?;
        for (charset, count) in charsets.iter().take(SHOWN_CHARSETS) {
            write!(f, "\n{:>10}  {}", grouped(*count), safe_line(charset))?;
        }
        match charsets.len().saturating_sub(SHOWN_CHARSETS) {
            0 => Ok(()),
            more => write!(f, "\n            and {more} more"),
        }
    }

    fn slowest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.lasted() {
            return Ok(());
        }
        let Some((time, name, octets)) = &self.summary.slowest else { return Ok(()) };
        write!(f, "\n\nslowest: {} for {} of {}", seconds(*time), size(*octets), safe_line(name))
    }

    /// `5,231 messages, 132.4 MB in 3.2 s (41.2 MB/s, 1,634 messages/s)`
    fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { summary, told, time } = self;
        let messages = summary.changed + summary.normal + summary.refused + summary.kept;
        let (strong, plural) = (style::STRONG, plural(messages));

        write!(
            f,
            "{strong}{} message{plural}{strong:#}, {}",
            grouped(messages),
            size(summary.octets)
        )?;
        write!(f, " in {}", seconds(*time))?;
        if self.lasted() {
            write!(f, " ({}/s, ", size(rate(summary.octets, *time)))?;
            write!(f, "{} messages/s)", grouped(rate(messages, *time)))?;
        }
        if let Some(output) = told.output {
            let written = if told.checked { "would be written" } else { "written" };
            write!(f, ", {written} to {}", safe_line(output))?;
        }
        if told.earlier > 0 {
            write!(f, ", after {} of the run that was stopped", grouped(told.earlier))?;
        }
        Ok(())
    }

    /// Whether it took long enough that its speed is of interest.
    fn lasted(&self) -> bool {
        self.time >= Duration::from_secs(1)
    }
}

/// One count; zero is faint.
fn row(f: &mut fmt::Formatter<'_>, name: &str, count: u64, style: anstyle::Style) -> fmt::Result {
    let style = if count == 0 { style::FAINT } else { style };
    write!(f, "\n{style}{:>10}  {name}{style:#}", grouped(count))
}

fn found(f: &mut fmt::Formatter<'_>, code: Code, count: u64) -> fmt::Result {
    let (style, faint) = (style::of(code.severity()), style::FAINT);
    f.write_char('\n')?;
    write!(f, "{:>10}  {style}{:<28}{style:#}", grouped(count), code.as_str())?;
    write!(f, " {faint}{}{faint:#}", code.summary())
}

/// Returns what was skipped, one of it or several, as a person reads it.
fn name_of(skipped: Skipped, count: u64) -> &'static str {
    let [one, several] = match skipped {
        Skipped::Link => ["link", "links"],
        Skipped::Special => ["neither file nor directory", "neither files nor directories"],
        Skipped::Hidden => ["hidden file", "hidden files"],
        Skipped::HiddenDirectory => ["hidden directory", "hidden directories"],
        Skipped::OtherDay => {
            ["sent on another day than asked for", "sent on other days than asked for"]
        }
        Skipped::OtherNumber => {
            ["other message than the one asked for", "other messages than the one asked for"]
        }
        Skipped::MaildirFile => {
            ["file of a Maildir that is no message", "files of a Maildir that are no messages"]
        }
    };
    if count == 1 { one } else { several }
}

/// `reencoded 118, raw-header-text 81`
fn counts_of<'a>(codes: impl Iterator<Item = (&'a Code, u64)>) -> String {
    let counts: Vec<String> =
        codes.map(|(code, count)| format!("{} {}", code.as_str(), grouped(count))).collect();
    counts.join(", ")
}
