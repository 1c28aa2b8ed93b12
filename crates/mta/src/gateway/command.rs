//! The commands of a client, parsed only as far as necessary. They are passed on in the client's
//! spelling.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::net::IpAddr;

use crate::domain;

/// How the original recipient of a delivery status notification begins, if it is an
/// internationalised address.
const ORIGINAL_RECIPIENT: &[u8] = b"ORCPT=utf-8;";

/// The verb of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// EHLO, in SMTP.
    Ehlo,
    /// HELO, in SMTP without extensions.
    Helo,
    /// LHLO, in LMTP (RFC 2033).
    Lhlo,
    /// MAIL.
    Mail,
    /// RCPT.
    Rcpt,
    /// DATA.
    Data,
    /// BDAT, a chunk of a message (RFC 3030).
    Chunk,
    /// RSET.
    Rset,
    /// QUIT.
    Quit,
    /// STARTTLS.
    StartTls,
    /// AUTH, to which the server answers with challenges.
    Login,
    /// XFORWARD, by which a Postfix says from whom it has a message.
    Forward,
    /// XCLIENT, by which a Postfix says for whom it speaks; the server begins anew.
    Client,
    /// Any with one line and one reply: passed to the next hop, which answers it.
    Passed,
    /// One with an exchange of its own, or one that is not offered.
    Unknown,
}

impl Verb {
    /// The verb of a line, ignoring case (RFC 5321, 2.4).
    pub fn of(line: &[u8]) -> Self {
        // After a form feed no server finds another word.
        let word = line.split(|octet| b" \t".contains(octet)).next().unwrap_or_default();
        match word.to_ascii_uppercase().as_slice() {
            // Servers find different commands in a line with a bare CR or LF; NUL ends it for some.
            _ if line.iter().any(|octet| b"\r\n\0".contains(octet)) => Self::Unknown,
            // Octets that the next hop was not asked to accept (RFC 6531, 3.3): only MAIL and RCPT
            // ask.
            verb if !line.is_ascii() && !matches!(verb, b"MAIL" | b"RCPT") => Self::Unknown,
            b"EHLO" => Self::Ehlo,
            b"HELO" => Self::Helo,
            b"LHLO" => Self::Lhlo,
            b"MAIL" => Self::Mail,
            b"RCPT" => Self::Rcpt,
            b"DATA" => Self::Data,
            b"BDAT" => Self::Chunk,
            b"RSET" => Self::Rset,
            b"QUIT" => Self::Quit,
            b"STARTTLS" => Self::StartTls,
            b"AUTH" => Self::Login,
            b"XFORWARD" => Self::Forward,
            b"XCLIENT" => Self::Client,
            b"NOOP" | b"VRFY" | b"EXPN" | b"HELP" | b"ETRN" => Self::Passed,
            _ => Self::Unknown,
        }
    }
}

/// An attribute of Postfix's XFORWARD or XCLIENT, by which the server before describes a message or
/// its client (`IDENT=`, the name of the message; `ADDR=`, the client's address), if that server
/// knows it.
pub fn attribute(line: &[u8], name: &[u8]) -> Option<String> {
    let mut attributes = line.split(|octet| b" \t".contains(octet)).skip(1);
    let found = attributes.find(|attribute| is(attribute, name))?;
    let value = String::from_utf8_lossy(&found[name.len()..]).into_owned();
    Some(value)
        .filter(|value| !["[UNAVAILABLE]", "[TEMPUNAVAIL]"].contains(&&*value.to_ascii_uppercase()))
}

/// An address as XFORWARD and XCLIENT write it (that of IPv6 as RFC 5321, 4.1.3).
pub fn written(address: IpAddr) -> String {
    let kind = if address.is_ipv6() { "IPV6:" } else { "" };
    format!("{kind}{address}")
}

/// MAIL or RCPT, split into its parts.
///
/// ```text
/// mail = "MAIL FROM:" Reverse-path [SP Mail-parameters] CRLF          ; RFC 5321, 4.1.1.2
/// rcpt = "RCPT TO:" Forward-path [SP Rcpt-parameters] CRLF            ; 4.1.1.3
/// ```
///
/// 1. White space after the colon is kept: clients write it, servers read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// Everything up to the end of the path.
    pub path: &'a [u8],
    parameters: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// The parts of a line.
    pub fn of(line: &'a [u8]) -> Self {
        let (path, parameters) = line.split_at(path_end(line));
        Self { path, parameters }
    }

    /// The line as servers without SMTPUTF8 accept it, if only the original recipient has
    /// characters beyond ASCII.
    ///
    /// ```text
    /// utf-8-addr-xtext    = 1*(QCHAR / EmbeddedUnicodeChar)                  ; RFC 6533, 3
    /// EmbeddedUnicodeChar = %x5C.78 "{" HEXPOINT "}"
    /// ```
    pub fn without_unitext(line: &'a [u8]) -> Cow<'a, [u8]> {
        let Self { path, parameters } = Self::of(line);
        if parameters.is_ascii() || !path.is_ascii() {
            return Cow::Borrowed(line);
        }
        let words = parameters.split_inclusive(|octet| b" \t".contains(octet)).map(xtext);
        Cow::Owned([path.to_vec()].into_iter().chain(words).collect::<Vec<_>>().concat())
    }

    /// The line with the domain of its address in A-labels, if that leaves nothing beyond ASCII in
    /// the address.
    pub fn with_a_labels(line: &'a [u8]) -> Cow<'a, [u8]> {
        let Self { path, parameters } = Self::of(line);
        let (path, bracket) = path.strip_suffix(b">").map_or((path, &b""[..]), |path| (path, b">"));
        let at = memchr::memrchr(b'@', path).map_or(path.len(), |at| at + 1);
        let (before, domain) = path.split_at(at);
        let domain = if before.is_ascii() { std::str::from_utf8(domain).ok() } else { None };
        let written = domain.and_then(domain::to_ascii);
        match written {
            Some(domain) => Cow::Owned([before, domain.as_bytes(), bracket, parameters].concat()),
            None => Cow::Borrowed(line),
        }
    }

    /// The parameters, as they are spelt.
    pub fn parameters(&self) -> impl Iterator<Item = &'a [u8]> {
        self.parameters
            .split(|octet| b" \t".contains(octet))
            .filter(|parameter| !parameter.is_empty())
    }

    /// Whether it has this parameter, ignoring case.
    pub fn has(&self, parameter: &[u8]) -> bool {
        self.parameters().any(|found| found.eq_ignore_ascii_case(parameter))
    }

    /// The size of the message, as its client declares it (RFC 1870, 5).
    pub fn size(&self) -> Option<u64> {
        let declared = self.parameters().filter(|word| is(word, b"SIZE="));
        declared.filter_map(|word| word.get(b"SIZE=".len()..)).find_map(size)
    }

    /// The line with other demands on the server: its BODY, SMTPUTF8 and SIZE are removed,
    /// `demands` are added, the other parameters stay.
    pub fn with_demands(&self, demands: &[&[u8]]) -> Vec<u8> {
        let others = self.parameters().filter(|parameter| !is_demand(parameter));
        let mut line = self.path.to_vec();
        for parameter in others.chain(demands.iter().copied()) {
            line.push(b' ');
            line.extend_from_slice(parameter);
        }
        line
    }
}

/// The size of a chunk in octets, and whether it is the last.
///
/// ```text
/// bdat-cmd = "BDAT" SP chunk-size [ SP end-marker ] CR LF             ; RFC 3030, 2
/// end-marker = "LAST"
/// ```
pub fn chunk(line: &[u8]) -> Option<(u64, bool)> {
    let mut words = line.split(|&octet| octet == b' ').skip(1);
    let length = words.next().filter(|word| word.iter().all(u8::is_ascii_digit)).and_then(size)?;
    match (words.next(), words.next()) {
        (None, _) => Some((length, false)),
        (Some(word), None) if word.eq_ignore_ascii_case(b"LAST") => Some((length, true)),
        _ => None,
    }
}

/// `size-value = 1*20DIGIT` (RFC 1870, 4).
pub fn size(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

/// Escapes characters beyond ASCII in a parameter, if it is an original recipient and UTF-8.
fn xtext(parameter: &[u8]) -> Vec<u8> {
    let start = parameter.get(..ORIGINAL_RECIPIENT.len()).unwrap_or_default();
    let is_recipient = start.eq_ignore_ascii_case(ORIGINAL_RECIPIENT);
    let (Ok(text), true) = (std::str::from_utf8(parameter), is_recipient) else {
        return parameter.to_vec();
    };
    let mut escaped = String::new();
    for character in text.chars() {
        if character.is_ascii() {
            escaped.push(character);
        } else {
            // Writing to memory does not fail.
            write!(escaped, "\\x{{{:X}}}", u32::from(character)).expect("memory takes everything");
        }
    }
    escaped.into_bytes()
}

/// Whether a parameter speaks of the octets of the message, which may be other ones when it leaves.
fn is_demand(parameter: &[u8]) -> bool {
    parameter.eq_ignore_ascii_case(b"SMTPUTF8")
        || is(parameter, b"BODY=")
        || is(parameter, b"SIZE=")
}

/// Whether a parameter has this name, which ends with `=`.
fn is(parameter: &[u8], name: &[u8]) -> bool {
    parameter.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// Where the path of a line ends: at the `>` outside every quoted-string, or, without brackets,
/// before the first space after its beginning.
fn path_end(line: &[u8]) -> usize {
    let colon = memchr::memchr(b':', line).map_or(line.len(), |at| at + 1);
    let begin = colon + line[colon..].iter().take_while(|octet| b" \t".contains(octet)).count();
    let path = &line[begin..];
    if !path.starts_with(b"<") {
        return begin + path.iter().position(|octet| b" \t".contains(octet)).unwrap_or(path.len());
    }
    let (mut is_quoted, mut at) = (false, 0);
    while let Some(&octet) = path.get(at) {
        match octet {
            b'\\' if is_quoted => at += 1,
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return begin + at + 1,
            _ => {}
        }
        at += 1;
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_read_in_any_case() {
        assert_eq!(Verb::of(b"ehlo x"), Verb::Ehlo);
        assert_eq!(Verb::of(b"MaIl FROM:<>"), Verb::Mail);
        assert_eq!(Verb::of(b"DATA"), Verb::Data);
        assert_eq!(Verb::of(b"STARTTLS"), Verb::StartTls);
        assert_eq!(Verb::of(b"BURL x"), Verb::Unknown);
        assert_eq!(Verb::of(b"NOOP\nDATA"), Verb::Unknown);
        assert_eq!(Verb::of(b""), Verb::Unknown);
        assert_eq!(Verb::of(b"VRFY \xC3\xA9"), Verb::Unknown);
        assert_eq!(Verb::of(b"rcpt TO:<\xC3\xA9@b>"), Verb::Rcpt);
    }

    #[test]
    fn a_queue_id_is_what_xforward_says() {
        assert_eq!(
            attribute(b"XFORWARD NAME=x ident=4QABC SOURCE=LOCAL", b"IDENT=").as_deref(),
            Some("4QABC")
        );
        assert_eq!(attribute(b"XFORWARD IDENT=[UNAVAILABLE]", b"IDENT="), None);
        assert_eq!(attribute(b"XFORWARD NAME=\xC3\xA9", b"IDENT="), None);
    }

    #[test]
    fn demands_go_and_the_rest_stays() {
        let line = b"mail from:<a@b> SIZE=12 body=8bitmime RET=HDRS smtputf8 ENVID=x";
        let mail = Envelope::of(line);
        assert!(mail.has(b"SMTPUTF8") && mail.has(b"BODY=8BITMIME"));
        assert_eq!(mail.size(), Some(12));
        assert_eq!(mail.with_demands(&[]), b"mail from:<a@b> RET=HDRS ENVID=x");
        assert_eq!(mail.with_demands(&[b"SMTPUTF8"]), b"mail from:<a@b> RET=HDRS ENVID=x SMTPUTF8");
    }

    #[test]
    fn an_original_recipient_is_written_in_ascii() {
        for (line, expected) in [
            (
                "RCPT TO:<a@b> orcpt=utf-8;\u{e9}+2B\u{1F600}@b NOTIFY=NEVER",
                "RCPT TO:<a@b> orcpt=utf-8;\\x{E9}+2B\\x{1F600}@b NOTIFY=NEVER",
            ),
            (
                "RCPT TO:<a@b>\tNOTIFY=NEVER  ORCPT=utf-8;\u{80}",
                "RCPT TO:<a@b>\tNOTIFY=NEVER  ORCPT=utf-8;\\x{80}",
            ),
            // If the address needs SMTPUTF8 anyway, and if RFC 6533 has no other spelling.
            ("RCPT TO:<\u{e9}@b> ORCPT=utf-8;\u{e9}@b", "RCPT TO:<\u{e9}@b> ORCPT=utf-8;\u{e9}@b"),
            ("RCPT TO:<a@b> ORCPT=rfc822;\u{e9}@b", "RCPT TO:<a@b> ORCPT=rfc822;\u{e9}@b"),
        ] {
            let written = Envelope::without_unitext(line.as_bytes());
            assert_eq!(String::from_utf8_lossy(&written), expected);
        }
        assert_eq!(
            &*Envelope::without_unitext(b"RCPT TO:<a@b> ORCPT=utf-8;\xE9"),
            b"RCPT TO:<a@b> ORCPT=utf-8;\xE9"
        );
    }

    #[test]
    fn a_domain_is_written_in_ascii_if_the_address_is_then() {
        for (line, expected) in [
            (
                "MAIL FROM:<a@b\u{FC}cher.example> SMTPUTF8",
                "MAIL FROM:<a@xn--bcher-kva.example> SMTPUTF8",
            ),
            ("rcpt to: <\"a@b\"@B\u{DC}CHER.example>", "rcpt to: <\"a@b\"@xn--bcher-kva.example>"),
            ("RCPT TO:a@b\u{FC}cher.example X=1", "RCPT TO:a@xn--bcher-kva.example X=1"),
            ("RCPT TO:<\u{FC}@b\u{FC}cher.example>", "RCPT TO:<\u{FC}@b\u{FC}cher.example>"),
            ("RCPT TO:<a@\u{1D41A}.example>", "RCPT TO:<a@\u{1D41A}.example>"),
            ("RCPT TO:<a@example.org>", "RCPT TO:<a@example.org>"),
            ("MAIL FROM:<>", "MAIL FROM:<>"),
        ] {
            assert_eq!(
                String::from_utf8_lossy(&Envelope::with_a_labels(line.as_bytes())),
                expected
            );
        }
    }

    #[test]
    fn a_chunk_has_a_size_and_the_last_says_so() {
        assert_eq!(chunk(b"BDAT 86 LAST"), Some((86, true)));
        assert_eq!(chunk(b"bdat 0 last"), Some((0, true)));
        assert_eq!(chunk(b"BDAT 100000"), Some((100_000, false)));
        for wrong in [
            &b"BDAT"[..],
            b"BDAT x",
            b"BDAT +1",
            b"BDAT -1",
            b"BDAT 1 2",
            b"BDAT 1 LAST x",
            b"BDAT  1",
            b"BDAT LAST",
        ] {
            assert_eq!(chunk(wrong), None, "{}", wrong.escape_ascii());
        }
    }

    #[test]
    fn the_path_ends_at_its_bracket() {
        let path = |line| Envelope::of(line).path;
        assert_eq!(
            path(b"MAIL FROM:<\"a> BODY=8BITMIME\"@b> X=1"),
            b"MAIL FROM:<\"a> BODY=8BITMIME\"@b>"
        );
        assert_eq!(path(b"MAIL FROM:<\"a\\\"> \"@b> X=1"), b"MAIL FROM:<\"a\\\"> \"@b>");
        assert_eq!(path(b"RCPT TO: <a@b> NOTIFY=NEVER"), b"RCPT TO: <a@b>");
        assert_eq!(path(b"RCPT TO:a@b NOTIFY=NEVER"), b"RCPT TO:a@b");
        assert_eq!(path(b"MAIL FROM:<a@b"), b"MAIL FROM:<a@b");
        assert_eq!(path(b"MAIL"), b"MAIL");
    }
}
