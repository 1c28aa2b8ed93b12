//! The log: one line per message.

use std::io;

use tracing::{Level, info, warn};

use super::filter::{Fate, Record};
use crate::args::LogFormat;

/// Starts the log, on standard error, where systemd and containers look for it.
pub fn start(format: LogFormat, is_quiet: bool) {
    let level = if is_quiet { Level::WARN } else { Level::INFO };
    let log = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(level).with_target(false);
    match format {
        LogFormat::Text => log.with_ansi(false).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}

/// Logs what became of a message.
pub fn message(record: &Record) {
    let codes: Vec<&str> = record.codes.iter().map(|code| code.as_str()).collect();
    let codes = codes.join(",");
    let microseconds = u64::try_from(record.time.as_micros()).unwrap_or(u64::MAX);
    let id = some(&record.id);
    let answer = some(&record.answer);
    let (octets, fate) = (record.octets, record.fate.as_str());
    match record.fate {
        Fate::Clean | Fate::Changed | Fate::Refused => {
            info!(id, octets, fate, codes = some(&codes), microseconds, answer, "message");
        }
        Fate::TooLarge | Fate::Failed => {
            warn!(id, octets, fate, codes = some(&codes), microseconds, answer, "message");
        }
    }
}

/// A text, unless it is empty. Anything but plain text is escaped: it came from outside.
fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.escape_debug().to_string())
}
