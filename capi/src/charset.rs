//! Charsets: whole texts, and decoders that are fed piece by piece.

use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

use library::{Charset, Decoder, Issue};

use crate::decoded::{SevenbitBuffer, SevenbitDecoded};
use crate::guard::{free, get, guard, lend, make, put};
use crate::issue::{Issues, SevenbitIssue};
use crate::text::{Ended, SevenbitText, charset_name, octets, text};
use crate::{
    SEVENBIT_ERROR_NULL_ARGUMENT, SEVENBIT_ERROR_UNENCODABLE, SEVENBIT_ERROR_UNKNOWN_CHARSET,
    SevenbitStatus,
};

/// The charset that a label means, in any spelling found in mail: any case, aliases, common misspellings.
///
/// # Safety
/// `label` points to `length` octets of UTF-8.
unsafe fn charset(label: *const c_char, length: usize) -> Result<Charset, SevenbitStatus> {
    // SAFETY: as above.
    named(unsafe { text(label, length) }?)
}

/// The charset that a label means.
fn named(label: &str) -> Result<Charset, SevenbitStatus> {
    Charset::for_label_lenient(label)
        .map(|(charset, _)| charset)
        .ok_or(SEVENBIT_ERROR_UNKNOWN_CHARSET)
}

/// The charset that a label means, if text can be read in it.
pub(crate) fn readable(label: &str) -> Result<Charset, SevenbitStatus> {
    decodable(named(label)?)
}

/// The name of the charset that a label means: `UTF-8` of `utf8`. SEVENBIT_ERROR_UNKNOWN_CHARSET if it means none.
///
/// # Safety
/// `label` points to `length` octets; `name` may be written to. The name is valid for ever.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_charset_name(
    label: *const c_char,
    length: usize,
    name: *mut SevenbitText,
) -> SevenbitStatus {
    // SAFETY: as above.
    guard(|| unsafe { put(name, charset_name(charset(label, length)?)) })
}

/// The charset that octets without a label seem to be in: its name is valid for ever.
///
/// # Safety
/// `data` points to `length` octets; `name` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_charset_detect(
    data: *const u8,
    length: usize,
    name: *mut SevenbitText,
) -> SevenbitStatus {
    // SAFETY: as above.
    guard(|| unsafe { put(name, charset_name(Charset::detect(octets(data, length)?))) })
}

/// Decodes octets in the charset that a label means; U+FFFD replaces ill-formed octets, and the issues say where.
///
/// # Safety
/// `label` and `data` point to as many octets as their lengths say; `decoded` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_charset_decode(
    label: *const c_char,
    label_length: usize,
    data: *const u8,
    length: usize,
    decoded: *mut *mut SevenbitDecoded,
) -> SevenbitStatus {
    // SAFETY: as above.
    unsafe {
        make(decoded, || {
            let charset = decodable(charset(label, label_length)?)?;
            Ok(charset.decode(octets(data, length)?).into())
        })
    }
}

/// Encodes text in the charset that a label means. SEVENBIT_ERROR_UNENCODABLE for a character that it lacks, with the
/// character's first octet in `*offset`, unless that is NULL.
///
/// # Safety
/// `label` and `data` point to as many octets as their lengths say; `encoded` may be written to, and `offset` unless it is
/// NULL.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_charset_encode(
    label: *const c_char,
    label_length: usize,
    data: *const c_char,
    length: usize,
    offset: *mut usize,
    encoded: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let (charset, text) = unsafe { (charset(label, label_length)?, text(data, length)?) };
        if !charset.is_encodable() {
            return Err(SEVENBIT_ERROR_UNKNOWN_CHARSET);
        }
        let octets = charset.encode(text).map_err(|error| {
            if !offset.is_null() {
                // SAFETY: as above.
                unsafe { offset.write(error.offset()) };
            }
            SEVENBIT_ERROR_UNENCODABLE
        })?;
        Ok(SevenbitBuffer::new(octets))
    };
    // SAFETY: as above.
    unsafe { make(encoded, work) }
}

fn decodable(charset: Charset) -> Result<Charset, SevenbitStatus> {
    if charset.is_decodable() { Ok(charset) } else { Err(SEVENBIT_ERROR_UNKNOWN_CHARSET) }
}

/// A decoder that is fed piece by piece; pieces may end anywhere.
pub struct SevenbitDecoder {
    /// Never locked: only calls with exclusive access to the handle reach it; others may come from several threads.
    decoder: Mutex<Option<Decoder>>,
    text: Ended,
    issues: Issues,
}

/// Returns the decoder without a lock: the call has exclusive access.
fn alone(decoder: &mut Mutex<Option<Decoder>>) -> &mut Option<Decoder> {
    decoder.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a decoder for the charset that a label means.
///
/// # Safety
/// `label` points to `length` octets; `decoder` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_decoder_new(
    label: *const c_char,
    length: usize,
    decoder: *mut *mut SevenbitDecoder,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let charset = decodable(unsafe { charset(label, length) }?)?;
        Ok(SevenbitDecoder {
            decoder: Mutex::new(Some(charset.decoder())),
            text: Ended::new(""),
            issues: Vec::new().into(),
        })
    };
    // SAFETY: as above.
    unsafe { make(decoder, work) }
}

/// Decodes one more piece. `text` is the decoded text, valid until the next call for this decoder.
///
/// # Safety
/// `decoder` is a decoder, `data` points to `length` octets, `text` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoder_push(
    decoder: *mut SevenbitDecoder,
    data: *const u8,
    length: usize,
    text: *mut SevenbitText,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let (decoder, data) = unsafe {
            (decoder.as_mut().ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)?, octets(data, length)?)
        };
        let mut piece = String::new();
        if let Some(machine) = alone(&mut decoder.decoder) {
            machine.push(data, &mut piece);
        }
        decoder.text = Ended::new(piece);
        // SAFETY: as above.
        unsafe { put(text, decoder.text.text()) }
    })
}

/// Ends the input. `text` is the remaining text, valid until the decoder is freed; the issues of all pieces are then
/// available, with offsets in all of them together. Further pieces give no text.
///
/// # Safety
/// `decoder` is a decoder, `text` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoder_finish(
    decoder: *mut SevenbitDecoder,
    text: *mut SevenbitText,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let decoder = unsafe { decoder.as_mut() }.ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)?;
        let mut piece = String::new();
        if let Some(machine) = alone(&mut decoder.decoder).take() {
            let found: Vec<Issue> = machine.finish(&mut piece);
            decoder.issues = found.into();
        }
        decoder.text = Ended::new(piece);
        // SAFETY: as above.
        unsafe { put(text, decoder.text.text()) }
    })
}

/// How many issues were found, once the decoder is finished; 0 for NULL.
///
/// # Safety
/// `decoder` is a decoder or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoder_issue_count(decoder: *const SevenbitDecoder) -> usize {
    // SAFETY: as above.
    unsafe { get(decoder) }.map_or(0, |decoder| decoder.issues.len())
}

/// The issue of that number, from 0; NULL if there is none.
///
/// # Safety
/// `decoder` is a decoder or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoder_issue(
    decoder: *const SevenbitDecoder,
    number: usize,
) -> *const SevenbitIssue {
    // SAFETY: as above.
    lend(|| unsafe { get(decoder) }?.issues.at(number))
}

/// Frees a decoder.
///
/// # Safety
/// `decoder` is a decoder that was not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoder_free(decoder: *mut SevenbitDecoder) {
    // SAFETY: as above.
    unsafe { free(decoder) };
}
