//! How each charset is read: the rows of the table of charsets, and the kinds of codecs.

use encoding_rs::Encoding;

use super::tables::single::TABLES;

/// One charset: an entry of `tables/list.rs`.
pub(super) struct Entry {
    /// The preferred MIME name.
    pub(super) name: &'static str,
    /// Whether IANA has registered it.
    pub(super) registered: bool,
    /// The codec that reads it.
    pub(super) route: Route,
    /// Further labels, as they are registered or found.
    pub(super) aliases: &'static [&'static str],
}

/// Whether tables of our own are left out, for size.
pub(super) const LEFT_OUT: bool = cfg!(not(feature = "rare-charsets"));

/// The codec that reads a charset.
#[derive(Clone, Copy)]
pub(super) enum Route {
    /// encoding_rs, and which part of its repertoire is written.
    Whatwg(&'static Encoding, Scope),
    /// A single-byte table of ours, by its number.
    Table(u16),
    /// US-ASCII, and nothing else.
    Ascii,
    /// UTF-8.
    Utf8,
    /// UTF-8 of Unicode 1.1.
    Utf8Old,
    /// UTF-7.
    Utf7,
    /// UTF-7 of Unicode 1.1.
    Utf7Old,
    /// UTF-16, by its byte order mark, otherwise in the order that can be read, otherwise
    /// big-endian (RFC 2781, 4.3).
    Utf16,
    /// UTF-16 of Unicode 1.1.
    Utf16Old,
    /// UTF-16BE.
    Utf16Be,
    /// UTF-16LE.
    Utf16Le,
    /// UTF-32, by its byte order mark, otherwise big-endian.
    Utf32,
    /// UTF-32BE.
    Utf32Be,
    /// UTF-32LE.
    Utf32Le,
    /// CESU-8 (UTR 26).
    Cesu8,
    /// UTF-1, of the first ISO 10646.
    Utf1,
    /// SCSU (UTS 6).
    Scsu,
    /// BOCU-1 (UTN 6).
    Bocu1,
    /// ISO-2022-JP (RFC 1468) with half-width katakana.
    Iso2022Jp,
    /// ISO-2022-JP-1 (RFC 2237).
    Iso2022Jp1,
    /// ISO-2022-JP-2 (RFC 1554).
    Iso2022Jp2,
    /// ISO-2022-JP-3 and -2004.
    Iso2022Jp3,
    /// ISO-2022-KR (RFC 1557).
    Iso2022Kr,
    /// ISO-2022-CN (RFC 1922).
    Iso2022Cn,
    /// ISO-2022-CN-EXT (RFC 1922).
    Iso2022CnExt,
    /// HZ (RFC 1843).
    Hz,
    /// KOI-7 with shifts.
    Koi7,
    /// JIS X 0208 in pairs of 7-bit octets.
    Jis94,
    /// JIS X 0212 in pairs of 7-bit octets.
    JisX0212,
    /// The two-octet form of EUC-JP.
    EucFixed,
    /// EUC-TW: CNS 11643.
    EucTw,
    /// eucJP-ms: EUC-JP with the characters of IBM.
    EucJpMs,
    /// EUC-JIS-2004: JIS X 0213.
    EucJisX0213,
    /// Shift_JIS-2004: JIS X 0213.
    SjisX0213,
    /// Johab: KS X 1001, annex 3.
    Johab,
    /// VIQR (RFC 1456).
    Viqr,
    /// TSCII 1.7.
    Tscii,
    /// No codec, and why.
    Nothing(Why),
}

impl Route {
    /// Returns this route, or none if its tables are left out of this build.
    pub(super) const fn as_built(self) -> Self {
        use Route::*;
        match self {
            Table(_) | Iso2022Jp3 | Iso2022Cn | Iso2022CnExt | EucTw | EucJisX0213 | SjisX0213
                if LEFT_OUT =>
            {
                Nothing(Why::LeftOut)
            }
            route => route,
        }
    }

    /// Returns whether the meaning of an octet may depend on a shift or a byte order mark far
    /// before it.
    pub(super) fn is_stateful(self) -> bool {
        use Route::*;
        let shifts =
            matches!(self, Utf7 | Utf7Old | Utf16 | Utf16Old | Utf32 | Scsu | Bocu1 | Hz | Koi7);
        let escapes = matches!(
            self,
            Iso2022Jp | Iso2022Jp1 | Iso2022Jp2 | Iso2022Jp3 | Iso2022Kr | Iso2022Cn | Iso2022CnExt
        );
        shifts || escapes
    }

    /// Returns whether it is a table in which what is written for a character does not depend on
    /// anything around it.
    pub(super) fn writes_each_alone(self) -> bool {
        match self {
            Route::Ascii => true,
            Route::Table(number) => TABLES[usize::from(number)].pairs.is_empty(),
            Route::Whatwg(_, scope) => scope != Scope::Hkscs,
            _ => false,
        }
    }

    /// Returns whether `octets` are ASCII without anything that shifts, in a charset that extends
    /// ASCII.
    pub(super) fn keeps_ascii(self, octets: &[u8]) -> bool {
        octets.is_ascii() && self.does_not_shift(octets)
    }

    /// Returns whether `octets`, which are ASCII, contain nothing that shifts, in a charset that
    /// extends ASCII.
    pub(super) fn does_not_shift(self, octets: &[u8]) -> bool {
        let shifts: &[u8] = match self {
            Route::Ascii => &[],
            Route::Whatwg(encoding, _) if encoding.is_ascii_compatible() => &[],
            Route::Table(number) if TABLES[usize::from(number)].extends_ascii() => &[],
            Route::EucTw
            | Route::EucJpMs
            | Route::EucJisX0213
            | Route::SjisX0213
            | Route::Johab
            | Route::Cesu8
            | Route::Utf8Old => &[],
            Route::Hz => b"~",
            Route::Iso2022Jp | Route::Iso2022Jp1 | Route::Iso2022Jp2 | Route::Iso2022Jp3 => {
                ISO_2022
            }
            Route::Iso2022Kr | Route::Iso2022Cn | Route::Iso2022CnExt => ISO_2022,
            _ => return false,
        };
        shifts.is_empty() || !octets.iter().any(|octet| shifts.contains(octet))
    }
}

/// SO, SI and ESC.
const ISO_2022: &[u8] = b"\x0E\x0F\x1B";

/// The characters written under a label whose text is read as a superset: only those of the label's
/// own charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything.
    All,
    /// Nothing at 80-9F, where the ISO set has control characters.
    NoC1,
    /// Only two-octet characters with both octets in A1-FE: GB 2312, KS X 1001.
    Rows94,
    /// GBK: no four-octet characters.
    Gbk,
    /// Everything, and JIS X 0212 as well.
    JisX0212,
    /// Everything, and the private characters as well.
    Private,
    /// Everything, and the Hong Kong characters as well.
    Hkscs,
}

/// Why a known charset is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The label says that the charset is not known.
    SaysNothing,
    /// The charset belongs to IMAP mailbox names, see [`mailbox_name`](crate::mailbox_name).
    MailboxName,
    /// A symbol set of printers, without a published mapping to Unicode.
    PrinterSet,
    /// No mapping to Unicode has been published under terms that allow its use here.
    NoTable,
    /// Mnemonics over ASCII (RFC 1345): readable as they are.
    Mnemonic,
    /// Double-byte EBCDIC: not registered, and never a label in mail; its tables are larger than
    /// all others.
    NotMail,
    /// Its tables are not part of this build (cargo feature `rare-charsets`).
    LeftOut,
}

impl Why {
    /// Returns the reason in words.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Why::SaysNothing => "the label says that the charset is not known",
            Why::MailboxName => "it is for mailbox names, not for text",
            Why::PrinterSet => "a symbol set of printers without a published mapping to Unicode",
            Why::NoTable => "no mapping to Unicode was to be had",
            Why::Mnemonic => "mnemonics in ASCII, readable as they are",
            Why::NotMail => "double-byte EBCDIC, never a label of mail",
            Why::LeftOut => "left out of this build",
        }
    }
}
