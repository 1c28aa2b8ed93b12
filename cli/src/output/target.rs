//! The meaning of `-o`, `--to` and `--in-place` for these inputs.

use std::io;
use std::path::{Path, PathBuf};

use super::folder::unpacked;
use super::names_directory;
use crate::args::To;
use crate::exit::Failure;
use crate::input::{Input, Inputs, MailboxKind, Packing, is_eml};
use crate::place::{PathState, is_stdout, locate, shown};
use crate::term::safe_line;

/// Where mail goes.
#[derive(Clone, Debug)]
pub enum Target {
    /// Nowhere: it is only read.
    Nothing,
    /// Standard output, one message.
    Stdout,
    /// One file, one message.
    File(PathBuf),
    /// Files in a directory, under the names of the inputs.
    Directory {
        /// The directory.
        path: PathBuf,
        /// The kind of the files.
        form: Form,
    },
    /// One file of many messages, or standard output.
    Stream {
        /// Its kind.
        kind: MailboxKind,
        /// The file.
        out: Option<PathBuf>,
    },
    /// A Maildir.
    Maildir(PathBuf),
    /// An mbox for each folder, in a directory.
    Mailboxes(PathBuf),
    /// Back where it came from.
    InPlace,
}

/// The kind of the files in an output directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The kinds of the inputs: a mailbox becomes a mailbox.
    Same,
    /// One message each.
    Eml,
}

impl Target {
    /// Interprets `-o` and `--to` for these inputs.
    ///
    /// # Errors
    /// An invalid combination.
    pub fn new(out: Option<&Path>, to: Option<To>, inputs: &Inputs) -> Result<Self, Failure> {
        let out = out.filter(|path| !is_stdout(path));
        match to {
            Some(To::Mbox) => match out {
                Some(out) if names_directory(out) => Ok(Self::Mailboxes(out.to_owned())),
                _ => Self::stream(MailboxKind::Mbox, out),
            },
            Some(To::Tar) => Self::stream(MailboxKind::Tar, out),
            Some(To::Maildir) => {
                let out = out.ok_or_else(|| Failure::usage("a Maildir needs `-o DIR`"))?;
                Ok(Self::Maildir(out.to_owned()))
            }
            Some(To::Eml) | None if inputs.select().message.is_some() && may_be_one(to, out) => {
                Ok(out.map_or(Self::Stdout, |out| Self::File(out.to_owned())))
            }
            Some(To::Eml) if inputs.are_many() => {
                let out = out.ok_or_else(|| {
                    Failure::usage("several messages need `-o DIR` (or `--check`)")
                })?;
                Ok(Self::Directory { path: out.to_owned(), form: Form::Eml })
            }
            Some(To::Eml) | None => Self::same(out, inputs),
        }
    }

    /// Interprets `--in-place` for them.
    ///
    /// # Errors
    /// One of them is neither a file of one message nor a directory.
    pub fn in_place(inputs: &Inputs) -> Result<Self, Failure> {
        let is_unfit = |input: &Input| {
            matches!(input, Input::Stdin(_)) || input.mailbox().is_some() || input.is_folders()
        };
        if inputs.iter().any(is_unfit) {
            return Err(Failure::usage(
                "`--in-place` is for files of one message, directories and Maildirs",
            ));
        }
        Ok(Self::InPlace)
    }

    fn stream(kind: MailboxKind, out: Option<&Path>) -> Result<Self, Failure> {
        match out {
            Some(out) if names_directory(out) => Err(Failure::usage(
                "one file of many messages: `-o` needs a file name, not a directory",
            )),
            _ => Ok(Self::Stream { kind, out: out.map(Path::to_owned) }),
        }
    }

    fn same(out: Option<&Path>, inputs: &Inputs) -> Result<Self, Failure> {
        let directory = |path: &Path| Self::Directory { path: path.to_owned(), form: Form::Same };
        let is_mailbox = inputs.only().and_then(Input::mailbox);
        if let Some(out) = out
            && let Some(kind) = named_as(out)
            && is_mailbox != Some(kind)
        {
            let what = match kind {
                MailboxKind::Mbox => "a file of many messages: `--to mbox` makes one",
                MailboxKind::Tar => "a tar file: `--to tar` makes one",
                MailboxKind::Zip => "a ZIP archive: only a ZIP archive becomes one",
            };
            let out = shown(out);
            return Err(Failure::usage(format!("`-o {}` names {what}", safe_line(&out))));
        }
        match (inputs.only(), out) {
            (Some(only), None) if only.is_folders() => {
                Err(Failure::usage("a store of Outlook needs `-o DIR` (or `--check`)"))
            }
            (Some(only), Some(out)) if only.is_folders() => Ok(directory(out)),
            (Some(only), None) if only.mailbox().is_some() => {
                Self::stream(only.mailbox().unwrap_or(MailboxKind::Mbox), None)
            }
            (Some(Input::Stdin(_) | Input::File(..)), None) => Ok(Self::Stdout),
            (Some(Input::Stdin(_)), Some(out)) if names_directory(out) => Err(Failure::usage(
                "standard input has no name: `-o` needs a file name, not a directory",
            )),
            (Some(Input::File(..)), Some(out)) if names_directory(out) => Ok(directory(out)),
            (Some(only @ (Input::Stdin(_) | Input::File(..))), Some(out)) => match only.mailbox() {
                Some(kind) => Self::stream(kind, Some(out)),
                None => Ok(Self::File(out.to_owned())),
            },
            (Some(Input::Directory(_)), None) => {
                Err(Failure::usage("a directory needs `-o DIR` (or `--check`, or `--in-place`)"))
            }
            (None, None) => {
                Err(Failure::usage("several INPUTs need `-o DIR` (or `--check`, or `--in-place`)"))
            }
            (Some(Input::Directory(_)), Some(out)) => Ok(directory(out)),
            (None, Some(_)) if inputs.iter().any(|input| matches!(input, Input::Stdin(_))) => {
                Err(Failure::usage("standard input has no name that it could have in `-o DIR`"))
            }
            (None, Some(out)) => Ok(directory(out)),
        }
    }

    /// The output directory, if it is one.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::Directory { path, .. } | Self::Maildir(path) | Self::Mailboxes(path) => {
                Some(path)
            }
            _ => None,
        }
    }

    /// The file or directory with a journal from which a job can continue.
    pub fn journaled(&self) -> Option<&Path> {
        match self {
            Self::Directory { path, .. } | Self::Maildir(path) => Some(path),
            Self::Stream { kind: MailboxKind::Mbox | MailboxKind::Tar, out: Some(path) }
                if Packing::of_name(path) == Packing::None =>
            {
                Some(path)
            }
            _ => None,
        }
    }

    /// Whether a message that cannot be written to its end leaves nothing behind, nor harms the
    /// others.
    pub fn can_take_back(&self) -> bool {
        match self {
            Self::Stdout | Self::Stream { .. } | Self::Mailboxes(_) => false,
            Self::File(path) => matches!(locate(path), Ok(PathState::File(_))),
            Self::Nothing | Self::Directory { .. } | Self::Maildir(_) | Self::InPlace => true,
        }
    }

    /// Returns the failure to write to it, or to `path`, the file in it that was being written.
    pub fn failed(&self, path: &Path, error: &io::Error) -> Failure {
        match self {
            Self::Stream { out: None, .. } => Failure::printing(error),
            _ => Failure::writing(path, error),
        }
    }

    /// Whether it uses standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout | Self::Stream { out: None, .. })
    }
}

/// Returns whether one message that is asked for may be all of the output: `--to eml`, to standard
/// output or a file that is named like a message.
fn may_be_one(to: Option<To>, out: Option<&Path>) -> bool {
    match out {
        Some(out) => is_eml(out) && !names_directory(out),
        None => to == Some(To::Eml),
    }
}

/// The kind of a file of many messages that a path which is no directory is named like.
fn named_as(out: &Path) -> Option<MailboxKind> {
    let name = unpacked(Path::new(out.file_name()?));
    match name.extension()?.to_str()? {
        _ if names_directory(out) => None,
        "mbox" => Some(MailboxKind::Mbox),
        "tar" => Some(MailboxKind::Tar),
        "zip" => Some(MailboxKind::Zip),
        _ => None,
    }
}
