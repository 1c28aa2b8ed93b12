//! Files of many messages.

use std::io::Cursor;

use library::mbox::{Dialect, Mbox};

use crate::guard::{free, guard, make, put};
use crate::text::{SevenbitOctets, octets};
use crate::{SEVENBIT_ERROR_ABSENT, SEVENBIT_ERROR_NULL_ARGUMENT, SevenbitStatus};

/// The messages of an mbox file, one after the other.
pub struct SevenbitMbox {
    mails: Mbox<Cursor<&'static [u8]>>,
    mail: Vec<u8>,
}

/// Whether octets are an mbox of several messages; false for NULL.
///
/// # Safety
/// `data` points to `length` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_is_mbox(data: *const u8, length: usize) -> bool {
    let mut found = false;
    guard(|| {
        // SAFETY: as above.
        found = library::mbox::holds_several(unsafe { octets(data, length) }?).unwrap_or(false);
        Ok(())
    });
    found
}

/// Cuts an mbox of any dialect into its messages. The mbox borrows the octets: keep them, unchanged, until
/// sevenbit_mbox_free.
///
/// # Safety
/// `data` points to `length` octets; `mbox` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_mbox_new(
    data: *const u8,
    length: usize,
    mbox: *mut *mut SevenbitMbox,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above; the header requires the octets to outlive the mbox, so they may be called static in it.
        let file: &'static [u8] = unsafe { octets(data, length) }?;
        Ok(SevenbitMbox { mails: Mbox::new(Cursor::new(file), Dialect::Auto), mail: Vec::new() })
    };
    // SAFETY: as above.
    unsafe { make(mbox, work) }
}

/// The next message, without its separator and quoting: valid until the next call for this mbox. SEVENBIT_ERROR_ABSENT after
/// the last one.
///
/// # Safety
/// `mbox` is an mbox, `message` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_mbox_next(
    mbox: *mut SevenbitMbox,
    message: *mut SevenbitOctets,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let mbox = unsafe { mbox.as_mut() }.ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)?;
        let next = mbox.mails.next().ok_or(SEVENBIT_ERROR_ABSENT)?;
        mbox.mail = next.expect("reading from memory does not fail").into_parts().1;
        // SAFETY: as above.
        unsafe { put(message, mbox.mail.as_slice().into()) }
    })
}

/// Frees an mbox.
///
/// # Safety
/// `mbox` is an mbox that was not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_mbox_free(mbox: *mut SevenbitMbox) {
    // SAFETY: as above.
    unsafe { free(mbox) };
}
