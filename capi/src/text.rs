//! Text and octets as C has them: a pointer and a length.

use std::ffi::{CStr, CString, c_char};
use std::sync::OnceLock;

use library::Charset;

use crate::{
    NUL_TERMINATED, SEVENBIT_ERROR_NOT_UTF8, SEVENBIT_ERROR_NULL_ARGUMENT, SEVENBIT_ERROR_TOO_LONG,
    SevenbitStatus,
};

/// Text in UTF-8. A NUL follows, which the length does not count, and the text may contain one. `data` is NULL only if there
/// is no such text at all.
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

/// A text, or octets, that a handle owns and lends, with a NUL at the end.
pub(crate) struct Ended(Vec<u8>);

impl Ended {
    pub(crate) fn new(octets: impl Into<Vec<u8>>) -> Self {
        let mut octets = octets.into();
        octets.push(0);
        Self(octets)
    }

    pub(crate) fn octets(&self) -> SevenbitOctets {
        SevenbitOctets { data: self.0.as_ptr(), length: self.0.len() - 1 }
    }

    /// The octets as text: what was passed to `new` has to be UTF-8.
    pub(crate) fn text(&self) -> SevenbitText {
        SevenbitText { data: self.0.as_ptr().cast(), length: self.0.len() - 1 }
    }
}

/// The name of a charset, valid for ever.
pub(crate) fn charset_name(charset: Charset) -> SevenbitText {
    // In order, not hashed: valgrind would report the table of a map, which is pointed to in its middle, as possibly lost.
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names: Vec<_> =
            Charset::all().filter_map(|charset| CString::new(charset.name()).ok()).collect();
        names.sort_unstable();
        names
    });
    match names.binary_search_by(|name| name.as_bytes().cmp(charset.name().as_bytes())) {
        Ok(at) => SevenbitText { data: names[at].as_ptr(), length: names[at].as_bytes().len() },
        Err(_) => SevenbitText::NONE,
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
pub(crate) unsafe fn octets<'a>(
    data: *const u8,
    length: usize,
) -> Result<&'a [u8], SevenbitStatus> {
    match (data.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(SEVENBIT_ERROR_NULL_ARGUMENT),
        // No object of C is so long: a negative number was passed as a length.
        (_, length) if length > isize::MAX as usize => Err(SEVENBIT_ERROR_TOO_LONG),
        // SAFETY: as above.
        _ => Ok(unsafe { std::slice::from_raw_parts(data, length) }),
    }
}

/// The text that a caller points to.
///
/// # Safety
/// As for [`octets`], or `length` is [`NUL_TERMINATED`] and `data` points to a text that ends with a NUL.
pub(crate) unsafe fn text<'a>(
    data: *const c_char,
    length: usize,
) -> Result<&'a str, SevenbitStatus> {
    let octets = if length == NUL_TERMINATED && !data.is_null() {
        // SAFETY: as above.
        unsafe { CStr::from_ptr(data) }.to_bytes()
    } else {
        // SAFETY: as above.
        unsafe { octets(data.cast(), length) }?
    };
    std::str::from_utf8(octets).map_err(|_| SEVENBIT_ERROR_NOT_UTF8)
}
