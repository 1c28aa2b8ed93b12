//! Messages of Apple Mail whose attachments are in files of their own: `.partial.emlx`.
//!
//! A folder has `Messages/12.partial.emlx` for a message whose attachments are in
//! `Attachments/12/SECTION/NAME`, where the section is that of IMAP: `2`, `2.4`. The bodies of
//! these parts are empty in the message.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use memchr::memmem;
use sevenbit::{Message, Part};

use crate::explain::facts::octets::Offsets;

/// Returns a message with the attachments that are in files beside that of the message, at `path`.
///
/// # Errors
/// A file cannot be read.
pub fn with_attachments(message: Vec<u8>, path: &Path) -> io::Result<Vec<u8>> {
    let Some(directory) = attachments_of(path) else { return Ok(message) };
    let mut splices = Vec::new();
    let parsed = Message::parse(&message);
    collect_splices(
        parsed.root(),
        String::new(),
        &directory,
        &Offsets::new(&message),
        &mut splices,
    )?;
    splices.sort_by_key(|splice| splice.header.start);

    let line_end: &[u8] = if memmem::find(&message, b"\r\n").is_some() { b"\r\n" } else { b"\n" };
    let (mut whole, mut copied) = (Vec::new(), 0);
    for Splice { header, body, file } in splices {
        // A part inside another that was filled already.
        if header.start < copied {
            continue;
        }
        whole.extend_from_slice(&message[copied..header.start]);
        push_header(&mut whole, &message[header.clone()], line_end);
        whole.extend_from_slice(&message[header.end..body.start]);
        push_base64(&mut whole, &fs::read(file)?, line_end);
        if !matches!(message.get(body.end), Some(b'\r' | b'\n')) {
            whole.extend_from_slice(line_end);
        }
        copied = body.end;
    }
    whole.extend_from_slice(&message[copied..]);
    Ok(whole)
}

/// A part whose empty body is replaced by a file.
struct Splice {
    /// The octets of its header in the message.
    header: Range<usize>,
    /// The octets of its body in the message.
    body: Range<usize>,
    file: PathBuf,
}

/// Returns the directory of the attachments of a message whose file says that they are not in it.
fn attachments_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let number = name.strip_suffix(".partial.emlx")?;
    let directory = path.parent()?.join("..").join("Attachments").join(number);
    directory.is_dir().then_some(directory)
}

/// Collects a splice for `part`, and for each part below it, whose body is in a file. `section` is
/// the section of `part`.
fn collect_splices(
    part: Part<'_>,
    section: String,
    directory: &Path,
    places: &Offsets<'_>,
    splices: &mut Vec<Splice>,
) -> io::Result<()> {
    let children = part.children();
    if children.len() == 0 {
        let section = if section.is_empty() { "1".to_owned() } else { section };
        let is_empty = part.body_octets().trim_ascii().is_empty();
        let file = if is_empty { file_in(&directory.join(section))? } else { None };
        let (header, body) = (places.span(part.header_octets()), places.span(part.body_octets()));
        if let (Some(file), Some([start, end]), Some([from, to])) = (file, header, body) {
            splices.push(Splice { header: start..end, body: from..to, file });
        }
        return Ok(());
    }

    // A multipart that is all of a message has the section of the message (RFC 3501, 6.4.5).
    let is_message = !part.is_multipart();
    for (number, child) in (1..).zip(children) {
        let is_numbered = !is_message || child.children().len() == 0;
        let dot = if section.is_empty() { "" } else { "." };
        let inner = if is_numbered { format!("{section}{dot}{number}") } else { section.clone() };
        collect_splices(child, inner, directory, places, splices)?;
    }
    Ok(())
}

/// Returns the first file in a directory, by name; hidden ones are no attachments.
fn file_in(directory: &Path) -> io::Result<Option<PathBuf>> {
    if !directory.is_dir() {
        return Ok(None);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if entry.file_type()?.is_file() && !is_hidden {
            files.push(entry.path());
        }
    }
    Ok(files.into_iter().min())
}

/// Appends the fields of a header, with base64 as the transfer encoding whatever it was.
fn push_header(out: &mut Vec<u8>, header: &[u8], line_end: &[u8]) {
    const NAME: &[u8] = b"content-transfer-encoding";
    out.extend_from_slice(b"Content-Transfer-Encoding: base64");
    out.extend_from_slice(line_end);

    let mut is_skipped = false;
    for line in header.split_inclusive(|octet| *octet == b'\n') {
        let is_folded = matches!(line.first(), Some(b' ' | b'\t'));
        if !is_folded {
            let name = line.get(..NAME.len());
            is_skipped = name.is_some_and(|name| name.eq_ignore_ascii_case(NAME));
        }
        if !is_skipped {
            out.extend_from_slice(line);
        }
    }
}

/// Appends octets in base64, in lines of 76 characters, the last one without its end.
fn push_base64(out: &mut Vec<u8>, octets: &[u8], line_end: &[u8]) {
    const LINE: usize = 57;
    for (number, line) in octets.chunks(LINE).enumerate() {
        if number > 0 {
            out.extend_from_slice(line_end);
        }
        out.extend_from_slice(BASE64_STANDARD.encode(line).as_bytes());
    }
}
