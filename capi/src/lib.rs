//! The C interface of sevenbit.
//!
//! Every function that returns a status, and every one that frees, does its work in [`guard`]: a panic would be a bug of
//! the library, and is returned as [`SEVENBIT_ERROR_PANIC`], never as unwinding into C. The others only read a number, a truth
//! value or a constant; if they panicked after all, Rust would abort rather than unwind out of an `extern "C"` function.
//! Handles are boxes; what they lend is valid as long as they are. A handle
//! made from a message borrows its octets from the caller, who keeps them until the handle is freed: a clean message is
//! never copied.
//!
//! `unsafe` is used only where a pointer of C becomes a reference, each time with what the caller has promised in the
//! header.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod answers;
mod charset;
mod decoded;
mod guard;
mod header;
mod issue;
mod kept;
mod mbox;
mod message;
mod normalize;
mod options;
mod plan;
mod raw_header;
mod stream;
mod text;
mod texts;

use std::ffi::c_char;

/// The header says that threads may pass handles on, and share those that none of them changes: this does not compile
/// unless that is true.
const _: () = {
    const fn shared_by_threads<Handle: Send + Sync>() {}
    shared_by_threads::<decoded::SevenbitBuffer>();
    shared_by_threads::<decoded::SevenbitDecoded>();
    shared_by_threads::<charset::SevenbitDecoder>();
    shared_by_threads::<message::SevenbitMailboxes>();
    shared_by_threads::<message::SevenbitMessage>();
    shared_by_threads::<normalize::SevenbitResult>();
    shared_by_threads::<answers::SevenbitPassages>();
    shared_by_threads::<plan::SevenbitPlan>();
    shared_by_threads::<stream::SevenbitStream>();
    shared_by_threads::<texts::SevenbitTexts>();
};

/// The result of a call.
pub type SevenbitStatus = i32;

/// Success.
pub const SEVENBIT_OK: SevenbitStatus = 0;
/// A pointer is NULL that must not be.
pub const SEVENBIT_ERROR_NULL_ARGUMENT: SevenbitStatus = 1;
/// An option has an unknown value, or a `size` that is not a size of the struct.
pub const SEVENBIT_ERROR_BAD_OPTIONS: SevenbitStatus = 2;
/// Text that should be UTF-8 is not.
pub const SEVENBIT_ERROR_NOT_UTF8: SevenbitStatus = 3;
/// No charset has that label, or it cannot be decoded or encoded.
pub const SEVENBIT_ERROR_UNKNOWN_CHARSET: SevenbitStatus = 4;
/// A character that the charset lacks.
pub const SEVENBIT_ERROR_UNENCODABLE: SevenbitStatus = 5;
/// There is no such item: of that number, of that name, of that kind.
pub const SEVENBIT_ERROR_ABSENT: SevenbitStatus = 6;
/// A bug of sevenbit: please report it. The handle, if there is one, may only be freed.
pub const SEVENBIT_ERROR_PANIC: SevenbitStatus = 7;
/// The caller's function for writing returned false.
pub const SEVENBIT_ERROR_WRITE: SevenbitStatus = 8;

/// A length is larger than any object can be: a negative number was passed.
pub const SEVENBIT_ERROR_TOO_LONG: SevenbitStatus = 9;

/// The version of the header; sevenbit_version has that of the library.
pub const SEVENBIT_VERSION_MAJOR: u32 = 1;
/// See SEVENBIT_VERSION_MAJOR.
pub const SEVENBIT_VERSION_MINOR: u32 = 0;
/// See SEVENBIT_VERSION_MAJOR.
pub const SEVENBIT_VERSION_PATCH: u32 = 0;

/// A header of another version than the library's does not compile.
const _: () = {
    const fn is(number: u32, text: &str) -> bool {
        matches!(u32::from_str_radix(text, 10), Ok(value) if value == number)
    }
    assert!(is(SEVENBIT_VERSION_MAJOR, env!("CARGO_PKG_VERSION_MAJOR")));
    assert!(is(SEVENBIT_VERSION_MINOR, env!("CARGO_PKG_VERSION_MINOR")));
    assert!(is(SEVENBIT_VERSION_PATCH, env!("CARGO_PKG_VERSION_PATCH")));
};

/// The length of a text that goes up to its NUL: the value of SEVENBIT_NUL_TERMINATED, which cbindgen.toml defines since
/// cbindgen has no word for it.
pub(crate) const NUL_TERMINATED: usize = usize::MAX;

/// The version of the library, such as `1.0.0`; ends with a NUL.
#[unsafe(no_mangle)]
pub extern "C" fn sevenbit_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Describes a status in a sentence for people; ends with a NUL.
#[unsafe(no_mangle)]
pub extern "C" fn sevenbit_status_message(status: SevenbitStatus) -> *const c_char {
    let message = match status {
        SEVENBIT_OK => c"done",
        SEVENBIT_ERROR_NULL_ARGUMENT => c"an argument that must not be NULL is NULL",
        SEVENBIT_ERROR_BAD_OPTIONS => {
            c"an option has an unknown value; begin with sevenbit_options_init"
        }
        SEVENBIT_ERROR_NOT_UTF8 => c"the text is not UTF-8",
        SEVENBIT_ERROR_UNKNOWN_CHARSET => c"no such charset, or none that can be used so",
        SEVENBIT_ERROR_UNENCODABLE => c"the charset does not have a character of the text",
        SEVENBIT_ERROR_ABSENT => c"there is none of that number, name or kind",
        SEVENBIT_ERROR_PANIC => c"a bug of sevenbit; please report it",
        SEVENBIT_ERROR_WRITE => c"the function for writing returned false",
        SEVENBIT_ERROR_TOO_LONG => c"a length is larger than any object can be",
        _ => c"no status of sevenbit",
    };
    message.as_ptr()
}
