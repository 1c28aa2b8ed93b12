//! The C interface of sevenbit.
//!
//! Every function that returns a status, and every one that frees, does its work in [`guard`]: a panic would be a bug of
//! the library, and is returned as [`SEVENBIT_PANIC`], never as unwinding into C. The others only read a number, a truth
//! value or a constant; if they panicked after all, Rust would abort rather than unwind out of an `extern "C"` function.
//! Handles are boxes; what they lend is valid as long as they are. A handle
//! made from a message borrows its octets from the caller, who keeps them until the handle is freed: a clean message is
//! never copied.
//!
//! `unsafe` is used only where a pointer of C becomes a reference, each time with what the caller has promised in the
//! header.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod charset;
mod decoded;
mod guard;
mod header;
mod issue;
mod message;
mod normalize;
mod options;
mod plan;
mod text;

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
    shared_by_threads::<plan::SevenbitPlan>();
};

/// The result of a call.
pub type SevenbitStatus = i32;

/// Success.
pub const SEVENBIT_OK: SevenbitStatus = 0;
/// A pointer is NULL that must not be.
pub const SEVENBIT_NULL: SevenbitStatus = 1;
/// An option has an unknown value, or a `size` that is not a size of the struct.
pub const SEVENBIT_OPTIONS: SevenbitStatus = 2;
/// Text that should be UTF-8 is not.
pub const SEVENBIT_NOT_UTF8: SevenbitStatus = 3;
/// No charset has that label, or it cannot be decoded or encoded.
pub const SEVENBIT_CHARSET: SevenbitStatus = 4;
/// A character that the charset lacks.
pub const SEVENBIT_UNENCODABLE: SevenbitStatus = 5;
/// There is no such item: of that number, of that name, of that kind.
pub const SEVENBIT_ABSENT: SevenbitStatus = 6;
/// A bug of sevenbit: please report it. The handle, if there is one, may only be freed.
pub const SEVENBIT_PANIC: SevenbitStatus = 7;

/// The version of the library, such as `0.1.0`; ends with a NUL.
#[unsafe(no_mangle)]
pub extern "C" fn sevenbit_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Describes a status in a sentence for people; ends with a NUL.
#[unsafe(no_mangle)]
pub extern "C" fn sevenbit_status_message(status: SevenbitStatus) -> *const c_char {
    let message = match status {
        SEVENBIT_OK => c"done",
        SEVENBIT_NULL => c"an argument that must not be NULL is NULL",
        SEVENBIT_OPTIONS => c"an option has an unknown value; begin with sevenbit_options_init",
        SEVENBIT_NOT_UTF8 => c"the text is not UTF-8",
        SEVENBIT_CHARSET => c"no such charset, or none that can be used so",
        SEVENBIT_UNENCODABLE => c"the charset does not have a character of the text",
        SEVENBIT_ABSENT => c"there is none of that number, name or kind",
        SEVENBIT_PANIC => c"a bug of sevenbit; please report it",
        _ => c"no status of sevenbit",
    };
    message.as_ptr()
}
