//! HTML of a message: text escaped for it, and the parts that it refers to.

use crate::codec::percent;
use crate::report::Tally;

/// Returns text as HTML that shows it with its lines and spaces.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    out.push_str("<pre style=\"white-space: pre-wrap\">");
    // A line end after the tag would not be shown.
    out.push_str(if text.starts_with('\n') { "\n" } else { "" });
    escape(text, &mut out);
    out.push_str("</pre>\n");
    out
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
}

/// The letters of the scheme (RFC 2392).
const SCHEME: &[u8] = b"cid:";

/// Returns `html` with each address `cid:ID` replaced by what `resolve` returns for the id, decoded
/// (RFC 2392).
///
/// ```text
/// cid-url = "cid" ":" content-id    ; addr-spec, percent-encoded
/// ```
/// An address begins after `"`, `'`, `=`, `(` or white space, as in `src="cid:..."` and
/// `url(cid:...)`; in text there is none that means anything.
pub(super) fn resolved(html: &str, resolve: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let octets = html.as_bytes();
    let mut out = String::with_capacity(html.len());
    let mut from = 0;
    for colon in memchr::memchr_iter(b':', octets) {
        let Some(start) =
            (colon + 1).checked_sub(SCHEME.len()).filter(|&start| start >= from.max(1))
        else {
            continue;
        };
        let begins =
            matches!(octets[start - 1], b'"' | b'\'' | b'=' | b'(' | b' ' | b'\t' | b'\n' | b'\r');
        if !begins || !octets[start..=colon].eq_ignore_ascii_case(SCHEME) {
            continue;
        }
        let ends = |octet: &u8| b"\"'()<> \t\r\n".contains(octet);
        let length = octets[colon + 1..].iter().position(ends).unwrap_or(octets.len() - colon - 1);
        let end = colon + 1 + length;
        let Some(address) = resolve(&id_of(&html[colon + 1..end])) else { continue };
        out.push_str(&html[from..start]);
        escape(&address, &mut out);
        from = end;
    }
    out.push_str(&html[from..]);
    out
}

/// Returns the id in an address: percent-encoded, and `&amp;` for `&`, as any attribute has it.
fn id_of(written: &str) -> String {
    let mut octets = Vec::with_capacity(written.len());
    percent::decode(written.replace("&amp;", "&").as_bytes(), &mut octets, &mut Tally::default());
    String::from_utf8_lossy(&octets).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_parts_are_replaced() {
        let mut resolve =
            |id: &str| id.contains('@').then(|| format!("https://x.example/?a&id={id}"));
        for (html, expected) in [
            ("<img src=\"cid:a@b\">", "<img src=\"https://x.example/?a&amp;id=a@b\">"),
            ("<img src='CID:a%40b&amp;c'>", "<img src='https://x.example/?a&amp;id=a@b&amp;c'>"),
            ("<img src=cid:a@b><p>", "<img src=https://x.example/?a&amp;id=a@b><p>"),
            (
                "<p style=\"background: url(cid:a@b)\">",
                "<p style=\"background: url(https://x.example/?a&amp;id=a@b)\">",
            ),
            ("<img src=\"cid:none\">cid:a@b acid:a@b", "<img src=\"cid:none\">cid:a@b acid:a@b"),
            ("cid:a@b", "cid:a@b"),
            ("\"cid:", "\"cid:"),
        ] {
            assert_eq!(resolved(html, &mut resolve), expected, "{html}");
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escaped("\na<b>&\"'"),
            "<pre style=\"white-space: pre-wrap\">\n\na&lt;b&gt;&amp;&quot;&#39;</pre>\n"
        );
    }
}
