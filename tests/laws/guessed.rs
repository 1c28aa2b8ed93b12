//! The effect of `Unlabelled::Guess`: in transport other labels on the same octets, in an archive
//! nothing.

use std::io::Cursor;

use sevenbit::{Message, Normalizer, Profile, Unlabelled};

use super::safe;

fn transport(unlabelled: Unlabelled) -> Normalizer {
    Normalizer::new().profile(Profile::Transport).unlabelled(unlabelled)
}

/// Laws 4 and 5 with guessed labels; from a file the result is the same.
pub fn guessing_is_safe(octets: &[u8]) -> Result<(), String> {
    let normalizer = transport(Unlabelled::Guess);
    let once = normalizer.normalize(octets);
    if let Some(why) = safe::why_not(once.octets()) {
        return Err(format!("labels guessed: {why}"));
    }
    let twice = normalizer.normalize(once.octets());
    if twice.octets() != once.octets() {
        let (once, twice) = (once.octets().escape_ascii(), twice.octets().escape_ascii());
        return Err(format!("labels guessed: not idempotent: {once} became {twice}"));
    }
    let mut from_file = Vec::new();
    let report = normalizer.normalize_file(Cursor::new(octets), &mut from_file);
    let report = report.map_err(|error| error.to_string())?;
    if from_file != once.octets() || report != *once.report() {
        return Err("labels guessed: slice and file differ".to_owned());
    }
    Ok(())
}

/// Octets and structure are the same as without guessing.
pub fn only_labels_are_guessed(octets: &[u8]) -> Result<(), String> {
    let archive =
        |unlabelled| Normalizer::new().unlabelled(unlabelled).normalize(octets).into_parts();
    if archive(Unlabelled::Guess) != archive(Unlabelled::Keep) {
        return Err("an archive heeds it".to_owned());
    }
    let kept = transport(Unlabelled::Keep).normalize(octets).into_octets();
    let guessed = transport(Unlabelled::Guess).normalize(octets).into_octets();
    let (before, after) = (without_labels(&kept), without_labels(&guessed));
    if before != after {
        return Err(format!(
            "more than labels: {} became {}",
            before.escape_ascii(),
            after.escape_ascii()
        ));
    }
    let (kept, guessed) = (Message::parse(&kept), Message::parse(&guessed));
    let is_same = kept.parts().count() == guessed.parts().count()
        && kept.leaves().zip(guessed.leaves()).all(|(kept, guessed)| {
            kept.media_type() == guessed.media_type() && kept.octets() == guessed.octets()
        });
    if is_same {
        Ok(())
    } else {
        Err("labels guessed: other parts, or other octets in them".to_owned())
    }
}

/// The fields of a header, except those of MIME, by the octets that their encoded-words represent,
/// without white space: where a word ends depends on the length of its label.
fn without_labels(message: &[u8]) -> Vec<u8> {
    let end = message.windows(4).position(|octets| octets == b"\r\n\r\n").unwrap_or(message.len());
    let header =
        String::from_utf8_lossy(&message[..end]).replace("\r\n ", " ").replace("\r\n\t", " ");
    let fields =
        header.split("\r\n").filter(|field| !field.to_ascii_lowercase().starts_with("content-"));
    let mut octets = Vec::new();
    for mut rest in fields {
        while let Some((before, after)) = rest.split_once("=?") {
            let mut pieces = after.splitn(4, '?');
            let (Some(_), Some(encoding), Some(text)) =
                (pieces.next(), pieces.next(), pieces.next())
            else {
                break;
            };
            octets.extend_from_slice(before.as_bytes());
            octets.extend(if encoding == "B" { base64(text) } else { q(text) });
            rest = pieces.next().unwrap_or_default().trim_start_matches('=');
        }
        octets.extend_from_slice(rest.as_bytes());
    }
    octets.retain(|octet| !octet.is_ascii_whitespace());
    octets
}

fn base64(text: &str) -> Vec<u8> {
    let mail =
        format!("Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n{text}");
    Message::parse(mail.as_bytes()).root().octets().into_owned()
}

fn q(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('=') {
        octets.extend(before.replace('_', " ").bytes());
        let escape = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        octets.push(escape.unwrap_or(b'='));
        rest = if escape.is_some() { &after[2..] } else { after };
    }
    octets.extend(rest.replace('_', " ").bytes());
    octets
}
