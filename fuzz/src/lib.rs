//! What is fuzzed: the laws of the house, the very functions that the tests call.

#[path = "../../tests/laws/mod.rs"]
pub mod laws;

/// Panics where a law of `target` is broken.
pub fn must_hold(target: &str, octets: &[u8]) {
    if let Err(why) = laws::targets::check(target, octets) {
        panic!("{target}: {why}");
    }
}
