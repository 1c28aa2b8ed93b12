//! Things that are skipped.

/// Things that are skipped, and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    /// A link: it could lead anywhere.
    Link,
    /// Neither a file nor a directory, or a directory where a Maildir has messages.
    Special,
    /// A hidden file or directory.
    Hidden,
    /// A message that was sent on another day than those asked for.
    OtherDay,
    /// A file of a Maildir that is no message, such as its list of folders, which another kind of
    /// output has no place for.
    Beside,
}
