//! Received fields (RFC 5321, 4.4).

use super::address::{Token, TokenKind, tokens};

/// The words that begin a clause: those of RFC 5321, and two that servers add to theirs.
const WORDS: [&[u8]; 8] =
    [b"from", b"by", b"via", b"with", b"id", b"for", b"envelope-from", b"envelope-sender"];

/// The clauses of a Received field, and its date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp<'v> {
    /// The clauses in order: the word in lower case, its value, and the comments after that.
    pub clauses: Vec<Clause<'v>>,
    /// The text after the last semicolon.
    pub date: Option<&'v [u8]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause<'v> {
    pub word: &'static [u8],
    pub value: &'v [u8],
    /// From the first comment to the last, with their parentheses.
    pub comments: &'v [u8],
}

impl<'v> Stamp<'v> {
    /// Returns the first clause that begins with `word`.
    pub fn clause(&self, word: &str) -> Option<&Clause<'v>> {
        self.clauses.iter().find(|clause| clause.word == word.as_bytes())
    }
}

/// ```text
/// Stamp         = From-domain By-domain Opt-info [CFWS] ";" FWS date-time
/// From-domain   = "FROM" FWS Extended-Domain CFWS
/// Opt-info      = [Via] [With] [ID] [For] [Additional-Registered-Clauses]
/// ```
/// Deviations:
/// 1. Clauses may come in any order, and be missing; a clause ends where the next word begins.
/// 2. The value of a clause ends at its first comment or semicolon; after that only comments count.
/// 3. The date may be missing, or what is there may be none.
pub fn stamp(value: &[u8]) -> Stamp<'_> {
    let tokens = tokens(value);
    let is_semicolon = |token: &Token| token.kind == TokenKind::Special(b';');
    let semicolon = tokens.iter().rposition(is_semicolon);
    let date = semicolon.map(|at| &value[tokens[at].end()..]);
    let tokens = &tokens[..semicolon.unwrap_or(tokens.len())];
    let starts: Vec<(usize, &'static [u8])> =
        (0..tokens.len()).filter_map(|at| Some((at, word_at(value, tokens, at)?))).collect();
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([tokens.len()]);
    let clauses = starts.iter().zip(ends).map(|(&(start, word), end)| {
        let own = &tokens[start + 1..end];
        let is_comment = |token: &Token| token.kind == TokenKind::Comment;
        let end = own
            .iter()
            .position(|token| is_comment(token) || is_semicolon(token))
            .unwrap_or(own.len());
        let first = own.iter().position(is_comment).unwrap_or(own.len());
        let last = own.iter().rposition(is_comment).map_or(first, |at| at + 1);
        Clause {
            word,
            value: octets(value, &own[..end]),
            comments: octets(value, &own[first..last]),
        }
    });
    Stamp { clauses: clauses.collect(), date }
}

/// Returns the word of a clause that begins at a token: one between white space or comments.
fn word_at(value: &[u8], tokens: &[Token], at: usize) -> Option<&'static [u8]> {
    let is_apart = |token: &Token| matches!(token.kind, TokenKind::Space | TokenKind::Comment);
    if !(at == 0 || is_apart(&tokens[at - 1])) || !tokens.get(at + 1).is_none_or(is_apart) {
        return None;
    }
    let span = tokens[at].span();
    WORDS.into_iter().find(|word| value[span.start..span.end].eq_ignore_ascii_case(word))
}

/// Returns the octets of some tokens, without white space around them.
fn octets<'v>(value: &'v [u8], tokens: &[Token]) -> &'v [u8] {
    match tokens {
        [first, .., last] | [first @ last] => value[first.start()..last.end()].trim_ascii(),
        [] => b"",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_mail_servers_write_is_read() {
        let value = b" from mail.example.org (mail.example.org [192.0.2.1])\r\n\tby mx.example.net (Postfix) \
            with ESMTPS (TLS; 1.3) id 4F00A1\r\n\tfor <ada@example.net>; Mon, 3 Mar 2025 10:00:00 +0000 (UTC)\r\n";
        let stamp = stamp(value);
        let clause = |word| {
            let found = stamp.clause(word).expect(word);
            [found.value, found.comments].map(|octets| String::from_utf8_lossy(octets).into_owned())
        };
        assert_eq!(clause("from"), ["mail.example.org", "(mail.example.org [192.0.2.1])"]);
        assert_eq!(clause("by"), ["mx.example.net", "(Postfix)"]);
        assert_eq!(clause("with"), ["ESMTPS", "(TLS; 1.3)"]);
        assert_eq!(clause("id"), ["4F00A1", ""]);
        assert_eq!(clause("for"), ["<ada@example.net>", ""]);
        assert!(stamp.date.is_some_and(|date| date.starts_with(b" Mon, 3 Mar")));
    }

    #[test]
    fn what_others_write_is_read() {
        let qmail = stamp(b"(qmail 123 invoked by uid 89); 3 Mar 2025 10:00:00 -0000");
        assert_eq!((qmail.clauses.len(), qmail.date.is_some()), (0, true));
        let bare = stamp(b"by x with local");
        assert_eq!(
            bare.clauses.iter().map(|clause| clause.value).collect::<Vec<_>>(),
            [b"x" as &[u8], b"local"]
        );
        assert_eq!(bare.date, None);
        assert_eq!(stamp(b""), Stamp::default());
        let twice = stamp(b"by x id ABC1;\r\n\tfor <ada@example.net>; 3 Mar 2025 10:00:00 -0000");
        assert_eq!(twice.clause("id").map(|clause| clause.value), Some(&b"ABC1"[..]));
        let added =
            stamp(b"by x id z.1\r\n\tenvelope-from <ada@example.net>; 3 Mar 2025 10:00:00 -0000");
        assert_eq!(added.clause("id").map(|clause| clause.value), Some(&b"z.1"[..]));
    }

    proptest! {
        #[test]
        fn any_octets_are_read(value in "(from|by|for|with|id|;|[(]|[)]|<a@b>|\"| |\r\n |[a-z]){0,40}") {
            let _ = stamp(value.as_bytes());
        }
    }
}
