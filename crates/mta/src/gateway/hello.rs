//! The extensions that servers announce (RFC 5321, 4.1.1.1): the next hop to the gateway, the
//! gateway to the client.

use std::net::IpAddr;

use super::command::{Verb, size, written};
use super::reply::Reply;
use super::transaction::Demands;

/// Extensions of the next hop that work through the gateway as they are: parameters and commands of
/// one line.
///
/// 1. Not BINARYMIME (RFC 3030): a message that comes as lines goes on as lines.
/// 2. Not CHUNKING, which the gateway has itself: a message is read whole before it goes on, by
///    DATA.
/// 3. Not STARTTLS, which is about one connection; AUTH only with the mechanisms of [`LOGINS`].
const PASSED: [&[u8]; 12] = [
    b"DSN",
    b"ENHANCEDSTATUSCODES",
    b"XFORWARD",
    b"XCLIENT",
    b"VRFY",
    b"EXPN",
    b"HELP",
    b"ETRN",
    b"DELIVERBY",
    b"MT-PRIORITY",
    b"NO-SOLICITING",
    b"FUTURERELEASE",
];

/// How a client may log in at the next hop: by mechanisms whose lines can be said again on a new
/// connection, which no challenge makes different each time. They say the password, so the
/// connections are encrypted.
pub const LOGINS: [&[u8]; 4] = [b"PLAIN", b"LOGIN", b"XOAUTH2", b"OAUTHBEARER"];

/// The extensions offered to some clients only.
#[derive(Clone, Copy, Debug)]
pub struct Offered {
    /// XFORWARD and XCLIENT.
    pub forwarding: bool,
    /// STARTTLS.
    pub tls: bool,
    /// AUTH.
    pub login: bool,
    /// 8BITMIME, SMTPUTF8 and CHUNKING also if the next hop has none of them: messages are mended,
    /// not only looked at.
    pub mended: bool,
}

/// Extensions of the gateway itself, whatever the next hop supports.
const OWN: [&[u8]; 4] = [b"PIPELINING", b"8BITMIME", b"CHUNKING", b"SMTPUTF8"];

/// The extensions that the next hop supports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// The next hop accepts octets beyond ASCII in bodies (RFC 6152).
    pub eight_bit: bool,
    /// The next hop accepts them in addresses and header fields (RFC 6531).
    pub smtputf8: bool,
    /// The longest message that it takes, in octets, if it says so (RFC 1870).
    pub size: Option<u64>,
    /// The next hop wants to hear the address of a message's client (Postfix's XFORWARD).
    pub forwards_address: bool,
    /// The attributes that it takes of a client that it is to treat as its own (Postfix's XCLIENT).
    client_attributes: Vec<Vec<u8>>,
    /// The next hop can encrypt its connection (RFC 3207).
    pub starts_tls: bool,
    /// The next hop takes messages in chunks (RFC 3030).
    pub chunking: bool,
    /// The mechanisms by which clients may log in through the gateway.
    logins: Vec<Vec<u8>>,
    passed: Vec<Vec<u8>>,
}

impl Extensions {
    /// The extensions in a reply to EHLO or LHLO; its first line is a greeting.
    pub fn of(reply: &Reply) -> Self {
        let mut found = Self::default();
        for text in reply.texts().skip(1) {
            // Some old servers spell it `AUTH=LOGIN`.
            let keyword = text.split(|octet| b" =".contains(octet)).next().unwrap_or_default();
            match keyword.to_ascii_uppercase().as_slice() {
                b"8BITMIME" => found.eight_bit = true,
                b"SMTPUTF8" => found.smtputf8 = true,
                b"STARTTLS" => found.starts_tls = true,
                b"CHUNKING" => found.chunking = true,
                b"AUTH" => {
                    let words = text
                        .split(|octet| b" =".contains(octet))
                        .skip(1)
                        .map(<[u8]>::to_ascii_uppercase);
                    found.logins = words.filter(|word| LOGINS.contains(&word.as_slice())).collect();
                }
                b"SIZE" => {
                    found.size = size(text.get(5..).unwrap_or_default()).filter(|&size| size > 0)
                }
                keyword if PASSED.contains(&keyword) => {
                    let mut words = text.split(|&octet| octet == b' ').skip(1);
                    match keyword {
                        b"XFORWARD" => found.forwards_address |= words.any(|word| word == b"ADDR"),
                        b"XCLIENT" => found.client_attributes = words.map(<[u8]>::to_vec).collect(),
                        _ => {}
                    }
                    found.passed.push(text.to_vec());
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a message with these demands can be sent.
    pub fn meet(&self, demands: Demands) -> bool {
        (self.eight_bit || !demands.eight_bit) && (self.smtputf8 || !demands.smtputf8)
    }

    /// Whether the next hop takes XCLIENT with the address of a client.
    pub fn takes_client_address(&self) -> bool {
        self.client_attributes.iter().any(|word| word == b"ADDR")
    }

    /// XCLIENT with the address of a client, or that it is not known, if the next hop takes that.
    /// What else it could say is not known here, and what the next hop knows of the gateway is not
    /// the client's.
    pub fn client_line(&self, peer: Option<IpAddr>) -> Option<Vec<u8>> {
        let takes = |name: &str| self.client_attributes.iter().any(|word| word == name.as_bytes());
        let unknown = ["NAME", "PORT", "LOGIN"].into_iter().filter(|name| takes(name));
        let unknown: String = unknown.map(|name| format!(" {name}=[UNAVAILABLE]")).collect();
        let address = peer.map_or_else(|| "[UNAVAILABLE]".to_owned(), written);
        self.takes_client_address().then(|| format!("XCLIENT ADDR={address}{unknown}").into_bytes())
    }

    /// Whether clients may log in through the gateway.
    pub fn takes_login(&self) -> bool {
        !self.logins.is_empty()
    }

    /// The gateway's own reply, with the longest message that gets through it.
    pub fn answer(&self, name: &str, size: Option<u64>, offered: Offered) -> Vec<u8> {
        let mut lines = vec![name.as_bytes()];
        let is_offered = |line: &&[u8]| {
            offered.forwarding || !matches!(Verb::of(line), Verb::Forward | Verb::Client)
        };
        lines.extend(self.passed.iter().map(Vec::as_slice).filter(is_offered));
        let size = size.map(|size| format!("SIZE {size}"));
        lines.extend(size.as_ref().map(String::as_bytes));
        let login = [&b"AUTH"[..], &self.logins.join(&b' ')].join(&b' ');
        if offered.login && self.takes_login() {
            lines.push(&login);
        }
        if offered.tls {
            lines.push(b"STARTTLS");
        }
        let works = |line: &&&[u8]| match **line {
            b"8BITMIME" => offered.mended || self.eight_bit,
            b"SMTPUTF8" => offered.mended || self.smtputf8,
            b"CHUNKING" => offered.mended || self.chunking,
            _ => true,
        };
        lines.extend(OWN.iter().filter(works));
        let last = lines.len() - 1;
        let mut answer = Vec::new();
        for (at, line) in lines.into_iter().enumerate() {
            answer.extend_from_slice(if at < last { b"250-" } else { b"250 " });
            answer.extend_from_slice(line);
            answer.extend_from_slice(b"\r\n");
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_works_through_the_gateway_is_offered() {
        let reply =
            b"250-mx.test\r\n250-PIPELINING\r\n250-SIZE 1000\r\n250-STARTTLS\r\n250-CHUNKING\r\n\
            250-auth=LOGIN\r\n250-8bitmime\r\n250-BINARYMIME\r\n250-UNHEARDOF\r\n250 DSN\r\n";
        let found = Extensions::of(&Reply::new(&reply[..]));
        assert!(found.eight_bit && !found.smtputf8 && found.size == Some(1000));
        let only_forwarding = Offered { forwarding: true, tls: false, login: false, mended: true };
        let answer = "250-gw.test\r\n250-DSN\r\n250-SIZE 900\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-CHUNKING\r\n250 SMTPUTF8\r\n";
        assert_eq!(
            String::from_utf8_lossy(&found.answer("gw.test", Some(900), only_forwarding)),
            answer
        );
        // In a dry run the next hop has to take mail as it is.
        let dry = Offered { mended: false, ..only_forwarding };
        let answer = answer.replace("250-CHUNKING\r\n250 SMTPUTF8", "250 CHUNKING");
        assert_eq!(String::from_utf8_lossy(&found.answer("gw.test", Some(900), dry)), answer);
    }

    #[test]
    fn logins_are_offered_where_no_one_hears_them_and_they_can_be_said_again() {
        let reply = b"250-mx.test\r\n250-auth=login CRAM-MD5 plain\r\n250 STARTTLS\r\n";
        let found = Extensions::of(&Reply::new(&reply[..]));
        assert!(found.starts_tls && found.takes_login());
        for (login, tls) in [(true, false), (false, true)] {
            let answer = found.answer(
                "gw.test",
                None,
                Offered { forwarding: true, tls, login, mended: true },
            );
            let answer = String::from_utf8_lossy(&answer).into_owned();
            assert_eq!(answer.contains("250-AUTH LOGIN PLAIN\r\n"), login, "{answer}");
            assert_eq!(
                (answer.contains("250-STARTTLS\r\n"), answer.contains("CRAM")),
                (tls, false)
            );
        }
    }
}
