//! The rules of the configuration file, and what is done because of a code.

use clap::ValueEnum;
use ipnet::IpNet;
use sevenbit::Code;

use super::Endpoint;
use super::config::RuleTable;

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

/// The codes that may stay: what they stand for needs no more than 7 bits, has its line ends in order, and ends no message early;
/// or is lost by a change ([`LOSSES`](crate::mta::policy::LOSSES)).
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

/// What a rule says of a message; all of it has to be so.
#[derive(Clone, Debug, Default)]
pub struct When {
    /// Networks of its client.
    pub client: Vec<IpNet>,
    /// Addresses or domains of its sender.
    pub from: Vec<String>,
    /// Those of all its recipients.
    pub to: Vec<String>,
    /// Where it goes.
    pub direction: Option<Direction>,
    /// Where it came in.
    pub listener: Vec<String>,
}

/// Where a message goes, and who sends it.
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
    pub fn of(rule: &RuleTable) -> Result<Self, (Option<usize>, String)> {
        let mut when = Self::default();
        for (line, name, values) in &rule.tests {
            let wrong = |what: &str| (Some(*line), format!("expected {what}"));
            if values.iter().all(String::is_empty) {
                return Err(wrong("a value: without it, every message would match"));
            }
            let addresses = || match values.iter().find(|value| never_matches(value)) {
                Some(_) => Err(wrong("addresses, domains, or .domain for those below it")),
                None => Ok(values.clone()),
            };
            match name.as_str() {
                "client" => {
                    let network = |text: &String| {
                        text.parse::<IpNet>().or_else(|_| text.parse::<std::net::IpAddr>().map(IpNet::from))
                    };
                    when.client = values
                        .iter()
                        .map(network)
                        .collect::<Result<_, _>>()
                        .map_err(|_| wrong("a network, as 192.0.2.0/24"))?;
                }
                "from" => when.from = addresses()?,
                "to" => when.to = addresses()?,
                "direction" => {
                    let direction = match &values[..] {
                        [word] => Direction::from_str(word, true).ok(),
                        _ => None,
                    };
                    when.direction =
                        Some(direction.ok_or_else(|| wrong("one of authenticated, local, in and out"))?);
                }
                _ => {
                    let places: Result<Vec<Endpoint>, String> =
                        values.iter().map(|place| place.parse()).collect();
                    let places = places.map_err(|_| wrong("where a listener is, as --listen says it"))?;
                    when.listener = places.iter().map(ToString::to_string).collect();
                }
            }
        }
        Ok(when)
    }
}

/// Whether something can be no address and no domain.
fn never_matches(address: &str) -> bool {
    address.starts_with(['@', '*']) || address.contains(' ')
}

/// `bare-line-end=reject`: a code, and what is done because of it.
pub fn on_code(text: &str) -> Result<(Code, ActionChoice), String> {
    let (code, action) = text.split_once('=').ok_or("expected CODE=ACTION")?;
    let code = code.parse::<Code>().map_err(|_| format!("there is no code `{code}`"))?;
    let action = match action {
        "fix" => ActionChoice::Fix,
        "leave" if MAY_STAY.contains(&code) => ActionChoice::Leave,
        "leave" => {
            return Err(format!("`{code}` cannot be left: 7 bits, or the lines of mail, need it mended"));
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
        let list = page.split("Only these may be left: ").nth(1).and_then(|rest| rest.split('.').next());
        let words: Vec<&str> =
            list.expect("a list").split(',').map(|word| word.trim().trim_matches('`')).collect();
        let mut codes = MAY_STAY.map(Code::as_str);
        codes.sort_unstable();
        assert_eq!(words, codes);
    }

    #[test]
    fn only_some_codes_may_be_left() {
        assert_eq!(on_code("base64-repaired=leave"), Ok((Code::Base64Repaired, ActionChoice::Leave)));
        assert_eq!(on_code("bare-line-end=reject"), Ok((Code::BareLineEnd, ActionChoice::Reject)));
        for wrong in ["bare-line-end=leave", "nothing=fix", "refolded", "refolded=burn"] {
            assert!(on_code(wrong).is_err(), "{wrong}");
        }
    }
}
