//! The kinds that `--format` may declare inputs to be.

use clap::ValueEnum;

/// `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Found out by looking
    #[default]
    Auto,
    /// One message a file
    Eml,
    /// mbox of any dialect, found out message by message
    Mbox,
    /// mbox with `>From ` for `From `
    Mboxo,
    /// mbox with one more `>` before `From `
    Mboxrd,
    /// mbox with Content-Length, and `>From `
    Mboxcl,
    /// mbox with Content-Length, and nothing quoted
    Mboxcl2,
    /// Maildir, also without `tmp`
    Maildir,
    /// tar
    Tar,
}
