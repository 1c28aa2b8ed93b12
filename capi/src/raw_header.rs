//! The fields of a part as octets: what signatures are made over, and what text no longer shows.

use crate::SEVENBIT_ERROR_ABSENT;
use crate::SevenbitStatus;
use crate::guard::{get, guard, lend};
use crate::kept::Kept;
use crate::message::SevenbitMessage;
use crate::text::{SevenbitOctets, SevenbitText};

/// A header field as octets. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitRawHeader {
    /// Its name as it is written.
    pub name: SevenbitText,
    /// What stands after the colon, white space and folds included, without the last line end. No NUL follows.
    pub value: SevenbitOctets,
}

/// The fields of one part.
fn raw_headers(
    message: &SevenbitMessage,
    number: usize,
) -> Result<&Kept<SevenbitRawHeader>, SevenbitStatus> {
    let part = message.part(number)?;
    let fields = message.raw_headers.get(number).ok_or(SEVENBIT_ERROR_ABSENT)?;
    Ok(fields.get_or_init(|| {
        Kept::new(part.raw_headers(), |(name, value), texts| SevenbitRawHeader {
            name: texts.text(&String::from_utf8_lossy(name)),
            value: value.into(), // of the message, which the handle keeps or borrows
        })
    }))
}

/// How many fields the header of a part has; 0 for NULL. Lines that are not fields do not count.
///
/// # Safety
/// `message` is a message or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_part_raw_header_count(
    message: *const SevenbitMessage,
    number: usize,
) -> usize {
    let mut count = 0;
    guard(|| {
        // SAFETY: as above.
        count = raw_headers(unsafe { get(message) }?, number)?.len();
        Ok(())
    });
    count
}

/// A field of a part as octets: the one at `place`, from 0, in the order of the header; NULL if there is none.
///
/// # Safety
/// `message` is a message or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_part_raw_header(
    message: *const SevenbitMessage,
    number: usize,
    place: usize,
) -> *const SevenbitRawHeader {
    // SAFETY: as above.
    lend(|| raw_headers(unsafe { get(message) }?, number)?.get(place).ok_or(SEVENBIT_ERROR_ABSENT))
}
