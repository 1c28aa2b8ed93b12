//! The fuzzed targets: for each, how octets become its input, and which laws it keeps.

use sevenbit::Charset;

use super::options::Options;
use super::{
    PROFILES, answers, charset, combinations, every_law, every_law_by, header, trees, view_is_kept,
};

/// The targets by name.
pub const TARGETS: [&str; 9] = [
    "header",
    "words",
    "parameters",
    "charsets",
    "combinations",
    "trees",
    "message",
    "view",
    "tnef",
];

/// Fields of every kind (rule H2).
const FIELDS: [&str; 12] = [
    "Subject",
    "From",
    "To",
    "Keywords",
    "Received",
    "Message-ID",
    "References",
    "Content-Type",
    "Content-Disposition",
    "Content-Transfer-Encoding",
    "DKIM-Signature",
    "List-Id",
];

/// Returns why octets break a law of `target`, in both profiles and with options that the octets
/// choose.
pub fn check(target: &str, octets: &[u8]) -> Result<(), String> {
    let chosen = octets
        .iter()
        .fold(0_u64, |hash, &octet| hash.wrapping_mul(0x100_0000_01B3) ^ u64::from(octet));
    check_by(target, octets, chosen ^ chosen >> 32)
}

/// Checks the target with the options of this number.
pub fn check_by(target: &str, octets: &[u8], options: u64) -> Result<(), String> {
    let message = |octets: &[u8]| message(octets, options);
    let (first, rest) = octets.split_first().unwrap_or((&0, &[]));
    match target {
        "header" => {
            let name = FIELDS[usize::from(*first) % FIELDS.len()];
            message(&[name.as_bytes(), b":", rest, b"\r\nX-Last: x\r\n\r\nbody\r\n"].concat())
        }
        "words" => {
            header::words_are_read_safely(octets)?;
            header::written_text_reads_the_same(&String::from_utf8_lossy(octets))
        }
        "parameters" => {
            message(&[b"Content-Disposition: attachment; ", octets, b"\r\n\r\nbody\r\n"].concat())?;
            message(&[b"Content-Type: text/plain; ", octets, b"\r\n\r\nb\xE9\r\n"].concat())
        }
        "charsets" => {
            let all: Vec<Charset> =
                Charset::all().filter(|charset| charset.is_decodable()).collect();
            charset::every_law(all[usize::from(*first) % all.len()], rest)
        }
        "combinations" => message(&combinations::message(octets)),
        "trees" => message(&trees::message(octets)),
        "view" => answers::hold(octets),
        "tnef" => answers::of_tnef(octets),
        _ => message(octets),
    }
}

/// The inputs for `header` in a message: the fields it knows, on their lines.
pub fn header_inputs(message: &[u8]) -> Vec<Vec<u8>> {
    let place = |line: &[u8]| {
        let (name, value) = line.split_at(line.iter().position(|&octet| octet == b':')?);
        let number = FIELDS.iter().position(|field| field.as_bytes().eq_ignore_ascii_case(name))?;
        Some([&[number as u8], &value[1..]].concat())
    };
    message.split(|&octet| octet == b'\n').filter_map(place).collect()
}

fn message(octets: &[u8], options: u64) -> Result<(), String> {
    every_law(octets)?;
    every_law_by(octets, &Options::numbered(options))?;
    view_is_kept(octets, Options::numbered(options))?;
    PROFILES.into_iter().try_for_each(|profile| view_is_kept(octets, profile))
}
