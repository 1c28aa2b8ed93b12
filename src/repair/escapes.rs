//! What an encoding left in text: ISO-2022-JP without its escapes.

use memchr::memmem;

use super::RepairStep;
use super::plausible::{Kind, kind};
use crate::Charset;

/// Mends what was left of encodings.
pub(super) fn mend(text: &str, steps: &mut Vec<RepairStep>) -> Option<String> {
    let mended = restore_escapes(text)?;
    steps.push(RepairStep::EscapesRestored);
    Some(mended)
}

/// Reads Japanese between `$B` and `(B`, of which programs that remove controls have removed the escapes.
fn restore_escapes(text: &str) -> Option<String> {
    let mut mended = String::new();
    let mut done = 0;
    for begin in memmem::find_iter(text.as_bytes(), b"$") {
        if begin < done {
            continue;
        }
        let Some((japanese, length)) = japanese(&text[begin..]) else { continue };
        mended.push_str(&text[done..begin]);
        mended.push_str(&japanese);
        done = begin + length;
    }
    if done == 0 {
        return None;
    }
    mended.push_str(&text[done..]);
    Some(mended)
}

/// Returns the Japanese that a text begins with, and its length.
fn japanese(text: &str) -> Option<(String, usize)> {
    /// Fewer characters may be something else.
    const FEW: usize = 3;
    let rest = text.strip_prefix("$B").or_else(|| text.strip_prefix("$@"))?;
    let length = rest.bytes().position(|octet| !matches!(octet, 0x21..=0x7E)).unwrap_or(rest.len());
    let run = rest.as_bytes().get(..length)?;
    let end =
        (0..run.len()).step_by(2).find(|&at| run[at..].starts_with(b"(B") || run[at..].starts_with(b"(J"))?;
    let octets = [b"\x1B$B", &run[..end], b"\x1B(B"].concat();
    let read = Charset::for_label("iso-2022-jp")?.decode_lossless(&octets)?;
    let is_kana = |c: char| matches!(c, '\u{3041}'..='\u{30FF}' | '、' | '。');
    let is_japanese = |c: char| matches!(kind(c), Some(Kind::EastAsian | Kind::Sign));
    let count = read.chars().count();
    let kana = read.chars().filter(|&c| is_kana(c)).count();
    // Chinese characters of the second level are small letters of US-ASCII.
    let are_frequent = run[..end].chunks(2).all(|pair| pair[0] < 0x50);
    let is_meant = count >= FEW && read.chars().all(is_japanese) && (kana > 0 || are_frequent);
    is_meant.then(|| (read.into_owned(), 2 + end + 2))
}
