//! The way that a message has come: Received, Authentication-Results.

use super::part::Part;
use crate::Date;
use crate::codec::text::lossy;
use crate::syntax::authentication_results::{MethodResult, results};
use crate::syntax::received::{Clause, Stamp, stamp};

/// One station on the way of a message: what a Received field says (RFC 5321, 4.4).
///
/// Only what was written by servers that you trust is true: a sender can put any fields below
/// theirs.
///
/// ```
/// let mail = b"Received: from b.example by c.example; Mon, 3 Mar 2025 10:00:09 +0000\r\n\
///     Received: from a.example (a.example [192.0.2.1]) by b.example with ESMTPS id 7\r\n \
///     for <ada@c.example>; Mon, 3 Mar 2025 11:00:04 +0100\r\n\r\n";
/// let message = sevenbit::Message::parse(mail);
/// let hops = message.hops();
/// assert_eq!((hops[0].sender(), hops[0].recipient()), (Some("a.example"), Some("ada@c.example")));
/// assert_eq!(hops[0].sender_info(), Some("(a.example [192.0.2.1])"));
/// assert_eq!(hops[1].delay(), Some(5));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hop {
    sender: Option<String>,
    sender_info: Option<String>,
    by: Option<String>,
    via: Option<String>,
    with: Option<String>,
    id: Option<String>,
    recipient: Option<String>,
    date: Option<Date>,
    delay: Option<i64>,
}

impl Hop {
    /// Returns how the sender called itself.
    pub fn sender(&self) -> Option<&str> {
        self.sender.as_deref()
    }

    /// Returns what the server saw of the sender, its name and address, as comments.
    pub fn sender_info(&self) -> Option<&str> {
        self.sender_info.as_deref()
    }

    /// Returns the server that wrote the field.
    pub fn by(&self) -> Option<&str> {
        self.by.as_deref()
    }

    /// Returns the network, if that is said: `TCP`.
    pub fn via(&self) -> Option<&str> {
        self.via.as_deref()
    }

    /// Returns the protocol: `ESMTPS`, `LMTP`, `HTTP`.
    pub fn with(&self) -> Option<&str> {
        self.with.as_deref()
    }

    /// Returns the number that the server gave the message.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns for whom it was, without angle brackets.
    pub fn recipient(&self) -> Option<&str> {
        self.recipient.as_deref()
    }

    /// Returns when the server received it.
    pub fn date(&self) -> Option<Date> {
        self.date
    }

    /// Returns the seconds since the hop before it; less than 0 if clocks were wrong, `None` if a
    /// time is missing.
    pub fn delay(&self) -> Option<i64> {
        self.delay
    }

    fn new(value: &[u8], before: Option<&Self>) -> Self {
        let stamp = stamp(value);
        let text = |octets: &[u8]| Some(one_line(octets)).filter(|text| !text.is_empty());
        let clause = |word: &str| -> Option<&Clause<'_>> { Stamp::clause(&stamp, word) };
        let date = stamp.date.and_then(Date::read);
        let earlier = before.and_then(|hop| hop.date);
        Self {
            sender: clause("from").and_then(|from| text(from.value)),
            sender_info: clause("from").and_then(|from| text(from.comments)),
            by: clause("by").and_then(|by| text(by.value)),
            via: clause("via").and_then(|via| text(via.value)),
            with: clause("with").and_then(|with| text(with.value)),
            id: clause("id").and_then(|id| text(id.value)),
            recipient: clause("for")
                .and_then(|to| text(to.value))
                .map(|to| to.trim_matches(['<', '>']).to_owned()),
            delay: date.zip(earlier).map(|(date, earlier)| date.timestamp() - earlier.timestamp()),
            date,
        }
    }
}

/// The results of a server's checks of where a message comes from (RFC 8601).
///
/// ```
/// let mail = b"Authentication-Results: mx.example.net;\r\n dkim=pass header.d=example.org; \
///     spf=fail (not permitted) smtp.mailfrom=a@example.com\r\n\r\n";
/// let message = sevenbit::Message::parse(mail);
/// let found = &message.authentication_results()[0];
/// assert_eq!((found.server(), found.results().len()), ("mx.example.net", 2));
/// let spf = &found.results()[1];
/// assert_eq!((spf.method(), spf.result(), spf.comment()), ("spf", "fail", "not permitted"));
/// assert_eq!(spf.property("smtp.mailfrom"), Some("a@example.com"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticationResults {
    server: String,
    results: Vec<AuthenticationResult>,
}

/// The result of one method of authentication: `dkim`, `spf`, `dmarc`...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticationResult {
    method: String,
    result: String,
    comment: String,
    properties: Vec<(String, String)>,
}

impl AuthenticationResults {
    /// Returns the name of the server that says so; empty if it is not given. Believe only your
    /// own.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns what came of each method, in order; nothing for `none`.
    pub fn results(&self) -> &[AuthenticationResult] {
        &self.results
    }

    fn new(value: &[u8]) -> Self {
        let found = results(value);
        Self {
            server: one_line(&found.server),
            results: found.results.into_iter().map(AuthenticationResult::new).collect(),
        }
    }
}

impl AuthenticationResult {
    /// Returns the method in lower case: `dkim`, `spf`, `dmarc`, `auth`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Returns the result in lower case: `pass`, `fail`, `none`, `temperror`.
    pub fn result(&self) -> &str {
        &self.result
    }

    /// Returns what was said besides, in comments; often empty.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Returns the value of the property of that name in lower case: `header.d`, `smtp.mailfrom`;
    /// or `reason`.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// Returns all properties in order, the reason among them.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &str)> {
        self.properties.iter().map(|(name, value)| (&**name, &**value))
    }

    fn new(found: MethodResult) -> Self {
        let pair = |(name, value): &(Vec<u8>, Vec<u8>)| (one_line(name), one_line(value));
        Self {
            method: one_line(&found.method),
            result: one_line(&found.result).to_ascii_lowercase(),
            comment: one_line(&found.comment),
            properties: found.properties.iter().map(pair).collect(),
        }
    }
}

impl Part<'_> {
    pub(super) fn hops(&self) -> Vec<Hop> {
        let mut values: Vec<&[u8]> = self.values("received").collect();
        values.reverse();
        let mut hops: Vec<Hop> = Vec::with_capacity(values.len());
        for value in values {
            let hop = Hop::new(value, hops.last());
            hops.push(hop);
        }
        hops
    }

    pub(super) fn authentication_results(&self) -> Vec<AuthenticationResults> {
        self.values("authentication-results").map(AuthenticationResults::new).collect()
    }
}

/// Returns octets as text on one line.
fn one_line(octets: &[u8]) -> String {
    let text = lossy(octets);
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
