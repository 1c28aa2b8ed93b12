//! The laws of one charset (laws 1 to 3).

use sevenbit::CodeUnits;
use sevenbit::{Charset, Issue};

/// All of them over any octets.
pub fn every_law(charset: Charset, octets: &[u8]) -> Result<(), String> {
    spans_lie_in_the_input(charset, octets)?;
    for size in [1, 2, 3, 7] {
        chunks_do_not_matter(charset, &octets.chunks(size).collect::<Vec<_>>())?;
    }
    strict_and_lenient_agree(charset, octets)?;
    code_units_are_of_the_same_text(charset, octets)?;
    what_is_written_reads_the_same(charset, charset.decode(octets).text())?;
    what_is_written_reads_the_same(charset, &String::from_utf8_lossy(octets))
}

/// Law 1: every span is within the input.
pub fn spans_lie_in_the_input(charset: Charset, octets: &[u8]) -> Result<(), String> {
    let decoded = charset.decode(octets);
    let outside =
        |issue: &&Issue| issue.span().start > issue.span().end || issue.span().end > octets.len();
    match decoded.issues().iter().find(outside) {
        Some(issue) => Err(format!("{charset}: {issue} in {octets:02X?}")),
        None => Ok(()),
    }
}

/// Law 2: chunks give the same result as the whole.
pub fn chunks_do_not_matter(charset: Charset, chunks: &[&[u8]]) -> Result<(), String> {
    let octets = chunks.concat();
    let whole = charset.decode(&octets).into_parts();
    let (mut decoder, mut text) = (charset.decoder(), String::new());
    chunks.iter().for_each(|chunk| decoder.push(chunk, &mut text));
    let issues = decoder.finish(&mut text);
    if text == whole.0 && issues == whole.1 {
        return Ok(());
    }
    Err(format!("{charset}: {chunks:02X?} is {text:?} {issues:?}, whole {whole:?}"))
}

/// The strict form gives the same text, or an error within the input.
pub fn strict_and_lenient_agree(charset: Charset, octets: &[u8]) -> Result<(), String> {
    let lenient = charset.decode(octets);
    let agree = match charset.decode_strict(octets) {
        Ok(text) => text == lenient.text() && lenient.is_lossless(),
        Err(error) => !lenient.is_lossless() && error.offset() < octets.len(),
    };
    if agree {
        Ok(())
    } else {
        Err(format!("{charset}: strict and lenient differ over {octets:02X?}"))
    }
}

/// Code units are those of the text, and there are none if anything is ill-formed.
pub fn code_units_are_of_the_same_text(charset: Charset, octets: &[u8]) -> Result<(), String> {
    let units = charset.decode_code_units(octets).map(|units| match units {
        CodeUnits::Ascii(text) => text.encode_utf16().collect(),
        CodeUnits::Utf16(units) => units,
    });
    let wanted = charset.decode_strict(octets).ok().map(|text| text.encode_utf16().collect());
    if units == wanted {
        Ok(())
    } else {
        Err(format!("{charset}: code units differ over {octets:02X?}"))
    }
}

/// Code units are written like their text, if units are written at all.
fn code_units_are_written_as_text_is(charset: Charset, text: &str) -> Result<(), String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let wanted = charset.encode_code_units(&[]).and_then(|_| charset.encode(text).ok());
    if charset.encode_code_units(&units).as_deref() == wanted.as_deref() {
        return Ok(());
    }
    Err(format!("{charset}: code units of {text:?} are not written as it is"))
}

/// Law 3: text that the charset can carry is read as it was written, whole and in pieces.
pub fn what_is_written_reads_the_same(charset: Charset, text: &str) -> Result<(), String> {
    let (mut encoder, mut octets, mut carried) = (charset.encoder(), Vec::new(), String::new());
    for c in text.chars() {
        if encoder.push(c.encode_utf8(&mut [0; 4]), &mut octets).is_ok() {
            carried.push(c);
        }
    }
    encoder.finish(&mut octets);
    let back = charset.decode(&octets);
    if back.text() != carried {
        return Err(format!("{charset}: {carried:?} is {octets:02X?} and reads {:?}", back.text()));
    }
    code_units_are_written_as_text_is(charset, &carried)?;
    match charset.encode(&carried) {
        Ok(whole) if *whole == *octets => Ok(()),
        other => {
            Err(format!("{charset}: {carried:?} in pieces is {octets:02X?}, whole {other:02X?}"))
        }
    }
}
