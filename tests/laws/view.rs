//! What a reader sees of a message, and whether it is the same afterwards (law 7; G9 and G10).

use std::collections::{BTreeMap, BTreeSet};

use sevenbit::{Code, DecodeFault, Limits, Message, Normalized, Part};

use super::shown::Shown;

/// The properties of one entity that must be kept.
#[derive(Debug, PartialEq)]
struct Seen {
    path: String,
    media_type: String,
    disposition: Option<String>,
    filename: Option<String>,
    /// Text of a text leaf, octets of another leaf.
    text: Option<String>,
    octets: Option<Vec<u8>>,
}

/// Compares the views of a message and of its normal form.
pub fn compare(input: &[u8], output: &Normalized<'_>, limits: Limits) -> Result<(), String> {
    let issues = output.report().issues();
    let has = |code: Code| issues.iter().any(|issue| issue.code() == code);
    let renamed = has(Code::BoundaryRenamed);
    let mut shown = Shown::of(input, issues);
    let (before, after) = (Message::parse_with(input, limits), Message::parse_with(output.octets(), limits));
    shown.add_cut_otherwise(&before, issues);
    // If a boundary also occurred in a part that only some readers open (one with an article's type, or with an encoding label
    // that only some know), those see that part's delimiters, others the enclosing ones.
    let is_opened = |code: Code| matches!(code, Code::ObsoleteType | Code::EncodingIgnored);
    let opened = issues.iter().filter(|issue| renamed && is_opened(issue.code()));
    opened.for_each(|issue| shown.add_from(issue.part()));
    shown.add_headers_of_signed(issues, renamed);
    // A message with more parts than are read is one part to a view; a plan, which leaves encoded multiparts alone, may find fewer,
    // and rewrite them.
    if before.parts().count() == 1
        && [&before, &after].iter().all(|view| is_composite(view.root().media_type()))
    {
        shown.parts.insert(String::new());
    }
    shown.fields.extend(guessed_fields(&before, &after));
    compare_headers(&before, &after, &shown)?;
    // A message in a message, and the multipart that it is, have one path.
    let place = |part: &Part<'_>| (part.path(), part.depth());
    let mut others: BTreeMap<_, Part<'_>> = after.parts().map(|part| (place(&part), part)).collect();
    for part in before.parts() {
        let other = others.remove(&place(&part));
        let path = part.path();
        if other.is_none() && shown.has_only_part(&path) {
            shown.parts.insert(path.clone());
        }
        if shown.has_part(&path) {
            continue;
        }
        let other = other.ok_or_else(|| format!("part {path} is lost"))?;
        if !shown.has_section(&path) {
            compare_parts(&part, &other, &shown)?;
        }
    }
    let new = others.keys().find(|(path, _)| !shown.has_part(path));
    new.map_or(Ok(()), |(path, _)| Err(format!("part {path} is new")))
}

fn is_composite(media_type: &str) -> bool {
    media_type.starts_with("multipart/") || media_type.starts_with("message/")
}

/// A longer media type is written as another, since no line has room for any (rule H7).
const LONGEST_TYPE: usize = 127;

/// Compares what is seen of two entities.
fn compare_parts(before: &Part<'_>, after: &Part<'_>, shown: &Shown) -> Result<(), String> {
    let (mut seen, mut then) = (see(before), see(after));
    let both = (line_ends(before) == line_ends(after)).then(|| line_ends(before));
    for seen in [&mut seen, &mut then] {
        seen.text = match both {
            Some(LineEnds::Others) => seen.text.take().map(|text| text.replace(['\n', '\u{8e}'], "")),
            Some(LineEnds::None) => None,
            _ => seen.text.take(),
        };
    }
    // Signed content keeps its octets, also quoted-printable stored with LF that encodes half of a line end: it reads as two
    // with CR LF (rule B10).
    if shown.is_ambiguous_signed(&seen.path) && has_half_encoded_line_ends(before) {
        for seen in [&mut seen, &mut then] {
            seen.text = seen.text.take().map(|text| text.replace('\n', ""));
            seen.octets.iter_mut().for_each(|octets| octets.retain(|octet| !matches!(octet, b'\r' | b'\n')));
        }
    }
    // A block of fields may have a Content-Type of its own, which is text there.
    if has_fields(before) && shown.types.contains(&seen.path) {
        for seen in [&mut seen, &mut then] {
            seen.text = seen
                .text
                .take()
                .map(|text| String::from_utf8_lossy(&without_types(text.as_bytes())).into_owned());
            seen.octets = seen.octets.take().map(|octets| without_types(&octets));
        }
    }
    // Whether octets with NUL look like UTF-16 depends on how many come before them: they may once they have line ends.
    let is_wide = || before.octets().contains(&0) && !is_guessed_as(before, "UTF-");
    let is_read = seen.text == then.text || seen.octets == then.octets || is_each_field_read(&seen, &then);
    if is_guessed(before) && (is_read || is_wide()) {
        for seen in [&mut seen, &mut then] {
            (seen.text, seen.octets) = (None, None);
        }
    }
    if seen.media_type.len() > LONGEST_TYPE {
        then.media_type.clone_from(&seen.media_type);
    }
    same(&seen.path, &seen, &then)
}

/// The names of fields that are in a guessed charset, and the same (or have the same mailboxes) except for white space and
/// the characters that were guessed. A guess may change if other text got a label, or is no longer text; a word whose label
/// cannot be true is no longer read by one if the word beside it is rewritten under that label: they are read together.
fn guessed_fields(before: &Message<'_>, after: &Message<'_>) -> BTreeSet<String> {
    const BEFORE: &[Code] = &[Code::CharsetGuessed, Code::CharsetUnknown];
    const AFTER: &[Code] =
        &[Code::CharsetGuessed, Code::CharsetUnknown, Code::Decode(DecodeFault::UndecodableText)];
    let fields = |message: &Message<'_>, codes: &[Code]| -> BTreeSet<(String, String)> {
        let masked = |text: &str| -> String {
            let mask = |c: char| if c.is_ascii() { c } else { '?' };
            let mut masked: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).map(mask).collect();
            masked.dedup_by(|a, b| (*a, *b) == ('?', '?'));
            masked.into_iter().collect()
        };
        let bare = |value: &[u8]| masked(sevenbit::decode_header(value).text());
        let of_mailboxes = |name: &str| {
            let pairs = mailboxes(message, name).into_iter();
            pairs.map(|(phrase, address)| masked(&format!("{phrase}<{address}>"))).collect()
        };
        let name = |name: &[u8]| String::from_utf8_lossy(name).to_ascii_lowercase();
        let is_guessed = |value: &[u8]| {
            sevenbit::decode_header(value).issues().iter().any(|issue| codes.contains(&issue.code()))
        };
        let guessed = message.root().raw_headers().filter(|(_, value)| is_guessed(value));
        let both = guessed.flat_map(|(field, value)| {
            let name = name(field);
            let mailboxes = ADDRESSES.contains(&&*name).then(|| (name.clone(), of_mailboxes(&name)));
            mailboxes.into_iter().chain([(name, bare(value))])
        });
        both.collect()
    };
    let (before, after) = (fields(before, BEFORE), fields(after, AFTER));
    before.intersection(&after).map(|(name, _)| name.clone()).collect()
}

/// The fields whose mailboxes are compared.
const ADDRESSES: [&str; 6] = ["from", "sender", "reply-to", "to", "cc", "bcc"];

fn compare_headers(before: &Message<'_>, after: &Message<'_>, shown: &Shown) -> Result<(), String> {
    let is_compared = |name: &&str| !shown.has_field(name);
    let text = |message: &Message<'_>, name: &str| message.header(name).map(|text| squeeze(&text));
    for name in ["subject"].into_iter().filter(is_compared) {
        same(name, &text(before, name), &text(after, name))?;
    }
    // White space beside a comment has no meaning there. What looks like a word may begin in a comment that ends inside it: a
    // view reads the word, but only what is in the comment is text.
    let tokens = |message: &Message<'_>, name: &str| {
        let is_written = shown.comments.contains(name);
        let compared = |text: &str| text.split('(').next().filter(|_| is_written).unwrap_or(text).to_owned();
        message.header(name).map(|text| compared(&text).split_whitespace().collect::<String>())
    };
    for name in ["date", "message-id"].into_iter().filter(is_compared) {
        same(name, &tokens(before, name), &tokens(after, name))?;
    }
    for name in ADDRESSES.into_iter().filter(is_compared) {
        same(name, &mailboxes(before, name), &mailboxes(after, name))?;
    }
    Ok(())
}

/// Names, white space squeezed, and addr-specs, octet for octet. A name may be a comment with others in it: white space
/// beside those has no meaning.
fn mailboxes(message: &Message<'_>, name: &str) -> Vec<(String, String)> {
    let bare = |name: &str| name.replace(" (", "(").replace("( ", "(").replace(" )", ")").replace(") ", ")");
    let pair = |mailbox: &sevenbit::Mailbox| (bare(&squeeze(mailbox.name())), mailbox.address().to_owned());
    message.mailboxes(name).iter().map(pair).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, before: &T, after: &T) -> Result<(), String> {
    if before == after { Ok(()) } else { Err(format!("{what}: {before:?} became {after:?}")) }
}

/// Whether the content of a part is fields.
fn has_fields(part: &Part<'_>) -> bool {
    part.media_type().starts_with("message/") || part.media_type() == "text/rfc822-headers"
}

fn see(part: &Part<'_>) -> Seen {
    // A field whose line was too long has folds, which have no meaning (rules B6 and G3).
    let has_fields = has_fields(part);
    let as_fields = |octets| if has_fields { unfolded(octets) } else { octets };
    let as_text =
        |text: &str| String::from_utf8_lossy(&as_fields(text.into())).trim_end_matches('\n').to_owned();
    let text = part.text().map(|text| as_text(&text));
    // In text and in blocks of fields any line end is one (rule B10), whether a charset is known or not.
    let as_lf = if has_fields || part.media_type().starts_with("text/") { lines_of_text } else { lines };
    let is_compared = part.is_leaf() && (text.is_none() || is_guessed(part));
    Seen {
        path: part.path(),
        media_type: part.media_type().to_owned(),
        disposition: part.disposition().map(writable).filter(|text| !text.is_empty()),
        filename: part.filename().map(str::to_owned),
        text,
        octets: is_compared.then(|| without_end(as_fields(as_lf(&part.octets())))),
    }
}

/// Whether the charset of its text is a guess. A guess may change if a line end has an octet more,
/// or not be written: then the octets have to be the same.
fn is_guessed(part: &Part<'_>) -> bool {
    part.decoded().is_some_and(|text| text.issues().iter().any(|issue| issue.code() == Code::CharsetGuessed))
}

/// Whether the charset of its text is a guess at one with that beginning.
fn is_guessed_as(part: &Part<'_>, name: &str) -> bool {
    let is_it =
        |issue: &sevenbit::Issue| issue.charset().is_some_and(|charset| charset.name().starts_with(name));
    part.decoded().is_some_and(|text| text.issues().iter().any(is_it))
}

/// What CR LF means in the charset of a body that passes as it is: a body stored with LF then has one more CR.
#[derive(Clone, Copy, PartialEq)]
enum LineEnds {
    /// A line end, or the body is encoded.
    CrLf,
    /// Other, insignificant characters (EBCDIC).
    Others,
    /// Half a character (UTF-16). Such text is encoded, unless it is signed, or a multipart without its boundary.
    None,
}

fn line_ends(part: &Part<'_>) -> LineEnds {
    // Also in an encoding, if it holds nothing that is encoded.
    let stands = matches!(part.transfer_encoding(), "7bit" | "8bit" | "binary" | "unknown")
        || *part.octets() == *part.body_octets();
    match part.charset().filter(|_| stands).map(|charset| charset.decode(b"\r\n").into_text().into_owned()) {
        Some(text) if text == "\r\u{8e}" => LineEnds::Others,
        Some(text) if text != "\r\n" => LineEnds::None,
        _ => LineEnds::CrLf,
    }
}

/// Whether some line end in a part, or in what it was decoded from, may be half encoded: a CR before a literal LF, or an LF
/// after a literal CR.
fn has_half_encoded_line_ends(part: &Part<'_>) -> bool {
    std::iter::successors(Some(*part), Part::parent).any(|part| {
        let body = part.body_octets().to_ascii_uppercase();
        let has = |pair: &[u8]| body.windows(pair.len()).any(|octets| octets == pair);
        has(b"=0D\n") || has(b"\r=")
    })
}

/// Whether each field in a block of fields whose charset is a guess was written as it reads by that, or by the label of a word
/// with raw octets, which is not the guess.
fn is_each_field_read(seen: &Seen, then: &Seen) -> bool {
    let (Some(text), Some(octets), Some(written)) = (&seen.text, &seen.octets, &then.text) else {
        return false;
    };
    let by_label = String::from_utf8_lossy(octets);
    let (guessed, by_label): (Vec<_>, Vec<_>) = (text.split('\n').collect(), by_label.split('\n').collect());
    let written: Vec<_> = written.split('\n').collect();
    let is_read = |at: usize| guessed[at] == written[at] || by_label[at] == written[at];
    guessed.len() == written.len() && by_label.len() == written.len() && (0..written.len()).all(is_read)
}

/// The writable form of a disposition: a token, whatever it was.
fn writable(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_graphic() && !r#""()\?"#.contains(*c)).take(127).collect()
}

fn lines_of_text(octets: &[u8]) -> Vec<u8> {
    let mut octets = lines(octets);
    octets.iter_mut().filter(|octet| **octet == b'\r').for_each(|octet| *octet = b'\n');
    octets
}

/// Fields without their folds, with one space for each run of white space (rule G10), none around a value, and with
/// encoded-words decoded: a word that fits on no line is encoded (rule H11).
fn unfolded(octets: Vec<u8>) -> Vec<u8> {
    let folds = |at: usize| octets[at] == b'\n' && matches!(octets.get(at + 1), Some(b' ' | b'\t'));
    let plain = |at: usize| if octets[at] == b'\t' { b' ' } else { octets[at] };
    let mut lines: Vec<u8> = (0..octets.len()).filter(|&at| !folds(at)).map(plain).collect();
    lines.dedup_by(|next, before| *next == b' ' && *before == b' ');
    let read = |line: &[u8]| match line.windows(2).any(|pair| pair == b"=?") {
        true => sevenbit::decode_header(line).into_text().into_owned().into_bytes(),
        false => line.to_vec(),
    };
    // A field that is written anew has a space after its colon.
    let bare = |mut line: Vec<u8>| {
        if let Some(value) = line.iter().position(|&octet| octet == b':').map(|colon| colon + 1) {
            let blank = line[value..].iter().take_while(|&&octet| octet == b' ').count();
            line.drain(value..value + blank);
            line.truncate(line.trim_ascii_end().len());
        }
        line
    };
    lines.split(|&octet| octet == b'\n').map(|line| bare(read(line))).collect::<Vec<_>>().join(&b'\n')
}

/// Fields without those that say a type.
fn without_types(fields: &[u8]) -> Vec<u8> {
    const NAME: &[u8] = b"content-type:";
    let is_type = |line: &[u8]| line.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    fields.split(|&octet| octet == b'\n').filter(|line| !is_type(line)).collect::<Vec<_>>().join(&b'\n')
}

/// Without the line ends after the last line.
fn without_end(mut octets: Vec<u8>) -> Vec<u8> {
    while octets.last() == Some(&b'\n') {
        octets.pop();
    }
    octets
}

/// Octets with their line ends as LF: a message stored with LF means CR LF.
fn lines(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    for (at, &octet) in octets.iter().enumerate() {
        if octet != b'\r' || octets.get(at + 1) != Some(&b'\n') {
            out.push(octet);
        }
    }
    out
}

fn squeeze(text: &str) -> String {
    text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
