//! Multiparts whose boundary is missing or broken, and those that are only closed (rule B8).

use crate::ascii::begins;
use crate::lengths::MAX_BOUNDARY;
use crate::message::content::Content;
use crate::message::delimiters::{DASHES, OpenBoundaries, dashed_lines, delimiter_start};
use crate::message::field::{Counted, HeaderEnd, Section};
use crate::message::line_ends::{before_line_end, line_end, without_line_end};
use crate::message::tree::{DelimiterLine, Kind, Tree};
use crate::syntax::lexical::unquote;
use crate::syntax::parameter::{ParameterToken, Quoting, list};

/// Returns the boundary of the multipart just entered: as it is read, or as it is written, with octets that are no text;
/// or the only one that lines of the body show if no line has either. Not where content may be signed, which stays, nor once all searches together have passed
/// over as many octets as the message has, which `searched` counts (rule G13).
pub(super) fn boundary_of(
    tree: &Tree<'_>,
    index: usize,
    open: &OpenBoundaries,
    searched: &mut usize,
) -> Vec<u8> {
    let entity = &tree.entities[index];
    let given = entity.content.parameters.get("boundary").unwrap_or_default().trim_end().as_bytes();
    let is_searched = *searched >= tree.sources[0].octets.len();
    if is_searched || !entity.content.has_identity_encoding() || tree.claim_seal(Some(index)) {
        return given.to_vec();
    }
    let value = entity.content.type_field.map(|at| tree.fields[at].value_of(tree.source_of(entity)));
    let written = value.filter(|_| !entity.content.parameters.is_plain()).and_then(written_boundary);
    let given_as = [given, written.as_deref().unwrap_or(given)];
    let (shown, end) = shown_by_lines(tree.source_of(entity), entity.body.start, given_as, open);
    *searched += end - entity.body.start;
    shown.unwrap_or(given).to_vec()
}

/// Returns the octets of the boundary that a value has, without quotes.
fn written_boundary(value: &[u8]) -> Option<Vec<u8>> {
    let list = list(value);
    let is_boundary = |token: &&ParameterToken| {
        let name = &value[token.name.start..token.name.end];
        name.eq_ignore_ascii_case(b"boundary") && token.section.is_none() && !token.extended
    };
    let (_, token) = list.parameters().find(|(_, token)| is_boundary(token))?;
    let octets = &value[token.value.start..token.value.end];
    let octets = if token.quoting == Quoting::Quoted { unquote(octets) } else { octets.into() };
    Some(octets.trim_ascii_end().to_vec())
}

/// Gives a multipart that contains nothing but its close delimiter, after the empty line of its header, an empty part.
/// Returns whether it did.
pub(super) fn add_empty_part(tree: &mut Tree<'_>, index: usize) -> bool {
    let entity = &tree.entities[index];
    let octets = tree.source_of(entity);
    let Kind::Multipart(multipart) = &entity.kind else { return false };
    let (source, body) = (entity.source, entity.body.clone());
    let close = [&*delimiter_start(&multipart.boundary), DASHES].concat();
    let at = body.end - octets[body.clone()].trim_ascii_start().len();
    let begins_line = at == body.start || octets[at - 1] == b'\n';
    if !begins_line
        || octets[at..body.end].trim_ascii_end() != close
        || entity.section.end != HeaderEnd::EmptyLine
        || entity.content.media_type() == "multipart/digest"
    {
        return false;
    }
    let line = at..line_end(&octets[..body.end], at);
    let content = Content::read(octets, &[], tree.fields.len(), "text/plain");
    let preamble_end = before_line_end(octets, body.start, at);
    let section =
        Section { fields_end: at, body: at, end: HeaderEnd::EndOfEntity, counted: Counted::default() };
    tree.add(source, Some(index), at, section, content);
    if let Kind::Multipart(multipart) = &mut tree.entities[index].kind {
        multipart.preamble.end = preamble_end;
        multipart.epilogue = Some(line.end..body.end);
        multipart.delimiters.push(DelimiterLine { span: line, close: true });
    }
    true
}

/// Returns the boundary that lines from `at` on show, and how far they were read: at most to a delimiter of what is
/// around them. It is that of all lines before Content- fields, if two lines have it, those that do not close come
/// before a Content- field or an empty line, and no line has one that is `given`.
fn shown_by_lines<'s>(
    octets: &'s [u8],
    at: usize,
    given: [&[u8]; 2],
    open: &OpenBoundaries,
) -> (Option<&'s [u8]>, usize) {
    let mut shown = None;
    let (mut lines, mut delimit) = (0, true);
    for span in dashed_lines(octets, at..octets.len()) {
        let line = without_line_end(&octets[span.clone()]).trim_ascii_end();
        let mark = &line[DASHES.len()..];
        if !mark.is_empty() && given.contains(&mark) {
            return (Some(mark), span.end);
        }
        if open.find(line).is_some() {
            return (shown.filter(|_| delimit && lines > 1), span.start);
        }
        let next = without_line_end(&octets[span.end..line_end(octets, span.end)]);
        let is_header = begins(next, b"content-");
        let close = mark.strip_suffix(DASHES);
        let is_fine = (1..=MAX_BOUNDARY).contains(&mark.len()) && !mark.contains(&b'\r');
        if is_header && is_fine && close.is_none() && *shown.get_or_insert(mark) != mark {
            return (None, span.end);
        }
        if shown == Some(close.unwrap_or(mark)) {
            lines += 1;
            delimit &= close.is_some() || is_header || next.is_empty();
        }
    }
    (shown.filter(|_| delimit && lines > 1), octets.len())
}

#[cfg(test)]
mod tests {
    use crate::{Message, Profile, normalize};

    /// Returns the texts of the parts, before and after normalising.
    fn texts(content_type: &str, body: &str) -> Vec<String> {
        let mail = format!("MIME-Version: 1.0\r\nContent-Type: {content_type}\r\n\r\n{body}");
        let texts = |octets: &[u8]| -> Vec<String> {
            Message::parse(octets).leaves().map(|part| part.text().unwrap_or_default().into_owned()).collect()
        };
        let before = texts(mail.as_bytes());
        for profile in [Profile::Archive, Profile::Transport] {
            let normalizer = crate::Normalizer::new().profile(profile);
            let once = normalizer.normalize(mail.as_bytes()).into_octets();
            assert_eq!(texts(&once), before, "{}", String::from_utf8_lossy(&once));
            assert_eq!(normalizer.normalize(&once).octets(), &*once, "{}", String::from_utf8_lossy(&once));
        }
        before
    }

    #[test]
    fn lines_show_the_boundary_that_is_missing() {
        let body = "--xyz\r\nContent-Type: text/plain\r\n\r\none\r\n--xyz\r\n\r\ntwo\r\n--xyz--\r\n";
        for given in ["", "; boundary=\\\"xyz\\\"", "; boundary=\"xyz", "; boundary=other", "; boundary="] {
            assert_eq!(texts(&format!("multipart/mixed{given}"), body), ["one", "two"], "{given}");
        }
        let two = format!("{body}--ab\r\nContent-Type: text/plain\r\n\r\none\r\n--ab--\r\n");
        assert_eq!(texts("multipart/mixed", &two).len(), 1);
        let text = "--xyz\r\nContent-Type: text/plain\r\n\r\none\r\n--xyz\r\nprose\r\n";
        assert_eq!(texts("multipart/mixed", text).len(), 1);
        let mail = "-----Original Message-----\r\nFrom: a@b.example\r\n\r\none\r\n";
        assert_eq!(texts("multipart/mixed", &mail.repeat(2)).len(), 1);
        let one = "--xyz\r\nContent-Type: text/plain\r\n\r\none\r\n";
        assert_eq!(texts("multipart/mixed", one).len(), 1);
    }

    #[test]
    fn what_is_only_closed_has_an_empty_part() {
        for body in ["--in--\r\n", "\r\n--in-- \r\n\r\n", "--in--"] {
            assert_eq!(texts("multipart/mixed; boundary=in", body), [""], "{body:?}");
        }
        assert_eq!(texts("multipart/mixed; boundary=in", "text\r\n--in--\r\n").len(), 1);
        let around = "--out\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n--in--\r\n--out\r\n\r\nx\r\n--out--\r\n";
        assert_eq!(texts("multipart/mixed; boundary=out", around), ["", "x"]);
    }

    #[test]
    fn both_are_reported() {
        for mail in [
            &b"Content-Type: multipart/mixed; boundary=in\r\n\r\n--in--\r\n"[..],
            b"Content-Type: multipart/mixed\r\n\r\n--in\r\nContent-Type: text/plain\r\n\r\n--in--\r\n",
        ] {
            let output = normalize(mail);
            assert!(
                output.report().issues().iter().any(|issue| issue.code() == crate::Code::BoundaryMissing)
            );
        }
    }
}
