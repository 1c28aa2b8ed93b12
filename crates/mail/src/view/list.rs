//! The mailing list that a message came by.

use super::part::Part;

/// The mailing list that the List- fields of a message describe (RFC 2369, 2919, 8058).
///
/// ```
/// let mail = b"List-Id: Cats and dogs <pets.example.org>\r\n\
///     List-Post: <mailto:pets@example.org>\r\n\
///     List-Unsubscribe: <mailto:leave@example.org>,\r\n <https://example.org/leave?u=7> (the web)\r\n\
///     List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n\r\n";
/// let message = sevenbit::Message::parse(mail);
/// let list = message.list().unwrap();
/// assert_eq!((list.id(), list.name()), (Some("pets.example.org"), Some("Cats and dogs")));
/// assert_eq!(list.unsubscribe(), ["mailto:leave@example.org", "https://example.org/leave?u=7"]);
/// assert_eq!(list.one_click(), Some("https://example.org/leave?u=7"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailingList {
    id: Option<String>,
    name: Option<String>,
    /// The addresses of each of [`FIELDS`].
    addresses: [Vec<String>; FIELDS.len()],
    is_one_click: bool,
}

const FIELDS: [&str; 6] =
    ["list-post", "list-unsubscribe", "list-subscribe", "list-help", "list-owner", "list-archive"];

impl MailingList {
    /// Returns the identifier of the list (RFC 2919), without angle brackets.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the name of the list, as text.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the addresses to write to, the preferred one first; none if the list takes no
    /// messages.
    pub fn post(&self) -> &[String] {
        &self.addresses[0]
    }

    /// Returns the addresses by which one leaves the list, the preferred one first.
    pub fn unsubscribe(&self) -> &[String] {
        &self.addresses[1]
    }

    /// Returns the addresses by which one joins the list.
    pub fn subscribe(&self) -> &[String] {
        &self.addresses[2]
    }

    /// Returns the addresses of its instructions.
    pub fn help(&self) -> &[String] {
        &self.addresses[3]
    }

    /// Returns the addresses of its owner.
    pub fn owner(&self) -> &[String] {
        &self.addresses[4]
    }

    /// Returns the addresses of its archive.
    pub fn archive(&self) -> &[String] {
        &self.addresses[5]
    }

    /// Returns the address to which `List-Unsubscribe=One-Click` is posted to leave the list at
    /// once (RFC 8058). Posting is allowed only if the message has a DKIM signature that covers
    /// both fields, which is for the caller to see.
    pub fn one_click(&self) -> Option<&str> {
        let is_https = |address: &&String| {
            address.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
        };
        if !self.is_one_click {
            return None;
        }
        self.unsubscribe().iter().find(is_https).map(|address| &**address)
    }
}

impl Part<'_> {
    pub(super) fn list(&self) -> Option<MailingList> {
        let (name, id) = self.header("list-id").map(|text| name_and_id(&text)).unwrap_or_default();
        let post = self.header("list-unsubscribe-post");
        let is_one_click =
            post.is_some_and(|text| text.trim().eq_ignore_ascii_case("List-Unsubscribe=One-Click"));
        let addresses =
            FIELDS.map(|name| self.headers_named(name).flat_map(|text| addresses(&text)).collect());
        let list = MailingList { id, name, addresses, is_one_click };
        let says_something =
            list.id.is_some() || list.addresses.iter().any(|list| !list.is_empty());
        says_something.then_some(list)
    }
}

/// `list-id-header = "List-ID:" [phrase] "<" list-id ">"`; several programs forget the brackets.
fn name_and_id(text: &str) -> (Option<String>, Option<String>) {
    let (name, id) = match text.rsplit_once('<') {
        Some((name, id)) => {
            (name.trim().trim_matches('"'), id.split('>').next().unwrap_or_default())
        }
        None => ("", text),
    };
    let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    (some(name), some(id))
}

/// `("<" URL ">") *("," "<" URL ">")`; white space in an address is left out, as RFC 2369 (2) says,
/// and comments are. Where an address lacks its brackets, it goes up to white space, or to a comma
/// with white space or nothing after it.
fn addresses(text: &str) -> Vec<String> {
    const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];
    let (mut found, mut rest, mut depth) = (Vec::new(), text, 0_usize);
    while let Some(first) = rest.chars().next() {
        let is_bare = depth == 0 && SCHEMES.iter().any(|scheme| rest.starts_with(scheme));
        let length = match first {
            '<' if depth == 0 => {
                let end = rest.find('>').unwrap_or(rest.len());
                let closed = rest[1..end].split_whitespace().collect::<String>();
                found.extend(
                    Some(closed).filter(|address| address.contains(':') && end < rest.len()),
                );
                end
            }
            _ if is_bare => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '<').unwrap_or(rest.len());
                found.push(rest[..end].trim_end_matches(',').to_owned());
                end
            }
            _ => first.len_utf8(),
        };
        depth = match first {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        rest = &rest[length..];
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::Message;

    #[test]
    fn odd_lists_are_read() {
        let list = |header: &str| Message::parse(format!("{header}\r\n\r\n").as_bytes()).list();
        assert_eq!(list("Subject: x"), None);
        let bare = list("List-Id: pets.example.org").expect("a list");
        assert_eq!((bare.id(), bare.name()), (Some("pets.example.org"), None));
        let named = list("List-ID: \"=?utf-8?Q?Caf=C3=A9?=\" <cafe.example.org>").expect("a list");
        assert_eq!((named.id(), named.name()), (Some("cafe.example.org"), Some("Café")));
        let closed =
            list("List-Post: NO (closed)\r\nList-Help: <mailto:a@example.org\r\n ?subject=x>")
                .expect("a list");
        assert_eq!(
            (closed.post(), closed.help()),
            (&[][..], &["mailto:a@example.org?subject=x".to_owned()][..])
        );
        let bare = list(
            "List-Archive: https://example.org/a (all of it)\r\nList-Post: mailto:a@example.org",
        )
        .expect("a list");
        assert_eq!(
            (bare.archive(), bare.post()),
            (&["https://example.org/a".to_owned()][..], &["mailto:a@example.org".to_owned()][..])
        );
        let mixed = list(
            "List-Unsubscribe: (see <https://no.example>) https://example.org/u?a=1,2, <mailto:x@example.org>,\r\n mailto:y@example.org",
        );
        let expected =
            ["https://example.org/u?a=1,2", "mailto:x@example.org", "mailto:y@example.org"];
        assert_eq!(mixed.expect("a list").unsubscribe(), expected);
        let plain = list(
            "List-Unsubscribe: <http://example.org/>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click",
        );
        assert_eq!(plain.expect("a list").one_click(), None);
    }
}
