//! The C peers, if they are installed.

use std::ffi::{CString, c_char, c_int, c_long, c_void};

pub const GMIME: &str = env!("VERSION_GMIME");
pub const ICU: &str = env!("VERSION_ICU");

type Take = extern "C" fn(*mut c_void, *const u8, usize);

unsafe extern "C" {
    fn gmime_open() -> c_int;
    fn gmime_parse(octets: *const u8, length: usize) -> c_long;
    fn gmime_view(octets: *const u8, length: usize) -> c_long;
    fn gmime_rewrite(octets: *const u8, length: usize, take: Option<Take>, user: *mut c_void) -> c_long;
    fn gmime_encode(base64: c_int, octets: *const u8, length: usize, out: *mut u8) -> c_long;
    fn gmime_decode(base64: c_int, octets: *const u8, length: usize, out: *mut u8) -> c_long;
    fn icu_open(from: *const c_char, to: *const c_char) -> *mut c_void;
    fn icu_convert(
        opened: *mut c_void,
        octets: *const u8,
        length: usize,
        out: *mut u8,
        room: usize,
    ) -> c_long;
}

/// GMime, ready for use by this thread.
#[derive(Clone, Copy)]
pub struct Gmime(());

#[derive(Clone, Copy)]
pub enum TransferEncoding {
    QuotedPrintable = 0,
    Base64 = 1,
}

impl Gmime {
    pub fn open() -> Option<Self> {
        // SAFETY: called once, before any other function of GMime.
        (unsafe { gmime_open() } != 0).then_some(Self(()))
    }

    pub fn parse(self, message: &[u8]) -> i64 {
        // SAFETY: the shim reads `length` octets and keeps none.
        unsafe { gmime_parse(message.as_ptr(), message.len()) }
    }

    pub fn view(self, message: &[u8]) -> i64 {
        // SAFETY: as above.
        unsafe { gmime_view(message.as_ptr(), message.len()) }
    }

    pub fn rewrite(self, message: &[u8]) -> i64 {
        // SAFETY: as above; the output is discarded.
        unsafe { gmime_rewrite(message.as_ptr(), message.len(), None, std::ptr::null_mut()) }
    }

    /// Rewrites a message, and returns the output for a check.
    pub fn rewritten(self, message: &[u8]) -> Option<Vec<u8>> {
        extern "C" fn take(user: *mut c_void, octets: *const u8, length: usize) {
            // SAFETY: `user` is the vector below; the octets live until this function returns.
            unsafe {
                (*user.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(octets, length))
            };
        }
        let mut output: Vec<u8> = Vec::new();
        let user = (&raw mut output).cast();
        // SAFETY: `take` gets `user` back and is called before the shim returns.
        let written = unsafe { gmime_rewrite(message.as_ptr(), message.len(), Some(take), user) };
        (written >= 0).then_some(output)
    }

    /// `out` must have room for four octets for each of `octets` and a hundred more.
    pub fn encode(self, encoding: TransferEncoding, octets: &[u8], out: &mut [u8]) -> usize {
        assert!(out.len() >= octets.len() * 4 + 100);
        // SAFETY: neither encoding writes more than three octets and a line end for one.
        let written =
            unsafe { gmime_encode(encoding as c_int, octets.as_ptr(), octets.len(), out.as_mut_ptr()) };
        usize::try_from(written).unwrap_or(0)
    }

    /// `out` must have room for a hundred octets more than there are.
    pub fn decode(self, encoding: TransferEncoding, octets: &[u8], out: &mut [u8]) -> usize {
        assert!(out.len() >= octets.len() + 100);
        // SAFETY: decoding writes no more than it reads.
        let written =
            unsafe { gmime_decode(encoding as c_int, octets.as_ptr(), octets.len(), out.as_mut_ptr()) };
        usize::try_from(written).unwrap_or(0)
    }
}

/// A pair of ICU's converters, kept for the life of the program.
#[derive(Clone, Copy)]
pub struct Icu(*mut c_void);

impl Icu {
    pub fn open(from: &str, to: &str) -> Option<Self> {
        let [from, to] = [from, to].map(|name| CString::new(name).expect("no NUL in a name"));
        // SAFETY: both names end in NUL.
        let opened = unsafe { icu_open(from.as_ptr(), to.as_ptr()) };
        (!opened.is_null()).then_some(Self(opened))
    }

    pub fn convert(self, octets: &[u8], out: &mut [u8]) -> usize {
        // SAFETY: the shim reads and writes within the two lengths.
        let written =
            unsafe { icu_convert(self.0, octets.as_ptr(), octets.len(), out.as_mut_ptr(), out.len()) };
        usize::try_from(written).unwrap_or(0)
    }

    pub fn converted(self, octets: &[u8]) -> Vec<u8> {
        let mut out = vec![0; octets.len() * 8 + 64];
        let length = self.convert(octets, &mut out);
        out.truncate(length);
        out
    }
}
