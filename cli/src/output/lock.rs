//! Locks on files in use: a lock ends with the process that holds it, however that ends.

use std::fs::File;

/// Locks a file for as long as it is open; returns whether no other process holds the lock.
#[cfg(unix)]
pub fn lock(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    // A file system without locks has none to take.
    !matches!(
        flock(file, FlockOperation::NonBlockingLockExclusive),
        Err(rustix::io::Errno::WOULDBLOCK)
    )
}

/// Other systems have no such lock.
#[cfg(not(unix))]
pub fn lock(_file: &File) -> bool {
    true
}
