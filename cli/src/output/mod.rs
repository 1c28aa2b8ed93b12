//! Where messages and reports go, safely: never over an input, never half-written.

mod atomic_file;
mod backup;
mod beneath;
mod delivered;
mod directories;
mod existing;
mod flags;
mod folder;
mod in_place;
mod journal;
mod keywords;
mod leftovers;
mod links;
mod lock;
mod mailboxes;
mod maildir;
mod not_kept;
mod origin;
mod outgoing;
mod own;
mod packer;
mod protected;
mod resumable;
mod sizes;
mod stream;
mod target;
mod temporary;
mod unfinished;

pub use atomic_file::AtomicFile;
pub use beneath::Beneath;
pub use existing::{About, Replaces, are_alike};
pub use journal::{Journal, Mark, Reached};
pub use leftovers::{Depth, remove_leftovers};
pub use not_kept::NotKept;
pub use outgoing::{Content, Outgoing};
pub use protected::Protected;
pub use resumable::{Resumable, companion};
pub use target::{Form, Target};
pub use temporary::mode;
pub use unfinished::clean_up_when_stopped;

use std::collections::HashSet;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, BufReader, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::exit::{Exit, Failure};
use crate::identity::name;
use crate::input::{Extent, Home, Input, Inputs, Item, Mailbox, MailboxKind, Packing, TarEntry};
use crate::place::{PathState, locate, resolve};
use delivered::Delivered;
use directories::{Directories, Like};
use existing::{Earlier, has_octets};
use keywords::Keywords;
use links::Links;
use mailboxes::Mailboxes;
use maildir::Delivery;
use origin::Origin;
use packer::{Packer, Sink};
use stream::{Stream, name_of_eml};

/// The result of writing a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Put {
    /// The message is written, without what the output has no place for.
    Done(Vec<NotKept>),
    /// Its mailbox could not be written, which has already been reported.
    Dropped,
}

/// Writes messages, each whole or not at all.
pub struct Output {
    target: Target,
    /// Where mail would go if it went anywhere: the target itself, unless a run only looks.
    would_be: Option<Target>,
    protected: Protected,
    /// The files that may be replaced.
    replaces: Replaces,
    /// The places this run has written, if two inputs could have the same name.
    written: Option<HashSet<PathBuf>>,
    /// The file of many messages that is being written.
    stream: Open,
    /// The mboxes that are being written, if each folder becomes one.
    mailboxes: Mailboxes,
    /// The permissions of the mailbox that is being read.
    mailbox: Option<Permissions>,
    /// Whether messages come from more than one file.
    has_others: bool,
    /// The lists of keywords of a Maildir.
    keywords: Keywords,
    /// The files with several names that were replaced.
    links: Links,
    /// The directory for files as they were before they were replaced.
    backup: Option<PathBuf>,
    directories: Directories,
    /// The messages that a Maildir had before the run.
    delivered: Delivered,
    /// The mboxes of folders, which may be without a message, and what each is made from.
    folders: Vec<(PathBuf, Arc<Path>)>,
    /// Whether messages are selected, so that an empty folder says nothing.
    leaves_out: bool,
}

/// A file of many messages and its state.
enum Open {
    /// None is open.
    None,
    /// The file is being written, to take the place of an earlier one if there is any.
    Writing { path: Box<Path>, stream: Stream, origin: Origin, earlier: Option<Box<Earlier>> },
    /// The file could not be written; the rest of it is dropped.
    Lost,
}

impl Open {
    /// Adds a message; returns whether there is a file, which has not been given up.
    ///
    /// # Errors
    /// The file cannot be written, or may not take the place of an earlier one, and is given up.
    fn put(&mut self, target: &Target, outgoing: &Outgoing<'_>) -> Result<bool, Failure> {
        if let Self::Writing { earlier: Some(earlier), stream, .. } = self
            && let Err(failure) = earlier.add(outgoing)
        {
            // The next run would remove it.
            let _ = stream.discard();
            *self = Self::Lost;
            return Err(failure);
        }
        if let (Self::Writing { origin, .. }, Some(file)) = (&mut *self, outgoing.file) {
            origin.add(file);
        }
        self.write(target, |stream| stream.write(outgoing))
    }

    /// Writes to it; returns whether there is one, which has not been given up.
    ///
    /// # Errors
    /// The file cannot be written, and is given up.
    fn write(
        &mut self,
        target: &Target,
        write: impl FnOnce(&mut Stream) -> io::Result<()>,
    ) -> Result<bool, Failure> {
        let Self::Writing { path, stream, .. } = self else { return Ok(false) };
        let Err(error) = write(stream) else { return Ok(true) };
        let failure = target.failed(path, &error);
        *self = Self::Lost;
        Err(failure)
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// The file cannot be written.
    fn commit(self, target: &Target) -> Result<(), Failure> {
        match self {
            Self::Writing { path, mut stream, origin, mut earlier } => {
                if let Some(Err(failure)) = earlier.as_deref_mut().map(Earlier::check) {
                    let _ = stream.discard();
                    return Err(failure);
                }
                stream.commit(&origin).map_err(|error| target.failed(&path, &error))
            }
            Self::None | Self::Lost => Ok(()),
        }
    }
}

impl Output {
    /// Output to `target`; creates an output directory. A file of many messages already contains
    /// `kept` octets.
    ///
    /// # Errors
    /// The output cannot be created, or is one of the inputs.
    pub fn open(
        target: Target,
        protected: Protected,
        replaces: Replaces,
        inputs: &Inputs,
        kept: u64,
    ) -> Result<Self, Failure> {
        if let Some(directory) = target.directory() {
            if protected.is_root(directory) {
                return Err(Failure::new(
                    Exit::CannotCreate,
                    directory,
                    "is an input: inputs are never overwritten",
                ));
            }
            create_root(directory, inputs).map_err(|error| Failure::creating(directory, &error))?;
        }
        let written = inputs.only().is_none().then(HashSet::new);
        let stream = match &target {
            Target::Stream { kind, out } => {
                let path = out.clone().unwrap_or_else(|| PathBuf::from("standard output"));
                let file = file_of(inputs);
                let permissions = file.as_ref().map(Metadata::permissions);
                let (mut earlier, mut is_new) = (None, false);
                let admits = |path: &Path, place: &Path| {
                    protected.admits(path, place)?;
                    is_new = fs::symlink_metadata(place).is_err();
                    earlier = replaces.earlier(path, place, *kind)?;
                    Ok(())
                };
                let packer = packer(out.as_deref(), admits, permissions.as_ref(), kept)?;
                let mut origin = file.as_ref().map(Origin::of).unwrap_or_default();
                if is_new && kept == 0 {
                    origin = origin.of_new();
                }
                // A job that goes on has begun with the same message.
                let earlier = earlier.filter(|_| kept == 0);
                let stream = Stream::new(*kind, packer);
                Open::Writing { path: path.into(), stream, origin, earlier }
            }
            _ => Open::None,
        };
        let has_others = !matches!(inputs.only(), Some(Input::File(..) | Input::Stdin(_)));
        let (keywords, links) = (Keywords::default(), Links::default());
        let (would_be, backup) = (None, None);
        Ok(Self {
            target,
            would_be,
            protected,
            replaces,
            written,
            stream,
            mailboxes: Mailboxes::default(),
            mailbox: None,
            has_others,
            keywords,
            links,
            backup,
            directories: Directories::default(),
            delivered: Delivered::default(),
            folders: Vec::new(),
            leaves_out: inputs.select().leaves_out(),
        })
    }

    /// Names the target that a run would have which does more than look: `put` tells what that has
    /// no place for, and what it may not replace.
    ///
    /// # Errors
    /// The file of many messages may not be replaced.
    pub fn would_go_to(mut self, would_be: Target) -> Result<Self, Failure> {
        if let (Target::Nothing, Target::Stream { out: Some(path), .. }) = (&self.target, &would_be)
        {
            self.check_file(path, None)?;
        }
        self.would_be = Some(would_be);
        Ok(self)
    }

    /// Begins a mailbox.
    ///
    /// # Errors
    /// Its output cannot be created.
    pub fn opens(&mut self, mailbox: &Mailbox) -> Result<(), Failure> {
        self.mailbox = mailbox.file.as_ref().map(Metadata::permissions);
        self.folder_of(mailbox);
        match &self.target {
            Target::Directory { path, form: Form::Same } => {
                self.stream = Open::Lost;
                let origin = mailbox.file.as_ref().map(Origin::of).unwrap_or_default();
                let (root, permissions) = (path.clone(), self.mailbox.clone());
                self.make_around(&root, &mailbox.relative, &mailbox.name);
                self.stream =
                    self.begin(mailbox.kind, &root, &mailbox.relative, permissions, origin)?;
                Ok(())
            }
            Target::Nothing => match &self.would_be {
                Some(Target::Directory { path, form: Form::Same }) => {
                    self.check_file(&path.join(&mailbox.relative), None)
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Ends the mailbox. One of which more can be read gets no name.
    ///
    /// # Errors
    /// Its output cannot be written.
    pub fn closes(&mut self, extent: Extent) -> Result<(), Failure> {
        self.mailbox = None;
        if !matches!(self.target, Target::Directory { .. } | Target::InPlace) {
            return Ok(());
        }
        let stream = std::mem::replace(&mut self.stream, Open::None);
        if extent == Extent::Unfinished { Ok(()) } else { stream.commit(&self.target) }
    }

    /// Writes a message.
    ///
    /// # Errors
    /// The output cannot be created or written.
    pub fn put(&mut self, outgoing: &Outgoing<'_>) -> Result<Put, Failure> {
        let is_in_mailbox = outgoing.item.position().is_some();
        let mut are_keywords_kept = true;
        match &self.target {
            Target::Nothing => self.check_would_be(outgoing)?,
            Target::Stdout => print(|out| outgoing.write_to(out))?,
            Target::File(path) => self.file(path, outgoing)?,
            Target::Stream { .. } => {
                if !self.stream.put(&self.target, outgoing)? {
                    return Ok(Put::Dropped);
                }
            }
            Target::Directory { form: Form::Same, .. } if is_in_mailbox => {
                if !self.stream.put(&self.target, outgoing)? {
                    return Ok(Put::Dropped);
                }
            }
            Target::Directory { path, form: Form::Same }
                if matches!(outgoing.item.home, Home::Maildir) =>
            {
                let path = path.clone();
                let lists = self.has_other_keywords(&path, outgoing.item);
                are_keywords_kept = self.maildir(&path, outgoing, lists)?;
            }
            Target::Directory { path, form } => {
                let relative = match form {
                    Form::Same => outgoing.item.relative.to_path_buf(),
                    Form::Eml => name_of_eml(outgoing),
                };
                let root = path.clone();
                if *form == Form::Same {
                    self.make_around(&root, &relative, &outgoing.item.name);
                }
                let permissions = self.permissions(outgoing);
                let file = self.beneath(&root, &relative, permissions.as_ref(), outgoing)?;
                let path = root.join(relative);
                write(file, &path, outgoing)?;
                self.claim(&path);
            }
            Target::Mailboxes(root) => {
                let root = root.clone();
                if !self.mailbox_of(&root, outgoing)? {
                    return Ok(Put::Dropped);
                }
            }
            Target::Maildir(root) => {
                let root = root.clone();
                are_keywords_kept = self.maildir(&root, outgoing, true)?;
            }
            Target::InPlace if is_in_mailbox => return Ok(Put::Dropped),
            Target::InPlace if outgoing.changed => {
                if let Some(root) = self.backup.clone() {
                    self.make_around(&root, &outgoing.item.relative, &outgoing.item.name);
                    backup::keep(&root, outgoing.item, &self.protected)?;
                }
                in_place::replace(outgoing, &mut self.links)?;
            }
            Target::InPlace => {}
        }
        let target = self.would_be.as_ref().unwrap_or(&self.target);
        Ok(Put::Done(not_kept::by(target, outgoing, self.has_others, are_keywords_kept)))
    }

    /// Keeps files in this directory before they are replaced.
    pub fn keep_in(&mut self, backup: Option<PathBuf>) {
        self.backup = backup;
    }

    /// The files of which other names, outside the inputs, have what they were before: each with
    /// how many such names.
    pub fn cut_links(&self) -> Vec<(PathBuf, u64)> {
        self.links.cut()
    }

    /// Writes an entry of a tar file that is not a message, if the output can contain it; returns
    /// whether it can.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn extra(&mut self, entry: &TarEntry) -> Result<bool, Failure> {
        match &mut self.stream {
            Open::Writing { stream, earlier, .. }
                if stream.takes_extra() && entry.is_harmless() =>
            {
                if let Some(earlier) = earlier {
                    earlier.add_other();
                }
                self.stream.write(&self.target, |stream| stream.write_extra(entry)).map(|_| true)
            }
            // The failure to write the file has been reported.
            Open::Lost => Ok(true),
            _ => Ok(matches!(self.target, Target::Nothing | Target::InPlace)),
        }
    }

    /// Copies a file that is no message into the output directory, octet for octet, if the output
    /// can contain it; returns whether nothing of it is missing.
    ///
    /// # Errors
    /// The file cannot be read, or its copy not written.
    pub fn copy(&mut self, item: &Item) -> Result<bool, Failure> {
        let is_list = item.relative.file_name() == Some(keywords::LIST.as_ref());
        let root = match &self.target {
            Target::Directory { path, form: Form::Same } => {
                let path = path.clone();
                if is_list && self.has_other_keywords(&path, item) {
                    return Ok(true);
                }
                path
            }
            // Its list of keywords is made of what messages have.
            Target::Maildir(_) if is_list => return Ok(true),
            Target::Maildir(path) => path.clone(),
            Target::Nothing => match &self.would_be {
                Some(Target::Directory { path, form: Form::Same }) => {
                    self.check_copy(&path.join(&item.relative), item)?;
                    return Ok(true);
                }
                Some(Target::Maildir(_) | Target::InPlace) | None => return Ok(true),
                Some(_) => return Ok(false),
            },
            Target::InPlace => return Ok(true),
            _ => return Ok(false),
        };
        let root = &root;
        let (name, relative) = (&*item.name, &*item.relative);
        let failed = |error: &io::Error| Failure::reading(name, error);
        let mut from = fs::File::open(name).map_err(|error| failed(&error))?;
        let found = from.metadata().map_err(|error| failed(&error))?;

        self.make_around(root, relative, name);
        let path = root.join(relative);
        let mut file = AtomicFile::beneath(root, relative, Some(&found.permissions()), |place| {
            self.check(&path, place, Coming::Copy(name))
        })?;
        let copied = from.rewind().and_then(|()| io::copy(&mut from, &mut file));
        let copied =
            copied.and_then(|_| file.take_from(&Origin::of(&found))).and_then(|()| file.commit());
        copied.map_err(|error| Failure::writing(&path, &error))?;
        self.claim(&path);
        Ok(true)
    }

    /// Makes the folder that a Maildir is, even if nothing is in it: its three directories, or in
    /// the end an mbox.
    pub fn folder(&mut self, item: &Item) {
        match &self.target {
            _ if self.leaves_out => {}
            Target::Directory { path, form: Form::Same } | Target::Maildir(path) => {
                let root = path.clone();
                self.make_maildir(&root, &item.relative, Like::Tree(&item.name));
            }
            Target::Mailboxes(_) => {
                let mbox = folder::mbox_of_maildir(&item.relative);
                self.folders.push((mbox, item.name.clone()));
            }
            _ => {}
        }
    }

    /// Makes the folder that an mbox becomes, even if nothing is in it.
    fn folder_of(&mut self, mailbox: &Mailbox) {
        match &self.target {
            _ if self.leaves_out || mailbox.kind != MailboxKind::Mbox => {}
            Target::Maildir(root) => {
                let root = root.clone();
                let folder = folder::maildir_of_mbox(&mailbox.relative, self.has_others);
                self.make_maildir(&root, &folder, Like::One(&mailbox.name));
            }
            Target::Mailboxes(_) => {
                let mbox = folder::mbox_of_mbox(&mailbox.relative);
                self.folders.push((mbox, mailbox.name.clone()));
            }
            _ => {}
        }
    }

    /// Makes the mboxes of folders that have no message.
    fn make_folders(&mut self) -> Result<(), Failure> {
        let Target::Mailboxes(root) = &self.target else { return Ok(()) };
        let root = root.clone();
        for (relative, from) in std::mem::take(&mut self.folders) {
            let mut mailboxes = std::mem::take(&mut self.mailboxes);
            let permissions = fs::metadata(&from).ok().map(|found| found.permissions());
            let made = mailboxes.get(relative.clone(), || {
                self.begin_mbox(&root, &relative, permissions, from.parent())
            });
            let made = made.map(drop);
            self.mailboxes = mailboxes;
            made?;
        }
        Ok(())
    }

    /// Makes the directories of a Maildir at `relative` below `root`.
    fn make_maildir(&mut self, root: &Path, relative: &Path, like: Like<'_>) {
        for name in ["tmp", "new", "cur"] {
            let relative = relative.join(name);
            match like {
                Like::Tree(from) => {
                    self.directories.make(root, &relative, Like::Tree(&from.join(name)));
                }
                Like::One(_) => self.directories.make(root, &relative, like),
            }
        }
    }

    /// Makes the directories around `relative` below `root`, like those around the file `from`.
    fn make_around(&mut self, root: &Path, relative: &Path, from: &Path) {
        if let (Some(relative), Some(from)) = (relative.parent(), from.parent()) {
            self.directories.make(root, relative, Like::Tree(from));
        }
    }

    /// Whether it has room for files that are no mail, under their names.
    pub fn keeps_files(&self) -> bool {
        let target = self.would_be.as_ref().unwrap_or(&self.target);
        matches!(target, Target::Directory { form: Form::Same, .. })
    }

    /// Whether nothing more can be written.
    pub fn is_lost(&self) -> bool {
        matches!((&self.target, &self.stream), (Target::Stream { .. }, Open::Lost))
    }

    /// Flushes everything to the system; returns how much that is, if the job can continue from
    /// here.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn reached(&mut self) -> Result<Option<Reached>, Failure> {
        match (&self.target, &mut self.stream) {
            (Target::Stream { .. }, Open::Writing { path, stream, .. }) => {
                stream.reached().map_err(|error| Failure::writing(path, &error))
            }
            (Target::Directory { .. } | Target::Maildir(_), Open::None) => {
                Ok(Some(Reached::default()))
            }
            _ => Ok(None),
        }
    }

    /// Ends the output: the file being written gets its name.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn finish(mut self) -> Result<(), Failure> {
        let folders = self.make_folders();
        let written = self.stream.commit(&self.target).and(self.mailboxes.finish(&self.target));
        folders.and(written)
    }

    /// Writes to the mbox of the folder of a message; returns whether there is one, which has not
    /// been given up.
    fn mailbox_of(&mut self, root: &Path, outgoing: &Outgoing<'_>) -> Result<bool, Failure> {
        let relative = folder::as_mbox(outgoing, self.has_others);
        let mut mailboxes = std::mem::take(&mut self.mailboxes);
        let open = mailboxes.get(relative.clone(), || {
            let permissions = self.permissions(outgoing);
            self.begin_mbox(root, &relative, permissions, outgoing.item.name.parent())
        });
        let written = open.and_then(|mbox| mbox.put(&self.target, outgoing));
        self.mailboxes = mailboxes;
        written
    }

    /// Begins the mbox of a folder; directories around it are as closed as the directory `from`.
    fn begin_mbox(
        &mut self,
        root: &Path,
        relative: &Path,
        permissions: Option<Permissions>,
        from: Option<&Path>,
    ) -> Result<Open, Failure> {
        if let (Some(around), Some(from)) = (relative.parent(), from) {
            self.directories.make(root, around, Like::One(from));
        }
        self.begin(MailboxKind::Mbox, root, relative, permissions, Origin::default())
    }

    fn file(&self, path: &Path, outgoing: &Outgoing<'_>) -> Result<(), Failure> {
        let permissions = self.permissions(outgoing);
        let file = Packer::atomic(path, permissions.as_ref(), |place| {
            self.check(path, place, Coming::Message(outgoing))
        })?;
        write(file, path, outgoing)
    }

    /// Returns the permissions of a message: those of its file, or of the mailbox that it is in.
    fn permissions(&self, outgoing: &Outgoing<'_>) -> Option<Permissions> {
        outgoing.file.map(Metadata::permissions).or_else(|| self.mailbox.clone())
    }

    /// Begins the file of a message in the output directory.
    fn beneath(
        &self,
        root: &Path,
        relative: &Path,
        permissions: Option<&Permissions>,
        outgoing: &Outgoing<'_>,
    ) -> Result<Packer, Failure> {
        let path = root.join(relative);
        Packer::beneath(root, relative, permissions, |place| {
            self.check(&path, place, Coming::Message(outgoing))
        })
    }

    /// Begins a file of many messages in the output directory.
    fn begin(
        &mut self,
        kind: MailboxKind,
        root: &Path,
        relative: &Path,
        permissions: Option<Permissions>,
        origin: Origin,
    ) -> Result<Open, Failure> {
        let path = root.join(relative);
        let mut earlier = None;
        let is_new = fs::symlink_metadata(&path).is_err();
        let origin = if is_new { origin.of_new() } else { origin };
        let out = Packer::beneath(root, relative, permissions.as_ref(), |place| {
            self.protected.admits(&path, place)?;
            self.check_unclaimed(&path, place)?;
            earlier = self.replaces.earlier(&path, place, kind)?;
            Ok(())
        })?;
        self.claim(&path);
        Ok(Open::Writing { path: path.into(), stream: Stream::new(kind, out), origin, earlier })
    }

    /// Checks whether the run that does more than look may write a message to a file of its own.
    fn check_would_be(&self, outgoing: &Outgoing<'_>) -> Result<(), Failure> {
        let path = match &self.would_be {
            Some(Target::File(path)) => path.clone(),
            Some(Target::Directory { path, form: Form::Eml }) => path.join(name_of_eml(outgoing)),
            Some(Target::Mailboxes(root)) => {
                return self
                    .check_file(&root.join(folder::as_mbox(outgoing, self.has_others)), None);
            }
            Some(Target::Directory { path, .. }) if outgoing.item.position().is_none() => {
                path.join(&outgoing.item.relative)
            }
            _ => return Ok(()),
        };
        self.check_file(&path, Some(outgoing))
    }

    /// Checks whether the run that does more than look may copy a file to `path`.
    fn check_copy(&self, path: &Path, item: &Item) -> Result<(), Failure> {
        let Ok(PathState::File(place)) = locate(path) else { return Ok(()) };
        self.check(path, &place, Coming::Copy(&item.name))
    }

    /// Checks whether a file may be written that is not opened yet.
    fn check_file(&self, path: &Path, outgoing: Option<&Outgoing<'_>>) -> Result<(), Failure> {
        match locate(path) {
            Ok(PathState::File(place)) => {
                self.check(path, &place, outgoing.map_or(Coming::Mailbox, Coming::Message))
            }
            _ => Ok(()),
        }
    }

    /// Checks whether a file called `path`, at `place`, may be written. One that has the octets to be
    /// written already is an output of an earlier run: a message that is refused is written as it
    /// came, in each.
    fn check(&self, path: &Path, place: &Path, coming: Coming<'_, '_>) -> Result<(), Failure> {
        self.protected.admits(path, place)?;
        self.check_unclaimed(path, place)?;
        let is_there = match coming {
            Coming::Message(outgoing) => outgoing.is_at(place),
            Coming::Copy(file) => is_copy(file, place),
            Coming::Mailbox => false,
        };
        if is_there {
            return Ok(());
        }
        self.replaces.admits(path, place, || match coming {
            Coming::Message(outgoing) => Some(name(&outgoing.beginning())),
            Coming::Copy(_) | Coming::Mailbox => None,
        })
    }

    /// Delivers a message; with `lists` the Maildir gets a list of keywords of its own. Returns
    /// whether they are all in it.
    fn maildir(
        &mut self,
        root: &Path,
        outgoing: &Outgoing<'_>,
        lists: bool,
    ) -> Result<bool, Failure> {
        let path = match outgoing.item.home {
            Home::Maildir => root.join(&outgoing.item.relative),
            _ => root.to_owned(),
        };
        let place = resolve(root).map_err(|error| Failure::creating(root, &error))?;
        self.protected.admits(&path, &place.join(&outgoing.item.relative))?;
        let folder = folder::in_maildir(outgoing, self.has_others);
        let name = outgoing.item.name.clone();
        let maildir = name.parent().and_then(Path::parent);
        match (&outgoing.item.home, maildir) {
            (Home::Maildir, Some(maildir)) => {
                self.make_maildir(root, &folder, Like::Tree(maildir));
            }
            _ => self.make_maildir(root, &folder, Like::One(&name)),
        }
        let permissions = self.permissions(outgoing);
        let keywords = if lists { Some(&mut self.keywords) } else { None };
        let (delivered, has_others) = (&mut self.delivered, self.has_others);
        let delivery = Delivery { delivered, keywords, permissions, has_others };
        maildir::deliver(root, outgoing, delivery).map_err(|error| Failure::writing(&path, &error))
    }

    /// Returns whether the folder of a Maildir in which an item is copied has other keywords.
    fn has_other_keywords(&mut self, root: &Path, item: &Item) -> bool {
        // A message is in `cur` or `new`, the list beside these.
        let levels = if matches!(item.home, Home::Maildir) { 2 } else { 1 };
        let [folder, from] = [&item.relative, &item.name]
            .map(|path| path.ancestors().nth(levels).unwrap_or(Path::new("")));
        self.keywords.has_other(root, folder, from)
    }

    /// Two inputs with the same name must not overwrite each other.
    fn check_unclaimed(&self, path: &Path, place: &Path) -> Result<(), Failure> {
        match &self.written {
            Some(written) if written.contains(place) => Err(Failure::new(
                Exit::CannotCreate,
                path,
                "another input of the same name was written there by this run",
            )),
            _ => Ok(()),
        }
    }

    fn claim(&mut self, path: &Path) {
        if let (Some(written), Ok(place)) = (&mut self.written, resolve(path)) {
            written.insert(place);
        }
    }
}

/// Something that is to be written at a place.
#[derive(Clone, Copy)]
enum Coming<'a, 'o> {
    /// A message.
    Message(&'a Outgoing<'o>),
    /// A copy of this file.
    Copy(&'a Path),
    /// A file of many messages.
    Mailbox,
}

/// Returns whether two files have the same octets.
fn is_copy(file: &Path, place: &Path) -> bool {
    fs::File::open(file).is_ok_and(|file| {
        let length = file.metadata().map_or(0, |found| found.len());
        has_octets(place, BufReader::new(file), length)
    })
}

/// Writes a message to a file of its own.
fn write(mut file: Packer, path: &Path, outgoing: &Outgoing<'_>) -> Result<(), Failure> {
    let written = outgoing.write_to(&mut file).and_then(|()| file.commit(&outgoing.origin()));
    written.map_err(|error| Failure::writing(path, &error))
}

/// Where the octets of a file of many messages go. The part of a plain file that is written stays
/// when the job is interrupted; a packed one is started again.
fn packer(
    out: Option<&Path>,
    admits: impl FnOnce(&Path, &Path) -> Result<(), Failure>,
    permissions: Option<&Permissions>,
    kept: u64,
) -> Result<Packer, Failure> {
    let Some(path) = out else { return Ok(Packer::None(Sink::stdout())) };
    let place = locate(path).map_err(|error| Failure::creating(path, &error))?;
    match (place, Packing::of_name(path)) {
        (PathState::File(place), Packing::None) => {
            admits(path, &place)?;
            Ok(Packer::None(Sink::Resumable(Resumable::open(&place, kept, permissions)?)))
        }
        _ => Packer::atomic(path, permissions, |place| admits(path, place)),
    }
}

/// Creates an output directory, which is as closed to others as the only input, if that is a
/// directory: its files may be open to all who reach them.
fn create_root(directory: &Path, inputs: &Inputs) -> io::Result<()> {
    let is_new = fs::symlink_metadata(directory).is_err();
    fs::create_dir_all(directory)?;
    #[cfg(unix)]
    if is_new && let Some(Input::Directory(input)) = inputs.only() {
        use std::os::unix::fs::PermissionsExt;
        let (own, new) =
            (fs::metadata(input)?.permissions(), fs::metadata(directory)?.permissions());
        let mode = new.mode() & (own.mode() | 0o700);
        fs::set_permissions(directory, Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (is_new, inputs);
    Ok(())
}

/// The only input, if it is a file.
fn file_of(inputs: &Inputs) -> Option<Metadata> {
    match inputs.only() {
        Some(Input::File(path, _)) => fs::metadata(path).ok(),
        _ => None,
    }
}

/// Writes to standard output through one buffer.
pub fn print<T>(write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let done = write(&mut out).and_then(|done| out.flush().map(|()| done));
    if done.is_err() {
        // The rest of the buffer has nowhere to go; writing it again on drop would only fail again.
        let _ = out.into_parts();
    }
    done.map_err(|error| Failure::printing(&error))
}

/// Whether a path says that it is a directory, or is one.
fn names_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}
