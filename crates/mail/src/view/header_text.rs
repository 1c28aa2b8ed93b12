//! A header section as text, for whoever reads all of its fields: validated once, not field by
//! field.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;

use crate::ascii::within_fws;
use crate::codec::utf8;
use crate::facts::field::Field;
use crate::facts::tree::Entity;

#[derive(Clone, Copy)]
pub(super) struct HeaderText<'m> {
    source: &'m [u8],
    start: usize,
    /// Nothing, if the section is not UTF-8.
    text: &'m str,
}

impl<'m> HeaderText<'m> {
    pub(super) fn of(source: &'m [u8], entity: &Entity) -> Self {
        let (start, end) = (entity.start, entity.section.fields_end);
        Self { source, start, text: utf8::validate(&source[start..end]).unwrap_or_default() }
    }

    /// Returns the name of a field, which is empty if it is not UTF-8.
    pub(super) fn name(&self, field: &Field) -> &'m str {
        let name = field.span.start..field.span.start + field.name_len;
        self.at(name.clone())
            .or_else(|| str::from_utf8(&self.source[name]).ok())
            .unwrap_or_default()
    }

    /// Returns the value of a field if nothing in it is encoded or folded.
    pub(super) fn unfolded(&self, field: &Field) -> Option<Cow<'m, str>> {
        let within = within_fws(field.value_of(self.source));
        let value = self.at(field.value + within.start..field.value + within.end)?;
        let is_literal =
            field.lines.are_clean() && memchr2(b'\r', b'\n', value.as_bytes()).is_none();
        is_literal.then_some(Cow::Borrowed(value))
    }

    fn at(&self, range: Range<usize>) -> Option<&'m str> {
        self.text.get(range.start - self.start..range.end - self.start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::Message;

    proptest! {
        #[test]
        fn fields_read_alike_together_and_one_by_one(
            header in "(A:|Subject:|[Tt]o :|é:)?([ab]|[ \t]|\r\n |\r\n\r\n|\r\n|\r|\n|é|=[?]utf-8[?]Q[?]=C3=A9[?]=|\u{0}){0,12}",
            raw in proptest::bool::ANY,
        ) {
            let mut mail = format!("Content-Type: multipart/mixed; boundary=b\r\n{header}\r\n\r\n--b\r\n\r\n\u{e9}").into_bytes();
            if raw {
                mail.iter_mut().filter(|octet| **octet == 0xC3).for_each(|octet| *octet = b'-');
            }
            let message = Message::parse(&mail);
            let root = message.root();
            let texts = root.fields().map(|field| root.field_text(field).into_text());
            let names = root.raw_headers().map(|(name, _)| str::from_utf8(name).unwrap_or_default());
            prop_assert_eq!(root.headers().collect::<Vec<_>>(), names.zip(texts).collect::<Vec<_>>());
        }
    }
}
