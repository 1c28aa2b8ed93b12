//! Multiparts whose boundary is missing or broken, and those that are only closed (rule B8).

use std::cell::LazyCell;

use crate::ascii::{begins, is_fws, is_token, trim_fws};
use crate::facts::content::Content;
use crate::facts::delimiters::{DASHES, OpenBoundaries, dashed_lines, delimiter_start};
use crate::facts::field::{Counted, HeaderEnd, Section};
use crate::facts::line_ends::{before_line_end, line_end, without_line_end};
use crate::facts::tree::{DelimiterLine, Kind, Tree};
use crate::lengths::MAX_BOUNDARY;
use crate::syntax::lexical::unquote;
use crate::syntax::parameter::{ParameterToken, Quoting, is_hidden, list};

const MULTIPART: &[u8] = b"multipart";
const BOUNDARY: &[u8] = b"boundary";

/// A boundary as it was found.
pub(super) struct FoundBoundary {
    pub(super) octets: Vec<u8>,
    /// Whether few readers find it.
    pub(super) is_hidden: bool,
}

/// Returns the boundary of the multipart just entered. It is empty if the multipart or one around
/// it hides its parts, and its lines, or the one that closes it, delimit an outer one, too: whoever
/// does not find those parts takes the lines for the outer one's.
pub(super) fn boundary_of(
    tree: &Tree<'_>,
    index: usize,
    open: &OpenBoundaries,
    searched: &mut usize,
) -> FoundBoundary {
    let found = search(tree, index, open, searched);
    let delimiter = delimiter_start(&found.octets);
    let close = [&*delimiter, DASHES].concat();
    let Some(outer) = open.find(&delimiter).or_else(|| open.find(&close)) else { return found };

    let mut inside =
        tree.upwards(tree.entities[index].parent).take_while(|&around| around != outer.entity);
    if found.is_hidden || inside.any(|inside| tree.entities[inside].content.hides_parts) {
        return FoundBoundary { octets: Vec::new(), is_hidden: false };
    }
    found
}

/// Returns the boundary that a multipart has by itself: as it is read, or as it is written, with
/// octets that are no text; or the only one that lines of the body show if no line has either. Not
/// where content may be signed, which stays. Once all searches together have passed over as many
/// octets as the message has, which `searched` counts (rule G13), lines are not asked any more.
fn search(
    tree: &Tree<'_>,
    index: usize,
    open: &OpenBoundaries,
    searched: &mut usize,
) -> FoundBoundary {
    let entity = &tree.entities[index];
    let parameters = &entity.content.parameters;
    let untrimmed = parameters.get("boundary").unwrap_or_default().as_bytes();
    let given = untrimmed.trim_ascii_end();
    let is_searched = entity.content.has_identity_encoding() && !tree.claim_seal(Some(index));
    let (Some(field), true) = (entity.content.type_field, is_searched) else {
        return FoundBoundary { octets: given.to_vec(), is_hidden: false };
    };
    let value = tree.fields[field].value_of(tree.source_of(entity));
    if *searched >= tree.sources[0].octets.len() {
        let is_hidden = !parameters.is_plain() && !is_plainly_given(value, given, given);
        return FoundBoundary { octets: given.to_vec(), is_hidden };
    }

    let written = if parameters.is_plain() { None } else { written_boundary(value) };
    let given_as = match &written {
        // Most readers take a quote that opens nothing for the end.
        Some((octets, Quoting::Loose)) if is_only_at_end(octets, b'"') => {
            [&octets[..octets.len() - 1], given]
        }
        // And most take a comment for one that stands beside a token.
        Some((octets, Quoting::Loose)) if !octets.starts_with(b"\"") && octets.contains(&b'(') => {
            let comment = octets.iter().position(|&octet| octet == b'(').unwrap_or(octets.len());
            [octets[..comment].trim_ascii_end(), given]
        }
        Some((octets, _)) => [given, octets],
        None => [given, given],
    };
    let octets = tree.source_of(entity);
    let Shown { boundary: shown, is_closed_before, end } =
        shown_by_lines(octets, entity.body.start, given_as, open);
    *searched += end - entity.body.start;
    // Most readers look for the blanks at the end of a boundary, too.
    let lacks_blanks =
        untrimmed.len() > given.len() && !without_line_end(&octets[..end]).ends_with(untrimmed);
    if lacks_blanks && shown == Some(given) {
        return FoundBoundary { octets: given.to_vec(), is_hidden: true };
    }
    let is_as_read = parameters.is_plain() && shown == Some(given);
    let is_hidden = is_closed_before
        || !is_as_read && shown.is_some_and(|shown| !is_plainly_given(value, given, shown));
    FoundBoundary { octets: shown.unwrap_or(given).to_vec(), is_hidden }
}

/// Returns whether readers find `found` in a value: it begins with `multipart/`, and after a
/// semicolon comes `boundary=` with what is read as it (`given`), with what is written as it, or
/// with a token that is it before junk.
fn is_plainly_given(value: &[u8], given: &[u8], found: &[u8]) -> bool {
    let list = list(value);
    let top = &value[list.value.start..list.value.end];
    let is_multipart = begins(top, MULTIPART)
        && top
            .get(MULTIPART.len())
            .is_some_and(|&octet| is_fws(octet) || matches!(octet, b'/' | b'('));
    let is_boundary = |token: &&ParameterToken| {
        value[token.name.start..token.name.end].eq_ignore_ascii_case(BOUNDARY)
    };
    let boundaries = || list.parameters().map(|(_, token)| token).filter(is_boundary);
    let is_simple = |token: &ParameterToken| token.section.is_none() && !token.extended;
    // After one in sections, or with a charset, hardly any reader finds another.
    let comes_first = boundaries().next().is_some_and(is_simple);
    // Asked once: there may be many sections.
    let are_all_found = LazyCell::new(|| !is_hidden(value, BOUNDARY));
    let is_it = |token: &ParameterToken| {
        let written = &value[token.value.start..token.value.end];
        let is_plain = comes_first && is_simple(token);
        let is_written = match token.quoting {
            _ if !is_simple(token) => given == found && *are_all_found,
            Quoting::Quoted => {
                given == found || is_plain && unquote(written).trim_ascii_end() == found
            }
            Quoting::Token | Quoting::Loose => {
                let to_end = &value[token.value.start..];
                (is_plain || given == found) && is_written_before_junk(to_end, found)
            }
        };
        list.is_found(value, token) && is_written
    };
    // Most readers find one in UTF-8, and none with octets that are no text.
    is_multipart && std::str::from_utf8(found).is_ok() && boundaries().any(is_it)
}

/// Returns whether the end of a field, which begins with a value without both quotes, begins with
/// `found`, and then ends or has junk at which a few readers end the value: white space, and
/// US-ASCII that is in no token. Hardly any reader ends it at a control or a letter above 7F, nor
/// goes back to a quote that nothing closes, nor over a semicolon.
fn is_written_before_junk(to_end: &[u8], found: &[u8]) -> bool {
    let to_end = trim_fws(to_end);
    let in_quotes = to_end.strip_prefix(b"\"");
    if in_quotes.is_none() && found.contains(&b';') {
        return false;
    }
    let Some(junk) = in_quotes.unwrap_or(to_end).strip_prefix(found) else { return false };
    let first = junk.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    match first {
        None => junk.is_empty(),
        Some(first) if in_quotes.is_some() => first == '"',
        Some(first) => {
            first.is_whitespace()
                || first.is_ascii_graphic()
                    && u8::try_from(first).is_ok_and(|octet| !is_token(octet))
        }
    }
}

/// Returns whether the last of some octets is `octet`, and none before it.
fn is_only_at_end(octets: &[u8], octet: u8) -> bool {
    memchr::memchr(octet, octets).is_some_and(|at| at + 1 == octets.len())
}

/// Returns the octets of the boundary that a value has, without quotes, and how it is written.
fn written_boundary(value: &[u8]) -> Option<(Vec<u8>, Quoting)> {
    let list = list(value);
    let is_boundary = |token: &&ParameterToken| {
        let name = &value[token.name.start..token.name.end];
        name.eq_ignore_ascii_case(BOUNDARY) && token.section.is_none() && !token.extended
    };
    let (_, token) = list.parameters().find(|(_, token)| is_boundary(token))?;
    let octets = &value[token.value.start..token.value.end];
    let octets = if token.quoting == Quoting::Quoted { unquote(octets) } else { octets.into() };
    Some((octets.trim_ascii_end().to_vec(), token.quoting))
}

/// Gives a multipart that contains nothing but its close delimiter, after the empty line of its
/// header, an empty part. Returns whether it did.
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
    let section = Section {
        fields_end: at,
        body: at,
        end: HeaderEnd::EndOfEntity,
        counted: Counted::default(),
    };
    tree.add(source, Some(index), at, section, content);
    if let Kind::Multipart(multipart) = &mut tree.entities[index].kind {
        multipart.preamble.end = preamble_end;
        multipart.epilogue = Some(line.end..body.end);
        multipart.delimiters.push(DelimiterLine { span: line, close: true });
    }
    true
}

/// What lines show of a boundary.
struct Shown<'s> {
    boundary: Option<&'s [u8]>,
    /// Whether a line closes the multipart before any opens a part: most readers stop there.
    is_closed_before: bool,
    /// How far the lines were read: at most to a delimiter of what is around them.
    end: usize,
}

/// Returns the boundary that lines from `at` on show. It is the first of those `given` that any
/// line has. If there is none, it is that of all lines before Content- fields, if two lines have
/// it, and those that do not close come before a Content- field or an empty line.
fn shown_by_lines<'s>(
    octets: &'s [u8],
    at: usize,
    given: [&[u8]; 2],
    open: &OpenBoundaries,
) -> Shown<'s> {
    let [first, second] = given;
    let mut is_closed_before = false;
    let mut found_second = None;
    let mut shown = None;
    let (mut lines, mut delimit) = (0, true);
    // Once lines contradict each other, only one that is given counts.
    let mut is_contradicted = false;
    let mut end = octets.len();
    for span in dashed_lines(octets, at..octets.len()) {
        let line = without_line_end(&octets[span.clone()]).trim_ascii_end();
        let mark = &line[DASHES.len()..];
        if !mark.is_empty() && mark == first {
            return Shown { boundary: Some(mark), is_closed_before, end: span.end };
        }
        is_closed_before |= !first.is_empty() && mark.strip_suffix(DASHES) == Some(first);
        if !mark.is_empty() && mark == second {
            found_second = found_second.or(Some(mark));
        }
        if open.find(line).is_some() {
            end = span.start;
            break;
        }
        if is_contradicted || found_second.is_some() {
            continue;
        }
        let next = without_line_end(&octets[span.end..line_end(octets, span.end)]);
        let is_header = begins(next, b"content-");
        let close = mark.strip_suffix(DASHES);
        let is_fine = (1..=MAX_BOUNDARY).contains(&mark.len()) && !mark.contains(&b'\r');
        if is_header && is_fine && close.is_none() && *shown.get_or_insert(mark) != mark {
            is_contradicted = true;
            continue;
        }
        if shown == Some(close.unwrap_or(mark)) {
            lines += 1;
            delimit &= close.is_some() || is_header || next.is_empty();
        }
    }
    let shown = if delimit && lines > 1 && !is_contradicted { shown } else { None };
    Shown { boundary: found_second.or(shown), is_closed_before: false, end }
}

#[cfg(test)]
mod tests {
    use sevenbit::{Profile, normalize};

    use crate::{Code, Message};

    /// Returns the texts of the parts, before and after normalising.
    fn texts(content_type: &str, body: &str) -> Vec<String> {
        let mail = format!("MIME-Version: 1.0\r\nContent-Type: {content_type}\r\n\r\n{body}");
        let texts = |octets: &[u8]| -> Vec<String> {
            Message::parse(octets)
                .leaves()
                .map(|part| part.text().unwrap_or_default().into_owned())
                .collect()
        };
        let before = texts(mail.as_bytes());
        for profile in [Profile::Archive, Profile::Transport] {
            let normalizer = sevenbit::Normalizer::new().profile(profile);
            let output = normalizer.normalize(mail.as_bytes());
            let is_hidden =
                output.report().issues().iter().any(|issue| issue.code() == Code::ContentAppeared);
            let once = output.into_octets();
            let parts = if is_hidden && profile == Profile::Transport { 1 } else { before.len() };
            assert_eq!(texts(&once).len(), parts, "{}", String::from_utf8_lossy(&once));
            assert!(parts == 1 || texts(&once) == before, "{}", String::from_utf8_lossy(&once));
            assert_eq!(
                normalizer.normalize(&once).octets(),
                &*once,
                "{}",
                String::from_utf8_lossy(&once)
            );
        }
        before
    }

    #[test]
    fn lines_show_the_boundary_that_is_missing() {
        let body =
            "--xyz\r\nContent-Type: text/plain\r\n\r\none\r\n--xyz\r\n\r\ntwo\r\n--xyz--\r\n";
        for given in
            ["", "; boundary=\\\"xyz\\\"", "; boundary=\"xyz", "; boundary=other", "; boundary="]
        {
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
    fn parts_that_few_readers_find_stay_closed_in_transport() {
        let body = "--b1\r\nContent-Type: text/plain\r\n\r\none\r\n--b1\r\n\r\ntwo\r\n--b1--\r\n";
        for (content_type, is_hidden) in [
            ("multipart/mixed; boundary=b1", false),
            ("multipart/mixed;\r\n\tboundary=\"b1\"", false),
            ("multipart/mixed,; boundary=b1", false),
            ("multipart/mixed; boundary=b1,", false),
            ("multipart/mixed; boundary=b1\u{a0}", false),
            ("multipart/mixed; boundary=\"b1", false),
            ("multipart/mixed; boundary=\"b1\"\u{e9}", false),
            ("multipart/mixed; boundary=\"b1\\\"", true),
            ("multipart/mixed; boundary=\"b1; x=y", true),
            ("multipart/mixed; boundary=b1\u{e9}", true),
            ("multipart/mixed; boundary=b1\u{200b}", true),
            ("multipart/mixed; boundary=b1\u{7f}", true),
            ("multipart/mixed; boundary*0=b; boundary*1=1", false),
            ("multipart/mixed boundary*1=1; boundary*0=b", true),
            ("multipart/mixed boundary*0=x; boundary*0=b1", false),
            ("multipart/mixed boundary*1=x; boundary*0=b1", false),
            ("multipart/mixed boundary=x; boundary*=us-ascii'en'b1", false),
            ("multipart/mixed; (c) boundary=b1", false),
            ("multipart/mixed; boundary='b1'", true),
            ("multipart/mixed; b\u{43e}undary=b1", true),
            ("multipart/mixed; boun\r\n dary=b1", true),
            ("multipart/mixed boundary=b1", true),
            ("multipart/mixed; boundary=\"b1 \"", true),
            ("multipart/mixed; boundary=\"b1(c)\"", true),
            ("multipart/mixed; boundary*00=b; boundary*01=1", false),
            ("multipart/mixed; boundary*1=b; boundary*2=1", false),
            ("multipart/mixed;\u{a0}boundary=b1", true),
            ("multipart/mixed;\u{b}boundary=b1", false),
            ("\"multipart/mixed\"; boundary=b1", true),
            ("multipart/mixed", true),
            ("multipart/mixed; boundary=b1\"", false),
            ("multipart/mixed; boundary=b1; charset=\"utf-8", false),
            ("multipart/mixed; charset=\"utf-8; boundary=b1", true),
            ("multipart/mixed; charset=utf-8\"; boundary=b1", true),
            ("multipart/mixed; (c; boundary=b1", true),
            ("multipart/mixed; boundary*=us-ascii'en'x; boundary=b1", true),
            ("multipart/mixed; boundary*00=x; boundary*01=b1", true),
            ("multipart/mixed; boundary=x; boundary=b1", false),
            ("multipart/mixed; boundary=b1; boundary*=us-ascii'en'x", false),
            ("multipart/mixed;\r\nboundary=b1", true),
            ("multipart/mixed;\r\n\u{b}boundary=b1", true),
            ("multipart/mixed;\r\n \u{b}boundary=b1", false),
            ("multipart/mixed; boundary=b1\r\n\r\n--b1--", true),
            ("multipart/mixed; boundary=b1\r\n\r\n--b0--", false),
        ] {
            let mail = format!("MIME-Version: 1.0\r\nContent-Type: {content_type}\r\n\r\n{body}");
            for profile in [Profile::Archive, Profile::Transport] {
                let output =
                    sevenbit::Normalizer::new().profile(profile).normalize(mail.as_bytes());
                let is_reported = output
                    .report()
                    .issues()
                    .iter()
                    .any(|issue| issue.code() == Code::ContentAppeared);
                assert_eq!(is_reported, is_hidden, "{content_type}");
                let parts = Message::parse(output.octets()).leaves().count();
                let is_closed = is_hidden && profile == Profile::Transport;
                assert_eq!(parts, if is_closed { 1 } else { 2 }, "{content_type}");
            }
        }
    }

    #[test]
    fn parts_that_few_readers_find_take_no_lines_of_an_outer_multipart() {
        const HIDDEN: &str = "Content-Type: multi\x1apart/mixed; boundary";
        let parts = "--a\r\n\r\none\r\n--a\r\n\r\ntwo\r\n--a--\r\n";
        let around_another = format!(
            "{HIDDEN}=b\r\n\r\n--b\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n{parts}--b--\r\n"
        );
        for inner in [format!("{HIDDEN}=a\r\n\r\n{parts}"), around_another] {
            let mail = format!("Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n{inner}");
            for profile in [Profile::Archive, Profile::Transport] {
                let output =
                    sevenbit::Normalizer::new().profile(profile).normalize(mail.as_bytes());
                for octets in [mail.as_bytes(), output.octets()] {
                    let leaves = Message::parse(octets).leaves().count();
                    assert_eq!(leaves, 3, "{}", String::from_utf8_lossy(octets));
                }
            }
        }
    }

    #[test]
    fn few_readers_find_a_boundary_with_a_semicolon_without_quotes() {
        for (boundary, is_hidden) in [("x;y", true), ("\"x;y\"", false)] {
            let part = "--x;y\r\nContent-Type: text/plain\r\n\r\none\r\n";
            let body = format!("{part}{part}--x;y--\r\n");
            let mail = format!("Content-Type: multipart/mixed; boundary={boundary}\r\n\r\n{body}");
            let output = normalize(mail.as_bytes());
            let issues = output.report().issues();
            let is_reported = issues.iter().any(|issue| issue.code() == Code::ContentAppeared);
            assert_eq!(is_reported, is_hidden, "{boundary}");
        }
    }

    #[test]
    fn other_lines_do_not_show_what_few_readers_find() {
        let of = |boundary: &str| {
            format!("--{boundary}\r\nContent-Type: text/plain\r\n\r\none\r\n--{boundary}--\r\n")
        };
        let mail = format!(
            "Content-Type: multipart/mixed boundary=c\r\n\r\n{}{}{}",
            of("a"),
            of("b"),
            of("c")
        );
        for (profile, parts) in [(Profile::Archive, 1), (Profile::Transport, 1)] {
            let output = sevenbit::Normalizer::new().profile(profile).normalize(mail.as_bytes());
            let issues = output.report().issues();
            assert!(
                issues.iter().any(|issue| issue.code() == Code::ContentAppeared),
                "{profile:?}"
            );
            assert_eq!(Message::parse(output.octets()).leaves().count(), parts, "{profile:?}");
        }
    }

    #[test]
    fn lines_of_a_token_precede_those_of_a_token_with_a_comment() {
        let of = |boundary: &str, text: &str| {
            format!("--{boundary}\r\nContent-Type: text/plain\r\n\r\n{text}\r\n--{boundary}--\r\n")
        };
        for (boundary, body, expected) in [
            ("x(y)", format!("{}{}", of("x(y)", "one"), of("x", "two")), "two"),
            ("x (y)", format!("{}{}", of("x(y)", "one"), of("x", "two")), "two"),
            ("x(y)", of("x(y)", "one"), "one"),
            ("\"x(y)\"", format!("{}{}", of("x(y)", "one"), of("x", "two")), "one"),
        ] {
            let shown = texts(&format!("multipart/mixed; boundary={boundary}"), &body);
            assert_eq!(shown, [expected], "{boundary}");
        }
    }

    #[test]
    fn lines_of_the_boundary_that_is_read_precede_others() {
        let of = |boundary: &str, text: &str| {
            format!("--{boundary}\r\nContent-Type: text/plain\r\n\r\n{text}\r\n--{boundary}--\r\n")
        };
        let body = format!("{}{}", of("a", "one"), of("b", "two"));
        for given in [
            "boundary=a; boundary*0=b",
            "boundary*0=b; boundary=a",
            "boundary=a; boundary*=us-ascii''b",
        ] {
            assert_eq!(texts(&format!("multipart/mixed; {given}"), &body), ["two"], "{given}");
        }
        let only = of("a", "one");
        assert_eq!(texts("multipart/mixed; boundary=a; boundary*0=b", &only), ["one"]);
    }

    #[test]
    fn a_boundary_after_a_semicolon_precedes_one_without() {
        let body = "--a\r\nContent-Type: text/plain\r\n\r\none\r\n--a--\r\n\
            --b\r\nContent-Type: text/plain\r\n\r\ntwo\r\n--b--\r\n";
        assert_eq!(texts("multipart/mixed boundary=a; boundary=b", body), ["two"]);
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
