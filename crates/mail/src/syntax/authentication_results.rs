//! Authentication-Results fields (RFC 8601, 2.2).

use super::comment::comment;
use super::lexical::{quoted_string, unquote};
use crate::ascii::is_fws;

/// The server and its results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Who says it.
    pub server: Vec<u8>,
    pub results: Vec<MethodResult>,
}

/// The result of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodResult {
    pub method: Vec<u8>,
    pub result: Vec<u8>,
    /// The comments, joined by spaces, without the parentheses around each.
    pub comment: Vec<u8>,
    /// The reason and the properties in order.
    pub properties: Vec<(Vec<u8>, Vec<u8>)>,
}

/// ```text
/// authres-payload = [CFWS] authserv-id [CFWS authres-version] (no-result / 1*resinfo) [CFWS]
/// resinfo         = [CFWS] ";" methodspec [CFWS reasonspec] [CFWS 1*propspec]
/// methodspec      = [CFWS] method [CFWS] "=" [CFWS] result
/// propspec        = ptype [CFWS] "." [CFWS] property [CFWS] "=" pvalue
/// ```
/// Deviations:
/// 1. The authserv-id may be missing, as Microsoft writes the field.
/// 2. What has no `=` is left out: a version, `none`.
/// 3. The version of a method stays part of its name: `dkim/1`.
/// 4. A comment ends a word: no program writes one between a name and its `=`.
pub fn results(value: &[u8]) -> Results {
    let mut found = Results::default();
    let mut rest = value;
    let mut is_first = true;
    while !rest.is_empty() {
        let (info, after) = info(rest);
        rest = after;
        if std::mem::take(&mut is_first) && info.pairs.is_empty() {
            found.server = info.words.into_iter().next().unwrap_or_default();
        } else {
            found.results.extend(info.into_result());
        }
    }
    found
}

/// The words, pairs and comments between two semicolons.
#[derive(Default)]
struct Info {
    words: Vec<Vec<u8>>,
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
    comment: Vec<u8>,
}

impl Info {
    fn into_result(self) -> Option<MethodResult> {
        let mut pairs = self.pairs.into_iter();
        let (method, result) = pairs.next()?;
        Some(MethodResult { method, result, comment: self.comment, properties: pairs.collect() })
    }

    fn end_word(&mut self, word: &mut Vec<u8>, equals: &mut Option<usize>) {
        let word = std::mem::take(word);
        match equals.take() {
            Some(at) if at > 0 => {
                self.pairs.push((word[..at].to_ascii_lowercase(), word[at + 1..].to_vec()))
            }
            _ if !word.is_empty() => self.words.push(word),
            _ => {}
        }
    }
}

/// Reads up to the next semicolon, and returns what follows it. White space beside `=` and `.`
/// counts for nothing.
fn info(value: &[u8]) -> (Info, &[u8]) {
    let mut info = Info::default();
    let (mut word, mut equals) = (Vec::new(), None);
    let mut rest = value;
    // Once one is not closed, no other is looked for: each search would go to the end of the value.
    let (mut comments, mut quotes) = (true, true);
    while let Some((&first, after)) = rest.split_first() {
        match first {
            b';' => {
                info.end_word(&mut word, &mut equals);
                return (info, after);
            }
            b'(' if comments => match comment(rest) {
                Ok((after, whole)) => {
                    if !word.ends_with(b"=") {
                        info.end_word(&mut word, &mut equals);
                    }
                    info.comment.extend_from_slice(if info.comment.is_empty() {
                        b""
                    } else {
                        b" "
                    });
                    info.comment.extend_from_slice(&whole[1..whole.len() - 1]);
                    rest = after;
                    continue;
                }
                Err(_) => comments = false,
            },
            b'"' if quotes => match quoted_string(rest) {
                Ok((after, quoted)) => {
                    word.extend_from_slice(&unquote(quoted));
                    rest = after;
                    continue;
                }
                Err(_) => quotes = false,
            },
            _ if is_fws(first) => {
                let next = after.iter().find(|octet| !is_fws(**octet));
                if next != Some(&b'=') && !word.ends_with(b"=") {
                    info.end_word(&mut word, &mut equals);
                }
            }
            _ => {
                if first == b'=' && equals.is_none() {
                    equals = Some(word.len());
                }
                word.push(first);
            }
        }
        rest = after;
    }
    info.end_word(&mut word, &mut equals);
    (info, rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(value: &str) -> (String, Vec<String>) {
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        let Results { server, results } = results(value.as_bytes());
        let line = |one: &MethodResult| {
            let properties = one
                .properties
                .iter()
                .map(|(name, value)| format!(" {}:{}", text(name), text(value)));
            format!(
                "{}={} ({}){}",
                text(&one.method),
                text(&one.result),
                text(&one.comment),
                properties.collect::<String>()
            )
        };
        (text(&server), results.iter().map(line).collect())
    }

    /// RFC 8601, appendix B, and what is written besides.
    #[test]
    fn examples_are_read() {
        for (value, server, results) in [
            (" example.org 1; none", "example.org", &[][..]),
            (
                " example.com;\r\n  spf=pass smtp.mailfrom=example.net",
                "example.com",
                &["spf=pass () smtp.mailfrom:example.net"],
            ),
            (
                " example.com;\r\n auth=pass (cram-md5) smtp.auth=sender@example.net;\r\n spf=pass smtp.mailfrom=example.net",
                "example.com",
                &[
                    "auth=pass (cram-md5) smtp.auth:sender@example.net",
                    "spf=pass () smtp.mailfrom:example.net",
                ],
            ),
            (
                "x; dkim=fail reason=\"signature verification failed; bad\" header.i=@a.example header.b=\"a b\"",
                "x",
                &[
                    "dkim=fail () reason:signature verification failed; bad header.i:@a.example header.b:a b",
                ],
            ),
            (
                "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=a.example; dmarc=none action=none",
                "",
                &[
                    "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom:a.example",
                    "dmarc=none () action:none",
                ],
            ),
            ("x; dkim = pass header.b=abc=", "x", &["dkim=pass () header.b:abc="]),
            ("x; (open \"quote", "x", &[]),
            ("", "", &[]),
        ] {
            let (by, found) = read(value);
            assert_eq!(by, server, "{value}");
            assert_eq!(found, results, "{value}");
        }
    }

    proptest! {
        #[test]
        fn any_octets_are_read(value in "(spf|=|pass|;|[(]|[)]|\"|[.]| |\r\n |[a-z]){0,40}") {
            let _ = results(value.as_bytes());
        }
    }
}
