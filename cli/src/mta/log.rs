//! The log: one line per message, and one for each thing that goes wrong.

use std::io;

use sha2::{Digest, Sha256};
use tracing::{Level, info, warn};

use super::filter::{Fate, Record};
use super::gateway::is_timeout;
use super::service::Link;
use crate::args::{AddressChoice, Endpoint, LogFormat};

/// Starts the log, on standard error, where systemd and containers look for it.
pub fn start(format: LogFormat, is_quiet: bool) {
    let level = if is_quiet { Level::WARN } else { Level::INFO };
    let log =
        tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(level).with_target(false);
    match format {
        LogFormat::Text => log.with_ansi(false).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}

/// Logs what became of a message.
pub fn message(link: &Link, record: &Record, addresses: AddressChoice) {
    let (connection, peer) = (link.number(), link.stream().place());
    let codes = record.codes.iter().map(|code| code.as_str()).collect::<Vec<_>>().join(",");
    let from = shown(&record.envelope.from, addresses);
    let to = record
        .envelope
        .to
        .iter()
        .filter_map(|to| shown(to, addresses))
        .collect::<Vec<_>>()
        .join(",");
    let microseconds = u64::try_from(record.time.as_micros()).unwrap_or(u64::MAX);
    let [id, client, codes, to, answer] = [&record.id, &record.client, &codes, &to, &record.answer]
        .map(|text| Some(&**text).filter(|text| !text.is_empty()));
    let (octets, octets_out, fate) = (record.octets, record.octets_out, record.fate.as_str());
    let (outcome, by) = (record.outcome.as_str(), record.by.as_str());
    let (rule, dry_run) = (record.rule.as_deref(), record.dry_run.then_some(true));
    // The level is part of the call.
    macro_rules! line {
        ($level:ident) => {
            $level!(
                connection,
                peer,
                client,
                id,
                from,
                to,
                octets,
                octets_out,
                fate,
                outcome,
                by,
                dry_run,
                rule,
                codes,
                microseconds,
                answer,
                "message"
            )
        };
    }
    match record.fate {
        Fate::TooLarge
        | Fate::NoRoom
        | Fate::Garbled
        | Fate::Failed
        | Fate::Rejected
        | Fate::Quarantined => {
            line!(warn)
        }
        _ => line!(info),
    }
}

/// Logs why a connection has ended early.
pub fn ended(link: &Link, error: &io::Error, what: &str) {
    warn!(connection = link.number(), peer = link.stream().place(), error = words(error), "{what}");
}

/// Logs what the next hop has failed in.
pub fn next_hop_failed(link: &Link, next: &[Endpoint], error: &io::Error, what: &str) {
    let next = next.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    warn!(
        connection = link.number(),
        peer = link.stream().place(),
        next,
        error = words(error),
        "{what}"
    );
}

/// The word by which an error is counted.
pub fn reason(error: &io::Error) -> &'static str {
    match error.kind() {
        _ if is_timeout(error) => "timeout",
        io::ErrorKind::OutOfMemory => "memory",
        io::ErrorKind::QuotaExceeded => "limit",
        io::ErrorKind::InvalidData => "protocol",
        _ => "disconnected",
    }
}

fn words(error: &io::Error) -> String {
    match reason(error) {
        "timeout" => "silent or slow for too long".to_owned(),
        "memory" => "no room for this message now".to_owned(),
        _ => error.to_string(),
    }
}

/// An address as it is logged: whole, or as the beginning of its SHA-256 in lower case, by which it
/// can be recognised.
pub fn shown(address: &str, choice: AddressChoice) -> Option<String> {
    match choice {
        AddressChoice::Plain => Some(address.to_owned()),
        AddressChoice::Hash => {
            let digest = Sha256::digest(address.to_lowercase());
            Some(digest.iter().take(8).map(|octet| format!("{octet:02x}")).collect())
        }
        AddressChoice::None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_as_is_asked() {
        assert_eq!(
            shown("Ada@example.org", AddressChoice::Plain).as_deref(),
            Some("Ada@example.org")
        );
        assert_eq!(shown("Ada@example.org", AddressChoice::None), None);
        let hash = shown("Ada@example.org", AddressChoice::Hash).expect("a hash");
        assert_eq!(Some(&hash), shown("ada@EXAMPLE.org", AddressChoice::Hash).as_ref());
        assert!(hash.len() == 16 && hash.bytes().all(|octet| octet.is_ascii_hexdigit()));
    }
}
