//! The fuzzed laws: the very functions that the tests call.

#[cfg(fuzzing)]
pub use libfuzzer_sys;
use sevenbit_mta::laws as mta_laws;

/// The program of a target: libFuzzer drives it where `cargo fuzz` builds it, elsewhere it is
/// empty.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|octets: &[u8]| $crate::must_hold($name, octets));

        #[cfg(not(fuzzing))]
        fn main() {}
    };
}

#[path = "../../tests/laws/mod.rs"]
pub mod laws;

/// The laws of messages of Outlook, from the tests of their crate.
#[path = "../../crates/outlook/tests/msg/laws.rs"]
pub mod outlook;

/// The laws of stores, from the tests of their crate.
#[path = "../../crates/store/tests/stores/laws.rs"]
pub mod stores;

/// The targets by name.
pub const TARGETS: [&str; 14] = [
    "header",
    "words",
    "parameters",
    "charsets",
    "combinations",
    "trees",
    "message",
    "view",
    "tnef",
    "outlook",
    "stores",
    "milter",
    "gateway",
    "hooks",
];

/// Returns why octets break a law of `target`; for messages also with the options of this number.
pub fn check_by(target: &str, octets: &[u8], options: u64) -> Result<(), String> {
    match target {
        "milter" | "gateway" | "hooks" | "outlook" | "stores" => check(target, octets),
        _ => laws::targets::check_by(target, octets, options),
    }
}

/// Checks with options that the octets choose.
pub fn check(target: &str, octets: &[u8]) -> Result<(), String> {
    match target {
        "outlook" => outlook::check(octets),
        "stores" => {
            stores::stores(octets);
            Ok(())
        }
        "milter" => mta_laws::milter::check(octets),
        "gateway" => mta_laws::gateway::check(octets),
        "hooks" => mta_laws::hooks::check(octets),
        _ => laws::targets::check(target, octets),
    }
}

/// The inputs for `target` in a message: all of it, or its fields and lines for targets smaller
/// than a message.
pub fn inputs(target: &str, message: &[u8]) -> Vec<Vec<u8>> {
    match target {
        "message" | "view" | "stores" => vec![message.to_vec()],
        "header" => laws::targets::header_inputs(message),
        "trees" => message.chunks(64).map(<[u8]>::to_vec).collect(),
        "combinations" => message.chunks(16).map(<[u8]>::to_vec).collect(),
        "milter" => mta_laws::milter::inputs(message),
        "gateway" => mta_laws::gateway::inputs(message),
        "hooks" => mta_laws::hooks::inputs(message),
        _ => message.split(|&octet| octet == b'\n').map(<[u8]>::to_vec).collect(),
    }
}

/// Panics if a law of `target` is broken.
pub fn must_hold(target: &str, octets: &[u8]) {
    if let Err(why) = check(target, octets) {
        panic!("{target}: {why}");
    }
}
