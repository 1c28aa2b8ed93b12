//! Parts that have answers of their own: enclosed messages and calendars.

use super::Message;
use super::part::Part;
use crate::facts::tree::Kind;

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
        if !matches!(entity.kind, Kind::Message) {
            return None;
        }

        let inside = &self.tree.entities[*entity.children.first()?];
        Some(Message::parse(&self.tree.source_of(inside)[inside.start..inside.body.end]))
    }

    /// Returns the method of a calendar (`text/calendar`) in upper case, from its Content-Type or
    /// from its own `METHOD` line (RFC 6047, 2.4): `REQUEST`, `REPLY`, `CANCEL`.
    pub fn calendar_method(&self) -> Option<String> {
        if self.media_type() != "text/calendar" {
            return None;
        }
        if let Some(method) = self.parameter("method") {
            return Some(method.to_ascii_uppercase());
        }

        let text = self.text()?;
        text.lines().find_map(method_in_line)
    }
}

/// Returns the method that a line of a calendar has, in upper case, if it is a `METHOD` line.
fn method_in_line(line: &str) -> Option<String> {
    let (name, method) = line.split_at_checked("METHOD:".len())?;
    name.eq_ignore_ascii_case("METHOD:").then(|| method.trim().to_ascii_uppercase())
}
