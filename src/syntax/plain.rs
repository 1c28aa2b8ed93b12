//! Values in the forms that nearly all mail has, read in one look and without allocating.
//!
//! The full parsers are the specification: what is plain here, they read alike, and it needs no repair.

use super::lexical::is_atext;
use crate::ascii::{is_fws, is_token, trim_fws};

/// How many parameters a plain list has at the most, and how many octets each of them.
const MOST: usize = 5;
const MOST_OCTETS: usize = 256;

/// A parameterised value in which nothing is continued, encoded, commented on, quoted in part or given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainParameters<'v> {
    /// The media type or disposition.
    pub(crate) value: &'v [u8],
    list: [(&'v [u8], &'v [u8]); MOST],
    /// The same as they stand, from the name to the end of the value.
    octets: [&'v [u8]; MOST],
    length: usize,
}

impl<'v> PlainParameters<'v> {
    /// ```text
    /// list      = value *(";" parameter) [";"]           ; white space and folds around each
    /// value     = token ["/" token]
    /// parameter = token "=" (token / DQUOTE *qtext DQUOTE)
    /// ```
    pub(crate) fn read(field: &'v [u8]) -> Option<Self> {
        let (value, mut rest) = split(trim_start(field), |octet| is_token(octet) || octet == b'/');
        let mut words = value.splitn(3, |&octet| octet == b'/');
        let shape = (words.next(), words.next(), words.next());
        let fine = matches!(shape, (Some([_, ..]), None | Some([_, ..]), None));
        if !fine || value.len() > MOST_OCTETS {
            return None;
        }
        let mut plain = Self { value, list: [(b"", b""); MOST], octets: [b""; MOST], length: 0 };
        loop {
            rest = trim_start(rest);
            let Some(section) = rest.strip_prefix(b";") else { return rest.is_empty().then_some(plain) };
            rest = trim_start(section);
            if rest.is_empty() {
                return Some(plain);
            }
            rest = plain.parameter(rest)?;
        }
    }

    /// Whether the value is a media type.
    pub(crate) fn is_type(&self) -> bool {
        self.value.contains(&b'/')
    }

    /// Names, as they are spelt, and texts, in the order they stand.
    pub(crate) fn list(&self) -> &[(&'v [u8], &'v [u8])] {
        &self.list[..self.length]
    }

    /// The same, each with its octets from the name to the end of the value.
    pub(crate) fn with_octets(&self) -> impl Iterator<Item = ((&'v [u8], &'v [u8]), &'v [u8])> {
        self.list().iter().copied().zip(self.octets)
    }

    /// Reads one parameter; gives what follows.
    fn parameter(&mut self, section: &'v [u8]) -> Option<&'v [u8]> {
        let (name, rest) = split(section, |octet| is_token(octet) && octet != b'*');
        let value = rest.strip_prefix(b"=").filter(|_| !name.is_empty())?;
        let (text, rest) = match value.strip_prefix(b"\"") {
            Some(quoted) => quoted_text(quoted)?,
            None => Some(split(value, is_token)).filter(|(token, _)| !token.is_empty())?,
        };
        let given = self.list().iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        let octets = &section[..section.len() - rest.len()];
        if given || text.starts_with(b"'") || octets.len() > MOST_OCTETS {
            return None;
        }
        *self.list.get_mut(self.length)? = (name, text);
        self.octets[self.length] = octets;
        self.length += 1;
        Some(rest)
    }
}

/// The text of a quoted-string behind its first quote, and what follows the last: printable US-ASCII in which
/// nothing is quoted once more or looks like an encoded-word.
fn quoted_text(quoted: &[u8]) -> Option<(&[u8], &[u8])> {
    let (text, rest) = split(quoted, |octet| matches!(octet, b' '..=b'~') && !matches!(octet, b'"' | b'\\'));
    let words = text.windows(2).any(|pair| pair == b"=?");
    Some((text, rest.strip_prefix(b"\"")?)).filter(|_| !words)
}

/// A mailbox in which nothing is folded, encoded, commented on or quoted in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainMailbox<'v> {
    /// The display name, quotes taken off.
    pub(crate) name: &'v [u8],
    pub(crate) address: &'v [u8],
}

impl<'v> PlainMailbox<'v> {
    /// ```text
    /// list    = mailbox *("," mailbox)                ; white space and folds around each
    /// mailbox = [name] "<" address ">" / address
    /// name    = *(atext / "." / " ") / DQUOTE *qtext DQUOTE
    /// address = 1*(atext / ".") "@" 1*(atext / ".")
    /// ```
    pub(crate) fn list(field: &'v [u8]) -> Option<Vec<Self>> {
        let mut found = Vec::with_capacity(1);
        Self::each(field, |mailbox| found.push(mailbox)).then_some(found)
    }

    /// Whether the field is such a list.
    pub(crate) fn are_list(field: &'v [u8]) -> bool {
        Self::each(field, |_| {})
    }

    /// Gives each mailbox, and whether the field is such a list.
    fn each(field: &'v [u8], mut found: impl FnMut(Self)) -> bool {
        let mut rest = field;
        while let Some((mailbox, behind)) = Self::first(trim_start(rest)) {
            found(mailbox);
            rest = trim_start(behind);
            match rest.strip_prefix(b",") {
                Some(next) => rest = next,
                None => return rest.is_empty(),
            }
        }
        false
    }

    fn first(field: &'v [u8]) -> Option<(Self, &'v [u8])> {
        let (name, rest) = match field.strip_prefix(b"\"") {
            Some(quoted) => quoted_text(quoted)?,
            None => split(field, |octet| octet == b' ' || is_dot_atext(octet)),
        };
        if let Some(address) = trim_start(rest).strip_prefix(b"<") {
            let (address, rest) = address_of(address)?;
            let fine = !name.windows(2).any(|pair| pair == b"=?");
            let mailbox = Self { name: trim_fws(name), address };
            return rest.strip_prefix(b">").filter(|_| fine).map(|rest| (mailbox, rest));
        }
        let (address, rest) = address_of(field)?;
        Some((Self { name: b"", address }, rest))
    }
}

/// The address that `octets` begin with, and what follows.
fn address_of(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let (local, behind) = split(octets, is_dot_atext);
    let (domain, rest) = split(behind.strip_prefix(b"@")?, is_dot_atext);
    let word = |part: &[u8]| part.iter().any(|&octet| octet != b'.');
    let address = &octets[..octets.len() - rest.len()];
    (word(local) && word(domain)).then_some((address, rest))
}

fn is_dot_atext(octet: u8) -> bool {
    octet.is_ascii_graphic() && (is_atext(octet) || octet == b'.')
}

/// Cuts `octets` behind the first ones that are all `of` a class.
fn split(octets: &[u8], of: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    octets.split_at(octets.iter().position(|&octet| !of(octet)).unwrap_or(octets.len()))
}

fn trim_start(octets: &[u8]) -> &[u8] {
    split(octets, is_fws).1
}
