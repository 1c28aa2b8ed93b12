//! The rules of the configuration file, and what is done because of a code.

use std::net::IpAddr;
use std::str::FromStr;

use clap::ValueEnum;
use ipnet::IpNet;
use sevenbit::Code;

use super::Endpoint;
use super::config::{RuleTable, Test, Value, Wrong};
use super::filters::{field_name, octets};
use crate::issue;

/// What is done with a message in which something was found, as `--on` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionChoice {
    /// It is mended.
    Fix,
    /// It stays, if nothing else was found that is mended.
    Leave,
    /// The message is refused.
    Reject,
    /// The message is mended, and put aside by the mail server.
    Quarantine,
    /// The message is mended, and gets a field that names what was found.
    Tag,
}

/// The codes that may stay: what they stand for needs no more than 7 bits, has its line ends in
/// order, and ends no message early; or is lost by a change
/// ([`LOSSES`](crate::mta::policy::LOSSES)).
pub const MAY_STAY: [Code; 31] = [
    Code::AddressListRepaired,
    Code::AddressNotAscii,
    Code::AddressUnreadable,
    Code::Base64Repaired,
    Code::BlankContinuation,
    Code::BoundaryRenamed,
    Code::CharsetLabelRepaired,
    Code::CharsetRelabelled,
    Code::CloseDelimiterAdded,
    Code::CommentDropped,
    Code::DelimiterPadded,
    Code::DkimBroken,
    Code::DuplicateField,
    Code::DuplicateParameter,
    Code::EncodedWordRepaired,
    Code::EncodingIgnored,
    Code::EncodingLabelRepaired,
    Code::FoldRestored,
    Code::FromLineDropped,
    Code::HeaderTranscoded,
    Code::LeadingSpaceDropped,
    Code::MediaTypeRepaired,
    Code::MimeVersionAdded,
    Code::ObsoleteType,
    Code::ParameterRepaired,
    Code::QuotedPrintableRepaired,
    Code::SignatureBroken,
    Code::SpaceBeforeColon,
    Code::TypeMadeExplicit,
    Code::UnparsedLine,
    Code::UuencodeRepaired,
];

/// The tests of a rule on a message, all of which have to pass. A test without values never does.
#[derive(Clone, Debug, Default)]
pub struct When {
    /// Networks of its client.
    pub client: Option<Vec<IpNet>>,
    /// Addresses or domains of its sender.
    pub from: Option<Vec<String>>,
    /// Addresses or domains of all its recipients.
    pub to: Option<Vec<String>>,
    /// The direction in which it goes.
    pub direction: Option<Direction>,
    /// The listeners of the filter by which it may have come in.
    pub listener: Option<Vec<String>>,
    /// The fields of its header: a name, and patterns of its value.
    pub header: Vec<(String, Vec<Pattern>)>,
    /// The signatures that it has.
    pub signature: Option<Vec<Signature>>,
    /// The results of a server's checks.
    pub authentication: Option<Vec<Checked>>,
    /// The size that it exceeds, in octets.
    pub larger_than: Option<u64>,
    /// The size that it does not reach.
    pub smaller_than: Option<u64>,
}

/// A text in which `*` stands for any characters, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

/// A signature that a message may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Signature {
    /// A DKIM-Signature
    Dkim,
    /// An ARC-Seal
    Arc,
    /// Neither
    None,
}

/// A result in an Authentication-Results field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The server that says it.
    pub server: String,
    /// The method of authentication: `dkim`, `spf`, `dmarc`.
    pub method: String,
    /// The result of the method: `pass`, `fail`.
    pub result: String,
}

impl Pattern {
    /// The pattern that a text is.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_lowercase())
    }

    /// Returns whether the pattern stands for all of `text`, in any case.
    pub fn is(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        let Some((first, rest)) = self.0.split_once('*') else { return text == self.0 };
        let Some(mut text) = text.strip_prefix(first) else { return false };
        let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
        // Each piece is taken at its first place, which leaves the most text for those after it.
        for piece in middle.split('*') {
            let Some(at) = text.find(piece) else { return false };
            text = &text[at + piece.len()..];
        }
        text.ends_with(last)
    }
}

impl FromStr for Checked {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut words = text.split_whitespace();
        let (Some(server), Some(check), None) = (words.next(), words.next(), words.next()) else {
            return Err(());
        };
        let (method, result) = check.split_once('=').ok_or(())?;
        Ok(Self { server: server.to_owned(), method: method.to_owned(), result: result.to_owned() })
    }
}

/// The direction of a message: where it goes, or who sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Direction {
    /// Its client has logged in
    Authenticated,
    /// Its client is on this machine, or not known
    Local,
    /// All its recipients are in a --local-domain
    In,
    /// Not all are
    Out,
}

impl When {
    /// What a rule of the file says.
    ///
    /// # Errors
    /// A value that is none, with its line.
    pub fn of(rule: &RuleTable) -> Result<Self, Wrong> {
        let mut when = Self::default();
        for test in &rule.tests {
            match test.name.as_str() {
                "client" => when.client = Some(each(test, "a network, as 192.0.2.0/24", network)?),
                "from" => when.from = Some(each(test, ADDRESSES, address)?),
                "to" => when.to = Some(each(test, ADDRESSES, address)?),
                "direction" => {
                    let what = "one of authenticated, local, in and out";
                    when.direction =
                        Some(one(test, what, |word| Direction::from_str(word, true).ok())?);
                }
                "header" => {
                    let name = test.field.as_deref().unwrap_or_default();
                    let name = field_name(name).map_err(|why| (Some(test.line), why))?;
                    when.header
                        .push((name, each(test, "a text", |text| Some(Pattern::new(text)))?));
                }
                "signature" => {
                    let word = |word: &str| Signature::from_str(word, true).ok();
                    when.signature = Some(each(test, "dkim, arc or none", word)?);
                }
                "authentication" => {
                    let what = "SERVER METHOD=RESULT, as mx.example.org dkim=pass";
                    when.authentication = Some(each(test, what, |text| text.parse().ok())?);
                }
                "larger-than" => {
                    when.larger_than = Some(one(test, SIZE, |text| octets(text).ok())?)
                }
                "smaller-than" => {
                    when.smaller_than = Some(one(test, SIZE, |text| octets(text).ok())?)
                }
                _ => {
                    let place =
                        |text: &str| text.parse::<Endpoint>().ok().map(|place| place.to_string());
                    when.listener =
                        Some(each(test, "where a listener is, as --listen says it", place)?);
                }
            }
        }
        Ok(when)
    }

    /// Returns whether a test asks for more than the envelope and the client.
    pub fn asks_content(&self) -> bool {
        let Self { header, signature, authentication, larger_than, smaller_than, .. } = self;
        !header.is_empty()
            || signature.is_some()
            || authentication.is_some()
            || larger_than.is_some()
            || smaller_than.is_some()
    }
}

const ADDRESSES: &str = "addresses, domains, or .domain for those below it";
const SIZE: &str = "a number of octets, or one with K, M or G";

/// The values of a test, each of which has to be readable.
fn each<T>(test: &Test, what: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, Wrong> {
    let wrong = |value: &Value| {
        let place = value.place.as_ref().map_or(String::new(), |place| format!("{place}: "));
        (Some(test.line), format!("{place}expected {what}"))
    };
    test.values.iter().map(|value| read(&value.text).ok_or_else(|| wrong(value))).collect()
}

/// The only value of a test.
fn one<T>(test: &Test, what: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, Wrong> {
    let mut values = each(test, what, read)?;
    match (values.pop(), values.pop()) {
        (Some(value), None) => Ok(value),
        _ => Err((Some(test.line), format!("expected {what}"))),
    }
}

fn network(text: &str) -> Option<IpNet> {
    text.parse().ok().or_else(|| text.parse::<IpAddr>().map(IpNet::from).ok())
}

fn address(text: &str) -> Option<String> {
    (!never_matches(text)).then(|| text.to_owned())
}

/// Whether a text looks like no address and no domain, so that a test with it would never pass.
fn never_matches(address: &str) -> bool {
    address.starts_with(['@', '*']) || address.contains(' ')
}

/// `duplicate-field=two From fields`: a code, and the words to the sender of a message that is
/// refused because of it.
pub fn reject_text(text: &str) -> Result<(Code, String), String> {
    let (code, words) = text.split_once('=').ok_or("expected CODE=TEXT")?;
    let code = issue::code(code)?;
    // Mail servers with milters take a percent sign for a place to fill in.
    let is_shown = |octet: u8| (b' '..=b'~').contains(&octet) && octet != b'%';
    let words = words.trim();
    if !(1..=LONGEST_TEXT).contains(&words.len()) || !words.bytes().all(is_shown) {
        return Err(format!(
            "expected a text of 1 to {LONGEST_TEXT} characters of ASCII, without %"
        ));
    }
    Ok((code, words.to_owned()))
}

/// The longest text of a reply: with its code and the code of sevenbit it stays below 512 octets
/// (RFC 5321, 4.5.3.1.5).
const LONGEST_TEXT: usize = 400;

/// `bare-line-end=reject`: a code, and what is done because of it.
pub fn on_code(text: &str) -> Result<(Code, ActionChoice), String> {
    let (code, action) = text.split_once('=').ok_or("expected CODE=ACTION")?;
    let code = issue::code(code)?;
    let action = match action {
        "fix" => ActionChoice::Fix,
        "leave" if MAY_STAY.contains(&code) => ActionChoice::Leave,
        "leave" => {
            return Err(format!(
                "`{code}` cannot be left: 7 bits, or the lines of mail, need it mended"
            ));
        }
        "reject" => ActionChoice::Reject,
        "quarantine" => ActionChoice::Quarantine,
        "tag" => ActionChoice::Tag,
        _ => return Err("expected fix, leave, reject, quarantine or tag".to_owned()),
    };
    Ok((code, action))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_lists_what_may_stay() {
        let page = include_str!("../../../docs/mta.md");
        let list =
            page.split("Only these may be left: ").nth(1).and_then(|rest| rest.split('.').next());
        let words: Vec<&str> =
            list.expect("a list").split(',').map(|word| word.trim().trim_matches('`')).collect();
        let mut codes = MAY_STAY.map(Code::as_str);
        codes.sort_unstable();
        assert_eq!(words, codes);
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, text, expected) in [
            ("bulk", " Bulk ", true),
            ("bulk", "bulky", false),
            ("*", "", true),
            ("*invoice*", "Your INVOICE of May", true),
            ("*invoice*", "voice", false),
            ("re: *", "Re: x", true),
            ("*@example.org>", "A <a@example.org>", true),
            ("*@example.org>", "A <a@example.org> b", false),
            ("a*b*c", "abbc", true),
            ("a*b*c", "acb", false),
            ("ab*ba", "aba", false),
            ("a**\u{DC}", "a\u{FC}", true),
        ] {
            assert_eq!(Pattern::new(pattern).is(text), expected, "{pattern}: {text}");
        }
    }

    #[test]
    fn a_text_for_a_code_fits_into_a_reply() {
        let read = |words: &str| reject_text(&format!("duplicate-field={words}"));
        assert_eq!(
            read("two From = fields"),
            Ok((Code::DuplicateField, "two From = fields".to_owned()))
        );
        for wrong in ["", " ", "100 %", "caf\u{E9}", "a\r\nb", &"x".repeat(401)] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(reject_text("nothing=x").is_err() && reject_text("duplicate-field").is_err());
    }

    #[test]
    fn only_some_codes_may_be_left() {
        assert_eq!(
            on_code("base64-repaired=leave"),
            Ok((Code::Base64Repaired, ActionChoice::Leave))
        );
        assert_eq!(on_code("bare-line-end=reject"), Ok((Code::BareLineEnd, ActionChoice::Reject)));
        for wrong in ["bare-line-end=leave", "nothing=fix", "refolded", "refolded=burn"] {
            assert!(on_code(wrong).is_err(), "{wrong}");
        }
    }
}
