//! Text and octets as C has them: a pointer and a length.

use std::ffi::c_char;

use crate::{SEVENBIT_NOT_UTF8, SEVENBIT_NULL, SevenbitStatus};

/// Text in UTF-8. It does not end with a NUL, and may contain one. `data` is NULL only if there is no such text at all.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitText {
    /// The first octet.
    pub data: *const c_char,
    /// Its length in octets.
    pub length: usize,
}

/// Octets. `data` is NULL only if there are no such octets at all.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitOctets {
    /// The first one.
    pub data: *const u8,
    /// How many there are.
    pub length: usize,
}

impl SevenbitText {
    /// Absent text.
    pub(crate) const NONE: Self = Self { data: std::ptr::null(), length: 0 };
}

impl From<&str> for SevenbitText {
    fn from(text: &str) -> Self {
        Self { data: text.as_ptr().cast(), length: text.len() }
    }
}

impl From<Option<&str>> for SevenbitText {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::NONE, Self::from)
    }
}

impl From<&[u8]> for SevenbitOctets {
    fn from(octets: &[u8]) -> Self {
        Self { data: octets.as_ptr(), length: octets.len() }
    }
}

/// The octets that a caller points to.
///
/// # Safety
/// `data` points to `length` octets that stay as they are for as long as `'a`, or `length` is 0.
pub(crate) unsafe fn octets<'a>(data: *const u8, length: usize) -> Result<&'a [u8], SevenbitStatus> {
    match (data.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(SEVENBIT_NULL),
        // SAFETY: as above.
        _ => Ok(unsafe { std::slice::from_raw_parts(data, length) }),
    }
}

/// The text that a caller points to.
///
/// # Safety
/// As for [`octets`].
pub(crate) unsafe fn text<'a>(data: *const c_char, length: usize) -> Result<&'a str, SevenbitStatus> {
    // SAFETY: as above.
    let octets = unsafe { octets(data.cast(), length) }?;
    std::str::from_utf8(octets).map_err(|_| SEVENBIT_NOT_UTF8)
}
