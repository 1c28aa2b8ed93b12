//! Addresses: none is written that did not stand there, and none disappears that most readers could
//! read (rule H6). Read by a scanner of its own, which knows only what all readers agree on.

use std::collections::BTreeSet;

use sevenbit::Message;

use super::options::Options;

const FIELDS: [&str; 6] = ["from", "sender", "reply-to", "to", "cc", "bcc"];

/// The addr-spec beside the name that holds one which 7 bits cannot carry (rule H8).
const NOBODY: &str = "invalid@internationalized-address.invalid";

/// Each addr-spec that is read in the output stood in a field of that name in the input, and each
/// in brackets there is read in the output, or stands in a duplicate that was renamed.
pub fn addresses_are_kept(octets: &[u8], by: impl Into<Options>) -> Result<(), String> {
    let by = by.into();
    let output = by.normalizer.normalize(octets);
    let (before, after) = (Message::parse(octets), Message::parse(output.octets()));
    for name in FIELDS {
        let given = values(&before, name);
        let written = after.mailboxes(name);
        let written: BTreeSet<&str> = written.iter().map(|mailbox| mailbox.address()).collect();
        let is_ascii_spec = |spec: &&&str| {
            spec.is_ascii() && spec.contains('@') && !spec.contains("xn--") && **spec != NOBODY
        };
        if let Some(spec) =
            written.iter().filter(is_ascii_spec).find(|spec| !stands_in(spec, &given))
        {
            return Err(format!("{}: {name}: {spec:?} did not stand in {given:?}", by.name));
        }
        let renamed = values(&after, &format!("x-duplicate-{name}"));
        let renamed = sevenbit::decode_header(renamed.as_bytes()).into_text();
        let is_lost = |spec: &&str| !written.contains(spec) && !renamed.contains(*spec);
        if let Some(spec) = in_brackets(&given).into_iter().find(is_lost) {
            return Err(format!("{}: {name}: {spec:?} of {given:?} is lost", by.name));
        }
    }
    Ok(())
}

/// Each mailbox is displayed as the rules write it: a field with it stays, but for its folds, which
/// depend on the name of the field. Views and rules write addresses in two packages, by the same
/// functions. A name without an address is displayed as a phrase, which is no mailbox.
pub fn mailboxes_are_displayed_as_written(octets: &[u8]) -> Result<(), String> {
    let message = Message::parse(octets);
    let mailboxes = FIELDS.iter().flat_map(|name| message.mailboxes(name));
    for mailbox in mailboxes.filter(|mailbox| !mailbox.address().is_empty()) {
        let field = format!("To: {mailbox}\r\n\r\n");
        let written = sevenbit::normalize(field.as_bytes());
        let written = String::from_utf8_lossy(written.octets());
        if written.replace("\r\n ", " ") != field.replace("\r\n ", " ") {
            return Err(format!(
                "{mailbox:?} is displayed as {field:?}, and written as {written:?}"
            ));
        }
    }
    Ok(())
}

/// Returns the values of all fields of a name, unfolded, a line each.
fn values(message: &Message<'_>, name: &str) -> String {
    let is_it = |field: &[u8]| field.eq_ignore_ascii_case(name.as_bytes());
    let fields = message.root().raw_headers().filter(|(field, _)| is_it(field));
    let values = fields.map(|(_, value)| String::from_utf8_lossy(value).replace(['\r', '\n'], ""));
    values.collect::<Vec<_>>().join("\n")
}

fn is_atext(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c)
}

/// Returns whether an addr-spec is in a text, and not merely as a piece of another: of a longer
/// word, or of words that are together in brackets. Comments, quotes, backslashes, and white space
/// beside dots and `@` do not count.
fn stands_in(spec: &str, text: &str) -> bool {
    let is_beside = |before: Option<char>, after: Option<char>| {
        [before, after].into_iter().flatten().any(|c| matches!(c, '@' | '.'))
    };
    let squeezed = |text: &str| without_spaces(text, |_, _| true);
    let specs =
        [spec.to_owned(), spec.replace(['"', '\\'], ""), squeezed(&spec.replace(['"', '\\'], ""))];
    let texts = [
        text.to_owned(),
        text.replace('\\', ""),
        without_comments(text),
        without_comments(text).replace('\\', ""),
        without_needless_quotes(&without_comments(text).replace('\\', "")),
    ];
    texts.iter().any(|text| {
        let forms = [text.clone(), without_spaces(text, is_beside), squeezed(text)];
        forms.iter().any(|text| specs.iter().any(|spec| holds(text, spec)))
    })
}

/// Returns the text without the runs of white space that are dropped beside the characters around
/// them.
fn without_spaces(text: &str, is_dropped: impl Fn(Option<char>, Option<char>) -> bool) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find([' ', '\t']) {
        kept.push_str(&rest[..at]);
        let after = rest[at..].trim_start_matches([' ', '\t']);
        if !is_dropped(kept.chars().last(), after.chars().next()) {
            kept.push(' ');
        }
        rest = after;
    }
    kept + rest
}

/// Returns the text without the quotes of local parts that need none (`"ada"@b`).
fn without_needless_quotes(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(end) = rest.find("\"@").or_else(|| rest.find("\" @")) {
        let (before, after) = (&rest[..end], &rest[end + 1..]);
        let local = before.rfind('"').map(|start| (start, &before[start + 1..]));
        match local.filter(|(_, local)| local.chars().all(is_atext)) {
            Some((start, local)) => kept.extend([&before[..start], local]),
            None => kept.extend([before, "\""]),
        }
        rest = after;
    }
    kept + rest
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('(') {
        kept.push_str(&rest[..at]);
        rest = after(&rest[at..], ')').unwrap_or(&rest[at + 1..]);
    }
    kept + rest
}

fn holds(text: &str, spec: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| is_atext(c) || c == '@');
    text.match_indices(spec).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + spec.len()..]);
        let last = before.rfind(['<', '>', ',', ';', ':', '\n']);
        let is_among_words = last.is_some_and(|at| before[at..].starts_with('<'))
            && after.find(['<', '>']).is_some_and(|at| after[at..].starts_with('>'))
            && before.ends_with(' ')
            && before.trim_end().ends_with(is_atext);
        (spec.starts_with(['"', '.']) || !is_word(before.trim_end_matches('@').chars().last()))
            && !is_word(after.strip_prefix('.').unwrap_or(after).chars().next())
            && !is_among_words
    })
}

/// Returns the plain addr-specs in angle brackets that are not in a quoted-string or a comment.
fn in_brackets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            rest = match c {
                '"' => after(rest, '"').unwrap_or(&rest[1..]),
                '=' => after_word(rest).unwrap_or(&rest[1..]),
                '(' => after(rest, ')').unwrap_or(""),
                '<' => {
                    let inner = rest[1..].split(['<', '>']).next().unwrap_or_default();
                    let is_closed = rest[1 + inner.len()..].starts_with('>');
                    found.extend(Some(inner).filter(|inner| is_closed && is_plain(inner)));
                    &rest[1..]
                }
                _ => &rest[c.len_utf8()..],
            };
        }
    }
    found
}

/// Returns what follows an encoded-word without white space: an address in it is text.
fn after_word(text: &str) -> Option<&str> {
    let mut pieces = text.strip_prefix("=?")?.splitn(3, '?');
    let (label, encoding, text) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let (inner, after) = text.split_once("?=")?;
    let is_word = !label.is_empty() && matches!(encoding, "q" | "Q" | "b" | "B");
    (is_word && !inner.contains([' ', '\t'])).then_some(after)
}

/// Returns what follows the first `close` that no backslash quotes.
fn after(text: &str, close: char) -> Option<&str> {
    let mut is_quoted = true; // the delimiter that opens
    for (at, c) in text.char_indices() {
        match c {
            _ if std::mem::take(&mut is_quoted) => {}
            '\\' => is_quoted = true,
            c if c == close => return Some(&text[at + 1..]),
            _ => {}
        }
    }
    None
}

fn is_plain(spec: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_+.".contains(c);
    let is_dotted =
        |text: &str| text.chars().all(is_word) && text.split('.').all(|word| !word.is_empty());
    spec.split_once('@').is_some_and(|(local, domain)| is_dotted(local) && is_dotted(domain))
}
