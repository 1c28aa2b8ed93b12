//! The results of single functions: a text with its issues, or octets.

use library::Decoded;

use crate::SevenbitStatus;
use crate::guard::{free, get, guard, lend, put};
use crate::issue::{Issues, SevenbitIssue};
use crate::text::{Ended, SevenbitOctets, SevenbitText};

/// A text that was decoded, and what was odd about it.
pub struct SevenbitDecoded {
    text: Ended,
    issues: Issues,
}

impl From<Decoded<'_>> for SevenbitDecoded {
    fn from(decoded: Decoded<'_>) -> Self {
        let (text, issues) = decoded.into_parts();
        Self { text: Ended::new(text.into_owned()), issues: issues.into() }
    }
}

/// The text, in UTF-8.
///
/// # Safety
/// `decoded` is a decoded text, `text` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoded_text(
    decoded: *const SevenbitDecoded,
    text: *mut SevenbitText,
) -> SevenbitStatus {
    // SAFETY: as above.
    guard(|| unsafe { put(text, get(decoded)?.text.text()) })
}

/// How many issues it has; 0 for NULL.
///
/// # Safety
/// `decoded` is a decoded text or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoded_issue_count(decoded: *const SevenbitDecoded) -> usize {
    // SAFETY: as above.
    unsafe { get(decoded) }.map_or(0, |decoded| decoded.issues.len())
}

/// The issue of that number, from 0; NULL if there is none.
///
/// # Safety
/// `decoded` is a decoded text or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoded_issue(
    decoded: *const SevenbitDecoded,
    number: usize,
) -> *const SevenbitIssue {
    // SAFETY: as above.
    lend(|| unsafe { get(decoded) }?.issues.at(number))
}

/// Frees a decoded text.
///
/// # Safety
/// `decoded` is a decoded text that was not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_decoded_free(decoded: *mut SevenbitDecoded) {
    // SAFETY: as above.
    unsafe { free(decoded) };
}

/// Octets that were produced.
pub struct SevenbitBuffer(Ended);

impl SevenbitBuffer {
    pub(crate) fn new(octets: impl Into<Vec<u8>>) -> Self {
        Self(Ended::new(octets))
    }
}

/// The octets of a buffer. A NUL follows, which the length does not count.
///
/// # Safety
/// `buffer` is a buffer, `octets` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_buffer_octets(
    buffer: *const SevenbitBuffer,
    octets: *mut SevenbitOctets,
) -> SevenbitStatus {
    // SAFETY: as above.
    guard(|| unsafe { put(octets, get(buffer)?.0.octets()) })
}

/// Frees a buffer.
///
/// # Safety
/// `buffer` is a buffer that was not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_buffer_free(buffer: *mut SevenbitBuffer) {
    // SAFETY: as above.
    unsafe { free(buffer) };
}
