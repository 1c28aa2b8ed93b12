//! Answers that are one word of a header field: one table, which documents and every front end are
//! made of.

use super::Message;
use super::part::Part;

/// An answer that is one word of a header field, as documents and front ends ask for it.
/// [`Message::WORDS`] has all of them.
///
/// ```
/// use sevenbit::Message;
///
/// let message = Message::parse(b"Auto-Submitted: auto-replied\r\n\r\n");
/// let said = Message::WORDS.iter().filter_map(|word| Some((word.name, word.of(&message)?)));
/// assert_eq!(said.collect::<Vec<_>>(), [("auto_submitted", "auto-replied".to_owned())]);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WordSchema {
    /// The name, with `_` between its parts: that of the method, and of the key in JSON.
    pub name: &'static str,
    /// The meaning, in a sentence.
    pub summary: &'static str,
    answer: fn(&Message<'_>) -> Option<String>,
}

impl WordSchema {
    /// Returns the word of a message, in lower case and without white space; `None` if it has
    /// none.
    pub fn of(&self, message: &Message<'_>) -> Option<String> {
        (self.answer)(message)
    }
}

impl Message<'_> {
    /// Every answer that is one word, for documents and front ends.
    pub const WORDS: &'static [WordSchema] = &[
        WordSchema {
            name: "auto_submitted",
            summary: "Whether a program sent it, by Auto-Submitted: `auto-replied`, `auto-generated`, `no`.",
            answer: |message| message.auto_submitted(),
        },
        WordSchema {
            name: "precedence",
            summary: "What kind of mass mail it is, by Precedence: `bulk`, `list`, `junk`.",
            answer: |message| message.precedence(),
        },
        WordSchema {
            name: "importance",
            summary: "How much it matters, as its sender says: `high`, `normal`, `low`.",
            answer: |message| message.importance().map(str::to_owned),
        },
    ];

    /// Returns the keyword of `Auto-Submitted:` in lower case (RFC 3834, 5): `auto-replied`,
    /// `auto-generated`, `no`.
    pub fn auto_submitted(&self) -> Option<String> {
        self.root().keyword("auto-submitted")
    }

    /// Returns the word of `Precedence:` in lower case: `bulk`, `list`, `junk`.
    pub fn precedence(&self) -> Option<String> {
        self.root().keyword("precedence")
    }

    /// Returns how much the message matters, as its sender says: `high`, `normal` or `low`.
    ///
    /// Mail programs say it in four fields. The first one counts whose word is known, in this
    /// order: `Importance:` (RFC 2156), `X-Priority:` with a number from 1, the highest, to 5,
    /// `X-MSMail-Priority:` and `Priority:`.
    ///
    /// ```
    /// let message = sevenbit::Message::parse(b"X-Priority: 1 (Highest)\r\n\r\n");
    /// assert_eq!(message.importance(), Some("high"));
    /// ```
    pub fn importance(&self) -> Option<&'static str> {
        let fields = ["importance", "x-priority", "x-msmail-priority", "priority"];
        fields.into_iter().find_map(|field| {
            let word = self.root().keyword(field)?;
            match &*word {
                "high" | "highest" | "urgent" | "1" | "2" => Some("high"),
                "normal" | "3" => Some("normal"),
                "low" | "lowest" | "non-urgent" | "4" | "5" => Some("low"),
                _ => None,
            }
        })
    }
}

impl Part<'_> {
    /// Returns the first word of a field, in lower case: `auto-replied` of `auto-replied;
    /// owner-email="x"`.
    fn keyword(&self, name: &str) -> Option<String> {
        let text = self.header(name)?;
        let word =
            text.trim_start().split(|c: char| c == ';' || c == '(' || c.is_whitespace()).next()?;
        Some(word.to_ascii_lowercase()).filter(|word| !word.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use crate::Message;

    #[test]
    fn automatic_mail_is_known() {
        let mail = b"Auto-Submitted: Auto-Replied; owner=\"x\"\r\nPrecedence: Bulk\r\n\r\n";
        let message = Message::parse(mail);
        assert_eq!(message.auto_submitted().as_deref(), Some("auto-replied"));
        assert_eq!(message.precedence().as_deref(), Some("bulk"));
    }

    #[test]
    fn the_first_field_with_a_known_word_says_the_importance() {
        for (header, importance) in [
            ("Importance: High", Some("high")),
            ("Importance: low\r\nX-Priority: 1", Some("low")),
            ("Importance: $IMPORTANCE\r\nX-Priority: 2 (High)", Some("high")),
            ("X-Priority: 3 (Normal)", Some("normal")),
            ("X-Priority: 5(Lowest)", Some("low")),
            ("X-Priority: 10", None),
            ("X-MSMail-Priority: Normal", Some("normal")),
            ("Priority: URGENT", Some("high")),
            ("Priority: non-urgent", Some("low")),
            ("Priority:", None),
            ("Subject: urgent", None),
        ] {
            let message = format!("{header}\r\n\r\n");
            assert_eq!(Message::parse(message.as_bytes()).importance(), importance, "{header}");
        }
    }
}
