//! Address lists in the form that nearly all mail has, read in one pass.
//!
//! The twin of [`list`](super::list), kept for its speed: whatever this one accepts, both read
//! alike, and nothing in it needs repair (checked by `simple_mailboxes_read_alike` in
//! `decode/mailbox.rs`).

use super::kinds::{ATEXT, LABEL, NAME};
use super::plain::Words;
use crate::ascii::trim_fws;
use crate::syntax::lexical::{simple_quoted_string, trim_fws_start};

/// A mailbox in which nothing is folded, encoded, commented on or quoted in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimpleMailbox<'v> {
    /// The display name, without quotes.
    pub name: &'v [u8],
    pub address: &'v [u8],
    /// Whether the name was in quotes: any other contains no specials.
    is_quoted: bool,
    /// Whether every reader reads the address alike.
    is_plain_spec: bool,
}

impl<'v> SimpleMailbox<'v> {
    /// ```text
    /// list    = mailbox *("," mailbox)                ; white space and folds around each
    /// mailbox = [name] "<" address ">" / address
    /// name    = *(atext / "." / " ") / DQUOTE *qtext DQUOTE
    /// address = 1*(atext / ".") "@" 1*(atext / ".")
    /// ```
    pub fn list(field: &'v [u8]) -> Option<Vec<Self>> {
        let mut found = Vec::with_capacity(1);
        Self::each(field, |mailbox| found.push(mailbox)).then_some(found)
    }

    /// Returns whether the field is such a list, and one that every reader reads alike.
    pub fn are_plain(field: &'v [u8]) -> bool {
        let mut plain = true;
        Self::each(field, |mailbox| plain &= mailbox.is_plain()) && plain
    }

    fn is_plain(&self) -> bool {
        let is_address = || memchr::memchr2(b'@', b'<', self.name).is_some();
        let misleads =
            self.is_quoted && is_address() && !self.name.eq_ignore_ascii_case(self.address);
        self.is_plain_spec && !misleads
    }

    /// Passes each mailbox to `found`; returns whether the field is such a list.
    fn each(field: &'v [u8], mut found: impl FnMut(Self)) -> bool {
        let mut rest = field;
        while let Some((mailbox, after)) = Self::first(trim_fws_start(rest)) {
            found(mailbox);
            rest = trim_fws_start(after);
            match rest.strip_prefix(b",") {
                Some(next) => rest = next,
                None => return rest.is_empty(),
            }
        }
        false
    }

    fn first(field: &'v [u8]) -> Option<(Self, &'v [u8])> {
        let is_quoted = field.first() == Some(&b'"');
        let (name, rest, is_marked) = if is_quoted {
            let (name, rest) = simple_quoted_string(field)?;
            (name, rest, false)
        } else {
            let words = Words::of(field, NAME);
            let (name, rest) = field.split_at(words.len);
            (name, rest, words.hold_a_mark(name))
        };
        if let Some(address) = trim_fws_start(rest).strip_prefix(b"<") {
            let (address, is_plain_spec, rest) = address_of(address)?;
            let mailbox = Self { name: trim_fws(name), address, is_quoted, is_plain_spec };
            if is_marked {
                return None;
            }
            return rest.strip_prefix(b">").map(|rest| (mailbox, rest));
        }
        let (address, is_plain_spec, rest) = address_of(field)?;
        Some((Self { name: b"", address, is_quoted: false, is_plain_spec }, rest))
    }
}

/// Returns the address that `octets` begin with, whether [every reader reads it
/// alike](super::is_plain_spec), and the rest.
fn address_of(octets: &[u8]) -> Option<(&[u8], bool, &[u8])> {
    let local = Words::of(octets, ATEXT);
    let domain = Words::of(octets[local.len..].strip_prefix(b"@")?, ATEXT);
    let (address, rest) = octets.split_at(local.len + 1 + domain.len);
    let is_word = |octets: &[u8]| octets.iter().any(|&octet| octet != b'.');
    // It loses the dot at its end.
    if address.ends_with(b".") {
        return None;
    }
    if !(local.is_dotted || is_word(&address[..local.len]))
        || !(domain.is_dotted || is_word(&address[local.len + 1..]))
    {
        return None;
    }
    let is_plain = local.is_dotted
        && domain.is_dotted
        && domain.kinds & LABEL != 0
        && !domain.hold_a_label(&address[local.len + 1..])
        && !local.hold_a_mark(&address[..local.len]);
    Some((address, is_plain, rest))
}
