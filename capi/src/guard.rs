//! The border: no panic crosses it, and handles leave it only as pointers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{SEVENBIT_ERROR_NULL_ARGUMENT, SEVENBIT_ERROR_PANIC, SEVENBIT_OK, SevenbitStatus};

/// Runs `work`; a panic becomes [`SEVENBIT_ERROR_PANIC`].
pub(crate) fn guard(work: impl FnOnce() -> Result<(), SevenbitStatus>) -> SevenbitStatus {
    // A panic may leave a handle half done: the header says that it may only be freed then.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => SEVENBIT_OK,
        Ok(Err(status)) => status,
        Err(_) => SEVENBIT_ERROR_PANIC,
    }
}

/// Lends something that a handle owns; NULL if there is none.
pub(crate) fn lend<'h, T>(work: impl FnOnce() -> Result<&'h T, SevenbitStatus>) -> *const T
where
    T: 'h,
{
    let mut lent = std::ptr::null();
    guard(|| {
        lent = std::ptr::from_ref(work()?);
        Ok(())
    });
    lent
}

/// Creates a handle and puts it into `*handle`, or NULL if anything fails.
///
/// # Safety
/// `handle` is NULL or may be written to.
pub(crate) unsafe fn make<T>(
    handle: *mut *mut T,
    work: impl FnOnce() -> Result<T, SevenbitStatus>,
) -> SevenbitStatus {
    // SAFETY: as above.
    let Some(handle) = (unsafe { handle.as_mut() }) else { return SEVENBIT_ERROR_NULL_ARGUMENT };
    *handle = std::ptr::null_mut();
    guard(|| {
        *handle = Box::into_raw(Box::new(work()?));
        Ok(())
    })
}

/// Frees a handle that [`make`] created; NULL is allowed.
///
/// # Safety
/// `handle` is NULL or came from [`make`] and was not freed.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: it came from `Box::into_raw`, once.
        let handle = unsafe { Box::from_raw(handle) };
        guard(|| {
            drop(handle);
            Ok(())
        });
    }
}

/// Writes `value` to `place`.
///
/// # Safety
/// `place` is NULL or may be written to.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) -> Result<(), SevenbitStatus> {
    if place.is_null() {
        return Err(SEVENBIT_ERROR_NULL_ARGUMENT);
    }
    // SAFETY: as above; the old value is plain data, or was never set.
    unsafe { place.write(value) };
    Ok(())
}

/// The object that a handle refers to.
///
/// # Safety
/// `handle` is NULL or a living handle.
pub(crate) unsafe fn get<'h, T>(handle: *const T) -> Result<&'h T, SevenbitStatus> {
    // SAFETY: as above.
    unsafe { handle.as_ref() }.ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SEVENBIT_ERROR_ABSENT;

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(guard(|| panic!("on purpose")), SEVENBIT_ERROR_PANIC);
        assert_eq!(guard(|| Err(SEVENBIT_ERROR_ABSENT)), SEVENBIT_ERROR_ABSENT);
        assert_eq!(guard(|| Ok(())), SEVENBIT_OK);
    }

    #[test]
    fn a_panic_lends_nothing() {
        assert!(lend(|| -> Result<&u32, SevenbitStatus> { panic!("on purpose") }).is_null());
        assert!(!lend(|| Ok(&7)).is_null());
    }

    #[test]
    fn a_panic_leaves_no_handle() {
        let mut handle = std::ptr::dangling_mut::<u32>();
        // SAFETY: it may be written to.
        let status = unsafe {
            make(&raw mut handle, || -> Result<u32, SevenbitStatus> { panic!("on purpose") })
        };
        assert_eq!(status, SEVENBIT_ERROR_PANIC);
        assert!(handle.is_null());
    }

    #[test]
    fn a_panic_in_a_drop_stays_inside() {
        struct Bad;
        impl Drop for Bad {
            fn drop(&mut self) {
                panic!("on purpose");
            }
        }
        let mut handle = std::ptr::null_mut();
        // SAFETY: it may be written to; what `make` put there is freed once.
        unsafe {
            assert_eq!(make(&raw mut handle, || Ok(Bad)), SEVENBIT_OK);
            free(handle);
        }
    }
}
