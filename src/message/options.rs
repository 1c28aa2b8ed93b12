//! The options of a caller: named values, each with a safe default.

use crate::words::words;

/// How much is rewritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// Only what is not 7-bit safe or is ambiguous: for MTAs and filters.
    Transport,
    /// Also every header and inline text body, to UTF-8: for archives, webmail stores and indexing.
    #[default]
    Archive,
}

/// The treatment of signed or encrypted content that is not 7-bit safe (rule G12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Signed {
    /// The content is made safe by changing only its transfer encoding, and `signature-broken` is reported.
    #[default]
    Break,
    /// The whole message is returned as it was, and `refused` is reported.
    Refuse,
}

/// Which encodings a text body may be written in (rule B3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextEncoding {
    /// 7bit, quoted-printable or base64, whichever is right and shortest.
    #[default]
    Mime,
    /// UTF-7 in 7bit as well, if that is shorter.
    Utf7,
}

/// The treatment of text that does not decode under its label (rule B7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Undecodable {
    /// Octets and label stay; only the transfer encoding changes.
    #[default]
    Keep,
    /// U+FFFD is written for each ill-formed sequence, reported as loss.
    Replace,
}

/// How 8-bit text without a charset label is labelled in transport (rules H3 and B7). An archive always reads
/// what it can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unlabelled {
    /// `unknown-8bit`, as its charset was not stated.
    #[default]
    Keep,
    /// The charset that it is guessed to be in if that is sure, otherwise `unknown-8bit`. The octets are the
    /// same.
    Guess,
}

/// Whether charset declarations inside HTML and XML are adjusted to the new charset (rule B5, archive).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Markup {
    /// The declarations are rewritten to agree.
    #[default]
    Rewrite,
    /// The declarations stay as they are.
    Keep,
}

words!(Profile, "profile": Transport "transport", Archive "archive");
words!(Signed, "policy for signed content": Break "break", Refuse "refuse");
words!(TextEncoding, "text encoding": Mime "mime", Utf7 "utf-7");
words!(Undecodable, "policy for undecodable text": Keep "keep", Replace "replace");
words!(Unlabelled, "policy for unlabelled text": Keep "keep", Guess "guess");
words!(Markup, "policy for markup": Rewrite "rewrite", Keep "keep");

/// Bounds on what is parsed; anything beyond is carried as an opaque safe leaf (rule G13).
///
/// Two more bounds are not options: 10,000 fields in one header and 100,000 in all of them, apart from MIME-Version
/// and Content- fields, and 10,000 runs of octets above 7F in one header, or in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use = "limits do nothing until a normaliser or a message is given them"]
pub struct Limits {
    /// How deep multiparts and messages may nest. Default 100.
    pub depth: usize,
    /// How many entities a message may have; one with more is not looked into. Default 10,000.
    pub parts: usize,
    /// How many octets of one header section are parsed. Default 1 MiB.
    pub header_octets: usize,
    /// How many octets a message may have, as it came and as it is written; for an
    /// [`Abridged`](crate::Abridged) message, those that are held. The body of a longer one is not looked
    /// into. Default 1 GiB.
    pub message: usize,
    /// How many fields the headers of a message may have in total, apart from Content- fields. Default 100,000.
    pub(crate) fields: usize,
    /// How many of these fields one header may have. Default 10,000.
    pub(crate) section_fields: usize,
    /// How many runs of octets above 7F are read in one header, in all headers of a message, and in all of its
    /// blocks of fields: each may take a guess and a word of its own. Default 10,000.
    pub(crate) raw_runs: usize,
    /// Whether the body is not looked into, however short.
    pub(crate) is_opaque: bool,
}

impl Limits {
    /// Returns the default limits.
    ///
    /// ```
    /// use sevenbit::{Limits, Normalizer};
    ///
    /// let normalizer = Normalizer::new().limits(Limits::new().with_depth(10).with_parts(1_000));
    /// # let _ = normalizer;
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns these limits with multiparts and messages nested at most `depth` deep.
    pub const fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Returns these limits with at most `parts` entities in a message.
    pub const fn with_parts(mut self, parts: usize) -> Self {
        self.parts = parts;
        self
    }

    /// Returns these limits with at most `octets` octets of one header section parsed.
    pub const fn with_header_octets(mut self, octets: usize) -> Self {
        self.header_octets = octets;
        self
    }

    /// Returns these limits with at most `octets` octets in a message whose body is looked into.
    pub const fn with_message(mut self, octets: usize) -> Self {
        self.message = octets;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 100,
            parts: 10_000,
            header_octets: 1 << 20,
            message: 1 << 30,
            fields: 100_000,
            section_fields: 10_000,
            raw_runs: 10_000,
            is_opaque: false,
        }
    }
}

/// All options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Options {
    pub(crate) profile: Profile,
    pub(crate) signed: Signed,
    pub(crate) text_encoding: TextEncoding,
    pub(crate) undecodable: Undecodable,
    pub(crate) unlabelled: Unlabelled,
    pub(crate) markup: Markup,
    pub(crate) limits: Limits,
}
