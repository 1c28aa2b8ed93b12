//! The main path: options in, a plan or the normalised message out.

use std::io::{self, Read, Write};

use super::options::Options;
use super::plan::plan;
use super::planned::{Normalized, Plan, Report};
use crate::{Charset, Limits};

/// Normalises a message with the archive profile and default limits. Never fails.
pub fn normalize(message: &[u8]) -> Normalized<'_> {
    Normalizer::new().normalize(message)
}

/// How messages are normalised: options first, then [`plan`](Self::plan) or
/// [`normalize`](Self::normalize).
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

    /// Sets bounds on what is parsed.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Sets the charset that a person has chosen: an archive reads text in it, whatever its label,
    /// wherever the octets are text in it. What is labelled UTF-8, and is, stays.
    ///
    /// ```
    /// use sevenbit::{Charset, Normalizer};
    ///
    /// let mail = b"Content-Type: text/plain; charset=iso-8859-1\r\n\r\n\xF0\xD2\xC9\xD7\xC5\xD4\r\n";
    /// let read = Normalizer::new().read_as(Charset::for_label("koi8-r")).normalize(mail);
    /// assert_eq!(sevenbit::Message::parse(read.octets()).text(), "Привет\n");
    /// ```
    pub fn read_as(mut self, charset: Option<Charset>) -> Self {
        self.options.read_as = charset;
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
