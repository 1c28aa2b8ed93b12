//! The laws of the protocols, each one function: shared by the unit tests and by fuzzing
//! (feature `laws`). [`mail_server`], [`client`] and [`next_hop`] are minimal versions of the other
//! parties.
//!
//! 1. The answers do not depend on how the octets come.
//! 2. If a mail server blindly applies the answers of a milter or a hook, the result is the normal
//!    form of the message that it sent.
//! 3. What the next hop accepts from a gateway is the normal form of what its client sent; a
//!    message that passes as it is contains nothing that ends it early, and nothing that the next
//!    hop was not asked to accept.
//! 4. No message is accepted that the next hop did not accept, and it accepts none that was not
//!    sent.

#[cfg(test)]
mod chunk_cases;
pub mod client;
pub mod gateway;
#[cfg(test)]
mod gateway_cases;
#[cfg(feature = "hooks")]
pub mod hooks;
#[cfg(all(test, feature = "hooks"))]
mod hooks_cases;
#[cfg(test)]
mod kept_cases;
#[cfg(test)]
mod limit_cases;
pub mod mail_server;
pub mod milter;
#[cfg(test)]
mod milter_cases;
pub mod next_hop;
#[cfg(test)]
mod next_hop_cases;
#[cfg(test)]
mod policy_cases;
#[cfg(test)]
mod security_cases;

use sevenbit::{Normalizer, Profile};

use super::filter::{Filter, OnFailure, Only};
use super::octets::Path;

/// How messages are treated by default.
pub fn filter() -> Filter {
    Filter {
        normalizer: Normalizer::new().profile(Profile::Transport),
        form: String::new(),
        max_message: 1 << 20,
        on_error: OnFailure::TempFail,
        on_too_large: OnFailure::Reject,
        max_output: u64::MAX,
        header_report: None,
        on: Vec::new(),
        reject_texts: Vec::new(),
        own_fields: Vec::new(),
        only: Only::OneReading,
        carries: Path::default(),
        dry_run: false,
        skip: false,
        rule: None,
    }
}

/// Checks that our messages, and what fuzzing found (`corpus/findings/TARGET-WHAT`), break no law
/// of a target.
#[cfg(test)]
pub fn hold(
    target: &str,
    inputs: fn(&[u8]) -> Vec<Vec<u8>>,
    check: fn(&[u8]) -> Result<(), String>,
) {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let files = |folder| {
        std::fs::read_dir(corpus.join(folder))
            .expect("a folder")
            .flatten()
            .map(|entry| entry.path())
    };
    for path in files("mail").chain(files("findings")) {
        let octets = std::fs::read(&path).expect("a file");
        let is_finding =
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(target));
        let all = if is_finding { vec![octets] } else { inputs(&octets) };
        for input in all {
            check(&input).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        }
    }
}
