//! The kinds of inputs that are skipped.

/// The kind of an input that is skipped. They are counted, and the summary has their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    /// A symbolic link, which could lead anywhere.
    Link,
    /// Neither a file nor a directory, or a directory where a Maildir has messages.
    Special,
    /// A hidden file.
    Hidden,
    /// A hidden directory, with all that is in it.
    HiddenDirectory,
    /// A message that was sent on another day than those asked for.
    OtherDay,
    /// A message with another number than the one asked for.
    OtherNumber,
    /// A file of a Maildir that is no message: one that programs make anew, and such as its list of
    /// folders where the output is no Maildir.
    MaildirFile,
}
