//! The commands of a client, read as far as they have to be understood. They are passed on in the client's spelling.

/// What a command asks.
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
    /// RSET.
    Rset,
    /// QUIT.
    Quit,
    /// One line, one reply: for the next hop, whatever it says.
    Passed,
    /// A conversation of its own, or one that is not offered.
    Unknown,
}

impl Verb {
    /// The verb of a line, in any case of letters (RFC 5321, 2.4).
    pub fn of(line: &[u8]) -> Self {
        let word = line.split(|octet| octet.is_ascii_whitespace()).next().unwrap_or_default();
        match word.to_ascii_uppercase().as_slice() {
            // Of a line that holds a bare CR or LF servers read different commands; NUL ends it for some.
            _ if line.iter().any(|octet| b"\r\n\0".contains(octet)) => Self::Unknown,
            b"EHLO" => Self::Ehlo,
            b"HELO" => Self::Helo,
            b"LHLO" => Self::Lhlo,
            b"MAIL" => Self::Mail,
            b"RCPT" => Self::Rcpt,
            b"DATA" => Self::Data,
            b"RSET" => Self::Rset,
            b"QUIT" => Self::Quit,
            b"NOOP" | b"VRFY" | b"EXPN" | b"HELP" | b"ETRN" | b"XFORWARD" | b"XCLIENT" => Self::Passed,
            _ => Self::Unknown,
        }
    }
}

/// MAIL or RCPT, taken apart.
///
/// ```text
/// mail = "MAIL FROM:" Reverse-path [SP Mail-parameters] CRLF          ; RFC 5321, 4.1.1.2
/// rcpt = "RCPT TO:" Forward-path [SP Rcpt-parameters] CRLF            ; 4.1.1.3
/// ```
///
/// 1. White space after the colon is kept where it stands: clients write it, servers read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// All up to the end of the path.
    pub path: &'a [u8],
    parameters: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// The parts of a line.
    pub fn of(line: &'a [u8]) -> Self {
        let (path, parameters) = line.split_at(path_end(line));
        Self { path, parameters }
    }

    /// Whether the address has characters beyond ASCII.
    pub fn is_international(&self) -> bool {
        !self.path.is_ascii()
    }

    /// The parameters, as they are spelt.
    pub fn parameters(&self) -> impl Iterator<Item = &'a [u8]> {
        self.parameters.split(|octet| b" \t".contains(octet)).filter(|parameter| !parameter.is_empty())
    }

    /// Whether a parameter is this one, in any case of letters.
    pub fn has(&self, parameter: &[u8]) -> bool {
        self.parameters().any(|found| found.eq_ignore_ascii_case(parameter))
    }

    /// The line with other demands on the server: what it says of BODY and SMTPUTF8 goes, `demands` come, the other
    /// parameters stay.
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

/// Whether a parameter says what the server must be able to do with the octets of the message.
fn is_demand(parameter: &[u8]) -> bool {
    parameter.eq_ignore_ascii_case(b"SMTPUTF8")
        || parameter.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"BODY="))
}

/// Where the path of a line ends: at the `>` that is outside every quoted-string, or before the first space after it
/// began, where it has no brackets.
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
        assert_eq!(Verb::of(b"STARTTLS"), Verb::Unknown);
        assert_eq!(Verb::of(b"NOOP\nDATA"), Verb::Unknown);
        assert_eq!(Verb::of(b""), Verb::Unknown);
    }

    #[test]
    fn demands_go_and_the_rest_stays() {
        let line = b"mail from:<a@b> SIZE=12 body=8bitmime RET=HDRS smtputf8 ENVID=x";
        let mail = Envelope::of(line);
        assert!(mail.has(b"SMTPUTF8") && mail.has(b"BODY=8BITMIME") && !mail.is_international());
        assert_eq!(mail.with_demands(&[]), b"mail from:<a@b> SIZE=12 RET=HDRS ENVID=x");
        assert_eq!(mail.with_demands(&[b"SMTPUTF8"]), b"mail from:<a@b> SIZE=12 RET=HDRS ENVID=x SMTPUTF8");
    }

    #[test]
    fn the_path_ends_at_its_bracket() {
        let path = |line| Envelope::of(line).path;
        assert_eq!(path(b"MAIL FROM:<\"a> BODY=8BITMIME\"@b> X=1"), b"MAIL FROM:<\"a> BODY=8BITMIME\"@b>");
        assert_eq!(path(b"MAIL FROM:<\"a\\\"> \"@b> X=1"), b"MAIL FROM:<\"a\\\"> \"@b>");
        assert_eq!(path(b"RCPT TO: <a@b> NOTIFY=NEVER"), b"RCPT TO: <a@b>");
        assert_eq!(path(b"RCPT TO:a@b NOTIFY=NEVER"), b"RCPT TO:a@b");
        assert_eq!(path(b"MAIL FROM:<a@b"), b"MAIL FROM:<a@b");
        assert_eq!(path(b"MAIL"), b"MAIL");
    }
}
