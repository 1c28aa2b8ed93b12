//! The contents of a message: as JSON, and by functions of their own where a program needs only that.

use std::ffi::c_char;

use library::{MessageData, TextReadings, UnpackedTnef};

use crate::SEVENBIT_ERROR_ABSENT;
use crate::SevenbitStatus;
use crate::decoded::SevenbitBuffer;
use crate::guard::{free, get, guard, lend, make};
use crate::kept::Kept;
use crate::message::SevenbitMessage;
use crate::text::{octets, text};

/// Everything that the message says, as one line of JSON: threads, the mailing list, hops, authentication results, delivery
/// reports, groups of addresses, files, all header fields, issues. The members are those that `sevenbit inspect --json
/// --headers` writes, without `input` and the digests; docs/cli.md lists them.
///
/// # Safety
/// `message` is a message, `json` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_message_json(
    message: *const SevenbitMessage,
    json: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let data = MessageData::of(unsafe { get(message) }?.message()).headers(&[]);
        Ok(SevenbitBuffer::new(serde_json::to_vec(&data).expect("a message has a form in JSON")))
    };
    // SAFETY: as above.
    unsafe { make(json, work) }
}

/// The readings of each text of the message, as a JSON array, for a person who finds it unreadable: objects with `part`, the
/// section of the part, its `label`, and `readings`, the most probable first. A reading has its `charset`, `sureness` from 0
/// to 1, 300 characters of its `text`, and `by`: a `label` is written with the option `doubtful` as `keep`, a `guess` with its
/// charset as `read-as`, a `repair` with `doubtful` as `repair`; `undone` says in words what a repair undoes.
///
/// # Safety
/// `message` is a message, `json` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_message_readings(
    message: *const SevenbitMessage,
    json: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let readings = TextReadings::of_message(unsafe { get(message) }?.message());
        Ok(SevenbitBuffer::new(
            serde_json::to_vec(&readings).expect("readings have a form in JSON"),
        ))
    };
    // SAFETY: as above.
    unsafe { make(json, work) }
}

/// A text as it was meant: what was read in a wrong charset, once or several times over, is undone where that is sure; the
/// rest is the same text.
///
/// # Safety
/// `garbled` points to `length` octets, `repaired` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_repair_text(
    garbled: *const c_char,
    length: usize,
    repaired: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let found = library::repair_text(unsafe { text(garbled, length) }?);
        Ok(SevenbitBuffer::new(found.text()))
    };
    // SAFETY: as above.
    unsafe { make(repaired, work) }
}

/// The method of a calendar part in upper case: `REQUEST`, `REPLY`, `CANCEL`. SEVENBIT_ERROR_ABSENT if the part is no
/// calendar, or has none.
///
/// # Safety
/// `message` is a message, `method` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_part_calendar_method(
    message: *const SevenbitMessage,
    number: usize,
    method: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let part = unsafe { get(message) }?.part(number)?;
        part.calendar_method().map(SevenbitBuffer::new).ok_or(SEVENBIT_ERROR_ABSENT)
    };
    // SAFETY: as above.
    unsafe { make(method, work) }
}

/// Whether the day, the year or the zone of the date that sevenbit_part_date returns is a guess, read as the clients of people
/// read it; false if there is none.
///
/// # Safety
/// `message` is a message or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_part_date_is_guess(
    message: *const SevenbitMessage,
    number: usize,
) -> bool {
    let mut is_guess = false;
    guard(|| {
        // SAFETY: as above.
        is_guess =
            unsafe { get(message) }?.part(number)?.date().is_some_and(|date| date.is_guess());
        Ok(())
    });
    is_guess
}

/// A name that is safe to store any file under: no path, no control, no device of Windows, never empty.
///
/// # Safety
/// `name` points to `length` octets, `safe` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_safe_file_name(
    name: *const c_char,
    length: usize,
    safe: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    // SAFETY: as above.
    let work = || Ok(SevenbitBuffer::new(library::safe_file_name(unsafe { text(name, length) }?)));
    // SAFETY: as above.
    unsafe { make(safe, work) }
}

/// A subject without `Re:`, `Fwd:`, `Aw:` and the like before it.
///
/// # Safety
/// `subject` points to `length` octets, `base` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_base_subject(
    subject: *const c_char,
    length: usize,
    base: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    // SAFETY: as above.
    let work = || Ok(SevenbitBuffer::new(library::base_subject(unsafe { text(subject, length) }?)));
    // SAFETY: as above.
    unsafe { make(base, work) }
}

/// A message whose parts in TNEF (winmail.dat) were replaced by the parts that are in them: normalise it, since names of files
/// are in it as UTF-8. SEVENBIT_ERROR_ABSENT if there is no such part. Signed and encrypted content stays as it is.
///
/// # Safety
/// `data` points to `length` octets, `unpacked` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_unpack_tnef(
    data: *const u8,
    length: usize,
    unpacked: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let found = UnpackedTnef::of(unsafe { octets(data, length) }?);
        found.map(|found| SevenbitBuffer::new(found.octets())).ok_or(SEVENBIT_ERROR_ABSENT)
    };
    // SAFETY: as above.
    unsafe { make(unpacked, work) }
}

/// A message of Outlook (.msg, .oft) as mail: normalise it, since its header is in UTF-8. SEVENBIT_ERROR_ABSENT if the octets are no
/// such file, or one that cannot be read.
///
/// # Safety
/// `data` points to `length` octets, `message` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_outlook_message(
    data: *const u8,
    length: usize,
    message: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let file = unsafe { octets(data, length) }?;
        let found = sevenbit_outlook::Message::read_msg(file).map_err(|_| SEVENBIT_ERROR_ABSENT)?;
        Ok(SevenbitBuffer::new(found.compose().into_octets()))
    };
    // SAFETY: as above.
    unsafe { make(message, work) }
}

/// Lines of a text that belong together. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitPassage {
    /// Its first octet in the text.
    pub start: usize,
    /// The octet after its last one.
    pub end: usize,
    /// How many quote marks (`>`) each of its lines begins with; 0 for the sender's own.
    pub quote_depth: usize,
    /// Whether it is the signature: from a line `-- ` to the end.
    pub is_signature: bool,
}

/// The passages of a text.
pub struct SevenbitPassages(Kept<SevenbitPassage>);

/// Cuts a text, as sevenbit_message_text returns it, into the sender's own lines, quotations and the signature. Together
/// they are the whole text; the passages do not refer to it.
///
/// # Safety
/// `data` points to `length` octets, `passages` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_passages_new(
    data: *const c_char,
    length: usize,
    passages: *mut *mut SevenbitPassages,
) -> SevenbitStatus {
    let work = || {
        let mut start = 0;
        // SAFETY: as above.
        let found = library::passages(unsafe { text(data, length) }?);
        Ok(SevenbitPassages(Kept::new(found, |passage, _| {
            let span = start..start + passage.text().len();
            start = span.end;
            SevenbitPassage {
                start: span.start,
                end: span.end,
                quote_depth: passage.quote_depth(),
                is_signature: passage.is_signature(),
            }
        })))
    };
    // SAFETY: as above.
    unsafe { make(passages, work) }
}

/// How many passages there are; 0 for NULL.
///
/// # Safety
/// `passages` are passages or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_passages_count(passages: *const SevenbitPassages) -> usize {
    // SAFETY: as above.
    unsafe { get(passages) }.map_or(0, |passages| passages.0.len())
}

/// The passage of that number, from 0; NULL if there is none.
///
/// # Safety
/// `passages` are passages or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_passages_at(
    passages: *const SevenbitPassages,
    number: usize,
) -> *const SevenbitPassage {
    // SAFETY: as above.
    lend(|| unsafe { get(passages) }?.0.get(number).ok_or(SEVENBIT_ERROR_ABSENT))
}

/// Frees passages.
///
/// # Safety
/// `passages` are passages that were not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_passages_free(passages: *mut SevenbitPassages) {
    // SAFETY: as above.
    unsafe { free(passages) };
}
