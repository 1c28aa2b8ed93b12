//! The answers of the view, on any octets: every question has one, names are safe, nothing is lost
//! from text.

use std::collections::HashSet;

use sevenbit::{Issue, Message, Tnef, UnpackedTnef, base_subject, passages, safe_file_name};

use super::every_law;

/// Every question about a message, and about the messages in it.
pub fn hold(octets: &[u8]) -> Result<(), String> {
    let message = Message::parse(octets);
    one(&message)?;
    let mut inner = message.parts().filter_map(|part| part.message()).take(4);
    inner.try_for_each(|message| one(&message))
}

/// A TNEF stream by itself, and in a message.
pub fn of_tnef(octets: &[u8]) -> Result<(), String> {
    let stream = [b"\x78\x9f\x3e\x22\x01\0", octets].concat();
    let tnef = Tnef::read(&stream).ok_or("a stream is none")?;
    let held: usize = tnef.files().iter().map(|file| file.octets().len()).sum();
    if held > octets.len() {
        return Err(format!("{held} octets of files in {}", octets.len()));
    }
    let fields = b"Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: binary\r\n\r\n";
    let message = [fields, &stream[..]].concat();
    hold(&message)?;
    unpacked(&message, &tnef)
}

/// An unpacked message has every file of the stream, is safe once it is normalised, and is not
/// unpacked again.
fn unpacked(message: &[u8], tnef: &Tnef<'_>) -> Result<(), String> {
    let Some(unpacked) = UnpackedTnef::of(message) else { return Ok(()) };
    let done = sevenbit::normalize(unpacked.octets());
    every_law(unpacked.octets())?;
    let view = Message::parse(done.octets());
    let written: Vec<Vec<u8>> = view.leaves().map(|part| part.octets().into_owned()).collect();
    let is_packed = |octets: &[u8]| Tnef::read(octets).is_some();
    let lost = tnef.files().iter().map(|file| file.octets());
    let lost = lost
        .filter(|octets| !is_packed(octets) && !written.iter().any(|found| found == octets))
        .count();
    if lost > 0 {
        return Err(format!("{lost} files are lost: {:?}", String::from_utf8_lossy(done.octets())));
    }
    let outside = |issue: &Issue| issue.span().end > message.len();
    unpacked
        .issues(done.report())
        .iter()
        .find(|issue| outside(issue))
        .map_or(Ok(()), |issue| Err(format!("{issue}: no such octets")))
}

fn one(message: &Message<'_>) -> Result<(), String> {
    let text = message.text();
    if text.contains('\r') {
        return Err(format!("CR in the text {text:?}"));
    }
    if passages(&text).map(|passage| passage.text()).collect::<String>() != text {
        return Err(format!("passages are not the whole of {text:?}"));
    }
    let mut asked = Vec::new();
    let html = message.html(|id| {
        asked.push(id.to_owned());
        None
    });
    // Without answers, HTML stays as it is.
    let again = message.html(|_| None);
    if html != again {
        return Err(format!("HTML depends on who asks: {html:?}, {again:?}"));
    }
    names(message)?;
    let subject = base_subject(&message.subject().unwrap_or_default());
    if base_subject(&subject) != subject {
        return Err(format!("a base that has one: {subject:?}"));
    }
    let ancestors = message.ancestors();
    if ancestors.iter().any(|id| Some(id) == message.message_id().as_ref()) {
        return Err(String::from("a message that follows itself"));
    }
    for name in ["from", "to", "x-any"] {
        let _ = (message.addresses(name), message.root().headers_named(name).count());
    }
    let _ = (message.thread_key(), message.list());
    words(message)?;
    let _ = (message.hops(), message.authentication_results(), message.report());
    let _ = message.parts().filter_map(|part| part.calendar_method()).count();
    Ok(())
}

/// An answer that is one word has no white space and no capital letter of US-ASCII.
fn words(message: &Message<'_>) -> Result<(), String> {
    for schema in Message::WORDS {
        let Some(word) = schema.of(message) else { continue };
        let is_outside = |c: char| c.is_whitespace() || c.is_ascii_uppercase();
        if word.is_empty() || word.contains(is_outside) {
            return Err(format!("{} is no word: {word:?}", schema.name));
        }
    }
    Ok(())
}

/// Attachments have safe names, no two of them the same.
fn names(message: &Message<'_>) -> Result<(), String> {
    let mut seen = HashSet::new();
    for file in message.attachments() {
        let name = file.safe_name();
        let bad = |c: char| c.is_control() || "/\\:*?\"<>|\u{202e}".contains(c);
        if name.is_empty() || name.len() > 255 || name.starts_with(['.', '-']) || name.contains(bad)
        {
            return Err(format!("not safe: {name:?} of {:?}", file.name()));
        }
        if !seen.insert(name.to_lowercase()) {
            return Err(format!("two files are called {name:?}"));
        }
        if safe_file_name(name) != name && name.len() <= 200 {
            return Err(format!("made safe twice: {name:?}"));
        }
        let _ = (
            file.type_by_name(),
            file.type_by_octets(),
            file.size(),
            file.is_inline(),
            file.content_id(),
        );
    }
    Ok(())
}
