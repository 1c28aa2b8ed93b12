//! The main path: options in, a plan or the normalised message out.

use std::io::{self, Read, Write};

use super::options::{Limits, Markup, Options, Profile, Signed, TextEncoding, Undecodable, Unlabelled};
use super::plan::plan;
use super::planned::{Normalized, Plan, Report};

/// Normalises a message with the archive profile and default limits. Never fails.
pub fn normalize(message: &[u8]) -> Normalized<'_> {
    Normalizer::new().normalize(message)
}

/// How messages are normalised: options first, then [`plan`](Self::plan) or [`normalize`](Self::normalize).
///
/// ```
/// use sevenbit::{Normalizer, Profile};
///
/// let mail = "Subject: café\r\n\r\nbody\r\n";
/// let safe = Normalizer::new().profile(Profile::Transport).normalize(mail.as_bytes());
/// assert_eq!(safe.octets(), b"Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\r\nbody\r\n");
/// assert_eq!(safe.report().issues()[0].code().as_str(), "raw-header-text");
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "options do nothing by themselves"]
pub struct Normalizer {
    pub(super) options: Options,
}

impl Normalizer {
    /// Returns the archive profile with default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how much is rewritten.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.options.profile = profile;
        self
    }

    /// Sets what happens to signed content that is not 7-bit safe.
    pub fn signed(mut self, signed: Signed) -> Self {
        self.options.signed = signed;
        self
    }

    /// Sets which encodings a text body may be written in.
    pub fn text_encoding(mut self, text_encoding: TextEncoding) -> Self {
        self.options.text_encoding = text_encoding;
        self
    }

    /// Sets what becomes of text that does not decode under its label.
    pub fn undecodable(mut self, undecodable: Undecodable) -> Self {
        self.options.undecodable = undecodable;
        self
    }

    /// Sets how 8-bit text without a label is labelled in transport.
    ///
    /// ```
    /// use sevenbit::{Normalizer, Profile, Unlabelled};
    ///
    /// let mail = b"From: a@example.de\r\nSubject: Sch\xF6ne Gr\xFC\xDFe\r\n\r\n";
    /// let transport = Normalizer::new().profile(Profile::Transport);
    /// let kept = transport.normalize(mail).into_octets();
    /// let guessed = transport.clone().unlabelled(Unlabelled::Guess).normalize(mail).into_octets();
    /// let kept = String::from_utf8_lossy(&kept);
    /// assert_eq!(kept.replace("unknown-8bit", "windows-1252").as_bytes(), &*guessed);
    /// ```
    pub fn unlabelled(mut self, unlabelled: Unlabelled) -> Self {
        self.options.unlabelled = unlabelled;
        self
    }

    /// Sets whether charset declarations in markup are adjusted.
    pub fn markup(mut self, markup: Markup) -> Self {
        self.options.markup = markup;
        self
    }

    /// Sets bounds on what is parsed.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Decides what must change in `message`, without changing anything yet.
    pub fn plan<'a>(&self, message: &'a [u8]) -> Plan<'a> {
        plan(message, &self.options)
    }

    /// Returns the message in its normal form: borrowed if it already is.
    pub fn normalize<'a>(&self, message: &'a [u8]) -> Normalized<'a> {
        let plan = self.plan(message);
        let octets = plan.octets();
        Normalized { octets, report: plan.report }
    }

    /// Reads one message to its end and writes it in its normal form.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn normalize_reader(&self, mut input: impl Read, output: impl Write) -> io::Result<Report> {
        let mut message = Vec::new();
        input.read_to_end(&mut message)?;
        let plan = self.plan(&message);
        plan.write_to(output)?;
        Ok(plan.report)
    }
}
