//! Mail as Outlook and Outlook Express keep it, which is no text.

use super::Name;

/// Mail as Outlook keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// One message, `.msg`.
    Msg,
    /// A template of a message, `.oft`.
    Oft,
    /// A file of folders, `.pst`.
    Pst,
    /// The copy of a mailbox on a server, `.ost`.
    Ost,
    /// A folder of Outlook Express, `.dbx`.
    Dbx,
    /// The attachments of one message, `winmail.dat`.
    Tnef,
}

impl Outlook {
    /// The kind in words: `an Outlook message (.msg)`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Msg => "an Outlook message (.msg)",
            Self::Oft => "an Outlook template (.oft)",
            Self::Pst => "an Outlook data file (.pst)",
            Self::Ost => "an Outlook data file (.ost)",
            Self::Dbx => "a folder of Outlook Express (.dbx)",
            Self::Tnef => "attachments of Outlook (winmail.dat)",
        }
    }
}

/// How compound files begin: `.msg`, but also `.doc`, `.xls` and `.msi`.
pub(super) const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The name of a stream that every message in a compound file has, in UTF-16:
/// `__properties_version1.0`.
const PROPERTIES: &[u8] = b"_\0_\0p\0r\0o\0p\0e\0r\0t\0i\0e\0s\0_\0v\0e\0r\0";

/// Returns the kind of mail of Outlook that a file of these first octets is.
pub(super) fn of(first: &[u8], name: &Name) -> Option<Outlook> {
    if first.starts_with(COMPOUND) {
        // The names of streams may be anywhere in the file: then its own name tells.
        let is_message = memchr::memmem::find(first, PROPERTIES).is_some();
        return match name.extension.as_str() {
            "oft" => Some(Outlook::Oft),
            "msg" => Some(Outlook::Msg),
            _ if is_message => Some(Outlook::Msg),
            _ => None,
        };
    }
    // [MS-PST] 2.2.2.6: `dwMagic`, the check sum, then `wMagicClient`.
    if first.starts_with(b"!BDN") {
        return Some(if first.get(8..10) == Some(b"SO") { Outlook::Ost } else { Outlook::Pst });
    }
    if first.starts_with(b"\xCF\xAD\x12\xFE") {
        return Some(Outlook::Dbx);
    }
    // [MS-OXTNEF] 2.1.3.1: the signature, lowest octet first.
    first.starts_with(b"\x78\x9F\x3E\x22").then_some(Outlook::Tnef)
}
