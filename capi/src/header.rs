//! The text of a header field, and IMAP mailbox names.

use std::ffi::c_char;

use crate::SevenbitStatus;
use crate::decoded::{SevenbitBuffer, SevenbitDecoded};
use crate::guard::make;
use crate::text::{octets, text};

/// Reads the value of an unstructured header field, with its encoded-words and raw octets.
///
/// # Safety
/// `value` points to `length` octets; `decoded` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_decode_header(
    value: *const u8,
    length: usize,
    decoded: *mut *mut SevenbitDecoded,
) -> SevenbitStatus {
    // SAFETY: as above.
    unsafe { make(decoded, || Ok(library::decode_header(octets(value, length)?).into())) }
}

/// Writes text as the value of an unstructured header field: plain if possible, else in encoded-words.
///
/// # Safety
/// `value` points to `length` octets of UTF-8; `encoded` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_encode_header(
    value: *const c_char,
    length: usize,
    encoded: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let value = unsafe { text(value, length) }?;
        Ok(SevenbitBuffer::new(library::encode_header(value).into_owned()))
    };
    // SAFETY: as above.
    unsafe { make(encoded, work) }
}

/// Reads an IMAP mailbox name in modified UTF-7 (RFC 3501, 5.1.3), leniently.
///
/// # Safety
/// `name` points to `length` octets; `decoded` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_mailbox_name_decode(
    name: *const u8,
    length: usize,
    decoded: *mut *mut SevenbitDecoded,
) -> SevenbitStatus {
    // SAFETY: as above.
    unsafe { make(decoded, || Ok(library::mailbox_name::decode(octets(name, length)?).into())) }
}

/// Writes an IMAP mailbox name in modified UTF-7.
///
/// # Safety
/// `name` points to `length` octets of UTF-8; `encoded` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_mailbox_name_encode(
    name: *const c_char,
    length: usize,
    encoded: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let name = unsafe { text(name, length) }?;
        Ok(SevenbitBuffer::new(library::mailbox_name::encode(name).into_owned()))
    };
    // SAFETY: as above.
    unsafe { make(encoded, work) }
}
