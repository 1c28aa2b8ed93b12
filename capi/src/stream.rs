//! A message in pieces: in as they come, out through a function of the caller's.
//!
//! A message is judged as a whole, so the pieces are kept until the last one; what is written is made piece by piece.

use std::ffi::c_void;
use std::io::{self, Write};

use library::{Normalizer, Report};

use crate::guard::{free, get, guard, lend, make};
use crate::issue::{Issues, SevenbitIssue};
use crate::options::{SevenbitOptions, normalizer};
use crate::text::octets;
use crate::{SEVENBIT_ERROR_NULL_ARGUMENT, SEVENBIT_ERROR_WRITE, SevenbitStatus};

/// A function of the caller's that takes `length` octets; false ends the writing. `context` is as it was given.
pub type SevenbitWrite =
    Option<unsafe extern "C" fn(context: *mut c_void, data: *const u8, length: usize) -> bool>;

/// Passes what is written to a function of the caller's.
struct Callback {
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> bool,
    context: *mut c_void,
}

impl Write for Callback {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        // SAFETY: the header asks for a function that may be called so; the octets are valid during the call.
        if unsafe { (self.write)(self.context, octets.as_ptr(), octets.len()) } {
            Ok(octets.len())
        } else {
            Err(io::Error::other("the caller's function returned false"))
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes through a function of the caller's, in pieces of at most 64 KiB.
///
/// # Errors
/// [`SEVENBIT_ERROR_WRITE`] if the function returns false.
pub(crate) fn write_through(
    write: SevenbitWrite,
    context: *mut c_void,
    work: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
) -> Result<(), SevenbitStatus> {
    let write = write.ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)?;
    let mut output = io::BufWriter::with_capacity(1 << 16, Callback { write, context });
    let written = work(&mut output).and_then(|_| output.flush());
    drop(output.into_parts()); // what an error left unwritten stays so
    written.map_err(|_| SEVENBIT_ERROR_WRITE)
}

/// A message that is normalised as its pieces arrive.
pub struct SevenbitStream {
    normalizer: Normalizer,
    message: Vec<u8>,
    issues: Issues,
}

/// Begins a message that comes in pieces.
///
/// # Safety
/// `options` is NULL or was filled in by sevenbit_options_init; `stream` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_stream_new(
    options: *const SevenbitOptions,
    stream: *mut *mut SevenbitStream,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let normalizer = unsafe { normalizer(options) }?;
        Ok(SevenbitStream { normalizer, message: Vec::new(), issues: Report::default().into() })
    };
    // SAFETY: as above.
    unsafe { make(stream, work) }
}

/// Adds a piece, which may begin and end anywhere; it is copied.
///
/// # Safety
/// `stream` is a stream, `data` points to `length` octets.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_stream_push(
    stream: *mut SevenbitStream,
    data: *const u8,
    length: usize,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let (stream, data) = unsafe {
            (stream.as_mut().ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)?, octets(data, length)?)
        };
        stream.message.extend_from_slice(data);
        Ok(())
    })
}

/// Ends the message: passes its normal form to `write` in pieces, and makes the report available. The stream then begins
/// the next message. SEVENBIT_ERROR_WRITE if `write` returned false; SEVENBIT_ERROR_NULL_ARGUMENT if there is no `write`: the
/// message then stays in the stream.
///
/// # Safety
/// `stream` is a stream; `write` may be called with `context`, and does not use the stream.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_stream_finish(
    stream: *mut SevenbitStream,
    write: SevenbitWrite,
    context: *mut c_void,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let stream = unsafe { stream.as_mut() }.ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)?;
        if write.is_none() {
            return Err(SEVENBIT_ERROR_NULL_ARGUMENT);
        }
        let message = std::mem::take(&mut stream.message);
        let plan = stream.normalizer.plan(&message);
        stream.issues = plan.report().clone().into();
        write_through(write, context, |output| plan.write_to(output))
    })
}

/// Whether the normal form of the last message differs from what came in; false for NULL.
///
/// # Safety
/// `stream` is a stream or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_stream_changed(stream: *const SevenbitStream) -> bool {
    // SAFETY: as above.
    unsafe { get(stream) }
        .is_ok_and(|stream| stream.issues.report().is_some_and(Report::is_changed))
}

/// Whether the last message was written as it was for the sake of a signature; false for NULL.
///
/// # Safety
/// `stream` is a stream or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_stream_refused(stream: *const SevenbitStream) -> bool {
    // SAFETY: as above.
    unsafe { get(stream) }
        .is_ok_and(|stream| stream.issues.report().is_some_and(Report::is_refused))
}

/// How many issues the last message had; 0 for NULL.
///
/// # Safety
/// `stream` is a stream or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_stream_issue_count(stream: *const SevenbitStream) -> usize {
    // SAFETY: as above.
    unsafe { get(stream) }.map_or(0, |stream| stream.issues.len())
}

/// The issue of that number, from 0, valid until the next call that changes the stream; NULL if there is none.
///
/// # Safety
/// `stream` is a stream or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_stream_issue(
    stream: *const SevenbitStream,
    number: usize,
) -> *const SevenbitIssue {
    // SAFETY: as above.
    lend(|| unsafe { get(stream) }?.issues.at(number))
}

/// Frees a stream.
///
/// # Safety
/// `stream` is a stream that was not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_stream_free(stream: *mut SevenbitStream) {
    // SAFETY: as above.
    unsafe { free(stream) };
}
