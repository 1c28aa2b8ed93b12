//! The parts of a message, and how they are written.

use memchr::{memchr2, memmem};
use sevenbit_charset::codec::base64::{encode_lines_to, lines_len};

use crate::model::{Content, Message};

/// The most octets of a line (RFC 5322, 2.1.1).
const MAX_LINE: usize = 998;

/// The beginning of each boundary. No body that is not base64 has a line that begins with it.
const BOUNDARY: &str = "=_outlook";

/// A body part: its fields, with their names, and its content.
#[derive(Debug)]
pub(super) struct Part {
    fields: Vec<(&'static str, String)>,
    content: Inside,
}

#[derive(Debug)]
enum Inside {
    /// A content that is written as it is.
    Encoded(Vec<u8>),
    /// Parts, and the subtype of `multipart` with its parameters.
    Parts { subtype: String, parts: Vec<Part> },
}

/// The boundaries of a message, each of which is there once.
#[derive(Debug)]
pub(super) struct Boundaries {
    prefix: String,
    count: usize,
}

impl Boundaries {
    /// Returns boundaries that are unlike anything that is written into the message as it is.
    pub(super) fn unlike(message: &Message) -> Self {
        const TRIES: usize = 64;
        let mut octets = Vec::new();
        collect_entities(message, &mut octets);
        let prefix = (0..TRIES)
            .map(|number| format!("{BOUNDARY}{number}_"))
            .find(|prefix| {
                octets.iter().all(|octets| memmem::find(octets, prefix.as_bytes()).is_none())
            })
            .unwrap_or_else(|| format!("{BOUNDARY}{TRIES}_"));
        Self { prefix, count: 0 }
    }

    fn next(&mut self) -> String {
        self.count += 1;
        format!("{}{}", self.prefix, self.count)
    }
}

/// Collects what may be written as it is: files of messages inside.
fn collect_entities<'m>(message: &'m Message, octets: &mut Vec<&'m [u8]>) {
    for attachment in &message.attachments {
        match &attachment.content {
            Content::Octets(file) if message.attachments.len() == 1 => octets.push(file),
            Content::Message(inner) => collect_entities(inner, octets),
            _ => {}
        }
    }
}

impl Part {
    /// Returns a part of text in UTF-8, with CRLF line ends.
    pub(super) fn text(subtype: &str, text: &str) -> Self {
        let text = with_line_ends(text);
        let is_ascii = text.is_ascii();
        let charset = if is_ascii { "us-ascii" } else { "utf-8" };
        let is_plain = !text.contains('\0')
            && text.lines().all(|line| line.len() <= MAX_LINE && !line.starts_with("--=_"));
        let (encoding, octets) = if !is_plain {
            ("base64", base64_lines(text.as_bytes()))
        } else if is_ascii {
            ("7bit", text.into_bytes())
        } else {
            ("8bit", text.into_bytes())
        };

        let content_type = format!("text/{subtype}; charset={charset}");
        let mut part = Self { fields: Vec::new(), content: Inside::Encoded(octets) };
        part.add("Content-Type", &content_type);
        part.add("Content-Transfer-Encoding", encoding);
        part
    }

    /// Returns a part of any octets.
    pub(super) fn octets(content_type: &str, octets: &[u8]) -> Self {
        let mut part = Self { fields: Vec::new(), content: Inside::Encoded(base64_lines(octets)) };
        part.add("Content-Type", content_type);
        part.add("Content-Transfer-Encoding", "base64");
        part
    }

    /// Returns a part that holds a message, or what is written like one.
    pub(super) fn of_message(media_type: &str, message: Vec<u8>) -> Self {
        let encoding = if message.is_ascii() { "7bit" } else { "8bit" };
        let mut part = Self { fields: Vec::new(), content: Inside::Encoded(message) };
        part.add("Content-Type", media_type);
        part.add("Content-Transfer-Encoding", encoding);
        part
    }

    /// Returns a part of parts, of a subtype of `multipart` with its parameters.
    pub(super) fn multipart(subtype: &str, parts: Vec<Self>) -> Self {
        Self { fields: Vec::new(), content: Inside::Parts { subtype: subtype.to_owned(), parts } }
    }

    /// Adds a field, without any line ends in its value.
    pub(super) fn add(&mut self, name: &'static str, value: &str) {
        self.fields.push((name, one_line(value)));
    }

    /// Returns the part as one that is shown in the text.
    pub(super) fn inline(mut self) -> Self {
        for (name, value) in &mut self.fields {
            if *name == "Content-Disposition"
                && let Some(rest) = value.strip_prefix("attachment")
            {
                *value = format!("inline{rest}");
            }
        }
        self
    }

    /// Writes its header fields, an empty line and its content.
    pub(super) fn write(self, boundaries: &mut Boundaries, out: &mut Vec<u8>) {
        let (subtype, parts) = match self.content {
            Inside::Encoded(octets) => {
                write_fields(&self.fields, out);
                out.extend(b"\r\n");
                out.extend(octets);
                return;
            }
            Inside::Parts { subtype, parts } => (subtype, parts),
        };

        let boundary = boundaries.next();
        write_fields(
            &[("Content-Type", format!("multipart/{subtype}; boundary=\"{boundary}\""))],
            out,
        );
        write_fields(&self.fields, out);
        for part in parts {
            out.extend(format!("\r\n--{boundary}\r\n").as_bytes());
            part.write(boundaries, out);
        }
        out.extend(format!("\r\n--{boundary}--\r\n").as_bytes());
    }
}

/// Writes an entity with its own header as it came; of its header, fields that only a message has
/// are left out.
pub(super) fn write_entity(entity: &[u8], out: &mut Vec<u8>) {
    let mut rest = entity;
    let mut is_kept = true;
    while let Some(length) = line_length(rest) {
        let (line, after) = rest.split_at(length);
        if line.trim_ascii_end().is_empty() {
            break;
        }
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            is_kept = line.get(..8).is_some_and(|name| name.eq_ignore_ascii_case(b"content-"));
        }
        if is_kept {
            out.extend(line.trim_ascii_end());
            out.extend(b"\r\n");
        }
        rest = after;
    }
    out.extend(rest);
}

fn line_length(octets: &[u8]) -> Option<usize> {
    match octets.iter().position(|octet| *octet == b'\n') {
        Some(place) => Some(place + 1),
        None => (!octets.is_empty()).then_some(octets.len()),
    }
}

fn write_fields(fields: &[(&str, String)], out: &mut Vec<u8>) {
    for (name, value) in fields {
        out.extend(format!("{name}: {value}\r\n").as_bytes());
    }
}

/// Returns a text with CRLF line ends, however they were.
pub(super) fn with_line_ends(text: &str) -> String {
    let mut lines = String::with_capacity(text.len() + text.len() / 32);
    let mut rest = text;
    while let Some(at) = memchr2(b'\r', b'\n', rest.as_bytes()) {
        lines.push_str(&rest[..at]);
        lines.push_str("\r\n");
        let end = &rest[at..];
        rest = end.strip_prefix("\r\n").unwrap_or(&end[1..]);
    }
    lines.push_str(rest);
    lines
}

/// Returns a text with a space for each control.
pub(super) fn one_line(text: &str) -> String {
    let is_control = |char: char| char.is_control() || matches!(char, '\u{2028}' | '\u{2029}');
    text.trim_matches(is_control).replace("\r\n", " ").replace(is_control, " ")
}

/// Returns a text as a quoted-string.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('\\', "\\\\").replace('"', "\\\""))
}

fn base64_lines(octets: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(lines_len(octets.len()));
    // A vector takes everything.
    let _ = encode_lines_to(octets, &mut lines);
    lines
}
