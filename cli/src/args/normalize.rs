//! `sevenbit normalize`.

use std::path::PathBuf;

use clap::Args;
use sevenbit::{Limits, Normalizer};

use crate::issue::IssueKind;

use super::{ArchiveForm, LineEnds, Others, Selection, Summary, TnefChoice, To};

/// Write mail again, normalised and 7-bit safe
///
/// Without INPUT, or with `-`, standard input is read. The first octets of an INPUT say what it is:
/// a message, a mailbox (mbox, MMDF, mbx), an archive (tar, ZIP), mail of Outlook (.msg, .pst, .ost)
/// or Apple (.emlx), packed (gz, zst, bz2, xz) or not. A directory stands for the mail in it, at any
/// depth, and a Maildir for its messages. Files there that are no mail are left alone and counted;
/// hidden files and links are skipped. Only --in-place overwrites an input. An output gets its name
/// once it is whole.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Normalize {
    /// Messages, mailboxes, archives, .msg, .pst: files, directories, patterns; `-` is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// What the inputs are, and which of them.
    #[command(flatten)]
    pub selection: Selection,

    /// How messages are written.
    #[command(flatten)]
    pub form: ArchiveForm,

    /// What becomes of a winmail.dat, the file in which Outlook packs text and attachments; in a signed
    /// message it is kept
    #[arg(long, value_name = "POLICY", default_value = "keep", help_heading = "Normal form")]
    pub tnef: TnefChoice,

    /// The output: a file, or a directory for a directory or several INPUTs; `-` is standard output
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Replace files that are in the way, also those that no earlier run has written
    ///
    /// Without it such a file stays, and is an error. These are replaced without it: an empty file, and
    /// a copy with the same octets; a message in its normal form that has the Message-ID of the new
    /// one, or without one its From, To, Cc, Bcc, Subject and Date; a mailbox or an archive of such
    /// messages that begins with the same message as the new one, and has nothing that the new one has
    /// not; a report by a report, a table by a table. An input is never overwritten.
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// Write what was found and done as JSON Lines, an object for each message; `-` is standard output
    ///
    /// Every object has `input`, the file (`-` is standard input); `changed`; `octets_in` and
    /// `octets_out`; `issues`; `message_id` and `subject`, if the message has them. A message in a
    /// mailbox or an archive has `mailbox`: its `number` from 1 (for --message), its `octets` in it
    /// (from, to), in an archive its `name`, and in an mbox `doubtful`, the octets at which `From `
    /// lines begin that may or may not separate messages. A message in a Maildir++ folder has
    /// `folder`. A message that stays as it is although it is not normal has `kept`, the reason. A
    /// file that is no mail has its `kind`. Each issue has a `code`, a `severity` (note, repair,
    /// loss), the `rule` of the normal form, the `part` by its IMAP section (`1.2`; `0` is the header
    /// of the message, `1.2.0` that of a message in it), its `span` in the message as it came (from,
    /// to) and a `detail`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Write no mail; print a line for each change that would be made, and exit with 1 if there is
    /// any. With --issue, print those issues, and exit with 1 if there is one. LF line ends are no change
    #[arg(long, conflicts_with_all = ["output", "resume"], help_heading = "Output")]
    pub check: bool,

    /// With --check or --report: list only issues of these kinds, and messages that have one. A kind
    /// is `loss`, `doubt`, `repair`, `note`, or a code (`sevenbit pages codes`); several have commas
    /// between them
    ///
    /// An issue is a `doubt` where readers may take a message in another way than it was written:
    /// `charset-guessed`, `charset-label-lies`, `label-doubtful`, `content-appeared`, and each code
    /// that begins with `ambiguous-`.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = IssueKind::read, help_heading = "Output")]
    pub issue: Vec<IssueKind>,

    /// Say in which lines an issue is, counted from 1: with --check instead of its octets, in
    /// --report as `lines` beside them
    #[arg(long, help_heading = "Output")]
    pub line_numbers: bool,

    /// Write nothing; only print the summary of what a run would do
    #[arg(short = 'n', long, conflicts_with = "check", help_heading = "Output")]
    pub dry_run: bool,

    /// The summary of a run over many messages, on standard error
    #[arg(long, value_name = "FORM", default_value = "short", help_heading = "Output")]
    pub summary: Summary,

    /// The kind of the output [default: that of the input]
    ///
    /// Flags and keywords are kept in both directions: a Maildir has them in its file names and in
    /// dovecot-keywords, an mbox in Status, X-Status, X-Mozilla-Status and X-Keywords. Of the English
    /// labels of Gmail, Opened, Starred, Trash and Drafts become flags. What the output has no place
    /// for is counted, and named by --report.
    #[arg(long, value_name = "KIND", conflicts_with = "in_place", help_heading = "Output")]
    pub to: Option<To>,

    /// What becomes of files in directories that are no mail
    #[arg(
        long,
        value_name = "POLICY",
        default_value = "leave",
        conflicts_with = "in_place",
        help_heading = "Output"
    )]
    pub others: Others,

    /// Write a message once, however many copies of it there are; the others are counted
    ///
    /// A copy has the same Message-ID and the same body; other header fields, as servers add them, do
    /// not matter. Of messages without a Message-ID, From, To, Cc, Subject and Date are compared.
    #[arg(long, conflicts_with_all = ["in_place", "resume"], help_heading = "Output")]
    pub unique: bool,

    /// Replace those messages of a Maildir or a directory that are not normal yet, each in one step
    ///
    /// After an interruption the same command goes on. A file of many messages (mbox, tar, ZIP, .pst)
    /// stays as it is, and is an error: write a copy of the directory with -o, with --others copy for
    /// what is no mail, and put that in its place.
    #[arg(long, conflicts_with_all = ["output", "resume"], help_heading = "Output")]
    pub in_place: bool,

    /// Line ends to write [default: mbox and Maildir keep theirs, as do --in-place and --check; all
    /// others have CRLF]
    #[arg(long, value_name = "ENDS", help_heading = "Output")]
    pub line_ends: Option<LineEnds>,

    /// With --in-place: keep each file as it was, under its own path in this directory. Where one is
    /// there already, the next is called `name (2).eml`
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub backup: Option<PathBuf>,

    /// The number of messages that are worked on at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Large jobs")]
    pub jobs: Option<u16>,

    /// Go on with a job that was interrupted, or start it if there is none; --in-place goes on without
    /// this
    #[arg(long, help_heading = "Large jobs")]
    pub resume: bool,

    /// Compare each changed message with the original, and leave it as it was if a reader would see a
    /// difference that is not reported; the default with --in-place and --quarantine
    #[arg(long, overrides_with = "no_verify", help_heading = "Large jobs")]
    pub verify: bool,

    /// Do not compare, not even with --in-place or --quarantine
    #[arg(long, help_heading = "Large jobs")]
    pub no_verify: bool,

    /// Also write a table with a row for each message, for indexing and analysis
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE.parquet", conflicts_with = "resume", help_heading = "Output")]
    pub export: Option<PathBuf>,

    /// The directory for copies of messages that --verify leaves as they were, or that are over a
    /// limit; it is created when it is needed
    #[arg(long, value_name = "DIR", help_heading = "Large jobs")]
    pub quarantine: Option<PathBuf>,

    /// Bounds on what is parsed.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Bounds on what is parsed. What lies beyond is carried as an opaque, safe part.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArgs {
    /// The levels to which multiparts and messages may nest; what is deeper is not looked into
    #[arg(long, value_name = "LEVELS", default_value_t = Limits::default().depth, help_heading = "Limits")]
    pub max_depth: usize,

    /// The number of parts of a message that are parsed; parts beyond them are not looked into
    #[arg(long, value_name = "PARTS", default_value_t = Limits::default().parts, help_heading = "Limits")]
    pub max_parts: usize,

    /// The number of octets of one header section that are parsed
    #[arg(long, value_name = "OCTETS", default_value_t = Limits::default().header_octets, help_heading = "Limits")]
    pub max_header: usize,
}

impl Normalize {
    /// Whether outputs are compared with their inputs.
    pub fn verifies(&self) -> bool {
        self.verify || (self.in_place || self.quarantine.is_some()) && !self.no_verify
    }

    /// Whether no mail is written.
    pub fn only_looks(&self) -> bool {
        self.check || self.dry_run
    }

    /// Everything that the octets of the output depend on.
    pub fn what_matters(&self) -> impl std::fmt::Debug {
        let Self { form, tnef, limits, .. } = self;
        let form = format!("{} {tnef:?} {limits:?}", form.words());
        let written =
            format!("{:?} {:?} {:?} {:?}", self.to, self.line_ends, self.verifies(), self.others);
        (form, written, format!("{} {:?} {:?}", self.selection.words(), self.report, self.issue))
    }

    /// How many messages are worked on at a time.
    pub fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// The library's limits.
    pub fn limits(&self) -> Limits {
        Limits::from(self.limits).with_message(self.selection.max_message)
    }

    /// The library's normaliser with these options.
    pub fn normalizer(&self) -> Normalizer {
        self.form.normalizer().limits(self.limits())
    }
}

impl From<LimitArgs> for Limits {
    fn from(args: LimitArgs) -> Self {
        let mut limits = Self::default();
        limits.depth = args.max_depth;
        limits.parts = args.max_parts;
        limits.header_octets = args.max_header;
        limits
    }
}

const EXAMPLES: &str = "\
Examples:
  As a filter, changing only what is not 7-bit safe:
    sevenbit normalize --profile transport < in.eml > out.eml
  A tree of mail, with a report of everything that was repaired:
    sevenbit normalize --report report.jsonl mail/ -o normalized/
  What would change, and why; only where a reader may take a message otherwise:
    sevenbit normalize --check mail/
    sevenbit normalize --check --issue doubt archive.mbox
  A mailbox of any size, on all cores; after an interruption the same line continues:
    sevenbit normalize --resume archive.mbox -o normalized.mbox
  A Maildir as an mbox for each folder, with its flags:
    sevenbit normalize --to mbox Maildir/ -o folders/
  A Maildir where it is, and a message that would not be the same to its reader left alone:
    sevenbit normalize --in-place --quarantine odd/ Maildir/";
