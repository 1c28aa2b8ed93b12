//! A mailbox of an address field.

use std::fmt;

use crate::encode;
use crate::syntax::address::NOBODY;

/// A mailbox of an address field.
///
/// Its `Display` is its form in mail, in US-ASCII and folded with CR LF if it is long: the name as
/// words, a quoted-string or encoded-words (RFC 2047), the domain in A-labels. An addr-spec that 7
/// bits cannot carry becomes part of the name, beside one that nobody has (RFC 6858).
///
/// ```
/// let mail = "From: Zoë (at home) <zoe@exämple.org>\r\n\r\n";
/// let message = sevenbit::Message::parse(mail.as_bytes());
/// let from = &message.mailboxes("from")[0];
/// assert_eq!((from.name(), from.address()), ("Zoë", "zoe@exämple.org"));
/// assert_eq!(from.to_string(), "=?utf-8?Q?Zo=C3=AB?= <zoe@xn--exmple-cua.org>");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mailbox {
    name: String,
    address: String,
}

impl Mailbox {
    pub(super) fn new(name: String, address: String) -> Self {
        Self { name, address }
    }

    /// Returns the display name as text; empty if there is none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the addr-spec, never decoded.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns an address in the display name that is not the addr-spec: programs that show the
    /// name alone show a sender who did not send it. Beside an addr-spec that stands for one that 7
    /// bits could not carry (RFC 6858) the name holds that one.
    ///
    /// ```
    /// let mail = b"From: \"bank@example.org\" <mallory@example.net>\r\n\r\n";
    /// let from = &sevenbit::Message::parse(mail).mailboxes("from")[0];
    /// assert_eq!(from.address_in_name(), Some("bank@example.org"));
    /// ```
    pub fn address_in_name(&self) -> Option<&str> {
        if self.address == NOBODY {
            return None;
        }
        let separates = |c: char| c.is_whitespace() || "<>()[]\"',;:".contains(c);
        self.name
            .split(separates)
            .find(|word| is_like_an_address(word) && !word.eq_ignore_ascii_case(&self.address))
    }
}

/// Returns whether a word has the form of an address: something, an `@`, and a domain of two labels
/// at least.
fn is_like_an_address(word: &str) -> bool {
    let Some((local, domain)) = word.split_once('@') else { return false };
    let labels = domain.split('.');
    !local.is_empty()
        && domain.contains('.')
        && labels.into_iter().all(|label| !label.is_empty() && !label.contains('@'))
}

impl fmt::Display for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match &*self.address {
            "" => encode::phrase(&self.name),
            address => encode::mailbox(&self.name, address),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Message;

    /// Returns what is read from a mailbox as it is displayed.
    fn again(name: &str, address: &str) -> Vec<Mailbox> {
        let mail = format!("To: {}\r\n\r\n", Mailbox::new(name.to_owned(), address.to_owned()));
        assert!(mail.is_ascii(), "{mail}");
        Message::parse(mail.as_bytes()).mailboxes("to")
    }

    #[test]
    fn mailboxes_are_written_as_mail_has_them() {
        for (name, address, written) in [
            ("", "ada@example.org", "ada@example.org"),
            ("Ada Lovelace", "ada@example.org", "Ada Lovelace <ada@example.org>"),
            ("Lovelace, Ada", "ada@example.org", "\"Lovelace, Ada\" <ada@example.org>"),
            ("a \"b\" \\", "ada@example.org", "\"a \\\"b\\\" \\\\\" <ada@example.org>"),
            ("Zoë", "zoe@example.org", "=?utf-8?Q?Zo=C3=AB?= <zoe@example.org>"),
            ("Zoë", "", "=?utf-8?Q?Zo=C3=AB?="),
            (
                "x",
                "zoë@example.org",
                "x =?utf-8?Q?zo=C3=AB=40example=2Eorg?=\r\n <invalid@internationalized-address.invalid>",
            ),
        ] {
            assert_eq!(Mailbox::new(name.into(), address.into()).to_string(), written);
        }
    }

    #[test]
    fn another_address_in_a_name_is_found() {
        for (name, found) in [
            ("ada@example.org", None),
            ("Ada Lovelace", None),
            ("ADA@example.org", None),
            ("@ada, a@b, a@.b, a@b@c.d", None),
            ("Bank (bank@example.com)", Some("bank@example.com")),
            ("'bank@example.com' via list", Some("bank@example.com")),
        ] {
            let mailbox = Mailbox::new(name.into(), "ada@example.org".into());
            assert_eq!(mailbox.address_in_name(), found, "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_mailbox_reads_as_it_was_displayed(name in "([a-zA-Zé字\"\\\\<>(),;:@.=?_\r\n-]{1,9} ?){0,12}") {
            let name = name.trim();
            let expected: String = name.chars().map(|c| if c == '\r' || c == '\n' { ' ' } else { c }).collect();
            let found = again(name, "a.b@example.org");
            prop_assert_eq!(found.len(), 1);
            prop_assert_eq!(found[0].address(), "a.b@example.org");
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert_eq!(words(found[0].name()), words(&expected));
        }
    }
}
