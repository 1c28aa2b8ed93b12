//! The laws of header text (laws 1 and 3).

use super::safe;

/// Law 1, and rule H5: whatever the octets are, reading them as text produces no line end.
pub fn words_are_read_safely(octets: &[u8]) -> Result<(), String> {
    let decoded = sevenbit::decode_header(octets);
    if let Some(issue) = decoded.issues().iter().find(|issue| issue.span().end > octets.len()) {
        return Err(format!("{issue} lies outside"));
    }
    if decoded.text().chars().any(|c| c.is_control() && c != '\t') {
        return Err(format!("a control in {:?}", decoded.text()));
    }
    written_text_reads_the_same(decoded.text())
}

/// Law 3: text that is written as a header value is safe there and reads the same.
pub fn written_text_reads_the_same(text: &str) -> Result<(), String> {
    let value = sevenbit::encode_header(text);
    let message = format!("X-Long-Enough-Name: {value}\r\n\r\n");
    if let Some(why) = safe::why_not(message.as_bytes()) {
        return Err(format!("{text:?}: {why}"));
    }
    let back = sevenbit::decode_header(value.as_bytes());
    let carried: String = text.chars().filter(|&c| c != '\0').map(carried).collect();
    if squeeze(back.text()) == squeeze(&carried) && back.issues().is_empty() {
        return Ok(());
    }
    Err(format!("{text:?} is {value:?} and reads {:?}, {:?}", back.text(), back.issues()))
}

/// The part of a character that a header can carry.
fn carried(c: char) -> char {
    match c {
        c if c.is_control() => ' ',
        c => c,
    }
}

/// Text with each run of spaces as one: if more fit on no line, no more are written (G10).
fn squeeze(text: &str) -> String {
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
