//! Messages too long to be looked into (rule G13): the header is written in its normal form, the
//! body as it is, in base64.

use std::io::{self, Read, Write};

use super::normalizer::Normalizer;
use super::plan::MIN_LIMIT;
use super::planned::Report;
use crate::codec::base64;
use crate::transfer::{counted, counted_with_lf};

/// How much is read beyond the part of a header that is parsed: either the header ends in it, or it
/// is too long to be read.
const BEYOND: usize = 64 << 10;

/// How much of a body is held at a time: whole lines of base64.
const PIECE: usize = 57 << 10;

/// A message of any length, of which only the header is in memory: what
/// [`Limits::message`](crate::Limits::message) makes of a message that is too long, without reading
/// it into memory. Its body is carried as it is, as `application/octet-stream` in base64, with its
/// old type and encoding in parameters.
///
/// ```
/// use sevenbit::{Normalizer, Opaque};
///
/// let mail = "Subject: caf\u{e9}\r\n\r\nVery long text\r\n".as_bytes(); // or a file, a pipe
/// let mut out = Vec::new();
/// Opaque::read(mail, &Normalizer::new())?.write_to(&mut out)?;
/// assert_eq!(
///     String::from_utf8_lossy(&out),
///     "Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\
///     MIME-Version: 1.0\r\n\
///     Content-Type: application/octet-stream; x-original-type=\"text/plain\"\r\n\
///     Content-Transfer-Encoding: base64\r\n\r\n\
///     VmVyeSBsb25nIHRleHQNCg==\r\n"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Opaque<R> {
    /// In its normal form, with the empty line.
    header: Vec<u8>,
    head: Vec<u8>,
    /// Where in `head` the body begins; `input` has the rest of it.
    body: usize,
    input: R,
    report: Report,
}

impl<R: Read> Opaque<R> {
    /// Reads the header of a message.
    ///
    /// # Errors
    /// Those of reading.
    pub fn read(mut input: R, normalizer: &Normalizer) -> io::Result<Self> {
        let mut normalizer = normalizer.clone();
        normalizer.options.limits.is_opaque = true;
        let most = normalizer.options.limits.header_octets.max(MIN_LIMIT).saturating_add(BEYOND);
        let mut head = Vec::new();
        input.by_ref().take(most as u64).read_to_end(&mut head)?;
        let plan = normalizer.plan(&head);
        let mut header = plan.header_octets().into_owned();
        if !header.ends_with(b"\r\n\r\n") && header != b"\r\n" {
            header.extend_from_slice(b"\r\n");
        }
        let body = plan.body_start();
        let report = plan.report().clone();
        drop(plan);
        Ok(Self { header, head, body, input, report })
    }

    /// Returns the beginning of the message, with its header.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Returns what was found in the header, and that the body is opaque.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Writes the message and returns the number of octets written.
    ///
    /// # Errors
    /// Those of reading and of `output`.
    pub fn write_to(self, output: impl Write) -> io::Result<u64> {
        counted(output, |out| self.write(out))
    }

    /// Writes the message with LF for each CR LF.
    ///
    /// # Errors
    /// As for `write_to`.
    pub fn write_lf_to(self, output: impl Write) -> io::Result<u64> {
        counted_with_lf(output, |out| self.write(out))
    }

    fn write(self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.header)?;
        let mut body = self.head[self.body..].chain(self.input);
        let mut piece = Vec::with_capacity(PIECE);
        loop {
            piece.clear();
            body.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
            if piece.is_empty() {
                return Ok(());
            }
            base64::encode_lines_to(&piece, out)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Normalizer, Profile};

    const MESSAGES: [&str; 8] = [
        "Subject: caf\u{e9}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ncaf\u{e9}\r\n--b--\r\n",
        "Content-Transfer-Encoding: quoted-printable\n\ncaf=E9\n",
        "Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n",
        "Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nno base64 at all, certainly\r\n",
        "no header\r\n",
        "Subject: x",
        "Content-Type: text/html\r\n",
        "Content-Type: multipart/mixed; boundary=b\r\nSubject: x",
    ];

    /// Both ways give the same, and a second pass changes nothing.
    #[test]
    fn what_is_longer_than_the_limit_is_not_looked_at() {
        for (message, profile) in MESSAGES
            .iter()
            .flat_map(|message| [(message, Profile::Transport), (message, Profile::Archive)])
        {
            let limits = Limits::new().with_message(0);
            let normalizer = Normalizer::new().profile(profile).limits(limits);
            let whole = normalizer.normalize(message.as_bytes());
            let mut streamed = Vec::new();
            let opaque = Opaque::read(message.as_bytes(), &normalizer).expect("memory");
            assert_eq!(opaque.report().issues(), whole.report().issues());
            opaque.write_to(&mut streamed).expect("memory");
            let (whole, streamed) =
                (String::from_utf8_lossy(whole.octets()), String::from_utf8_lossy(&streamed));
            assert_eq!(whole.trim_end(), streamed.trim_end());
            assert!(whole.contains("Content-Type: application/octet-stream;"), "{whole}");
            assert_eq!(normalizer.normalize(whole.as_bytes()).octets(), whole.as_bytes());
            assert_eq!(
                Normalizer::new().profile(profile).normalize(whole.as_bytes()).octets(),
                whole.as_bytes()
            );
        }
    }

    /// Rule G7: what is written must not be longer than what is read.
    #[test]
    fn what_grows_past_the_limit_is_not_looked_at() {
        let message =
            format!("Content-Type: text/plain; charset=koi8-r\r\n\r\n{}", "\u{e9}\r\n".repeat(100));
        for most in (0..2 * message.len()).step_by(7) {
            let normalizer = Normalizer::new().limits(Limits::new().with_message(most));
            let once = normalizer.normalize(message.as_bytes());
            let is_opaque =
                String::from_utf8_lossy(once.octets()).contains("application/octet-stream");
            assert!(is_opaque || once.octets().len() <= most, "{most}");
            assert_eq!(normalizer.normalize(once.octets()).octets(), once.octets(), "{most}");
        }
    }

    #[test]
    fn a_header_without_an_end_is_cut() {
        let message = format!("Subject: x\r\n{}", "X-A: b\r\n".repeat(40_000)).into_bytes();
        let normalizer = Normalizer::new().limits(Limits::new().with_header_octets(5000));
        let mut out = Vec::new();
        Opaque::read(&*message, &normalizer).expect("memory").write_to(&mut out).expect("memory");
        let plan = normalizer.plan(&out);
        assert!(!plan.report().is_changed(), "{:?}", plan.report().issues());
    }
}
