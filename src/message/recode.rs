//! A body written in another transfer encoding, and perhaps another charset.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::line_ends::to_crlf;
use super::markup;
use crate::Charset;
use crate::codec::{base64, quoted};
use crate::issue::Tally;
use crate::transfer::{TransferEncoding, has_bare_line_end};

/// How a body's octets become what is written. Described once, made again whenever it is written.
#[derive(Clone, Debug)]
pub(crate) struct Recode {
    /// The transfer encoding that is taken off.
    pub(crate) from: TransferEncoding,
    pub(crate) content: Content,
    pub(crate) to: Target,
    /// The boundaries of the multiparts around: no encoded line may begin like one (rule B4).
    pub(crate) boundaries: Vec<Vec<u8>>,
}

/// What happens to the decoded octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// They are data.
    Data,
    /// They are lines: every line end becomes CR LF.
    Lines,
    /// They are lines that were stored with LF: each LF becomes CR LF, a CR is data.
    LinesAndStrays,
    /// They are text in a charset, and become UTF-8; declarations in markup follow where asked for.
    Text { charset: Charset, markup: Option<markup::Kind>, lossy: bool },
}

/// The encoding that is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    SevenBit,
    /// Line ends stay line ends.
    QuotedText,
    Base64,
    /// UTF-7 in 7bit, on request.
    Utf7,
}

impl Target {
    pub(crate) fn encoding(self) -> TransferEncoding {
        match self {
            Self::SevenBit | Self::Utf7 => TransferEncoding::SevenBit,
            Self::QuotedText => TransferEncoding::QuotedPrintable,
            Self::Base64 => TransferEncoding::Base64,
        }
    }
}

impl Recode {
    /// The decoded content, as it is to be encoded.
    pub(crate) fn content<'r>(&self, raw: &'r [u8]) -> Cow<'r, [u8]> {
        let decoded = decode(self.from, raw, &mut Tally::default());
        match self.content {
            Content::Data => decoded,
            Content::Lines => lines(decoded),
            Content::LinesAndStrays => stored_lines(decoded),
            Content::Text { charset, markup, lossy } => text(decoded, charset, markup, lossy),
        }
    }

    /// Writes the body whose octets are `raw`.
    pub(crate) fn write(&self, raw: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.encode(&self.content(raw), out)
    }

    /// The body whose decoded content is known.
    pub(crate) fn made(&self, content: &[u8]) -> Vec<u8> {
        let mut made = Vec::with_capacity(content.len() + content.len() / 2);
        self.encode(content, &mut made).expect("writing to memory does not fail");
        made
    }

    fn encode(&self, content: &[u8], out: &mut impl Write) -> io::Result<()> {
        let boundaries: Vec<&[u8]> = self.boundaries.iter().map(Vec::as_slice).collect();
        match self.to {
            Target::SevenBit => out.write_all(content),
            Target::Base64 => base64::encode_lines_to(content, out),
            Target::QuotedText => quoted::encode_text_to(content, &boundaries, out),
            Target::Utf7 => out.write_all(&utf7(content)),
        }
    }
}

/// A body without its transfer encoding. A line end of quoted-printable is a CR LF however it was stored.
pub(crate) fn decode<'r>(from: TransferEncoding, raw: &'r [u8], tally: &mut Tally) -> Cow<'r, [u8]> {
    match from {
        TransferEncoding::QuotedPrintable if has_bare_line_end(raw) => {
            let stored = stored_lines(Cow::Borrowed(raw));
            let mut decoded = from.decode(&stored, tally).into_owned();
            if tears_line_ends(raw) {
                drop_cr_before_crlf(&mut decoded);
            }
            Cow::Owned(decoded)
        }
        _ => from.decode(raw, tally),
    }
}

/// Whether quoted-printable that was stored with LF holds line ends of which the CR is encoded and the LF
/// stands for itself: with CR LF for that LF they would read CR CR LF.
pub(crate) fn tears_line_ends(raw: &[u8]) -> bool {
    memmem::find(raw, b"=0D\n").is_some()
}

/// Makes CR LF of every CR CR LF.
fn drop_cr_before_crlf(octets: &mut Vec<u8>) {
    let mut kept = Vec::with_capacity(octets.len());
    for (at, &octet) in octets.iter().enumerate() {
        if !octets[at..].starts_with(b"\r\r\n") {
            kept.push(octet);
        }
    }
    *octets = kept;
}

/// `octets` with LF as CR LF, and CR LF as it is.
pub(crate) fn stored_lines(octets: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !has_bare_line_end(&octets) {
        return octets;
    }
    let mut out = Vec::with_capacity(octets.len() + octets.len() / 32);
    let mut before = 0;
    for &octet in octets.iter() {
        if octet == b'\n' && before != b'\r' {
            out.push(b'\r');
        }
        out.push(octet);
        before = octet;
    }
    Cow::Owned(out)
}

/// `octets` with every line end as CR LF.
pub(crate) fn lines(octets: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !has_bare_line_end(&octets) { octets } else { Cow::Owned(to_crlf(&octets)) }
}

/// Text in UTF-8 with CR LF.
fn text(octets: Cow<'_, [u8]>, charset: Charset, markup: Option<markup::Kind>, lossy: bool) -> Cow<'_, [u8]> {
    let text = match (charset.decode_lossless(&octets), lossy) {
        (Some(text), _) => text,
        (None, true) => charset.decode(&octets).into_text(),
        // The planner asks for text only where it decodes.
        (None, false) => return lines(octets),
    };
    let text = match markup.and_then(|kind| markup::declare_utf8(&text, kind)) {
        Some(changed) => Cow::Owned(changed),
        None => text,
    };
    match text {
        Cow::Owned(text) => lines(Cow::Owned(text.into_bytes())),
        // UTF-8 already: the octets themselves.
        Cow::Borrowed(_) => lines(octets),
    }
}

/// UTF-8 octets as UTF-7, or as they are if they are no UTF-8.
pub(crate) fn utf7(content: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(content) {
        Ok(text) => Charset::UTF_7.encode(text).unwrap_or(Cow::Borrowed(content)),
        Err(_) => Cow::Borrowed(content),
    }
}

/// What a text with a cleartext signature begins with.
static SIGNED: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new(b"-----BEGIN PGP SIGNED MESSAGE-----"));

static YENC: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"=ybegin "));

/// Whether 8-bit `octets` hold a file in yEnc: lines whose octets are no characters, whatever the label says.
pub(crate) fn holds_yenc(octets: &[u8]) -> bool {
    let begins = |at: usize| at == 0 || octets[at - 1] == b'\n';
    !octets.is_ascii()
        && YENC
            .find(octets)
            .is_some_and(|at| begins(at) && memmem::find(&octets[at..], b"\n=yend ").is_some())
}

/// Whether `octets` hold a text with an OpenPGP cleartext signature (RFC 9580, 7).
pub(crate) fn is_cleartext_signed(octets: &[u8]) -> bool {
    SIGNED.find_iter(octets).any(|at| {
        (at == 0 || octets[at - 1] == b'\n')
            && octets.get(at + SIGNED.needle().len()).is_none_or(|o| b"\r\n \t".contains(o))
    })
}
