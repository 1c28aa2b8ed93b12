//! The search for messages in the inputs, one at a time.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use super::item::{Found, Home, Item, MailSource, Other, base_name};
use super::kind::FileKind;
use super::mailbox::Messages;
use super::outlook::Folders;
use super::packed::Packing;
use super::skipped::Skipped;
use super::walk::{Step, Walk};
use super::{Input, Inputs, looked_at};
use crate::exit::{Exit, Failure};
use crate::place::is_stdin;
use crate::term::plural;

/// Everything found in the inputs, in the order of the command line and of names. Inputs that
/// cannot be listed or read are reported in their place.
pub struct Look<'a> {
    inputs: &'a Inputs,
    /// A directory that is not walked into.
    skip: Option<&'a Path>,
    rest: slice::Iter<'a, Input>,
    /// Whether what is found is to be changed in place, which files of many messages are not.
    is_in_place: bool,
    /// Whether the search ends with the only message that is asked for.
    ends_with_message: bool,
    /// The directory that is being walked.
    directory: Option<(&'a Path, Walk)>,
    /// The mailbox, or the store of mailboxes, that is being read.
    mailbox: Option<Box<dyn Iterator<Item = Result<Found, Failure>> + Send>>,
    /// The number of messages that were found so far.
    messages: u64,
}

impl<'a> Look<'a> {
    /// Searches all of `inputs`, but not the directory `skip`.
    pub fn into(inputs: &'a Inputs, skip: Option<&'a Path>) -> Self {
        let rest = inputs.inputs.iter();
        Self {
            inputs,
            skip,
            rest,
            is_in_place: false,
            ends_with_message: false,
            directory: None,
            mailbox: None,
            messages: 0,
        }
    }

    /// Reports each file of many messages instead of reading it, if what is found is to be changed
    /// in place.
    pub fn in_place(mut self, is_in_place: bool) -> Self {
        self.is_in_place = is_in_place;
        self
    }

    /// Ends with the only message that is asked for, by `--message`: who only reads mail needs
    /// nothing after it, not even its number.
    pub fn up_to_message(mut self) -> Self {
        self.ends_with_message = true;
        self
    }

    /// Returns the next item outside mailboxes; nothing if it was a mailbox, or not selected.
    fn step(&mut self) -> Option<Option<Result<Found, Failure>>> {
        let Some((root, walk)) = &mut self.directory else { return self.input() };
        let root = *root;
        Some(match walk.next() {
            None => {
                self.directory = None;
                None
            }
            Some(Err(failure)) => Some(Err(failure)),
            Some(Ok(Step::Skipped(what))) => Some(Ok(Found::Skipped(what))),
            Some(Ok(Step::Maildir(relative))) => {
                Some(Ok(Found::Folder(Item::file(root.join(&relative), relative, Home::Maildir))))
            }
            Some(Ok(Step::MaildirFile(relative))) => Some(Ok(Found::MaildirFile(Item::file(
                root.join(&relative),
                relative,
                Home::Alone,
            )))),
            Some(Ok(Step::File(relative, _))) if !self.inputs.select.admits(&relative) => None,
            Some(Ok(Step::File(relative, Home::Maildir))) => {
                Some(Ok(Found::Message(Item::file(root.join(&relative), relative, Home::Maildir))))
            }
            Some(Ok(Step::File(relative, _))) => {
                let path = root.join(&relative);
                let kind = FileKind::of_file(&path, self.inputs.format);
                self.file(&path, relative, kind, false)
            }
        })
    }

    /// The next INPUT.
    fn input(&mut self) -> Option<Option<Result<Found, Failure>>> {
        Some(match self.rest.next()? {
            Input::Stdin(kind) => self.file(Path::new("-"), PathBuf::from("-"), *kind, true),
            Input::File(path, kind) => self.file(path, base_name(path), *kind, true),
            Input::Directory(root) => {
                self.directory = Some((root, Walk::new(root, self.skip, self.inputs.format)));
                None
            }
        })
    }

    fn file(
        &mut self,
        path: &Path,
        relative: PathBuf,
        kind: FileKind,
        is_named: bool,
    ) -> Option<Result<Found, Failure>> {
        // In place, a file that was named by a link is the one that the link leads to.
        let target = if is_named && self.is_in_place && path.is_symlink() {
            fs::canonicalize(path).ok()
        } else {
            None
        };
        let (path, relative) = match &target {
            Some(target) => (target.as_path(), base_name(target)),
            None => (path, relative),
        };
        let source = match kind {
            FileKind::Unread(unread) => {
                let item = Item::file(path.to_owned(), relative, Home::Alone);
                let octets = path.metadata().map_or(0, |found| found.len());
                return Some(Ok(Found::Unread(Box::new(Other { item, unread, octets, is_named }))));
            }
            FileKind::Emlx if !is_stdin(path) => {
                let (name, source) = (path.into(), MailSource::Emlx(path.to_owned()));
                let relative = plain_name(path, &relative).into();
                return Some(Ok(Found::Message(Item {
                    name,
                    relative,
                    source,
                    home: Home::Inside,
                    charsets: Vec::new(),
                })));
            }
            FileKind::Msg if !is_stdin(path) => {
                let source = MailSource::Msg(
                    Box::new(MailSource::File(path.to_owned())),
                    self.inputs.select.outlook,
                );
                let (name, relative) = (path.into(), plain_name(path, &relative).into());
                return Some(Ok(Found::Message(Item {
                    name,
                    relative,
                    source,
                    home: Home::Inside,
                    charsets: Vec::new(),
                })));
            }
            _ if self.is_in_place && (kind.mailbox().is_some() || kind == FileKind::Folders) => {
                return Some(Ok(Found::NotInPlace(path.to_owned())));
            }
            FileKind::Mbox(_) | FileKind::Old(_) | FileKind::Tar | FileKind::Zip => {
                return self.open(path, &relative, kind);
            }
            FileKind::Folders if is_stdin(path) => {
                let reason = "is a store of Outlook, which has to be a file: it is not read from first to last";
                return Some(Err(Failure::new(Exit::Refused, Path::new("standard input"), reason)));
            }
            FileKind::Folders => {
                return match Folders::open(path, &relative, &self.inputs.select) {
                    Ok(folders) => {
                        self.mailbox = Some(Box::new(folders));
                        None
                    }
                    Err(failure) => Some(Err(failure)),
                };
            }
            FileKind::Msg if is_stdin(path) => MailSource::Msg(
                Box::new(MailSource::Stdin(looked_at(&self.inputs.stdin))),
                self.inputs.select.outlook,
            ),
            FileKind::Message | FileKind::Packed | FileKind::Emlx if is_stdin(path) => {
                MailSource::Stdin(looked_at(&self.inputs.stdin))
            }
            FileKind::Message | FileKind::Emlx | FileKind::Msg => MailSource::File(path.to_owned()),
            FileKind::Packed => MailSource::Packed(path.to_owned()),
        };
        let (name, relative) = (path.into(), relative.into());
        Some(Ok(Found::Message(Item {
            name,
            relative,
            source,
            home: Home::Alone,
            charsets: Vec::new(),
        })))
    }

    fn open(
        &mut self,
        path: &Path,
        relative: &Path,
        kind: FileKind,
    ) -> Option<Result<Found, Failure>> {
        let stdin = if is_stdin(path) { looked_at(&self.inputs.stdin) } else { None };
        match Messages::open(path, relative, kind, stdin, &self.inputs.select) {
            Ok(messages) => {
                let opens = Found::Opens(messages.mailbox());
                self.mailbox = Some(Box::new(messages));
                Some(Ok(opens))
            }
            Err(failure) => Some(Err(failure)),
        }
    }
}

/// Returns the name of a message that was in a file of Apple Mail or Outlook: `12.eml` for
/// `12.emlx`, `12.partial.emlx` and `12.msg`, `12.eml.gz` for `12.msg.gz`, unless another file has
/// that name.
fn plain_name(path: &Path, relative: &Path) -> PathBuf {
    let short = eml_name(relative);
    if path.with_file_name(short.file_name().unwrap_or_default()).exists() {
        let mut name = relative.as_os_str().to_owned();
        name.push(".eml");
        return name.into();
    }
    short
}

/// Returns the name that a message has once it is out of its file.
pub fn eml_name(path: &Path) -> PathBuf {
    let (unpacked, packing) = match Packing::of_name(path) {
        Packing::None => (path.to_owned(), None),
        _ => (path.with_extension(""), path.extension()),
    };
    let name = unpacked.file_name().unwrap_or_default().to_string_lossy();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
    let is_known = ["emlx", "msg", "oft"].iter().any(|known| known.eq_ignore_ascii_case(extension));
    let stem = if is_known { stem } else { &name };
    let mut short =
        OsString::from(format!("{}.eml", stem.strip_suffix(".partial").unwrap_or(stem)));
    if let Some(packing) = packing {
        short.push(".");
        short.push(packing);
    }
    path.with_file_name(short)
}

impl Look<'_> {
    /// Returns what is found next, whether it is asked for or not.
    fn next_found(&mut self) -> Option<Result<Found, Failure>> {
        loop {
            if let Some(mailbox) = &mut self.mailbox {
                match mailbox.next() {
                    None => self.mailbox = None,
                    found => return found,
                }
            }
            if let Some(found) = self.step()? {
                return Some(found);
            }
        }
    }

    /// Returns the error that a message is not there, once.
    fn missing(&mut self, wanted: u64) -> Option<Failure> {
        let found = std::mem::replace(&mut self.messages, u64::MAX);
        let input = match self.inputs.only() {
            Some(Input::File(path, _) | Input::Directory(path)) => path.as_path(),
            Some(Input::Stdin(_)) => Path::new("standard input"),
            None => Path::new("all inputs"),
        };
        let reason = format!("has {found} message{}, and no number {wanted}", plural(found));
        (found < wanted).then(|| Failure::new(Exit::NoInput, input, reason))
    }
}

impl Iterator for Look<'_> {
    type Item = Result<Found, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let wanted = self.inputs.select.message;
        if self.ends_with_message && wanted == Some(self.messages) {
            return None;
        }

        let found = self.next_found();
        let Some(wanted) = wanted else { return found };
        match found {
            Some(Ok(Found::Message(_))) => {
                self.messages += 1;
                let is_other = self.messages != wanted;
                if is_other { Some(Ok(Found::Skipped(Skipped::OtherNumber))) } else { found }
            }
            None => self.missing(wanted).map(Err),
            found => found,
        }
    }
}
