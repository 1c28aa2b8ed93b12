//! The work of both filters on a message, and the record of it.

use std::fmt;
use std::io::{self, BufRead, Sink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use sevenbit::{Code, Normalizer, Report};

use super::octets::Path;

/// The longest line of a header field written here (RFC 5322, 2.1.1).
const LINE: usize = 78;

/// The most by which a message that is worth measuring grows: an octet of a header may become an
/// encoded-word.
const MOST_GROWTH: u64 = 32;

/// The answer to a message that is longer than it may be (RFC 1870, 6.1; RFC 3463, 3.4).
pub const TOO_LARGE: &str = "552 5.3.4 this message is too large";

/// The longest header that is looked at beside the plan of a message, in octets.
pub const LONGEST_HEADER: usize = 1 << 20;

/// How messages are treated. A message keeps the filter that it began with when the options are
/// read again.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The library's normaliser.
    pub normalizer: Normalizer,
    /// The words of its options, for people.
    pub form: String,
    /// The longest message that is processed, in octets.
    pub max_message: u64,
    /// The policy for a longer one, and for one that would become longer than the server after this
    /// one takes.
    pub on_too_large: OnFailure,
    /// The longest message that the server after this one takes, in octets.
    pub max_output: u64,
    /// The policy for a message that cannot be processed.
    pub on_error: OnFailure,
    /// The name of a field to add, with the codes of what was found.
    pub header_report: Option<String>,
    /// The actions for these codes; what becomes of messages with others, `only` says.
    pub on: Vec<(Code, Action)>,
    /// The words to the sender of a message that is refused because of these codes.
    pub reject_texts: Vec<(Code, String)>,
    /// The names of the fields that this configuration adds. Those that come from outside are
    /// removed: readers believe them.
    pub own_fields: Vec<String>,
    /// What is mended of messages in which something was found.
    pub only: Only,
    /// What the servers after a milter take; a gateway hears that from its next hop.
    pub carries: Path,
    /// Whether messages pass as they are, and it is only said what would become of them.
    pub dry_run: bool,
    /// Whether messages pass as they are, and are not looked at.
    pub skip: bool,
    /// The rule by which a message has these options.
    pub rule: Option<String>,
}

impl Filter {
    /// Returns the options in words, for people.
    pub fn described(&self) -> String {
        let on = self.on.iter().map(|(code, action)| format!("{code}={action:?}").to_lowercase());
        let on = on.collect::<Vec<_>>().join(" ");
        let Self { form, only, on_error, on_too_large, max_output, .. } = self;
        let field = self.header_report.as_deref().unwrap_or("none");
        let most =
            if *max_output == u64::MAX { "no limit".to_owned() } else { max_output.to_string() };
        let policies =
            format!("on-error {on_error:?}, on-too-large {on_too_large:?}").to_lowercase();

        format!(
            "{form}, only {only}, header-report {field}, {policies}, max-output {most}, on [{on}]"
        )
    }
}

/// What is mended of messages in which something was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Only {
    /// What is not 7-bit safe, and what readers take in different ways.
    #[default]
    OneReading,
    /// What the servers after this one cannot carry.
    Unsafe,
}

impl fmt::Display for Only {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneReading => "one-reading",
            Self::Unsafe => "unsafe",
        })
    }
}

/// The policy for a message that cannot be processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// The message passes as it is.
    Accept,
    /// Its sender is told that it does not pass.
    Reject,
    /// Its sender is asked to try again.
    TempFail,
    /// The message passes as it is, and the MTA quarantines it.
    Quarantine,
}

/// The action on a message in which something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The message is mended.
    Fix,
    /// The message stays, if nothing else was found that is mended.
    Leave,
    /// The message is refused.
    Reject,
    /// The message is mended, and put aside by the mail server.
    Quarantine,
    /// The message is mended, and gets a field that names what was found.
    Tag,
}

/// The record of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The MTA's name for it; may be empty.
    pub id: String,
    /// Its client's address, as far as the MTA says it.
    pub client: String,
    /// Its sender, and its recipients.
    pub envelope: Addresses,
    /// Its header section as it came, if that is asked for and was kept.
    pub header: Vec<u8>,
    /// Its length in octets, as it came.
    pub octets: u64,
    /// Its length when it went on; nothing if it did not.
    pub octets_out: Option<u64>,
    /// Its fate; in a dry run, the one that it would have had.
    pub fate: Fate,
    /// Whether it passed as it was, whatever its fate.
    pub dry_run: bool,
    /// The rule that decided.
    pub rule: Option<String>,
    /// The codes found in it, each once.
    pub codes: Vec<Code>,
    /// How long that took here.
    pub time: Duration,
    /// The next hop's reply; empty for a milter.
    pub answer: String,
    /// What its client was told.
    pub outcome: Outcome,
    /// Who has decided that.
    pub by: By,
}

/// What the client of a message was told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The next hop has it.
    Delivered,
    /// The next hop has it for some of its recipients (LMTP).
    Partly,
    /// The mail server of a milter goes on with it, and decides.
    Passed,
    /// The mail server of a milter puts it aside.
    Quarantined,
    /// Its client is to try again.
    Deferred,
    /// Its client has it back.
    Refused,
}

/// Who has decided on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// This filter.
    Sevenbit,
    /// The server after the gateway.
    NextHop,
    /// The server whose milter this is.
    MailServer,
}

impl Outcome {
    /// The word in logs and counters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Partly => "partly",
            Self::Passed => "passed",
            Self::Quarantined => "quarantined",
            Self::Deferred => "deferred",
            Self::Refused => "refused",
        }
    }

    /// The outcome of replies to the end of a message: one, or in LMTP one for each recipient.
    pub fn of(codes: impl IntoIterator<Item = u16>) -> Self {
        let (mut taken, mut later, mut never) = (false, false, false);
        for code in codes {
            match code {
                200..300 => taken = true,
                500.. => never = true,
                _ => later = true,
            }
        }
        match (taken, later, never) {
            (true, false, false) => Self::Delivered,
            (true, ..) => Self::Partly,
            (false, false, true) => Self::Refused,
            _ => Self::Deferred,
        }
    }
}

impl By {
    /// The word in logs and counters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sevenbit => "sevenbit",
            Self::NextHop => "next-hop",
            Self::MailServer => "mail-server",
        }
    }
}

/// The addresses of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    /// Of its sender, without brackets; empty for bounces.
    pub from: String,
    /// Of its recipients.
    pub to: Vec<String>,
}

/// The fate of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// The message was in its normal form.
    Clean,
    /// The message was rewritten.
    Changed,
    /// The message passed as it was: what was found may stay.
    Left,
    /// The message passed as it was, and was not looked at.
    Skipped,
    /// The message was refused because of what was found.
    Rejected,
    /// The message was mended, and put aside by the mail server because of what was found.
    Quarantined,
    /// Signed content is not 7-bit safe; it passes as it was (`--signed refuse`).
    Refused,
    /// The message has more octets than may be held, or would get more than the server after this
    /// one takes; `--on-too-large` decides.
    TooLarge,
    /// The memory for all connections is used up; its sender is asked to try again.
    NoRoom,
    /// The mail server has shown other octets than the message has; it passes as it was.
    Garbled,
    /// The message could not be processed; `--on-error` decides.
    Failed,
}

impl Fate {
    /// The word in logs and counters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Changed => "changed",
            Self::Left => "left",
            Self::Skipped => "skipped",
            Self::Rejected => "rejected",
            Self::Quarantined => "quarantined",
            Self::Refused => "refused",
            Self::TooLarge => "too-large",
            Self::NoRoom => "no-room",
            Self::Garbled => "garbled",
            Self::Failed => "failed",
        }
    }

    /// The fate of a processed message, by its report.
    pub fn of(report: &Report) -> Self {
        match (report.is_refused(), report.is_changed()) {
            (true, _) => Self::Refused,
            (_, true) => Self::Changed,
            _ => Self::Clean,
        }
    }
}

impl Filter {
    /// Whether a message of `before` octets becomes longer than this, which it was not before.
    pub fn outgrows(
        limit: u64,
        before: u64,
        write: impl FnOnce(&mut Sink) -> io::Result<u64>,
    ) -> bool {
        // No message of any length becomes this many times longer: others need not be written to be
        // measured.
        let may = before <= limit && before.saturating_mul(MOST_GROWTH) > limit;
        may && write(&mut io::sink()).is_ok_and(|after| after > limit)
    }

    /// The policy for a message with this fate that is not processed, and the reply that its sender
    /// gets; `refusal` is the one for what was found.
    pub fn on_failure(&self, fate: Fate, refusal: &str) -> (OnFailure, String) {
        let policy = if fate == Fate::TooLarge { self.on_too_large } else { self.on_error };
        let (policy, words) = match (fate, policy) {
            (Fate::Rejected, _) => (OnFailure::Reject, refusal),
            // It is no defect of the message: deferred, it would come again for ever.
            (Fate::Garbled, _) => (OnFailure::Accept, ""),
            (Fate::Quarantined, _) => {
                (OnFailure::TempFail, "451 4.7.1 this message would be put in quarantine")
            }
            (Fate::NoRoom, _) => (OnFailure::TempFail, "452 4.3.1 no room for this message now"),
            (Fate::TooLarge, OnFailure::Reject) => (OnFailure::Reject, TOO_LARGE),
            (Fate::TooLarge, policy) => {
                (policy, "451 4.3.4 this message is too large to be looked at")
            }
            (_, OnFailure::Reject) => {
                (OnFailure::Reject, "554 5.6.0 this message cannot be looked at")
            }
            (_, policy) => (policy, "451 4.3.0 this message cannot be looked at"),
        };
        (policy, words.to_owned())
    }
}

impl Record {
    /// The record of a message that is treated by these options, before it is.
    pub fn new(filter: &Filter, octets: u64) -> Self {
        Self {
            id: String::new(),
            client: String::new(),
            envelope: Addresses::default(),
            header: Vec::new(),
            octets,
            octets_out: None,
            fate: Fate::Failed,
            dry_run: filter.dry_run,
            rule: filter.rule.clone(),
            codes: Vec::new(),
            time: Duration::ZERO,
            answer: String::new(),
            outcome: Outcome::Deferred,
            by: By::Sevenbit,
        }
    }
}

impl Addresses {
    /// An address of the envelope without its brackets, and without what surrounds them.
    pub fn bare(path: &[u8]) -> String {
        let text = String::from_utf8_lossy(path);
        let inner =
            text.split_once('<').map_or(&*text, |(_, rest)| rest.strip_suffix('>').unwrap_or(rest));
        inner.trim().to_owned()
    }
}

/// Returns the result of `work`; nothing if it panics, which is a defect of ours and no reason to
/// lose mail.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Returns the header section of a message, with the line after it, as far as it is looked at.
///
/// # Errors
/// Those of reading.
pub fn header_of(input: impl BufRead) -> io::Result<Vec<u8>> {
    let mut input = input.take(LONGEST_HEADER as u64);
    let mut header = Vec::new();
    loop {
        let begin = header.len();
        input.read_until(b'\n', &mut header)?;
        if matches!(&header[begin..], b"" | b"\n" | b"\r\n") {
            return Ok(header);
        }
    }
}

/// Returns each code of a report once, in the order of their first issues.
pub fn codes(report: &Report) -> Vec<Code> {
    let mut codes = Vec::new();
    for issue in report.issues() {
        if !codes.contains(&issue.code()) {
            codes.push(issue.code());
        }
    }
    codes
}

/// Returns the value of `--header-report`: the codes, folded where lines would become long.
pub fn report_value(name: &str, codes: &[Code], line_end: &str) -> String {
    let mut value = String::new();
    let mut column = name.len() + 1;
    for (at, code) in codes.iter().enumerate() {
        let word = code.as_str();
        let comma = if at + 1 < codes.len() { "," } else { "" };
        if at > 0 && column + 1 + word.len() + comma.len() > LINE {
            value.push_str(line_end);
            column = 0;
        }
        value.push(' ');
        value.push_str(word);
        value.push_str(comma);
        column += 1 + word.len() + comma.len();
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_field_has_short_lines() {
        let value = report_value("X-Report", &Code::ALL[..12], "\r\n");
        let field = format!("X-Report:{value}");
        assert!(field.split("\r\n").all(|line| line.len() <= LINE), "{field}");
        assert!(field.split("\r\n").skip(1).all(|line| line.starts_with(' ')), "{field}");
        let words: Vec<&str> =
            value.split([',', ' ', '\r', '\n']).filter(|word| !word.is_empty()).collect();
        assert_eq!(words, Code::ALL[..12].iter().map(|code| code.as_str()).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_is_an_answer() {
        assert_eq!(guarded(|| 7), Some(7));
        let fails = |octet: u8| if octet > 7 { panic!("on purpose") } else { octet };
        assert_eq!(guarded(|| fails(8)), None);
    }
}
