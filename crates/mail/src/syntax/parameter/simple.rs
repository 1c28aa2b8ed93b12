//! Parameterised values in the form that nearly all mail has, read in one pass without allocating.
//!
//! The twin of [`list`](super::list), kept for its speed: whatever this one accepts, both read
//! alike, and nothing in it needs repair (checked by `simple_parameters_read_alike` in
//! `decode/parameter_texts.rs`).

use super::{bare_label, is_misleading, names_file, seems_extended};
use crate::ascii::is_token;
use crate::syntax::lexical::{simple_quoted_string, split_while, trim_fws_start};
use crate::syntax::media_type::split_value;

/// The maximum number of parameters in a simple list, and of octets in each of them.
const MAX_COUNT: usize = 5;
const MAX_OCTETS: usize = 256;

/// A parameterised value in which nothing is continued, encoded, commented on, quoted in part or
/// given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimpleParameters<'v> {
    /// The media type or disposition.
    pub value: &'v [u8],
    list: [(&'v [u8], &'v [u8]); MAX_COUNT],
    length: usize,
}

impl<'v> SimpleParameters<'v> {
    /// ```text
    /// list      = value *(";" parameter) [";"]           ; white space and folds around each, but no bare line end
    /// value     = token ["/" token]
    /// parameter = token "=" (token / DQUOTE *qtext DQUOTE)
    /// ```
    pub fn read(field: &'v [u8]) -> Option<Self> {
        let (value, mut rest) = split_value(trim_fws_start(field))?;
        if value.len() > MAX_OCTETS {
            return None;
        }
        let mut plain = Self { value, list: [(b"", b""); MAX_COUNT], length: 0 };
        loop {
            rest = trim_fws_start(rest);
            let Some(section) = rest.strip_prefix(b";") else {
                return rest.is_empty().then_some(plain);
            };
            rest = trim_fws_start(section);
            if rest.is_empty() {
                return Some(plain);
            }
            if lacks_fold(section, rest) {
                return None;
            }
            rest = plain.parameter(rest)?;
        }
    }

    /// Returns the name and the text of the first parameter, if the list is in the simple form so
    /// far, whatever comes after.
    pub fn first(field: &'v [u8]) -> Option<(&'v [u8], &'v [u8])> {
        let (value, rest) =
            split_value(trim_fws_start(field)).filter(|(value, _)| value.contains(&b'/'))?;
        let section = trim_fws_start(rest).strip_prefix(b";")?;
        let mut plain = Self { value, list: [(b"", b""); MAX_COUNT], length: 0 };
        let rest = trim_fws_start(plain.parameter(trim_fws_start(section))?);
        (rest.is_empty() || rest.starts_with(b";")).then_some(plain.list[0])
    }

    /// Names, as they are spelt, and texts, in order.
    pub fn list(&self) -> &[(&'v [u8], &'v [u8])] {
        &self.list[..self.length]
    }

    /// Reads one parameter; returns what follows.
    fn parameter(&mut self, section: &'v [u8]) -> Option<&'v [u8]> {
        let (name, rest) = split_while(section, |octet| is_token(octet) && octet != b'*');
        if name.is_empty() {
            return None;
        }
        let value = rest.strip_prefix(b"=")?;
        let (text, rest) = match value.first() {
            Some(b'"') => simple_quoted_string(value)?,
            _ => Some(split_while(value, is_token)).filter(|(token, _)| !token.is_empty())?,
        };
        let given = self.list().iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        // An empty value is not the name of a file: other fields may have one.
        let is_odd = text.is_empty()
            || text.starts_with(b"'")
            || is_misleading(name)
            || name.eq_ignore_ascii_case(b"charset") && bare_label(text).len() < text.len()
            || names_file(name) && value[0] != b'"' && seems_extended(text);
        if given || is_odd || section.len() - rest.len() > MAX_OCTETS {
            return None;
        }
        *self.list.get_mut(self.length)? = (name, text);
        self.length += 1;
        Some(rest)
    }
}

/// Returns whether `rest` begins a line of `section` without the white space of a fold.
fn lacks_fold(section: &[u8], rest: &[u8]) -> bool {
    let space = &section[..section.len() - rest.len()];
    matches!(space.last(), Some(b'\r' | b'\n'))
}
