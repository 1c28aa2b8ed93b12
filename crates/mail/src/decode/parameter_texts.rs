//! Parameters for callers that need only their texts.

use super::{RawText, Wanted, encoded_value, of_list};
use crate::ascii::is_fws;
use crate::codec::text::from_utf8;
use crate::report::Tally;
use crate::syntax::parameter::{SimpleParameters, list};

/// The separator of the texts: decoded text contains no controls (rule H5).
const END: u8 = b'\n';

/// A media type or disposition, and its parameters, as text: one allocation for all of them, none
/// if there is no field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterTexts {
    /// The value, then the name and the text of each parameter that was read, one of each name.
    texts: String,
    /// The length of the value.
    value_len: usize,
    wanted: Wanted,
    plain: bool,
    bare: bool,
}

impl ParameterTexts {
    /// Reads the value of Content-Type, Content-Disposition and the like; `raw` says how the raw
    /// octets of a parameter are read. `of_file` is the parameter that names a file in this field.
    pub fn read(
        value: &[u8],
        of_file: &'static str,
        wanted: Wanted,
        raw: impl Fn(&[u8]) -> RawText,
    ) -> Self {
        if let Some(plain) = SimpleParameters::read(value) {
            return Self::of_plain(&plain);
        }
        let decoded = encoded_value(value);
        Self::read_any(decoded.as_deref().unwrap_or(value), of_file, wanted, &raw)
    }

    /// Returns the media type or disposition, in lower case.
    pub fn value(&self) -> &str {
        &self.texts[..self.value_len]
    }

    /// Returns whether there is nothing but white space in the field.
    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// Returns whether the value is in the simple form, in which nothing needs repair.
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Returns the text of the parameter of that name (in lower case), which must be one that was
    /// to be read.
    pub fn get(&self, name: &str) -> Option<&str> {
        debug_assert!(self.plain || self.wanted.includes(name), "{name} is not read");
        // Texts are so short that a loop over their octets ends before a vector search has begun.
        let mut at = self.value_len + 1;
        while at < self.texts.len() {
            let own = self.text(at);
            at += own.len() + 1;
            let text = self.text(at);
            if own == name {
                return Some(text);
            }
            at += text.len() + 1;
        }
        None
    }

    /// Returns the text that begins at `from`.
    fn text(&self, from: usize) -> &str {
        let rest = self.texts.get(from..).unwrap_or_default();
        let end = rest.bytes().position(|octet| octet == END);
        end.map_or(rest, |end| &rest[..end])
    }

    fn of_plain(plain: &SimpleParameters<'_>) -> Self {
        let octets =
            plain.list().iter().map(|(name, text)| name.len() + text.len() + 2).sum::<usize>();
        let mut texts = Vec::with_capacity(plain.value.len() + octets);
        push_lower(plain.value, &mut texts);
        for (name, text) in plain.list() {
            texts.push(END);
            push_lower(name, &mut texts);
            texts.push(END);
            texts.extend_from_slice(text);
        }
        let value_len = plain.value.len();
        Self { texts: from_utf8(texts), value_len, wanted: Wanted::All, plain: true, bare: false }
    }

    fn read_any(
        value: &[u8],
        of_file: &'static str,
        wanted: Wanted,
        raw: &dyn Fn(&[u8]) -> RawText,
    ) -> Self {
        let list = list(value);
        let read = of_list(value, &list, of_file, wanted, raw, &mut Tally::default());
        let mut texts = read.value;
        let value_len = texts.bytes().position(|octet| octet == END).unwrap_or(texts.len());
        for parameter in &read.list {
            for text in [&*parameter.name, &*parameter.text] {
                texts.push(END.into());
                texts.push_str(text);
            }
        }
        Self {
            texts,
            value_len,
            wanted,
            plain: false,
            bare: value.iter().all(|&octet| is_fws(octet)),
        }
    }
}

fn push_lower(ascii: &[u8], texts: &mut Vec<u8>) {
    texts.extend(ascii.iter().map(u8::to_ascii_lowercase));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::parameter::FILE_OF_TYPE;

    proptest! {
        #[test]
        fn simple_parameters_read_alike(
            value in r#" ?(text/plain|a|[a-z/"(;]{0,6})([; =\t]|\r\n |charset|nAme|\*|'|"|[a-z]{1,3}|; ?[ab]="?[a-z ?=]{0,5}"?){0,12}(\r\n)?"#,
        ) {
            if let Some(plain) = SimpleParameters::read(value.as_bytes()) {
                for raw in [RawText::Unknown, RawText::Alone] {
                    let any = ParameterTexts::read_any(value.as_bytes(), FILE_OF_TYPE, Wanted::All, &|_| raw);
                    prop_assert_eq!(ParameterTexts::of_plain(&plain).texts, any.texts);
                }
            }
        }
    }

    #[test]
    fn simple_is_what_mail_holds() {
        for value in [
            " text/plain; charset=us-ascii\r\n",
            " multipart/mixed;\r\n\tboundary=\"a b\"; x=y;",
            "attachment",
        ] {
            assert!(SimpleParameters::read(value.as_bytes()).is_some(), "{value}");
        }
        for odd in [
            "",
            "text/",
            "a; b",
            "a; b=c; B=d",
            "a; b*=c",
            "a; b=\"=?\"",
            "a b",
            "a; b=c d",
            "a (b)",
            "a; b=\"c\\\"\"",
            "a; filename2=b",
            "a; x-boundary=b",
            "a; name=b'c",
        ] {
            assert_eq!(SimpleParameters::read(odd.as_bytes()), None, "{odd}");
        }
    }
}
