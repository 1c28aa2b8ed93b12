//! The characters that GB 18030 encodes in four octets: those of the basic multilingual plane that
//! it does not encode in two, mostly in order, and all others.

use std::sync::LazyLock;

use encoding_rs::GB18030;

/// Four-octet codes of the basic multilingual plane.
const BASIC: u32 = 39_420;
/// The code of the first character beyond it.
const BEYOND: u32 = 189_000;

/// Consecutive characters with consecutive codes.
struct Run {
    first: u32,
    /// The code of the first.
    code: u32,
    len: u32,
}

/// Returns the four octets of a character, if it has four.
pub(super) fn four_octets(c: char) -> Option<[u8; 4]> {
    let c = u32::from(c);
    if c >= 0x1_0000 {
        return Some(octets(BEYOND + c - 0x1_0000));
    }
    let run = RUNS.partition_point(|run| run.first <= c).checked_sub(1).map(|at| &RUNS[at])?;
    (c - run.first < run.len).then(|| octets(run.code + c - run.first))
}

/// Every run, ordered by its characters.
static RUNS: LazyLock<Vec<Run>> = LazyLock::new(|| {
    let all: Vec<u8> = (0..BASIC).flat_map(octets).collect();
    let text =
        GB18030.decode_without_bom_handling_and_without_replacement(&all).unwrap_or_default();
    let mut runs: Vec<Run> = Vec::new();
    for (code, c) in (0..).zip(text.chars().map(u32::from)) {
        match runs.last_mut() {
            Some(run) if run.first + run.len == c => run.len += 1,
            _ => runs.push(Run { first: c, code, len: 1 }),
        }
    }
    runs.sort_unstable_by_key(|run| run.first);
    runs
});

/// Returns the octets of a code: 81-FE, 30-39, 81-FE, 30-39.
fn octets(code: u32) -> [u8; 4] {
    let digit = |code: u32| 0x30 + (code % 10) as u8;
    let letter = |code: u32| 0x81 + (code % 126) as u8;
    [letter(code / 12_600), digit(code / 1_260), letter(code / 10), digit(code)]
}
