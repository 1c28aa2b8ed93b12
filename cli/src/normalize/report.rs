//! `--report`: JSON Lines, one object per message.

use std::borrow::Cow;
use std::fs::Permissions;
use std::io::{self, Stdout};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::ending::Ending;
use super::job::Done;
use crate::exit::{Exit, Failure};
use crate::heading::Heading;
use crate::input::{Home, Item, Other, TextCharset, Unread, folder};
use crate::json;
use crate::output::{About, AtomicFile, NotKept, Protected, Reached, Replaces, Resumable};
use crate::place::{PathState, is_stdout, locate, shown};

/// The object: its keys are an interface for scripts. `--help` and README list them, too.
#[derive(Serialize)]
struct Line<'a> {
    /// The file that contains the message; `-` is standard input.
    input: Cow<'a, str>,
    /// Whether the output differs from the input.
    changed: bool,
    /// The length of the input.
    octets_in: u64,
    /// The length of the output, written or not.
    octets_out: u64,
    /// The Message-ID and the subject.
    #[serde(flatten)]
    heading: Option<&'a Heading>,
    /// The issues found.
    issues: Vec<json::PlacedIssue<'a>>,
    /// The charsets of its texts, if it is one of Outlook that does not say.
    #[serde(skip_serializing_if = "<[TextCharset]>::is_empty")]
    charsets: &'a [TextCharset],
    /// Its place in a mailbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    mailbox: Option<json::MailboxPlace<'a>>,
    /// The name of its Maildir++ folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Why it was kept as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<&'a str>,
    /// Why a message, or the rest of a mailbox, could not be read or written.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// What a file is that is not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    /// What the input says of the message and the output has no place for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_kept: Vec<&'a str>,
}

impl<'a> Line<'a> {
    /// Returns the object of an input of which nothing else is said.
    fn of(input: Cow<'a, str>) -> Self {
        Self {
            input,
            changed: false,
            octets_in: 0,
            octets_out: 0,
            heading: None,
            issues: Vec::new(),
            charsets: &[],
            mailbox: None,
            folder: None,
            kept: None,
            error: None,
            kind: None,
            not_kept: Vec::new(),
        }
    }
}

/// The report file. Once it cannot be written, it is abandoned: mail goes on, and the failure is
/// reported at the end.
pub struct Report {
    sink: Sink,
    /// Whether the run writes nothing else, so that it may end when nobody reads on.
    is_all: bool,
}

enum Sink {
    Nowhere,
    Stdout(Stdout),
    File {
        path: PathBuf,
        file: AtomicFile,
    },
    /// The report of a job that can be resumed.
    Resumable {
        path: PathBuf,
        file: Resumable,
    },
    GivenUp(Failure),
}

impl Report {
    /// Begins the report, which is all that the run writes or not, with these permissions if it is
    /// new; that of a resumed job has `kept` octets already.
    ///
    /// # Errors
    /// The report cannot be created there.
    pub fn open(
        path: Option<&Path>,
        protected: &mut Protected,
        replaces: Replaces,
        is_all: bool,
        permissions: Option<&Permissions>,
        kept: Option<u64>,
    ) -> Result<Self, Failure> {
        let sink = match path {
            None => Sink::Nowhere,
            Some(path) if is_stdout(path) => Sink::Stdout(io::stdout()),
            Some(path) => match (kept, locate(path)) {
                (Some(kept), Ok(PathState::File(place))) => {
                    protected.admits_report(path, &place)?;
                    replaces.admits_about(About::Report, path, &place)?;
                    protected.keep_report(&place);
                    Sink::Resumable {
                        path: path.to_owned(),
                        file: Resumable::open(&place, kept, permissions)?,
                    }
                }
                _ => atomic(path, protected, replaces, permissions)?,
            },
        };
        Ok(Self { sink, is_all })
    }

    /// Whether it goes to standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.sink, Sink::Stdout(_))
    }

    /// Whether there is one.
    pub fn is_written(&self) -> bool {
        !matches!(self.sink, Sink::Nowhere | Sink::GivenUp(_))
    }

    /// Adds a message.
    ///
    /// # Errors
    /// Standard output was closed.
    pub fn write(&mut self, done: &Done, not_kept: &[NotKept]) -> Result<(), Failure> {
        let not_kept = not_kept.iter().map(|what| what.word()).collect();
        self.add(&Line { not_kept, ..line(done) })
    }

    /// Adds a file of which other names have what it was before it was replaced.
    ///
    /// # Errors
    /// Standard output was closed.
    pub fn cut_links(&mut self, path: &Path, names: u64) -> Result<(), Failure> {
        let reason = match names {
            1 => "another name of the file (a hard link) has the message as it was".to_owned(),
            names => {
                format!("{names} other names of the file (hard links) have the message as it was")
            }
        };
        self.add(&Line { kept: Some(&reason), not_kept: vec!["links"], ..Line::of(shown(path)) })
    }

    /// Adds a copy of an earlier message, which is left out.
    ///
    /// # Errors
    /// Standard output was closed.
    pub fn copy(&mut self, done: &Done) -> Result<(), Failure> {
        let kept = Some("left out: a copy of an earlier message");
        self.add(&Line { changed: false, octets_out: 0, kept, ..line(done) })
    }

    /// Adds a message that could not be written.
    ///
    /// # Errors
    /// Standard output was closed.
    pub fn not_written(&mut self, done: &Done, failure: &Failure) -> Result<(), Failure> {
        let Failure::Said { reason, .. } = failure else { return Ok(()) };
        self.add(&Line { error: Some(reason), ..line(done) })
    }

    /// Adds something that stays as it is.
    ///
    /// # Errors
    /// Standard output was closed.
    pub fn kept(&mut self, item: &Item, reason: &str) -> Result<(), Failure> {
        let octets = item.position().map_or(0, |position| position.span.end - position.span.start);
        self.add(&Line {
            octets_in: octets,
            octets_out: octets,
            mailbox: json::MailboxPlace::of(item),
            kept: Some(reason),
            ..Line::of(shown(&item.name))
        })
    }

    /// Adds a failure to read something.
    ///
    /// # Errors
    /// Standard output was closed.
    pub fn failed(&mut self, failure: &Failure) -> Result<(), Failure> {
        let Failure::Said { file, reason, .. } = failure else { return Ok(()) };
        self.add(&Line { error: Some(reason), ..Line::of(file.into()) })
    }

    /// Adds a file that is not read, of which `octets_out` octets are in the output.
    ///
    /// # Errors
    /// Standard output was closed.
    pub fn unread(&mut self, other: &Other, octets_out: u64) -> Result<(), Failure> {
        let kept = match other.unread {
            Unread::NoMail(_) => "no mail",
            Unread::Foreign(_) => "mail that is not read",
        };
        self.add(&Line {
            octets_in: other.octets,
            octets_out,
            mailbox: json::MailboxPlace::of(&other.item),
            kept: Some(kept),
            kind: Some(other.unread.words()),
            ..Line::of(shown(&other.item.name))
        })
    }

    fn add(&mut self, line: &Line<'_>) -> Result<(), Failure> {
        match self.sink.write(line) {
            Ok(()) => Ok(()),
            Err(Failure::Closed) if self.is_all => Err(Failure::Closed),
            Err(Failure::Closed) => {
                let reason = "was closed before the report was complete; the mail is written";
                let out = Path::new("standard output");
                self.sink = Sink::GivenUp(Failure::new(Exit::CannotWrite, out, reason));
                Ok(())
            }
            Err(failure) => {
                self.sink = Sink::GivenUp(failure);
                Ok(())
            }
        }
    }

    /// Flushes the output to the system, and returns its length.
    ///
    /// # Errors
    /// The report cannot be written.
    pub fn reached(&mut self) -> Result<Reached, Failure> {
        let Sink::Resumable { path, file } = &mut self.sink else { return Ok(Reached::default()) };
        file.reached().map_err(|error| Failure::writing(path, &error))
    }

    /// Gives the report its name, unless the job is to be continued and the report with it.
    ///
    /// # Errors
    /// The report could not be written.
    pub fn finish(self, goes_on: bool) -> Result<(), Failure> {
        match self.sink {
            Sink::Nowhere | Sink::Stdout(_) => Ok(()),
            Sink::File { path, file } => {
                file.commit().map(drop).map_err(|error| Failure::writing(&path, &error))
            }
            Sink::Resumable { .. } if goes_on => Ok(()),
            Sink::Resumable { path, file } => {
                file.commit().map_err(|error| Failure::writing(&path, &error))
            }
            Sink::GivenUp(failure) => Err(failure),
        }
    }
}

impl Sink {
    fn write(&mut self, line: &Line<'_>) -> Result<(), Failure> {
        match self {
            Self::Nowhere | Self::GivenUp(_) => Ok(()),
            Self::Stdout(out) => {
                json::write_line(out, line).map_err(|error| Failure::printing(&error))
            }
            Self::File { path, file } => {
                json::write_line(file, line).map_err(|error| Failure::writing(path, &error))
            }
            Self::Resumable { path, file } => {
                json::write_line(file, line).map_err(|error| Failure::writing(path, &error))
            }
        }
    }
}

fn atomic(
    path: &Path,
    protected: &mut Protected,
    replaces: Replaces,
    permissions: Option<&Permissions>,
) -> Result<Sink, Failure> {
    let file = AtomicFile::create(path, permissions, |place| {
        protected.admits_report(path, place)?;
        replaces.admits_about(About::Report, path, place)
    })?;
    protected.keep_report(file.place());
    Ok(Sink::File { path: path.to_owned(), file })
}

fn line(done: &Done) -> Line<'_> {
    let item = &done.item;
    Line {
        changed: done.ending == Ending::Changed,
        octets_in: done.octets_in,
        octets_out: done.octets_out,
        heading: Some(&done.heading),
        issues: done.placed_issues().collect(),
        charsets: &item.charsets,
        mailbox: json::MailboxPlace::of(item),
        folder: if matches!(item.home, Home::Maildir) { folder(&item.relative) } else { None },
        kept: match done.ending {
            Ending::Refused => Some("refused: signed content would have to change"),
            _ => done.objection.as_deref(),
        },
        ..Line::of(shown(&item.name))
    }
}
