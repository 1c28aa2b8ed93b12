//! The header of an entity: fields as text and as octets, mailboxes, dates, ids.

use std::borrow::Cow;

use super::address::Address;
use super::header_text::HeaderText;
use super::mailbox::Mailbox;
use super::part::Part;
use crate::ascii::{is_fws, trim_fws};
use crate::decode::{self, RawText, may_hold_unlabelled};
use crate::facts::evidence::guess_for_view;
use crate::facts::field::{Field, RowId};
use crate::facts::line_ends::without_line_end;
use crate::syntax::{message_id, value};
use crate::{Date, Decoded};

impl<'m> Part<'m> {
    /// Returns the text of the first field of that name in this entity's header.
    pub fn header(&self, name: &str) -> Option<Cow<'m, str>> {
        self.named(name).next().map(|field| self.field_text(field).into_text())
    }

    /// Returns the texts of all fields of that name in this entity's header, in order. The octets
    /// behind each are in [`raw_headers`](Self::raw_headers).
    ///
    /// ```
    /// let message = sevenbit::Message::parse(b"X-A: one\r\nx-a: =?utf-8?Q?caf=C3=A9?=\r\n\r\n");
    /// assert_eq!(message.root().headers_named("X-A").collect::<Vec<_>>(), ["one", "café"]);
    /// ```
    pub fn headers_named<'n>(
        &self,
        name: &'n str,
    ) -> impl Iterator<Item = Cow<'m, str>> + use<'m, 'n> {
        let part = *self;
        self.named(name).map(move |field| part.field_text(field).into_text())
    }

    /// Returns every field of this entity's header in order: name, and value as text.
    pub fn headers(&self) -> impl Iterator<Item = (&'m str, Cow<'m, str>)> + use<'m> {
        let (part, text) = (*self, HeaderText::of(self.source(), self.entity()));
        self.fields().map(move |field| {
            let value = text.unfolded(field).unwrap_or_else(|| part.field_text(field).into_text());
            (text.name(field), value)
        })
    }

    /// Returns every field of this entity's header in order, as octets: its name, and its value
    /// from the octet after the colon, including leading white space and folds, without the last
    /// line end. Lines that are not fields are left out; [`header_octets`](Self::header_octets) has
    /// them.
    ///
    /// ```
    /// let message = sevenbit::Message::parse(b"Subject: one\r\n two\r\nTo:\r\n\r\n");
    /// let fields: Vec<_> = message.root().raw_headers().collect();
    /// assert_eq!(fields, [(&b"Subject"[..], &b" one\r\n two"[..]), (b"To", b"")]);
    /// ```
    pub fn raw_headers(&self) -> impl Iterator<Item = (&'m [u8], &'m [u8])> + use<'m> {
        let source = self.source();
        self.fields()
            .map(move |field| (field.name(source), without_line_end(field.value_of(source))))
    }

    /// Returns the mailboxes of all fields of that name in this entity's header.
    pub fn mailboxes(&self, name: &str) -> Vec<Mailbox> {
        let source = self.source();
        let of_field =
            |field: &Field| decode::mailboxes(field.value_of(source), &self.raw_text(field));
        let mut fields = self.named(name);
        // Usually there is one, whose list needs no copy.
        let mut found = fields.next().map(of_field).unwrap_or_default();
        found.extend(fields.flat_map(of_field));
        found.into_iter().map(|(name, address)| Mailbox::new(name, address)).collect()
    }

    /// Returns the entries of all fields of that name in this entity's header, groups kept.
    pub fn addresses(&self, name: &str) -> Vec<Address> {
        let source = self.source();
        let of_field =
            |field: &Field| decode::addresses(field.value_of(source), &self.raw_text(field));
        self.named(name).flat_map(of_field).map(Address::new).collect()
    }

    /// Returns the first `Date:` field that can be read.
    pub fn date(&self) -> Option<Date> {
        self.named("date").find_map(|field| Date::read(field.value_of(self.source())))
    }

    /// Returns the id of `Content-ID:` without its angle brackets (RFC 2045, 7), to which `cid:` in
    /// HTML refers (RFC 2392).
    pub fn content_id(&self) -> Option<Cow<'m, str>> {
        self.ids("content-id").into_iter().next().or_else(|| {
            // Some mailers forget the brackets, and write no `@` either.
            let word =
                self.values("content-id").map(value::trim).find(|value| !value.is_empty())?;
            (!word.iter().any(|octet| is_fws(*octet) || b"<>".contains(octet)))
                .then(|| text_of_id(word.into()))
        })
    }

    /// Returns the message ids of all fields of that name, without their angle brackets (RFC 5322,
    /// 3.6.4).
    pub fn ids(&self, name: &str) -> Vec<Cow<'m, str>> {
        let source = self.source();
        let values = self.named(name).map(|field| field.value_of(source));
        values.flat_map(message_id::list).map(text_of_id).collect()
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &'m Field> + use<'m> {
        let fields = self.tree.fields_of(self.entity()).iter();
        fields.filter(|field| field.is_field())
    }

    /// Returns the values of all fields of that name, as octets.
    pub(super) fn values<'n>(&self, name: &'n str) -> impl Iterator<Item = &'m [u8]> + use<'m, 'n> {
        let source = self.source();
        self.named(name).map(move |field| field.value_of(source))
    }

    fn named<'n>(&self, name: &'n str) -> impl Iterator<Item = &'m Field> + use<'m, 'n> {
        let (source, row) = (self.source(), RowId::of(name.as_bytes()));
        self.fields().filter(move |field| field.row == row && field.is(source, name))
    }

    pub(super) fn field_text(&self, field: &Field) -> Decoded<'m> {
        let value = trim_fws(field.value_of(self.source()));
        if field.lines.are_clean() {
            return Decoded::new(decode::unfolded_text(value), Vec::new());
        }
        decode::text_guessing(value, || self.raw_text(field))
    }

    /// Returns how raw octets in a field of this header are read: as an archive reads them.
    fn raw_text(&self, field: &Field) -> RawText {
        let asks = may_hold_unlabelled(field.value_of(self.source()));
        RawText::shown(asks.then(|| guess_for_view(self.tree, self.index, field)).flatten())
    }
}

fn text_of_id(id: Cow<'_, [u8]>) -> Cow<'_, str> {
    match id {
        Cow::Borrowed(id) => String::from_utf8_lossy(id),
        Cow::Owned(id) => Cow::Owned(String::from_utf8_lossy(&id).into_owned()),
    }
}
