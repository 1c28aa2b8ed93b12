//! Names that fields are given.

/// The prefix for the name of a field that 7 bits cannot carry (rule H9).
pub const DOWNGRADED: &[u8] = b"Downgraded-";

/// The prefix for the name of a field that repeats another one (rule H10).
pub const DUPLICATE: &[u8] = b"X-Duplicate-";

/// Returns the name that a field had before it was renamed.
pub fn old_name(name: &[u8]) -> &[u8] {
    [DOWNGRADED, DUPLICATE].into_iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}
