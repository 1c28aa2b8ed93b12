//! `sevenbit normalize`.

use std::path::PathBuf;

use clap::Args;
use sevenbit::{Limits, Normalizer};

use crate::issue::IssueKind;

use super::{ArchiveForm, LineEnds, Others, Selection, Summary, TnefChoice, To};

/// Write mail again, normalised and 7-bit safe
///
/// Without INPUT, or with `-`, standard input is read. What an INPUT is, its first octets say: a
/// message, a mailbox (mbox, MMDF, mbx), an archive (tar, ZIP), mail of Outlook (.msg, .pst, .ost)
/// or Apple (.emlx), packed (gz, zst, bz2, xz) or not. A directory stands for the mail in it, at
/// any depth, a Maildir for its messages; what is no mail there is left alone and counted, hidden
/// files and links are skipped. An input is never overwritten (but see --in-place), and no
/// half-written output stays behind under its name.
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

    /// What becomes of a winmail.dat, in which Outlook packs files and the text; signed ones are
    /// kept
    #[arg(long, value_name = "POLICY", default_value = "keep", help_heading = "Normal form")]
    pub tnef: TnefChoice,

    /// Where to: a file, or a directory for a directory or several INPUTs; `-` for standard output
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Replace files that are in the way and no output of an earlier run
    ///
    /// Without it a file stays, and is an error, unless it is empty, or mail of which the first
    /// message is in its normal form, and in a file of its own has the Message-ID of the one that is
    /// written; at the place of a report or a table, unless it is one. An
    /// input is never overwritten.
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// Write what was found and done as JSON Lines, an object a message; `-` for standard output
    ///
    /// Keys: `input`, the file (`-` is standard input); `changed`; `octets_in` and `octets_out`;
    /// `message_id` and `subject`, as far as there are any; `issues`; of a message in a mailbox or
    /// archive `mailbox`: its `number` from 1 (for `explain --message`; other files have none), its
    /// `octets` in it (from, to), in an archive its `name`, and in an mbox, as `doubtful`, the octets at which
    /// `From ` lines begin that may or may not separate messages; of one in a Maildir++ folder
    /// `folder`; of one that stays as it is although it is not normal, `kept`, why; of a file that
    /// is no mail also its `kind`. Each issue has a `code`, a `severity` (note, repair, loss), the
    /// `rule` of the normal form, the `part` by its IMAP section (`1.2`; `0` is the header of the
    /// message, `1.2.0` that of a message in it), its `span` in the message as it came (from, to)
    /// and a `detail`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Write no mail; print what would change, a line each (with --quiet nothing), and exit with 1
    /// if anything would, or with --issue if any is found; LF is no change
    #[arg(long, conflicts_with_all = ["output", "resume"], help_heading = "Output")]
    pub check: bool,

    /// In --check and --report, only these issues and the messages that have one: `loss`, `doubt`,
    /// `repair`, `note`, or a code (`sevenbit pages codes`); several with commas between them
    ///
    /// In doubt is where a reader may take a message otherwise than it was written:
    /// `charset-guessed`, `charset-label-lies`, `label-doubtful`, `content-appeared`, and
    /// `ambiguous-` with anything after it.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = IssueKind::read, help_heading = "Output")]
    pub issue: Vec<IssueKind>,

    /// Say in which lines an issue is, counted from 1: in --check instead of its octets, in
    /// --report as `lines` beside them
    #[arg(long, help_heading = "Output")]
    pub line_numbers: bool,

    /// Write nothing; say in numbers what a run would do
    #[arg(short = 'n', long, conflicts_with = "check", help_heading = "Output")]
    pub dry_run: bool,

    /// The summary at the end of a run over many messages, on standard error
    #[arg(long, value_name = "FORM", default_value = "short", help_heading = "Output")]
    pub summary: Summary,

    /// What to write, if not what the input is
    ///
    /// Flags and keywords go along, both ways: those in the names of a Maildir and its
    /// dovecot-keywords as Status, X-Status, X-Mozilla-Status and X-Keywords of an mbox. Of Gmail's
    /// labels, in English, Opened, Starred, Trash and Drafts become flags. What the output has no
    /// place for is counted, and named by --report.
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

    /// Write a message once, however many copies of it there are: those with its Message-ID and its
    /// body are left out, and counted
    ///
    /// Fields that servers add to a header make no other message. Without a Message-ID, From, To,
    /// Cc, Subject and Date count.
    #[arg(long, conflicts_with_all = ["in_place", "resume"], help_heading = "Output")]
    pub unique: bool,

    /// Replace each message of a Maildir or a directory that is not normal yet, in one step
    ///
    /// A file of many messages (mbox, tar, ZIP, .pst) stays as it is, and is an error: write a copy
    /// of the directory with -o, with --others copy for what is no mail, and put that in its place.
    #[arg(long, conflicts_with_all = ["output", "resume"], help_heading = "Output")]
    pub in_place: bool,

    /// Line ends to write [default: mbox and Maildir keep theirs, as do --in-place and --check; all
    /// others have CRLF]
    #[arg(long, value_name = "ENDS", help_heading = "Output")]
    pub line_ends: Option<LineEnds>,

    /// Keep each file as it was before it is replaced, under its own path in this directory; where
    /// one is there already, as `name (2).eml`
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub backup: Option<PathBuf>,

    /// How many messages to work on at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Large jobs")]
    pub jobs: Option<u16>,

    /// Continue a job that was interrupted, or start it if there is none
    #[arg(long, help_heading = "Large jobs")]
    pub resume: bool,

    /// Read each changed message again, and leave it as it was if a reader would see a difference
    /// that is not reported; the default with --in-place and --quarantine
    #[arg(long, overrides_with = "no_verify", help_heading = "Large jobs")]
    pub verify: bool,

    /// Do not read again what was changed, not even with --in-place or --quarantine
    #[arg(long, help_heading = "Large jobs")]
    pub no_verify: bool,

    /// Also write a table, a row a message, for indexing and analysis
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE.parquet", conflicts_with = "resume", help_heading = "Output")]
    pub export: Option<PathBuf>,

    /// Directory for copies of the messages that --verify leaves as they were or that are over a
    /// limit; created when needed
    #[arg(long, value_name = "DIR", help_heading = "Large jobs")]
    pub quarantine: Option<PathBuf>,

    /// Bounds on what is parsed.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Bounds on what is parsed. What lies beyond is carried as an opaque, safe part.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArgs {
    /// How deep multiparts and messages may nest
    #[arg(long, value_name = "LEVELS", default_value_t = Limits::default().depth, help_heading = "Limits")]
    pub max_depth: usize,

    /// How many parts a message may have
    #[arg(long, value_name = "PARTS", default_value_t = Limits::default().parts, help_heading = "Limits")]
    pub max_parts: usize,

    /// How many octets of one header section are parsed
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
