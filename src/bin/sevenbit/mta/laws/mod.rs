//! The laws of the two protocols, each one function: shared by the unit tests and by fuzzing, which compiles this folder with
//! the protocols. [`mail_server`], [`client`] and [`next_hop`] are the others in a conversation, in as few words as can be.
//!
//! 1. The answers do not depend on how the octets come.
//! 2. What a mail server makes of a milter's answers, without a thought of its own, is the normal form of what it showed.
//! 3. What the next hop takes from a gateway is the normal form of what its client sent; what passes as it is holds nothing
//!    that ends a message early, and nothing that the next hop was not asked to take.
//! 4. No message is accepted that the next hop did not take, and none is taken that was not sent.

pub mod client;
pub mod gateway;
#[cfg(test)]
mod gateway_cases;
pub mod mail_server;
pub mod milter;
#[cfg(test)]
mod milter_cases;
pub mod next_hop;

use sevenbit::{Normalizer, Profile};

use super::filter::{Filter, OnFailure};

/// How messages are treated where nothing else is said.
pub fn filter() -> Filter {
    Filter {
        normalizer: Normalizer::new().profile(Profile::Transport),
        max_message: 1 << 20,
        on_error: OnFailure::TempFail,
        header_report: None,
    }
}

/// What is written for this project, and what fuzzing found (`corpus/findings/TARGET-WHAT`), breaks no law of a target.
#[cfg(test)]
pub fn hold(target: &str, inputs: fn(&[u8]) -> Vec<Vec<u8>>, check: fn(&[u8]) -> Result<(), String>) {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let files = |folder| {
        std::fs::read_dir(corpus.join(folder)).expect("a folder").flatten().map(|entry| entry.path())
    };
    for path in files("mail").chain(files("findings")) {
        let octets = std::fs::read(&path).expect("a file");
        let is_finding = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(target));
        let all = if is_finding { vec![octets] } else { inputs(&octets) };
        for input in all {
            check(&input).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        }
    }
}
