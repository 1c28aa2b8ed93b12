//! Charset declarations inside HTML and XML (rule B5).

use std::borrow::Cow;
use std::ops::Range;

use super::{Evidence, Guess, content_lines};
use crate::Charset;
use crate::codec::metas::metas;
use crate::codec::utf8;

/// Which declarations a leaf can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkupKind {
    /// HTML, whose `<meta>` declares a charset.
    Html,
    /// XML, whose first line declares one.
    Xml,
    /// iCalendar and vCard, of which each property may declare its charset.
    ContentLines,
}

/// How far browsers look for a declaration.
const HEAD: usize = 16 * 1024;

impl MarkupKind {
    /// Returns the kind of markup that a media type holds.
    pub fn of(media_type: &str) -> Option<Self> {
        match media_type {
            "text/html" => Some(Self::Html),
            "text/xml" => Some(Self::Xml),
            "text/calendar" | "text/directory" | "text/vcard" | "text/x-vcalendar"
            | "text/x-vcard" => Some(Self::ContentLines),
            _ => None,
        }
    }
}

/// Returns whether `text`, which is UTF-8, declares a charset other than that.
pub fn declares_another(text: &[u8], kind: MarkupKind) -> bool {
    if kind == MarkupKind::ContentLines {
        return content_lines::labels(text).any(|at| !is_utf8(&String::from_utf8_lossy(&text[at])));
    }
    let head = head(text);
    declarations(head, kind).into_iter().any(|at| !is_utf8(&head[at]))
}

/// Returns the charset that `octets` declare for themselves, if they can be in it.
fn declared(octets: &[u8], kind: MarkupKind) -> Option<Charset> {
    if kind == MarkupKind::ContentLines {
        let fits = |charset: &Charset| {
            charset.has_line_ends() && charset.decode_lossless(octets).is_some()
        };
        return content_lines::declared(octets).filter(fits);
    }
    let head = &octets[..octets.len().min(HEAD)];
    let head: Vec<u8> =
        head.iter().map(|octet| if octet.is_ascii() { *octet } else { b'?' }).collect();
    let head = String::from_utf8(head).expect("US-ASCII");
    let label = declarations(&head, kind).into_iter().next()?;
    let (charset, _) = Charset::for_label_lenient(&head[label])?;
    let fits = charset.has_line_ends() && !charset.is_belied_by(octets);
    (fits && charset.decode_lossless(octets).is_some()).then_some(charset)
}

/// Returns the charset that `octets` of that media type show by themselves: UTF-8 if they are that,
/// otherwise the one they declare, otherwise the only one they can be in. A declaration of
/// windows-1252 (or anything read as that) is no more than a hint: templates have it, whatever is
/// put into them.
pub fn shown_by(octets: &[u8], media_type: &str) -> Option<Charset> {
    if utf8::validate(octets).is_some() {
        return Some(Charset::UTF_8);
    }
    let kind = MarkupKind::of(media_type);
    if kind == Some(MarkupKind::ContentLines) && content_lines::are_utf8(octets) {
        return Some(Charset::UTF_8);
    }
    let is_western =
        |found: &Charset| matches!(*found, Charset::ISO_8859_1 | Charset::WINDOWS_1252);
    let declared = kind.and_then(|kind| declared(octets, kind));
    declared.filter(|found| !is_western(found)).or_else(|| Charset::shown_by(octets))
}

/// Returns the charset of `octets` without a label, judged from them alone.
pub fn guess(octets: &[u8], media_type: &str) -> Guess {
    if let Some(charset) = shown_by(octets, media_type) {
        return Guess::certain(charset);
    }
    let mut evidence = Evidence::default();
    evidence.add_text(octets);
    hint(octets, media_type, &mut evidence);
    evidence.guess().unwrap_or(Guess::WITHOUT_EVIDENCE)
}

/// Adds what markup indicates about its charset and language without being sure.
pub fn hint(octets: &[u8], media_type: &str, evidence: &mut Evidence) {
    let Some(kind) = MarkupKind::of(media_type) else { return };
    if let Some(charset) = declared(octets, kind) {
        evidence.add_label(charset);
    }
    let start = String::from_utf8_lossy(&octets[..octets.len().min(1024)]).into_owned();
    if let Some(at) = attribute(&start, "lang", 0..start.len()) {
        evidence.add_language(&start[at]);
    }
}

/// Returns the text of `octets` in a charset, as [`Charset::read_lossless`] does; properties of
/// iCalendar and vCard in the charsets that they declare.
pub fn read_lossless(
    octets: &[u8],
    charset: Charset,
    kind: Option<MarkupKind>,
) -> Option<Cow<'_, str>> {
    match kind {
        Some(MarkupKind::ContentLines) if charset.has_line_ends() => {
            content_lines::read_lossless(octets, charset)
        }
        _ => charset.read_lossless(octets),
    }
}

/// Returns whether octets may be in UTF-16 or UTF-32.
pub fn may_be_wide(octets: &[u8]) -> bool {
    octets.first().is_some_and(|&first| first >= 0xFE) || memchr::memchr(0, octets).is_some()
}

/// Returns `text` with every declared charset replaced by utf-8; `None` if it declares none, or
/// only utf-8.
pub fn declare_utf8(text: &str, kind: MarkupKind) -> Option<String> {
    let (mut out, mut at) = (String::new(), 0);
    for label in declarations(text, kind).into_iter().filter(|at| !is_utf8(&text[at.clone()])) {
        out.push_str(&text[at..label.start]);
        out.push_str("utf-8");
        at = label.end;
    }
    (at > 0).then(|| out + &text[at..])
}

fn is_utf8(label: &str) -> bool {
    label.eq_ignore_ascii_case("utf-8") || label.eq_ignore_ascii_case("utf8")
}

/// Returns where the charset labels in declarations are, in order.
fn declarations(text: &str, kind: MarkupKind) -> Vec<Range<usize>> {
    if kind == MarkupKind::ContentLines {
        return content_lines::labels(text.as_bytes()).collect();
    }
    let head = head(text.as_bytes());
    let (mut found, mut at) = (Vec::new(), 0);
    if head.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("<?xml")) {
        at = head.find("?>").unwrap_or(0);
        found.extend(attribute(head, "encoding", 0..at));
    }
    if kind == MarkupKind::Html {
        for start in metas(head.as_bytes()) {
            if start >= at {
                at = head[start..].find('>').map_or(head.len(), |end| start + end);
                found.extend(attribute(head, "charset", start..at));
            }
        }
    }
    found
}

/// Returns the first [`HEAD`] octets of UTF-8, or a few less, so that no character is cut.
fn head(text: &[u8]) -> &str {
    utf8::valid_start(&text[..text.len().min(HEAD)])
}

/// Returns the label after `name =` inside `within`, without quotes, which an attribute inside an
/// attribute has as character references.
fn attribute(head: &str, name: &str, within: Range<usize>) -> Option<Range<usize>> {
    let tag = head[within.clone()].to_ascii_lowercase();
    let after = tag.find(name)? + name.len();
    let rest = tag[after..].trim_start().strip_prefix('=')?.trim_start();
    const QUOTES: [&str; 6] = ["\"", "'", "&quot;", "&#34;", "&#39;", "&apos;"];
    let rest = QUOTES.iter().find_map(|quote| rest.strip_prefix(quote)).unwrap_or(rest);
    let len = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || "-_.:".contains(c)))
        .unwrap_or(rest.len());
    let start = within.start + tag.len() - rest.len();
    (len > 0).then_some(start..start + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_declares_itself_is_believed_if_it_can_be() {
        let html = |label: &str, text: &[u8]| {
            [format!("<meta charset={label}><p>").as_bytes(), text].concat()
        };
        for (label, text, guessed) in [
            ("iso-8859-2", &b"\xF8\xF8\xF8"[..], "ISO-8859-2"),
            ("koi8-r", b"\xD4\xC5\xD3\xD4", "KOI8-R"),
            ("iso-8859-2", "ž".as_bytes(), "UTF-8"),
            ("utf-8", b"caf\xE9", "windows-1252"),
            ("utf-7", b"caf\xE9", "windows-1252"),
            ("utf-16", b"caf\xE9", "windows-1252"),
            ("iso-8859-1", b"\xB0\xA1\xB3\xAA\xB4\xD9 \xB6\xF3\xB8\xB6\xB9\xD9", "EUC-KR"),
        ] {
            assert_eq!(guess(&html(label, text), "text/html").charset().name(), guessed, "{label}");
        }
        assert_ne!(
            guess(&html("iso-8859-2", b"\xF8\xF8\xF8"), "text/plain").charset().name(),
            "ISO-8859-2"
        );
    }

    #[test]
    fn declarations_follow() {
        for (text, expected) in [
            ("<meta charset=\"koi8-r\">", Some("<meta charset=\"utf-8\">")),
            ("<META  CHARSET = 'x' >", Some("<META  CHARSET = 'utf-8' >")),
            (
                "<meta http-equiv=Content-Type content=\"text/html; charset=big5\"><p>charset=x",
                Some(
                    "<meta http-equiv=Content-Type content=\"text/html; charset=utf-8\"><p>charset=x",
                ),
            ),
            (
                "<meta content=\"text/html; charset=&quot;Windows-1252&quot;\">",
                Some("<meta content=\"text/html; charset=&quot;utf-8&quot;\">"),
            ),
            ("<meta content='text/html; charset=&#39;utf-8&#39;'>", None),
            ("<meta charset=UTF-8>", None),
            ("<meta name=charset>", None),
            ("<?xml <meta charset=encoding=r?>", Some("<?xml <meta charset=encoding=utf-8?>")),
            ("<p>é", None),
        ] {
            assert_eq!(declare_utf8(text, MarkupKind::Html).as_deref(), expected, "{text}");
            assert_eq!(
                declares_another(text.as_bytes(), MarkupKind::Html),
                expected.is_some(),
                "{text}"
            );
        }
        let xml = "<?xml version='1.0' encoding='koi8-r'?><a encoding='b'/>";
        assert_eq!(
            declare_utf8(xml, MarkupKind::Xml).as_deref(),
            Some("<?xml version='1.0' encoding='utf-8'?><a encoding='b'/>")
        );
    }
}
