//! The text and the HTML of a whole message, as a person reads them.

use std::borrow::Cow;

use super::attachment::may_be_tnef;
use super::body::BodyParts;
use super::embedded::{files, without};
use super::flowed::unflowed;
use super::html::{escaped, resolved};
use super::part::Part;
use super::tnef::Tnef;

impl<'m> Part<'m> {
    /// Returns the text of a text leaf as a person reads it; `None` for other types.
    ///
    /// - HTML becomes text (feature `html`; without it, `None`): paragraphs, lists, quotes and
    ///   tables in plain characters, links with their addresses. Nothing is executed, nothing
    ///   loaded.
    /// - Lines of `format=flowed` are joined (RFC 3676).
    /// - Files in the text, uuencoded or in yEnc, are left out; they are among the
    ///   [attachments](crate::Message::attachments).
    ///
    /// [`text`](Self::text) has the text as it was sent.
    ///
    /// ```
    /// let mail = b"Content-Type: text/plain; format=flowed\r\n\r\na line \r\nthat was broken\r\n";
    /// let message = sevenbit::Message::parse(mail);
    /// assert_eq!(message.root().plain_text().as_deref(), Some("a line that was broken\n"));
    /// ```
    pub fn plain_text(&self) -> Option<Cow<'m, str>> {
        if !self.is_leaf() || !self.media_type().starts_with("text/") {
            return None;
        }
        if self.media_type() == "text/html" {
            return self.html_as_text();
        }
        let octets = self.octets();
        let files = files(&octets);
        let text = match (octets, files.is_empty()) {
            (Cow::Borrowed(octets), true) => self.text_of(octets).into_text(),
            (octets, true) => self.text_of(&octets).into_text().into_owned().into(),
            (octets, false) => {
                self.text_of(&without(&octets, &files)).into_text().into_owned().into()
            }
        };
        let says = |name, value: &str| {
            self.parameter(name).is_some_and(|said| said.eq_ignore_ascii_case(value))
        };
        Some(if says("format", "flowed") {
            unflowed(&text, says("delsp", "yes")).into()
        } else {
            text
        })
    }

    #[cfg(feature = "html")]
    fn html_as_text(&self) -> Option<Cow<'m, str>> {
        self.text().map(|html| super::html_text::html_text(&html).into())
    }

    #[cfg(not(feature = "html"))]
    fn html_as_text(&self) -> Option<Cow<'m, str>> {
        None
    }

    /// Returns the HTML of a text leaf: HTML as it is, with what [`resolve`](crate::Message::html)
    /// makes of its `cid:` addresses, any other text escaped.
    fn as_html(&self, resolve: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
        match self.media_type() {
            "text/html" => self.text().map(|html| resolved(&html, resolve)),
            _ => self.plain_text().map(|text| escaped(&text)),
        }
    }
}

impl<'m> BodyParts<'m> {
    /// Returns the texts of the side where plain text is preferred, one after the other. If they
    /// are blank, which programs for newsletters leave them, those of the other side.
    pub(super) fn text(&self) -> Cow<'m, str> {
        let plain = joined(self.plain());
        if !is_blank(&plain) {
            return plain;
        }
        let rich = joined(self.html());
        if !is_blank(&rich) {
            return rich;
        }
        self.packed(packed_text).map_or(plain, Cow::Owned)
    }

    /// Returns the HTML of the side where that is preferred, or that in a `winmail.dat`; `None` if
    /// there is none.
    pub(super) fn joined_html(
        &self,
        resolve: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Option<String> {
        if !self.html().iter().any(|part| part.media_type() == "text/html") {
            return self.packed(|tnef| tnef.html().map(|html| resolved(html, resolve)));
        }
        Some(self.html().iter().filter_map(|part| part.as_html(resolve)).collect())
    }
}

impl BodyParts<'_> {
    /// Returns what `body` finds in the first attachment that is TNEF.
    fn packed(&self, body: impl FnOnce(&Tnef<'_>) -> Option<String>) -> Option<String> {
        let part = self.attachments().iter().find(|part| may_be_tnef(part))?;
        body(&Tnef::read(&part.octets())?)
    }
}

/// Returns the texts of parts, one after the other, each from the start of a line.
fn joined<'m>(parts: &[Part<'m>]) -> Cow<'m, str> {
    let mut texts = parts.iter().filter_map(Part::plain_text).filter(|text| !text.is_empty());
    let mut whole = texts.next().unwrap_or_default();
    for text in texts {
        let whole = whole.to_mut();
        whole.push_str(if whole.ends_with('\n') { "" } else { "\n" });
        whole.push_str(&text);
    }
    whole
}

fn is_blank(text: &str) -> bool {
    text.trim_start().is_empty()
}

fn packed_text(tnef: &Tnef<'_>) -> Option<String> {
    let text = tnef.text().map(str::to_owned);
    #[cfg(feature = "html")]
    let text = text.or_else(|| tnef.html().map(super::html_text::html_text));
    text
}

#[cfg(test)]
mod tests {
    use crate::Message;

    fn multipart(kind: &str, parts: &[&str]) -> String {
        let parts: String = parts.iter().map(|part| format!("--{kind}\r\n{part}\r\n")).collect();
        format!("Content-Type: multipart/{kind}; boundary={kind}\r\n\r\n{parts}--{kind}--")
    }

    const PLAIN: &str = "Content-Type: text/plain\r\n\r\nplain <&>";
    const HTML: &str = "Content-Type: text/html\r\n\r\n<p>rich <img src=\"cid:a%40b\"></p>";
    const FOOTER: &str = "Content-Type: text/plain\r\n\r\nlist footer";

    #[test]
    fn nothing_that_belongs_to_the_body_is_lost() {
        let alternative = multipart("alternative", &[PLAIN, HTML]);
        for (mail, text, html) in [
            (PLAIN.to_owned(), "plain <&>", None),
            (alternative.clone(), "plain <&>", Some("<p>rich <img src=\"x:a@b\"></p>")),
            (
                multipart("mixed", &[&alternative, FOOTER]),
                "plain <&>\nlist footer",
                Some(
                    "<p>rich <img src=\"x:a@b\"></p><pre style=\"white-space: pre-wrap\">list footer</pre>\n",
                ),
            ),
            (
                multipart("mixed", &[PLAIN, HTML]),
                "plain <&>\nrich\n",
                Some(
                    "<pre style=\"white-space: pre-wrap\">plain &lt;&amp;&gt;</pre>\n<p>rich <img src=\"x:a@b\"></p>",
                ),
            ),
        ] {
            let message = Message::parse(mail.as_bytes());
            if cfg!(feature = "html") {
                assert_eq!(message.text(), text, "{mail}");
            }
            assert_eq!(message.html(|id| Some(format!("x:{id}"))).as_deref(), html, "{mail}");
        }
    }
}
