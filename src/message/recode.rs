//! A body written in another transfer encoding, and perhaps another charset.

use std::borrow::Cow;
use std::io::{self, Write};

use sevenbit_mail::{doubtful, holds_shift};

use crate::charset::markup;
use crate::codec::base64;
use crate::codec::quoted_printable::{self, LineStarts};
use crate::facts::line_ends::{lf_as_crlf, lines};
use crate::report::Tally;
use crate::transfer::{TransferEncoding, decode};
use crate::{Charset, Repaired};

/// The steps from the octets of a body to those that are written. They are described while a
/// message is planned, and carried out each time that it is written.
#[derive(Clone, Debug)]
pub(crate) struct Recode {
    /// The transfer encoding that is removed.
    pub(crate) from: TransferEncoding,
    pub(crate) read_as: ReadAs,
    pub(crate) to: Target,
    /// The octets that no encoded line may begin with (rule B4).
    pub(crate) not_first: LineStarts,
    /// Whether quoted-printable whose content does not end with a line end is closed by a soft line
    /// break, since a line end that is added on the way would become part of the content.
    pub(crate) is_closed: bool,
}

/// The kind of content that the decoded octets are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadAs {
    Data,
    /// Lines: every line end becomes CR LF.
    Lines,
    /// Lines that were stored with LF: each LF becomes CR LF, a CR is data.
    StoredLines,
    /// Text in a charset, which becomes UTF-8; declarations in markup are adjusted if `markup` says
    /// so.
    Text {
        charset: Charset,
        markup: Option<markup::MarkupKind>,
        /// Whether octets that are not text in the charset become U+FFFD.
        lossy: bool,
        /// Whether mojibake is mended.
        mends: bool,
    },
}

/// The encoding that is applied.
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
    /// Returns the decoded content, as it is to be encoded.
    pub(crate) fn content<'r>(&self, raw: &'r [u8]) -> Cow<'r, [u8]> {
        let decoded = decode(self.from, raw, &mut Tally::default());
        match self.read_as {
            ReadAs::Data => decoded,
            ReadAs::Lines => lines(decoded),
            ReadAs::StoredLines => lf_as_crlf(decoded),
            ReadAs::Text { charset, markup, lossy, mends } => {
                text(decoded, charset, markup, lossy, mends)
            }
        }
    }

    /// Writes the body whose octets are `raw`.
    pub(crate) fn write(&self, raw: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.encode(&self.content(raw), out)
    }

    /// Returns the body, given its decoded content.
    pub(crate) fn made(&self, content: &[u8]) -> Vec<u8> {
        let mut made = Vec::with_capacity(content.len() + content.len() / 2);
        self.encode(content, &mut made).expect("writing to memory does not fail");
        made
    }

    fn encode(&self, content: &[u8], out: &mut impl Write) -> io::Result<()> {
        match self.to {
            Target::SevenBit => out.write_all(content),
            Target::Base64 => base64::encode_lines_to(content, out),
            Target::QuotedText
                if self.is_closed && !content.ends_with(b"\n") && !content.is_empty() =>
            {
                out.write_all(&quoted_printable::encode_closed(content, &self.not_first))
            }
            Target::QuotedText => quoted_printable::encode_text_to(content, &self.not_first, out),
            Target::Utf7 => out.write_all(&utf7(content)),
        }
    }
}

/// Returns text in UTF-8 with CR LF.
fn text(
    octets: Cow<'_, [u8]>,
    charset: Charset,
    markup: Option<markup::MarkupKind>,
    lossy: bool,
    mends: bool,
) -> Cow<'_, [u8]> {
    let text = match (markup::read_lossless(&octets, charset, markup), lossy) {
        (Some(text), _) => text,
        (None, true) => charset.read(&octets).into_text(),
        // The planner uses `Text` only where it decodes.
        (None, false) => return lines(octets),
    };
    let text = match mends.then(|| mended(&octets, charset, &text)).flatten() {
        Some(mended) => mended.into_text(),
        None => text,
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

/// Returns the text that was meant, if `text` reads as mojibake; `text` is what `octets` are in
/// `charset`. It is judged with the line ends that it will have in the output.
pub(crate) fn mended(octets: &[u8], charset: Charset, text: &str) -> Option<Repaired<'static>> {
    let may_hold_shift = charset != Charset::UTF_8 && holds_shift(text);
    if text.is_ascii() && octets.is_ascii() && !may_hold_shift {
        return None;
    }
    match lines(Cow::Borrowed(text.as_bytes())) {
        Cow::Borrowed(_) => doubtful(octets, charset, text),
        Cow::Owned(in_lines) => doubtful(octets, charset, str::from_utf8(&in_lines).ok()?),
    }
}

/// Returns UTF-8 octets as UTF-7, or as they are if they are not UTF-8.
pub(crate) fn utf7(content: &[u8]) -> Cow<'_, [u8]> {
    let text = std::str::from_utf8(content).ok();
    text.and_then(|text| Charset::UTF_7.encode(text).ok()).unwrap_or(Cow::Borrowed(content))
}
