//! Issues: what was odd about a message, where, and how bad it is. The one vocabulary of every
//! report.
//!
//! A [`Code`] is stable: scripts may depend on its kebab-case word. Each code has one severity and
//! one rule of the normal form, so a report can never disagree with itself.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::Detail;
use crate::ParseError;
use crate::words;

/// A half-open range of octets in the input. For decoded content it is the span of the leaf around
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first octet.
    pub start: usize,
    /// Offset after the last octet.
    pub end: usize,
}

impl Span {
    /// Returns the span of `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the number of octets it covers.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns whether it covers no octets.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the same span in a text that begins `by` octets earlier.
    #[doc(hidden)]
    pub const fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// Returns the shortest span that holds both.
    #[doc(hidden)]
    pub fn around(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

impl From<Span> for std::ops::Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// How bad an issue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Remarkable; nothing had to be done.
    Note,
    /// Something was wrong and was mended or guessed; the meaning is kept.
    Repair,
    /// Something could not be kept.
    Loss,
}

words!(Severity, "severity": Note "note", Repair "repair", Loss "loss");

/// `rules!(...)` makes a constant of each rule, and the table of the documentation.
macro_rules! rules {
    ($($name:ident $summary:literal)+) => {
        /// A rule of the normal form by its number: guarantees `G`, header rules `H`, body rules
        /// `B`. They are described in full in `docs/normal-form.md`; numbers may change between
        /// versions, so nothing should depend on one.
        ///
        /// | rule | says |
        /// |---|---|
        $(#[doc = concat!("| ", stringify!($name), " | ", $summary, " |")])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Rule(RuleNumber);

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        enum RuleNumber { $($name,)+ }

        // Some rules have no code and no edit of their own.
        #[allow(dead_code)]
        impl Rule {
            $(#[doc(hidden)] pub const $name: Rule = Rule(RuleNumber::$name);)+
        }

        impl Rule {
            /// Returns its number, such as `B7`.
            pub const fn as_str(self) -> &'static str {
                match self.0 { $(RuleNumber::$name => stringify!($name),)+ }
            }
        }
    };
}

rules! {
    G1 "Octets: printable US-ASCII, TAB and CRLF in the header; 01 to 7F in bodies"
    G2 "Line ends: CR and LF occur only as CRLF"
    G3 "Lines: at most 998 octets; an encoded-word at most 75, on a line of at most 76"
    G4 "Header sections: well-formed fields and their continuations, and nothing else"
    G5 "`MIME-Version: 1.0` wherever MIME is used"
    G6 "One reading: one Content- field of a kind for each entity, legal boundaries that nothing else can be taken for, close delimiters"
    G7 "Idempotent: normalising the output gives the same octets"
    G8 "Minimal: what is in the normal form already keeps its octets"
    G9 "Content is kept: attachments decode to the same octets, inline text to the same text"
    G10 "Headers are kept: the same texts, mailboxes and parameters, in the same order"
    G11 "Nothing is silent: whatever is dropped, guessed, replaced or repaired is reported"
    G12 "Signatures: signed content keeps its octets wherever 7 bits can carry them"
    G13 "Total and linear: any octets have an output and a report, in linear time and memory"
    H1 "Splitting a header section into fields; lines that are not fields"
    H2 "Kinds of fields: unstructured, address lists, parameterised, phrase lists, opaque"
    H3 "Reading text: encoded-words, and raw octets by profile"
    H4 "Writing text: plain where possible, otherwise in encoded-words"
    H5 "Control characters that decoding yields are replaced"
    H6 "Display names and specials: no mailbox appears, disappears or moves"
    H7 "Parameters: read in every form, written as in RFC 2231 where that is needed"
    H8 "Internationalised addresses: domains in A-labels; local parts as in RFC 6858"
    H9 "Fields that 7 bits cannot carry are renamed, as in RFC 6857"
    H10 "Fields that may occur only once: the first counts, others are renamed or joined"
    H11 "Folding: before white space, at the highest syntactic level that fits"
    B1 "Transfer encodings are read leniently, and wrong labels corrected"
    B2 "Octets that do not fit the transfer encoding: each repair is reported"
    B3 "Choosing a transfer encoding: 7bit if possible, otherwise the shorter of two"
    B4 "Writing quoted-printable: lines of at most 76, none with a beginning that could be misread"
    B5 "Inline text: in an archive, decoded and written in US-ASCII or UTF-8"
    B6 "Attachments and all other leaves keep their octets"
    B7 "Charset labels: aliases, labels that lie, text that is transcoded without loss or not at all"
    B8 "Multiparts: what a delimiter is; preambles and epilogues"
    B9 "`message/rfc822` is descended into; other message types are left alone if they are safe"
    B10 "Line ends of stored messages: the first one in the header decides"
    B11 "A transfer encoding on a multipart or message is decoded, and the rest follows"
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The one table of codes: variant, stable word, severity, rule, what it says to a person, what is
/// done about it, and an example. The first are faults of octets that a charset decodes.
macro_rules! codes {
    (
        faults {$($(#[$fault_doc:meta])* $fault:ident $fault_word:literal $fault_severity:ident $fault_rule:ident $fault_summary:literal $fault_effect:literal $fault_example:literal,)*}
        findings {$($(#[$doc:meta])* $name:ident $word:literal $severity:ident $rule:ident $summary:literal $effect:literal $example:literal,)*}
    ) => {
        /// A fault of octets that a charset decodes, without a message around them; in a report it
        /// is a [`Code::Decode`].
        ///
        /// ```
        /// use sevenbit::{Charset, Code, DecodeFault};
        ///
        /// let decoded = Charset::UTF_8.decode(b"/\xC0\xAE./");
        /// assert_eq!(decoded.issues()[0].code(), Code::Decode(DecodeFault::Utf8Overlong));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum DecodeFault {
            $(
                $(#[$fault_doc])*
                ///
                #[doc = concat!($fault_effect, " Example: ", $fault_example, ".")]
                $fault,
            )*
        }

        words!(DecodeFault, "fault of decoding": $($fault $fault_word),*);

        /// The kind of oddity: a stable word, with one severity and one rule.
        ///
        /// | code | is a | rule | says | what is done | example |
        /// |---|---|---|---|---|---|
        $(#[doc = concat!(
            "| [`", $fault_word, "`](DecodeFault::", stringify!($fault), ") | ", stringify!($fault_severity), " | ", stringify!($fault_rule), " | ", $fault_summary,
            " | ", $fault_effect, " | ", $fault_example, " |"
        )])*
        $(#[doc = concat!(
            "| [`", $word, "`](Self::", stringify!($name), ") | ", stringify!($severity), " | ", stringify!($rule), " | ", $summary,
            " | ", $effect, " | ", $example, " |"
        )])*
        ///
        /// Ordered as in this table, which is the order of [`Code::ALL`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            /// Octets that are not text in their charset.
            Decode(DecodeFault),
            $(
                $(#[$doc])*
                ///
                #[doc = concat!($effect, " Example: ", $example, ".")]
                $name,
            )*
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Code] =
                &[$(Code::Decode(DecodeFault::$fault),)* $(Code::$name,)*];

            /// Returns the stable kebab-case word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::Decode(DecodeFault::$fault) => $fault_word,)* $(Code::$name => $word,)* }
            }

            /// Returns how bad it is.
            pub const fn severity(self) -> Severity {
                match self {
                    $(Code::Decode(DecodeFault::$fault) => Severity::$fault_severity,)*
                    $(Code::$name => Severity::$severity,)*
                }
            }

            /// Returns the rule of the normal form that covers it.
            pub const fn rule(self) -> Rule {
                match self {
                    $(Code::Decode(DecodeFault::$fault) => Rule::$fault_rule,)*
                    $(Code::$name => Rule::$rule,)*
                }
            }

            /// Returns what it says, in plain words.
            pub const fn summary(self) -> &'static str {
                match self { $(Code::Decode(DecodeFault::$fault) => $fault_summary,)* $(Code::$name => $summary,)* }
            }

            /// Returns what is done about it, in a sentence or two.
            pub const fn effect(self) -> &'static str {
                match self { $(Code::Decode(DecodeFault::$fault) => $fault_effect,)* $(Code::$name => $effect,)* }
            }

            /// Returns an example of it.
            pub const fn example(self) -> &'static str {
                match self { $(Code::Decode(DecodeFault::$fault) => $fault_example,)* $(Code::$name => $example,)* }
            }
        }
    };
}

impl Code {
    /// Returns its place in [`Code::ALL`].
    #[doc(hidden)]
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|code| *code == self).expect("every code is in the list")
    }
}

impl From<DecodeFault> for Code {
    fn from(fault: DecodeFault) -> Self {
        Self::Decode(fault)
    }
}

codes! {
    faults {
    /// Octets that are not well-formed in their charset; U+FFFD stands for them.
    UndecodableText "undecodable-text" Loss B7 "octets that are not text in their charset"
        "Octets and label stay as they are, unless U+FFFD is to replace what cannot be read."
        "`charset=shift_jis` over `83 FF`",
    /// UTF-8: a character in more octets than it needs (C0 80, E0 80 80...).
    Utf8Overlong "utf8-overlong" Loss B7 "an overlong UTF-8 form"
        "It is read as U+FFFD."
        "`C0 80` for NUL",
    /// UTF-8: an encoded surrogate (CESU-8, WTF-8).
    Utf8Surrogate "utf8-surrogate" Loss B7 "a surrogate encoded in UTF-8"
        "It is read as U+FFFD; CESU-8 pairs are read only under that label."
        "`ED A0 80`",
    /// UTF-8: a continuation octet without a lead.
    Utf8UnexpectedContinuation "utf8-unexpected-continuation" Loss B7 "a UTF-8 continuation octet without a lead octet"
        "It is read as U+FFFD."
        "`80` at the start",
    /// UTF-8: a sequence that ends too early.
    Utf8Truncated "utf8-truncated" Loss B7 "a truncated UTF-8 sequence"
        "What there is of it is read as U+FFFD."
        "`E2 82` at the end",
    /// UTF-8: a value above U+10FFFF.
    Utf8TooLarge "utf8-too-large" Loss B7 "UTF-8 for a value above U+10FFFF"
        "It is read as U+FFFD."
        "`F4 90 80 80`",
    /// UTF-8: the five-octet form of RFC 2279.
    Utf8FiveOctets "utf8-five-octets" Loss B7 "the five-octet UTF-8 form of RFC 2279"
        "It is read as U+FFFD."
        "`F8 88 80 80 80`",
    /// UTF-8: the six-octet form of RFC 2279.
    Utf8SixOctets "utf8-six-octets" Loss B7 "the six-octet UTF-8 form of RFC 2279"
        "It is read as U+FFFD."
        "`FC 84 80 80 80 80`",
    /// UTF-8: FE or FF, which never appear.
    Utf8NeverAppears "utf8-never-appears" Loss B7 "an octet that never appears in UTF-8"
        "It is read as U+FFFD."
        "`FF`",
    /// UTF-16 or a shifted sequence: half of a surrogate pair.
    UnpairedSurrogate "unpaired-surrogate" Loss B7 "half of a surrogate pair"
        "It is read as U+FFFD."
        "`D8 00` without its other half",
    /// UTF-16 or UTF-32: the byte order mark of the other octet order under a BE or LE label (RFC
    /// 2781, 4.1 and 4.2).
    WrongByteOrder "wrong-byte-order" Loss B7 "a byte order mark of the other octet order"
        "The text is read in the order that the label names."
        "`utf-16be` over `FF FE`",
    /// UTF-16 or UTF-32: octets left over at the end.
    OddOctets "odd-octets" Loss B7 "octets left over at the end"
        "They are read as U+FFFD."
        "three octets of UTF-16",
    /// UTF-7 or an IMAP name: a shift that starts nothing.
    ShiftWithoutBase64 "shift-without-base64" Loss B7 "a shift character that starts nothing"
        "It is read literally, with up to two symbols of base64 after it, which are no character."
        "`R+D` in UTF-7",
    /// UTF-7 or an IMAP name: bits left over that are not zero, or too many.
    LeftoverBits "leftover-bits" Loss B7 "leftover bits in a shifted sequence"
        "They are read as U+FFFD."
        "`+AGF-` in UTF-7",
    /// UTF-7: a character that its encoders may not write directly.
    NotDirect "not-direct" Note B7 "a character that UTF-7 may not hold directly"
        "It is read as it is."
        "`~` in UTF-7",
    /// UTF-7 or an IMAP name: an octet above 7F (IMAP: outside 20-7E).
    NotAscii "not-ascii" Loss B7 "an octet that is not printable US-ASCII"
        "It is read as U+FFFD."
        "`E9` in UTF-7",
    /// An IMAP name: a shifted sequence without its closing `-`.
    ShiftNotClosed "shift-not-closed" Loss B7 "a shifted sequence without its closing hyphen"
        "The sequence ends there; one that is too short for a character is read literally."
        "`&AOk` as a mailbox name",
    /// An IMAP name: a shifted sequence where none is needed.
    SuperfluousShift "superfluous-shift" Loss B7 "a shifted sequence that is not needed"
        "It is read as it is."
        "`&AGE-`, which says `a`",
    }
    findings {
    /// A character that the target charset does not have.
    Unmappable "unmappable" Loss B7 "a character that the charset does not have"
        "Nothing is written, or what `Substitution` says."
        "`€` in iso-8859-1",

    // ---- charsets
    /// Text without a label, or with one that cannot be true: the charset was guessed.
    CharsetGuessed "charset-guessed" Repair B7 "charset guessed"
        "An archive converts the text from that charset to UTF-8; transport writes its label, or `unknown-8bit` where nothing is sure."
        "`E9` under no label: windows-1252",
    /// A label that is not known; octets and label stay, unless a guess is sure.
    CharsetUnknown "charset-unknown" Note B7 "charset not known"
        "Octets and label stay as they are, unless a sure guess reads them (`charset-guessed`)."
        "`charset=x-nobody`",
    /// A label that was spelt oddly.
    CharsetLabelRepaired "charset-label-repaired" Repair B7 "charset label mended"
        "The charset that was meant is used."
        "`charset=cp-850`",
    /// `us-ascii` over 8-bit octets, or `utf-8` over octets that are not UTF-8.
    CharsetLabelLies "charset-label-lies" Repair B7 "charset label cannot be true"
        "The label is ignored, and the charset is guessed."
        "`charset=us-ascii` over `E9`",
    /// Text that a reader shows as mojibake: it is text under its label, or without one, but hardly
    /// the text that was written.
    LabelDoubtful "label-doubtful" Note B7 "text that reads as mojibake"
        "It is written as it reads; with `--doubtful repair`, an archive writes what it was before."
        "`schÃ¶n` for `schön`",
    /// Text that was misread before it was written, or is labelled wrongly, and is written as it
    /// was meant.
    TextRepaired "text-repaired" Repair B7 "mojibake, written as the text that it was"
        "An archive writes what the text was before, with `--doubtful repair`."
        "`schön` in place of `schÃ¶n`",
    /// Under a `unicode-1-1` label: characters where Unicode 1.1 had Hangul (RFC 2279, the "Korean
    /// mess").
    OldHangul "old-hangul" Note B7 "Hangul of Unicode 1.1, or what later stood in their place"
        "The characters keep the meaning that they have today."
        "`U+3400` under `unicode-1-1-utf-8`",
    /// Text that is already US-ASCII or UTF-8 was given that label.
    CharsetRelabelled "charset-relabelled" Note B5 "charset label made plain"
        "The label becomes `us-ascii` or `utf-8`; the octets stay."
        "`charset=iso-8859-1` over plain US-ASCII",
    /// Text was converted to UTF-8 or US-ASCII.
    Transcoded "transcoded" Repair B5 "text converted to UTF-8"
        "The text is written in UTF-8, or US-ASCII where that suffices."
        "a body in koi8-r, archived",

    // ---- header section
    /// An mbox `From ` line at the head of a message.
    FromLineDropped "from-line-dropped" Repair H1 "mbox From line dropped"
        "The line is removed."
        "`From ada@example.org Mon Mar  3 10:00:00 2025`",
    /// The byte order mark before the first field of a message.
    ByteOrderMarkDropped "byte-order-mark-dropped" Repair H1 "a byte order mark before the first field dropped"
        "It is removed; most readers would take it as part of the field's name."
        "EF BB BF before `From: ada@example.org`",
    /// White space before the first field of a message.
    LeadingSpaceDropped "leading-space-dropped" Repair H1 "white space before the first field dropped"
        "It is removed: there is nothing that the line could continue."
        "` From: ada@example.org` as the first line",
    /// A line that is not a field, kept as `X-Unparsed`.
    UnparsedLine "unparsed-line" Repair H1 "a line that is no header field"
        "It becomes a field of its own, `X-Unparsed:`."
        "`<ceo@example.org>` below `To:`",
    /// A line that lost its fold, joined to the field above.
    FoldRestored "fold-restored" Repair H1 "a lost fold restored"
        "The line is joined to the field above."
        "`boundary=b` without white space before it, below `Content-Type: multipart/mixed;`",
    /// White space between field name and colon.
    SpaceBeforeColon "space-before-colon" Repair H1 "white space before the colon removed"
        "The white space is removed."
        "`Subject : x`",
    /// A continuation line of only white space.
    BlankContinuation "blank-continuation" Repair G4 "a continuation of only white space removed"
        "The line is removed."
        "a line of one space inside `Subject:`",
    /// The header section did not end with an empty line.
    HeaderNotEnded "header-not-ended" Repair G4 "the empty line after the header was missing"
        "An empty line is inserted where the text begins."
        "`Subject: x`, then text at once",
    /// A field with raw 8-bit octets, written in encoded-words.
    RawHeaderText "raw-header-text" Repair H3 "raw 8-bit text in a header field"
        "The words that contain it are written as encoded-words."
        "`Subject: café`",
    /// Control characters in header text.
    ControlReplaced "control-replaced" Repair H5 "control characters replaced"
        "NUL is removed from text and names; any other becomes a space. So does a no-break space or an invisible character beside an \
         id, a date or a URL."
        "`=?utf-8?Q?a=0D=0ABcc:_x?=`",
    /// Nested comments in a field that is rewritten: anything deeper than 16 is text of the
    /// innermost.
    CommentTooDeep "comment-too-deep" Note H4 "comments nested too deeply"
        "Anything deeper than 16 comments is text of the innermost one, parentheses included."
        "`((((((((((((((((((café))))))))))))))))))`",
    /// Encoded-words that broke RFC 2047 and were rewritten.
    EncodedWordRepaired "encoded-word-repaired" Repair H3 "encoded-words mended"
        "The words are rewritten, in their charset."
        "`=?utf-8?Q?café au lait?=`",
    /// Encoded-words converted to UTF-8.
    HeaderTranscoded "header-transcoded" Repair H4 "header text converted to UTF-8"
        "The words are rewritten in UTF-8, plain where that suffices."
        "`=?koi8-r?Q?=F0?=`",
    /// A line too long, folded again.
    Refolded "refolded" Repair H11 "a long header field folded again"
        "The field is folded at the highest syntactic level that fits."
        "a `Keywords:` line of 1,200 octets",
    /// A parameter that was given twice.
    DuplicateParameter "duplicate-parameter" Repair H7 "a parameter given twice"
        "The first stays, the other is removed."
        "`name=a; name=b`",
    /// Parameters that broke their grammar.
    ParameterRepaired "parameter-repaired" Repair H7 "parameters mended"
        "The parameters are rewritten with what was read."
        "`name=a b.txt` without quotes",
    /// Content-Type or Content-Disposition that is one encoded-word.
    ContentFieldEncoded "content-field-encoded" Loss H7 "a media type or disposition in an encoded-word"
        "On a leaf a legal value is decoded; anything else is `text/plain`, or `attachment`. The report has the original."
        "`Content-Type: =?unknown-8bit?b?YXBw...?=`",
    /// A media type that cannot be read.
    MediaTypeRepaired "media-type-repaired" Repair H7 "a media type that cannot be read"
        "The type that was meant is written, or what name and octets of a file show; if nothing tells, \
         `application/octet-stream` for a file, `text/plain` for text. The report has the original."
        "`Content-Type: pdf`",
    /// A non-ASCII local part that 7 bits cannot carry.
    AddressNotAscii "address-not-ascii" Loss H8 "an address that 7 bits cannot carry"
        "It becomes text in the name of a mailbox that nobody has (RFC 6858)."
        "`<é@example.org>`",
    /// Something in place of an address, or an address that readers take for different ones.
    AddressUnreadable "address-unreadable" Loss H6 "an address that can be kept as text alone"
        "It becomes text in the name of an empty group, or of the mailbox after it."
        "`=?utf-8?Q?ada@example.org?=`",
    /// Encoded-words that readers decode differently.
    AmbiguousText "ambiguous-text" Note H3 "encoded-words that readers decode differently"
        "They stay; in From, Sender and the recipients their text is written."
        "`=?utf-8?B?YQ?=`, or a character split between two words",
    /// From or Sender in which readers may find another address, or none.
    AmbiguousSender "ambiguous-sender" Note H6 "a sender that readers may take for another"
        "It stays where the grammar allows it."
        "`\"ceo@example.org\" <eve@example.com>`",
    /// A list of recipients in which readers may find other addresses.
    AmbiguousRecipient "ambiguous-recipient" Note H6 "recipients that readers may take for others"
        "They stay where the grammar allows them."
        "`To: root`",
    /// The name of a file that readers may take for another.
    AmbiguousFileName "ambiguous-file-name" Note H7 "a file name that readers may take for another"
        "It stays where the grammar allows it."
        "`filename='report.pdf'`, or an encoded-word where only some readers look for one",
    /// An address list in which a comma, bracket or `;` is missing or left over, or words are where
    /// none may be.
    AddressListRepaired "address-list-repaired" Repair H6 "an address list mended"
        "The mailboxes are written as the grammar says, so that all readers find the same ones; anything left over is removed."
        "`Ada ada@example.org`: `Ada <ada@example.org>`",
    /// A comment inside an address that had to be rewritten.
    CommentDropped "comment-dropped" Loss G10 "a comment inside an address dropped"
        "The comment is removed; next to the address it would be read as a name."
        "`<ada(of Paris)@é.example>`",
    /// An internationalised domain, written as A-labels.
    DomainToAscii "domain-to-ascii" Repair H8 "an internationalised domain written as A-labels"
        "The domain is written as A-labels (UTS 46)."
        "`a@é.example`: `xn--9ca.example`",
    /// A field that 7 bits cannot carry, kept under a `Downgraded-` name.
    FieldDowngraded "field-downgraded" Loss H9 "a field that 7 bits cannot carry"
        "What cannot be written is removed; if nothing useful would be left, the field becomes `Downgraded-` and its name, the value in encoded-words."
        "`Message-ID: <é@example.org>`",
    /// A date with something that 7 bits cannot carry.
    DateRewritten "date-rewritten" Repair H9 "a date that 7 bits cannot carry as it is written"
        "What readers take it for is written: without the name of a day, or whole by the grammar. The report has the original."
        "`Date: sáb, 3 ago 2013 10:00:00 -0300`",
    /// A field that may occur only once occurred twice.
    DuplicateField "duplicate-field" Repair H10 "a field that may stand only once"
        "The meaningful one stays (of Content- fields, the first); the other is renamed to `X-Duplicate-`. Recipients \
         of several `To:` fields go into the first."
        "two `Subject:` fields",
    /// The header section is larger than the limit.
    HeaderTooLarge "header-too-large" Loss G13 "the header section is larger than the limit"
        "Everything past the limit becomes the text of one field, `X-Unread:`, which nobody reads."
        "a header of 2 MiB",

    // ---- bodies
    /// A body was given another transfer encoding.
    Reencoded "reencoded" Repair B3 "transfer encoding changed"
        "The body is written in the encoding that is named; what it decodes to stays."
        "8-bit text: quoted-printable",
    /// A transfer encoding label that was wrong.
    EncodingLabelRepaired "encoding-label-repaired" Repair B1 "transfer encoding label mended"
        "The label is corrected."
        "`Content-Transfer-Encoding: 8-bit`",
    /// A transfer encoding under a name that readers do not know.
    EncodingIgnored "encoding-ignored" Repair B1 "a transfer encoding that no reader knows by that name"
        "Transport leaves the octets as they are, as readers do, so that nothing hidden becomes visible; an archive decodes them."
        "`Content-Transfer-Encoding: b64`",
    /// A transfer encoding that is not known at all.
    EncodingUnknown "encoding-unknown" Repair B1 "transfer encoding not known"
        "The body is treated as what it looks like, since it cannot stay."
        "`x-gzip` over 8-bit octets",
    /// Base64 with junk, wrong padding or text after it.
    Base64Repaired "base64-repaired" Repair B2 "base64 mended"
        "What decodes is kept, and written clean."
        "`Y2Fm*w6k`, padding missing",
    /// Octets that were not base64 and had to go.
    Base64Dropped "base64-dropped" Loss B2 "octets in base64 that mean nothing"
        "They are removed."
        "a footer after the padding",
    /// Base64 after padding that ends the data for most readers, such as two bodies glued together.
    Base64AfterPadding "base64-after-padding" Repair B2 "base64 after the padding that ends it"
        "It is read too if all of it decodes, and written as one."
        "`QUI=QUJD`",
    /// Quoted-printable with invalid escapes.
    QuotedPrintableRepaired "quoted-printable-repaired" Repair B2 "quoted-printable mended"
        "An invalid escape is read literally, and written clean."
        "`=E` at the end, `=xy`",
    /// A uuencoded body with lines cut short, or without its first or last line.
    UuencodeRepaired "uuencode-repaired" Repair B1 "uuencode mended"
        "What decodes is kept, and written in base64."
        "`begin` without `end`",
    /// Octets around or in a uuencoded file that are not part of it.
    UuencodeDropped "uuencode-dropped" Loss B1 "octets in uuencode that mean nothing"
        "They are removed."
        "text after `end`",
    /// A bare CR or LF.
    BareLineEnd "bare-line-end" Repair B10 "a bare CR or LF"
        "In text it becomes CRLF; in other content it is data, which goes into base64."
        "a CR alone inside a line",
    /// Line ends were LF or CR throughout.
    LineEndsNormalized "line-ends-normalized" Note B10 "line ends other than CRLF"
        "Every line ends with CRLF."
        "a message from a Unix mailbox",
    /// A lying charset declaration in markup.
    MarkupCharset "markup-charset" Repair B5 "charset declared in markup rewritten"
        "The declaration is rewritten to say `utf-8`."
        "`<meta charset=koi8-r>`",
    /// `MIME-Version` was missing.
    MimeVersionAdded "mime-version-added" Repair G5 "MIME-Version added"
        "`MIME-Version: 1.0` is inserted."
        "`Content-Type:` and no `MIME-Version:`",

    // ---- structure
    /// A preamble or epilogue that was not 7-bit safe.
    PreambleDropped "preamble-dropped" Loss B8 "a preamble that was not 7-bit safe dropped"
        "The text is removed; the report has its beginning."
        "8-bit text before the first delimiter",
    /// An epilogue that was not 7-bit safe.
    EpilogueDropped "epilogue-dropped" Loss B8 "an epilogue that was not 7-bit safe dropped"
        "The text is removed; the report has its beginning."
        "8-bit text after the close delimiter",
    /// The close delimiter was missing.
    CloseDelimiterAdded "close-delimiter-added" Repair G6 "the close delimiter was missing"
        "It is added at the end."
        "a multipart cut short",
    /// White space after a delimiter.
    DelimiterPadded "delimiter-padded" Repair G6 "white space after a delimiter removed"
        "The white space is removed."
        "`--b ` and a line end",
    /// A boundary that was illegal, ambiguous or repeated.
    BoundaryRenamed "boundary-renamed" Repair G6 "a boundary renamed"
        "A new one is written, always the same for the same message."
        "boundaries `b` and `b2` in one message",
    /// A part or message without any field; some readers then take its text for a header.
    TypeMadeExplicit "type-made-explicit" Repair G6 "an empty header section given its media type"
        "Its default type is written."
        "a part that begins with its empty line",
    /// A multipart without a usable boundary became one text leaf.
    BoundaryMissing "boundary-missing" Repair B8 "a multipart without its boundary"
        "The body is split where its lines show a boundary, and has an empty part if it is only closed; any other becomes one \
         text/plain leaf. Nothing is lost."
        "`multipart/mixed` without `boundary=`",
    /// Parts of a multipart that is not plainly written as one, or the name of a file, that few
    /// readers find.
    ContentAppeared "content-appeared" Repair B8 "parts or a file name that few readers find"
        "An archive opens them; transport carries them closed, as the text of one text/plain leaf, so that nothing appears that \
         a scanner before it did not see. Both write a file name after the semicolon that it lacks."
        "`boundary='b1'` over lines of `--b1`, no semicolon before `boundary` or `filename`",
    /// A transfer encoding on a multipart or message, taken off.
    CompositeEncoded "composite-encoded" Repair B11 "an encoded multipart or message decoded"
        "The encoding is removed, and the content is normalised as what it is; the report names what appeared."
        "a message in base64",
    /// A `winmail.dat`, written as the parts that are in it, as `--tnef unpack` asks for.
    TnefUnpacked "tnef-unpacked" Repair B11 "a winmail.dat written as the parts in it"
        "A multipart/mixed takes its place, with the body and the files; only if asked for."
        "application/ms-tnef",
    /// A multipart under a transfer encoding, which readers do not look into, carried as it is.
    EncodedPartOpaque "encoded-part-opaque" Repair B11 "an encoded multipart made opaque"
        "Transport carries what it decodes to as application/octet-stream in base64, the old type in a parameter, so that \
         nothing hidden becomes visible."
        "a multipart in base64",
    /// A part that had to become opaque.
    PartOpaque "part-opaque" Loss G13 "a part past the limits made opaque"
        "It is carried as application/octet-stream in base64, the old type in a parameter: its octets are there, but no reader \
         opens it."
        "the 101st level of nesting",
    /// A `message/partial` or the like, which some readers open as a message.
    PartialMadeOpaque "partial-made-opaque" Repair B9 "a message fragment made opaque"
        "It is carried as application/octet-stream in base64, the old type in a parameter."
        "a `message/partial` in base64; in an archive any",
    /// `message/news`, which is obsolete, in an archive.
    ObsoleteType "obsolete-type" Repair B9 "a message of an obsolete type"
        "It becomes message/rfc822, and its content is normalised."
        "`message/news`",
    /// `message/global` and its kin, written as their 7-bit types.
    GlobalDowngraded "global-downgraded" Repair H8 "an internationalised message written in 7 bits"
        "It becomes message/rfc822, message/delivery-status or text/rfc822-headers, made safe inside."
        "`message/global` with UTF-8 in its header",

    /// A message part that some readers open and others show or save whole.
    AmbiguousPart "ambiguous-part" Note B9 "a part that some readers open and others do not"
        "It stays: nothing in it is unsafe."
        "a `message/partial` in transport",

    // ---- signatures
    /// Something in signed content that readers interpret in different ways.
    AmbiguousSignedContent "ambiguous-signed-content" Note G12 "signed content that readers take in different ways"
        "It stays, since it is signed; the report names what would have been repaired."
        "two Content-Type fields in a signed part",
    /// Signed or encrypted content had to change.
    SignatureBroken "signature-broken" Loss G12 "a signature no longer verifies"
        "Only transfer encodings change, charset and decoded octets stay. With the option to refuse, the message stays as it was."
        "S/MIME over 8-bit text",
    /// A DKIM-Signature or ARC seal covered what was changed.
    DkimBroken "dkim-broken" Loss G12 "a DKIM or ARC signature no longer verifies"
        "The field stays; the report names what was covered: fields, `body`, or `header` for lines that are not fields."
        "`h=subject` over a raw subject",
    /// The message was refused because a signature would break.
    Refused "refused" Note G12 "returned unchanged: a signature would break"
        "Nothing is changed."
        "8-bit signed text, with the option to refuse",
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Code {
    type Err = ParseError;

    fn from_str(word: &str) -> Result<Self, ParseError> {
        let known = Self::ALL.iter().copied().find(|code| code.as_str() == word);
        known.ok_or_else(|| ParseError::new(word, "code", &[]))
    }
}

/// One thing that was repaired, guessed, dropped or remarkable: what it is, where, and how bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    code: Code,
    span: Span,
    part: Cow<'static, str>,
    detail: Detail,
    value: Option<u32>,
}

impl Issue {
    #[doc(hidden)]
    pub const fn new(code: Code, span: Span) -> Self {
        Self { code, span, part: Cow::Borrowed("0"), detail: Detail::None, value: None }
    }

    /// Returns the issue with these properties, for programs that send reports to others of their
    /// own.
    pub fn from_parts(
        code: Code,
        span: Span,
        part: impl Into<String>,
        detail: impl Into<Detail>,
    ) -> Self {
        Self { code, span, part: Cow::Owned(part.into()), detail: detail.into(), value: None }
    }

    #[doc(hidden)]
    pub const fn with_value(mut self, value: Option<u32>) -> Self {
        self.value = value;
        self
    }

    #[doc(hidden)]
    pub fn with_detail(mut self, detail: impl Into<Detail>) -> Self {
        self.detail = detail.into();
        self
    }

    #[doc(hidden)]
    pub fn in_part(mut self, part: impl Into<Cow<'static, str>>) -> Self {
        self.part = part.into();
        self
    }

    #[doc(hidden)]
    pub fn at(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    #[doc(hidden)]
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// Returns what it is.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Returns how bad it is.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Returns the rule of the normal form that it belongs to.
    pub const fn rule(&self) -> Rule {
        self.code.rule()
    }

    /// Returns where it is, in octets of the input.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Returns the IMAP section of the part it is in; `0` is the message's own header.
    pub fn part(&self) -> &str {
        &self.part
    }

    /// Returns what was done, or to what: values for programs, words for people.
    pub fn detail(&self) -> &Detail {
        &self.detail
    }

    /// Returns the value that its first octets encoded, if known: the UTF-16 unit that is half of a
    /// pair (RFC 2781, 2.2), the UCS-4 value of an ill-formed UTF-8 sequence (RFC 2279, 2).
    pub const fn value(&self) -> Option<u32> {
        self.value
    }
}

impl fmt::Display for Issue {
    /// `1.2 at 340..352: charset guessed: windows-1251 [charset-guessed, B7]`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at {}..{}: {}",
            self.part,
            self.span.start,
            self.span.end,
            self.code.summary()
        )?;
        if !self.detail.is_none() {
            write!(f, ": {}", self.detail)?;
        }
        write!(f, " [{}, {}]", self.code, self.rule())
    }
}

/// Collects issues, at most one for each code, so that hostile input cannot make a report grow
/// without bound: the span runs from the start of the first occurrence to the end of the last, and
/// the detail counts them.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct Tally {
    found: Vec<Occurrences>,
}

/// All occurrences of one code.
#[derive(Clone, Debug)]
struct Occurrences {
    code: Code,
    span: Span,
    times: usize,
    /// The detail of the first occurrence, and its value, where a decoder knows.
    detail: Detail,
    value: Option<u32>,
}

impl Tally {
    /// Counts one occurrence; `span`s of one code come in order.
    #[doc(hidden)]
    pub fn note(&mut self, code: impl Into<Code>, span: Span) {
        self.note_value(code, span, None, || Detail::None);
    }

    /// Counts what was found in a text of its own, at the place of that text.
    #[doc(hidden)]
    pub fn note_issue(&mut self, issue: &Issue, span: Span) {
        self.note_value(issue.code(), span, issue.value(), || issue.detail().clone());
    }

    /// Counts one occurrence, with what it was and its value; both are kept, and the detail made,
    /// only for the first.
    #[doc(hidden)]
    pub fn note_value<D: Into<Detail>>(
        &mut self,
        code: impl Into<Code>,
        span: Span,
        value: impl Into<Option<u32>>,
        detail: impl FnOnce() -> D,
    ) {
        let code = code.into();
        match self.found.iter_mut().find(|known| known.code == code) {
            Some(known) => known.again(span),
            None => {
                let (value, detail) = (value.into(), detail().into());
                self.found.push(Occurrences { code, span, times: 1, detail, value });
            }
        }
    }

    /// Adds what `other` found.
    #[doc(hidden)]
    pub fn absorb(&mut self, other: Tally) {
        for found in other.found {
            match self.found.iter_mut().find(|known| known.code == found.code) {
                Some(known) => known.again(found.span),
                None => self.found.push(Occurrences { times: 1, ..found }),
            }
        }
    }

    /// Returns whether nothing was found.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns whether nothing found is a loss.
    #[doc(hidden)]
    pub fn is_lossless(&self) -> bool {
        self.first_loss().is_none()
    }

    /// Returns where the first loss begins, if something was lost.
    #[doc(hidden)]
    pub fn first_loss(&self) -> Option<usize> {
        let losses = self.found.iter().filter(|found| found.code.severity() == Severity::Loss);
        losses.map(|found| found.span.start).min()
    }

    /// Returns the issues, ordered by where they begin.
    #[doc(hidden)]
    pub fn into_issues(self) -> Vec<Issue> {
        self.issues().collect()
    }

    /// Iterates over the issues, ordered by where they begin.
    #[doc(hidden)]
    pub fn issues(mut self) -> impl Iterator<Item = Issue> {
        self.found.sort_by_key(|found| found.span.start);
        self.found.into_iter().map(Occurrences::into_issue)
    }
}

impl Occurrences {
    fn again(&mut self, span: Span) {
        self.span.end = self.span.end.max(span.end);
        self.times += 1;
    }

    fn into_issue(self) -> Issue {
        let Self { code, span, times, detail, value } = self;
        let issue = Issue::new(code, span).with_value(value);
        if times == 1 {
            issue.with_detail(detail)
        } else {
            issue.with_detail(Detail::Repeated { times, first: Box::new(detail) })
        }
    }
}
