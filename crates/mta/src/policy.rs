//! The choice of what is done with a message, by who sends it to whom and by what was found in it.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use sevenbit::{Code, Issue, Report, Severity};

use super::filter::{Action, Addresses, Fate, Filter, OnFailure, Only};
use super::octets::{Octets, Path};

/// The number of the whole message among its parts.
const WHOLE: &str = "0";

/// The rules of a configuration: other options than the base for some messages.
pub trait Rules: Send + Sync {
    /// The options for a message that has come; nothing if no rule matches.
    fn choose(&self, facts: &Facts<'_>) -> Option<Arc<Filter>>;

    /// Whether one of any length passes, as far as that is known before it has come. `otherwise` is
    /// the answer for messages that no rule matches.
    fn may_pass_long(&self, facts: &Facts<'_>, otherwise: bool) -> bool;
}

/// The options of a running filter. A message keeps those that it began with when they are read
/// again.
#[derive(Clone)]
pub struct Policies {
    /// Those of a message for which no rule is.
    pub base: Arc<Filter>,
    rules: Option<Arc<dyn Rules>>,
    /// Whether a message of any length may pass, if a rule is for it.
    pub may_pass_long: bool,
    /// Whether records have the header of their message.
    pub records_header: bool,
}

/// The facts about a message that rules ask for.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The client's address, if it is known.
    pub client: Option<IpAddr>,
    /// Whether the client has logged in.
    pub is_authenticated: bool,
    /// Where it came in, as the option names it.
    pub listener: &'a str,
    /// Its sender and recipients.
    pub envelope: &'a Addresses,
    /// The message itself, once it has come.
    pub content: Option<Content<'a>>,
}

/// What rules may ask of the message itself.
#[derive(Clone, Copy, Debug)]
pub struct Content<'a> {
    /// Its header section.
    pub header: &'a [u8],
    /// Its length in octets.
    pub octets: u64,
}

/// The codes of what a change loses. A message with one that is to be left stays as it came,
/// whatever else was found, if the servers after this one can carry it.
pub const LOSSES: [Code; 3] = [Code::AddressNotAscii, Code::DkimBroken, Code::SignatureBroken];

/// The codes that only say that a message is not of 7 bits: readers of UTF-8 take it in one way.
const BEYOND_ASCII: [Code; 6] = [
    Code::AddressNotAscii,
    Code::DomainToAscii,
    Code::FieldDowngraded,
    Code::MimeVersionAdded,
    Code::RawHeaderText,
    Code::Reencoded,
];

/// The reply to a message that is refused, if nothing can be said of it.
const REJECTED: &str = "554 5.6.0 this message is not as mail has to be";

/// The longest name of a field that a reply shows.
const LONGEST_NAME: usize = 64;

/// The field of [`Action::Tag`], if `--header-report` names none.
pub const TAG: &str = "X-Sevenbit";

impl Policies {
    /// These options for every message.
    pub fn all(base: Arc<Filter>) -> Self {
        Self { may_pass_long: base.passes_long(), base, rules: None, records_header: false }
    }

    /// These options, unless `rules` have others for a message, among them some that let messages
    /// of any length pass.
    pub fn new(base: Arc<Filter>, rules: Arc<dyn Rules>, some_pass_long: bool) -> Self {
        Self {
            may_pass_long: some_pass_long || base.passes_long(),
            base,
            rules: Some(rules),
            records_header: false,
        }
    }

    /// These options, with the header of each message in its record or not.
    pub fn recording_headers(self, records_header: bool) -> Self {
        Self { records_header, ..self }
    }

    /// Whether some messages have other options than the base.
    pub fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The options for a message.
    pub fn of(&self, facts: &Facts<'_>) -> Arc<Filter> {
        let chosen = self.rules.as_ref().and_then(|rules| rules.choose(facts));
        chosen.unwrap_or_else(|| Arc::clone(&self.base))
    }

    /// How many octets of a message that is about to come have to be kept.
    pub fn longest(&self, facts: &Facts<'_>) -> u64 {
        let otherwise = self.base.passes_long();
        let passes_long =
            self.rules.as_ref().map_or(otherwise, |rules| rules.may_pass_long(facts, otherwise));
        if passes_long { u64::MAX } else { self.base.max_message }
    }
}

impl fmt::Debug for Policies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policies").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Filter {
    /// The fate of a message: this one, unless what was found in it decides otherwise. `octets` are
    /// asked for if the message may stay as it came, where the `path` after this server carries it.
    pub fn judged<'o>(
        &self,
        fate: Fate,
        report: &Report,
        codes: &[Code],
        path: Path,
        octets: impl FnOnce() -> Option<Cow<'o, Octets>>,
    ) -> Fate {
        let has = |action| codes.iter().any(|&code| self.action(code) == action);
        match fate {
            _ if has(Action::Reject) => Fate::Rejected,
            _ if has(Action::Quarantine) => Fate::Quarantined,
            Fate::Changed if self.may_stay(codes, path) => {
                let is_raw =
                    |issue: &Issue| issue.code() == Code::RawHeaderText && issue.part() != WHOLE;
                let in_parts = report.issues().iter().any(is_raw);
                let is_carried =
                    octets().is_some_and(|octets| octets.are_carried_by(path, in_parts));
                if is_carried { Fate::Left } else { fate }
            }
            fate => fate,
        }
    }

    /// Whether a message in which this was found may stay as it came.
    fn may_stay(&self, codes: &[Code], path: Path) -> bool {
        let is_left = |code: &Code| self.action(*code) == Action::Leave;
        let may_stay = |code: &Code| code.severity() == Severity::Note || is_left(code);

        // An address that is encoded is lost: nobody can reply. Where nothing else was found than
        // octets beyond ASCII, and the path takes those, it stays.
        let keeps_address = path.smtputf8
            && codes.contains(&Code::AddressNotAscii)
            && codes.iter().all(|code| {
                may_stay(code) || self.said_of(*code).is_none() && BEYOND_ASCII.contains(code)
            });

        keeps_address
            || codes
                .iter()
                .any(|code| is_left(code) && self.said_of(*code).is_some() && LOSSES.contains(code))
            || codes.iter().any(is_left) && codes.iter().all(may_stay)
    }

    /// Whether a message of any length passes.
    pub fn passes_long(&self) -> bool {
        self.on_too_large == OnFailure::Accept || self.dry_run || self.skip
    }

    /// Whether anything that is found may stay on this path.
    pub fn leaves_any(&self, path: Path) -> bool {
        let is_left = self.on.iter().any(|&(_, action)| action == Action::Leave);
        is_left || self.only == Only::Unsafe || path.smtputf8
    }

    /// The field that names what was found, if there is to be one, and the codes that it names.
    pub fn found_field(&self, codes: &[Code]) -> Option<(&str, Vec<Code>)> {
        let (name, named) = match &self.header_report {
            Some(name) => (name.as_str(), codes.to_vec()),
            None => {
                let tagged = codes.iter().copied().filter(|&code| self.action(code) == Action::Tag);
                (TAG, tagged.collect())
            }
        };
        (!named.is_empty()).then_some((name, named))
    }

    /// The reply to a message that is refused for what was found in it: the operator's words for
    /// that, or the code's, and the field. `header` is the message's own.
    pub fn refusal(&self, report: &Report, header: &[u8]) -> String {
        let found =
            report.issues().iter().find(|issue| self.action(issue.code()) == Action::Reject);
        let Some(issue) = found else { return REJECTED.to_owned() };
        let code = issue.code();
        if let Some((_, text)) = self.reject_texts.iter().rev().find(|(of, _)| *of == code) {
            return format!("554 5.6.0 {text} [{code}]");
        }
        let is_own = issue.part() == WHOLE;
        let field = if is_own { field_at(header, issue.span().start) } else { None };
        let place = field.map_or(String::new(), |name| format!(": {name}"));
        format!("554 5.6.0 {}{place} [{code}]", code.summary())
    }

    /// Whether a field of this name is one of the filter's own, which only the filter may write.
    pub fn is_own_field(&self, name: &[u8]) -> bool {
        let name = name.trim_ascii_end();
        self.own_fields.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(name))
    }

    /// The name of the field that these options add to messages, if they add one.
    pub fn added_field(&self) -> Option<&str> {
        let tags = self.on.iter().any(|&(_, action)| action == Action::Tag);
        self.header_report.as_deref().or(tags.then_some(TAG))
    }

    /// The action for a code.
    pub fn action(&self, code: Code) -> Action {
        self.said_of(code).unwrap_or(match self.only {
            Only::OneReading => Action::Fix,
            Only::Unsafe => Action::Leave,
        })
    }

    /// The action for a code, if `on` names it.
    fn said_of(&self, code: Code) -> Option<Action> {
        self.on.iter().rev().find(|(of, _)| *of == code).map(|&(_, action)| action)
    }
}

/// The name of the header field that has an octet, if the name can stand in a reply.
fn field_at(header: &[u8], at: usize) -> Option<&str> {
    let is_start = |start: usize| {
        let is_line = start == 0 || header[start - 1] == b'\n';
        is_line && !matches!(header[start], b' ' | b'\t')
    };
    header.get(at)?;
    let start = (0..=at).rev().find(|&start| is_start(start))?;
    let name = header[start..].split(|&octet| octet == b':').next()?.trim_ascii_end();
    let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || *octet == b'-';
    let is_shown = (1..=LONGEST_NAME).contains(&name.len()) && name.iter().all(is_name);
    if is_shown { std::str::from_utf8(name).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::laws::filter;

    #[test]
    fn what_was_found_decides() {
        let (line, word, fold) = (Code::BareLineEnd, Code::EncodedWordRepaired, Code::Refolded);
        let on = vec![(line, Action::Reject), (word, Action::Leave), (fold, Action::Tag)];
        let filter = Filter { on, ..filter() };
        let of = |filter: &Filter, fate, codes: &[Code], octets: &[u8]| {
            let mut facts = Octets::default();
            facts.write_all(octets).expect("memory");
            filter.judged(fate, &Report::default(), codes, Path::default(), || {
                Some(Cow::Owned(facts))
            })
        };
        let judged = |codes: &[Code]| of(&filter, Fate::Changed, codes, b"");
        assert_eq!(judged(&[word, line]), Fate::Rejected);
        assert_eq!(judged(&[word]), Fate::Left);
        assert_eq!(judged(&[word, Code::AmbiguousSender]), Fate::Left);
        assert_eq!(judged(&[Code::CharsetRelabelled]), Fate::Changed);
        assert_eq!(of(&filter, Fate::Changed, &[word], b"\xE9"), Fate::Changed);
        assert_eq!(judged(&[word, Code::RawHeaderText]), Fate::Changed);
        assert_eq!(of(&filter, Fate::Clean, &[], b""), Fate::Clean);

        let unsafe_only = Filter { only: Only::Unsafe, ..filter.clone() };
        assert_eq!(
            of(&unsafe_only, Fate::Changed, &[Code::CharsetRelabelled, word], b""),
            Fate::Left
        );
        assert_eq!(
            of(&unsafe_only, Fate::Changed, &[fold, word], b""),
            Fate::Changed,
            "it gets a tag"
        );
        assert_eq!(of(&unsafe_only, Fate::Changed, &[line], b""), Fate::Rejected);
        assert_eq!(filter.found_field(&[word, fold]), Some((TAG, vec![fold])));
        assert_eq!(filter.found_field(&[word]), None);
    }

    #[test]
    fn a_refusal_names_the_code_and_the_field() {
        let mail = b"Subject: x\r\nFrom: a@example.org\r\nFrom: b@example.com\r\n\r\n";
        let normalizer = filter().normalizer;
        let plan = normalizer.plan(mail);
        let of = |on: &[(Code, Action)], reject_texts: &[(Code, &str)]| {
            let reject_texts =
                reject_texts.iter().map(|&(code, text)| (code, text.to_owned())).collect();
            Filter { on: on.to_vec(), reject_texts, ..filter() }.refusal(plan.report(), mail)
        };
        let code = Code::DuplicateField;
        let twice = [(code, Action::Reject)];
        let said = "554 5.6.0 a field that may stand only once: From [duplicate-field]";
        assert_eq!(of(&twice, &[]), said);
        assert_eq!(
            of(&twice, &[(code, "two From fields")]),
            "554 5.6.0 two From fields [duplicate-field]"
        );
        let sender = [(Code::AmbiguousSender, Action::Reject)];
        let said = "554 5.6.0 a sender that readers may take for another: From [ambiguous-sender]";
        assert_eq!(of(&sender, &[(code, "two From fields")]), said);
        assert_eq!(of(&[], &[]), REJECTED);
    }

    #[test]
    fn only_a_name_of_a_field_is_shown() {
        let header = b"From : a\r\n b\r\nX\xE9: a\r\n";
        assert_eq!((field_at(header, 0), field_at(header, 12)), (Some("From"), Some("From")));
        assert_eq!(
            (field_at(header, 16), field_at(header, 99), field_at(b" a", 1)),
            (None, None, None)
        );
    }
}
