//! Bounds on what is parsed.

/// Bounds on what is parsed; anything beyond is carried as an opaque safe leaf (rule G13).
///
/// Two more bounds are not options: 10,000 fields in one header and 100,000 in all of them, apart
/// from MIME-Version and Content- fields, and 10,000 runs of octets above 7F in one header, or in
/// all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use = "limits do nothing until a normaliser or a message is given them"]
pub struct Limits {
    /// The depth to which multiparts and messages may nest. Default 100.
    pub depth: usize,
    /// The number of entities that a message may have; one with more is not looked into. Default
    /// 10,000.
    pub parts: usize,
    /// The octets of one header section that are parsed. Default 1 MiB.
    pub header_octets: usize,
    /// The octets that a message may have, as it came and as it is written; for one that is read
    /// without the middles of its attachments, those that are held. The body of a longer one is
    /// not looked into. Default 1 GiB.
    pub message: usize,
    /// The number of fields that the headers of a message may have in total, apart from Content-
    /// fields. Default 100,000.
    #[doc(hidden)]
    pub fields: usize,
    /// The number of these fields that one header may have. Default 10,000.
    #[doc(hidden)]
    pub section_fields: usize,
    /// The number of runs of octets above 7F that are read in one header, in all headers of a
    /// message, and in all of its blocks of fields: each may take a guess and a word of its own.
    /// Default 10,000.
    #[doc(hidden)]
    pub raw_runs: usize,
    /// Whether the body is not looked into, however short.
    #[doc(hidden)]
    pub is_opaque: bool,
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
