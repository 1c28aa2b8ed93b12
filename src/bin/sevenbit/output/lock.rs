//! Who is at work on a file: a lock that ends with whoever holds it, however that ends.

use std::fs::File;

/// Takes the lock of a file for as long as it is open; whether nobody else holds it.
#[cfg(unix)]
pub fn lock(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    // A file system without locks has none to take.
    !matches!(flock(file, FlockOperation::NonBlockingLockExclusive), Err(rustix::io::Errno::WOULDBLOCK))
}

/// Elsewhere there is none.
#[cfg(not(unix))]
pub fn lock(_file: &File) -> bool {
    true
}
