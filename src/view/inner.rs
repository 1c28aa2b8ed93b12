//! Parts that are something of their own: messages, calendars.

use super::Message;
use super::part::Part;
use crate::message::tree::Kind;

impl<'m> Part<'m> {
    /// Returns the message in a `message/rfc822` as a message of its own, with default limits;
    /// `None` for any other part.
    ///
    /// ```
    /// let mail = b"Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nhi\r\n";
    /// let outer = sevenbit::Message::parse(mail);
    /// let inner = outer.root().message().unwrap();
    /// assert_eq!((inner.subject().as_deref(), &*inner.text()), (Some("inner"), "hi\n"));
    /// ```
    pub fn message(&self) -> Option<Message<'m>> {
        let entity = self.entity();
        let inside = entity.children.first().filter(|_| matches!(entity.kind, Kind::Message))?;
        let inside = &self.tree.entities[*inside];
        Some(Message::parse(&self.tree.source_of(inside)[inside.start..inside.body.end]))
    }

    /// Returns the method of a calendar (`text/calendar`) in upper case, from its Content-Type or
    /// from its own `METHOD` line (RFC 6047, 2.4): `REQUEST`, `REPLY`, `CANCEL`.
    pub fn calendar_method(&self) -> Option<String> {
        if self.media_type() != "text/calendar" {
            return None;
        }
        let in_text = || {
            let text = self.text()?;
            let line = text.lines().find(|line| {
                line.get(..7).is_some_and(|name| name.eq_ignore_ascii_case("METHOD:"))
            })?;
            Some(line[7..].trim().to_ascii_uppercase())
        };
        self.parameter("method").map(str::to_ascii_uppercase).or_else(in_text)
    }
}
