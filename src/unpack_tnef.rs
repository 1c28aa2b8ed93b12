//! A `winmail.dat` written as the parts that are in it, for readers that do not know TNEF.

use std::ops::Range;

use memchr::memmem;

use sevenbit_mail::{extension, may_be_tnef};

use crate::codec::base64::encode_lines_to;
use crate::facts::line_ends::line_ends_of;
use crate::transfer::LineEnds;
use crate::{Code, Issue, Message, Part, Report, Span, Tnef};

/// How deep messages in TNEF are nested in each other, at most; a deeper one stays a file.
const MAX_DEPTH: usize = 8;

/// The most characters of a file's name: with them its line has at most the 998 octets of RFC 5322
/// (2.1.1).
const MOST_OF_NAME: usize = 200;

/// A message whose parts in TNEF (`winmail.dat`) were replaced by the parts that are in them: a
/// `multipart/mixed` each, with the body and the files. A body that the message shows already is a
/// file, so that no one reads it twice. Signed and encrypted content stays as it is, and so does a
/// stream that cannot be read to its end: what is not read of it would be lost. File names stand in
/// it as UTF-8: normalise the result.
///
/// ```
/// let winmail = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/vectors/tnef/winmail.dat")).unwrap();
/// let mail = [&b"Content-Type: application/ms-tnef\r\n\r\n"[..], &winmail].concat();
/// let unpacked = sevenbit::UnpackedTnef::of(&mail).unwrap();
/// let done = sevenbit::normalize(unpacked.octets());
/// let message = sevenbit::Message::parse(done.octets());
/// assert_eq!(message.attachments()[0].name(), Some("Grüße.txt"));
/// assert_eq!(unpacked.issues(done.report())[0].code(), sevenbit::Code::TnefUnpacked);
/// ```
#[derive(Clone, Debug)]
pub struct UnpackedTnef {
    octets: Vec<u8>,
    replaced: Vec<Replaced>,
}

/// An entity that was replaced.
#[derive(Clone, Debug)]
struct Replaced {
    path: String,
    files: usize,
    /// Its octets in the message as it came, and in the new one.
    before: Range<usize>,
    after: Range<usize>,
}

impl UnpackedTnef {
    /// Unpacks what is in TNEF; `None` if nothing is.
    pub fn of(message: &[u8]) -> Option<Self> {
        let view = Message::parse(message);
        let parts: Vec<Part<'_>> = view.leaves().filter(|part| may_be_unpacked(part)).collect();
        let is_shown = !parts.is_empty() && shows_text(&view);
        let mut writer = Writer::new(message);
        let (mut octets, mut replaced, mut copied) = (Vec::new(), Vec::new(), 0);
        for part in parts {
            let content = part.octets();
            let Some(tnef) = Tnef::read(&content).filter(is_replaceable) else { continue };
            let before = part.entity().start..part.entity().body.end;
            octets.extend_from_slice(&message[copied..before.start]);
            let start = octets.len();
            kept_fields(&part, message).for_each(|field| octets.extend_from_slice(&message[field]));
            let mut written = writer.parts(&tnef, is_shown, 0);
            if before.end < message.len() {
                written.truncate(written.len() - b"\r\n".len()); // the next delimiter has a line end before it
            }
            octets.extend(with_line_ends(written, line_ends_of(message)));
            copied = before.end;
            let (path, files) = (part.path(), tnef.files().len());
            replaced.push(Replaced { path, files, before, after: start..octets.len() });
        }
        octets.extend_from_slice(&message[copied..]);
        (!replaced.is_empty()).then_some(Self { octets, replaced })
    }

    /// Returns the message with the parts.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns the issues of a report on [`octets`](Self::octets), their spans those of the message
    /// as it came, after a [`TnefUnpacked`](Code::TnefUnpacked) for each part.
    pub fn issues(&self, report: &Report) -> Vec<Issue> {
        let own = self.replaced.iter().map(|part| {
            let Replaced { path, files, before, .. } = part;
            let span = Span::new(before.start, before.end);
            Issue::from_parts(Code::TnefUnpacked, span, path.as_str(), format!("{files} files"))
        });
        let moved = report.issues().iter().map(|issue| {
            let (start, end) =
                (self.place(issue.span().start, false), self.place(issue.span().end, true));
            Issue::from_parts(
                issue.code(),
                Span::new(start, end.max(start)),
                issue.part(),
                issue.detail().clone(),
            )
        });
        own.chain(moved).collect()
    }

    /// Returns where an octet of the new message was: an end of the part that was replaced, for one
    /// inside what replaces it.
    fn place(&self, at: usize, is_end: bool) -> usize {
        let last = self.replaced.iter().rfind(|part| part.after.start < at + usize::from(!is_end));
        match last {
            Some(part) if at < part.after.end + usize::from(is_end) => {
                if is_end {
                    part.before.end
                } else {
                    part.before.start
                }
            }
            Some(part) => part.before.end + (at - part.after.end),
            None => at,
        }
    }
}

/// Whether a part may be in TNEF, and stands in the message itself, outside of what is signed or
/// encrypted.
fn may_be_unpacked(part: &Part<'_>) -> bool {
    let is_sealed =
        |part: &Part<'_>| matches!(part.media_type(), "multipart/signed" | "multipart/encrypted");
    let mut around = std::iter::successors(part.parent(), Part::parent);
    may_be_tnef(part) && part.entity().source == 0 && !around.any(|part| is_sealed(&part))
}

/// Whether what was read of a stream can stand for it: all of it was read, and something is there.
fn is_replaceable(tnef: &Tnef<'_>) -> bool {
    tnef.is_whole() && !tnef.is_empty()
}

/// Whether a message shows text of its own.
fn shows_text(view: &Message<'_>) -> bool {
    let body = view.body_parts();
    let shown = body.plain().iter().chain(body.html());
    shown.filter_map(Part::text).any(|text| !text.trim().is_empty())
}

/// The fields of a part that do not say how its content is written.
fn kept_fields<'m>(part: &Part<'m>, message: &'m [u8]) -> impl Iterator<Item = Range<usize>> {
    const CONTENT: [&[u8]; 5] = [
        b"content-type",
        b"content-transfer-encoding",
        b"content-disposition",
        b"content-md5",
        b"content-length",
    ];
    let fields = part.tree().fields_of(part.entity()).iter();
    let kept = fields.filter(|field| {
        let name = &message[field.span.start..field.span.start + field.name_len];
        !CONTENT.iter().any(|content| content.eq_ignore_ascii_case(name))
    });
    kept.map(|field| field.span.clone())
}

/// Writes parts, under boundaries that occur nowhere in the message.
struct Writer<'m> {
    message: &'m [u8],
    boundaries: usize,
}

impl<'m> Writer<'m> {
    fn new(message: &'m [u8]) -> Self {
        Self { message, boundaries: 0 }
    }

    fn boundary(&mut self) -> String {
        loop {
            self.boundaries += 1;
            let boundary = format!("=_sevenbit_tnef_{}_", self.boundaries);
            if memmem::find(self.message, boundary.as_bytes()).is_none() {
                return boundary;
            }
        }
    }

    /// The Content- fields and the body of what a stream is.
    fn parts(&mut self, tnef: &Tnef<'_>, is_shown: bool, depth: usize) -> Vec<u8> {
        let mut parts = self.body(tnef, is_shown);
        for file in tnef.files() {
            let nested = Tnef::read(file.octets())
                .filter(|nested| depth < MAX_DEPTH && is_replaceable(nested));
            parts.push(match nested {
                Some(nested) => self.parts(&nested, false, depth + 1),
                None => {
                    let media_type = file.media_type().filter(|label| is_plain(label));
                    let id = file
                        .content_id()
                        .filter(|id| is_plain(id))
                        .map(|id| format!("Content-ID: <{id}>\r\n"));
                    let fields = format!(
                        "Content-Type: {}\r\n{}{}",
                        media_type.unwrap_or("application/octet-stream"),
                        attached(file.name()),
                        id.unwrap_or_default()
                    );
                    leaf(&fields, file.octets())
                }
            });
        }
        self.multipart("mixed", &parts)
    }

    /// The body, in each form that the stream has. If something else `is_shown`, it is a file.
    fn body(&mut self, tnef: &Tnef<'_>, is_shown: bool) -> Vec<Vec<u8>> {
        let rtf = if tnef.html().is_none() { tnef.rtf() } else { None };
        let rtf = rtf.map(|rtf| {
            leaf(&format!("Content-Type: application/rtf\r\n{}", attached("message.rtf")), rtf)
        });
        let text = |kind: &str, name: &str, text: &str| {
            let disposition = if is_shown { attached(name) } else { String::new() };
            leaf(
                &format!("Content-Type: text/{kind}; charset=utf-8\r\n{disposition}"),
                text.as_bytes(),
            )
        };
        let html = tnef.html().map(|html| text("html", "message.html", html));
        // The text of a richer form has been read.
        let is_file = !is_shown || rtf.is_none() && html.is_none();
        let plain = if is_file { tnef.text() } else { None };
        let plain = plain.map(|plain| text("plain", "message.txt", &plain.replace('\n', "\r\n")));
        match (plain, html) {
            (Some(plain), Some(html)) => vec![self.multipart("alternative", &[plain, html])],
            (plain, html) => plain.into_iter().chain(html).chain(rtf).collect(),
        }
    }

    fn multipart(&mut self, subtype: &str, parts: &[Vec<u8>]) -> Vec<u8> {
        let boundary = self.boundary();
        let mut out = format!("Content-Type: multipart/{subtype}; boundary=\"{boundary}\"\r\n\r\n")
            .into_bytes();
        for part in parts {
            out.extend_from_slice(format!("--{boundary}\r\n").as_bytes());
            out.extend_from_slice(part);
        }
        out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        out
    }
}

/// A leaf in base64 with these fields.
fn leaf(fields: &str, octets: &[u8]) -> Vec<u8> {
    let mut out = format!("{fields}Content-Transfer-Encoding: base64\r\n\r\n").into_bytes();
    encode_lines_to(octets, &mut out).expect("memory");
    out
}

/// The field that gives a file its name, if that has any character to write.
fn attached(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    let quoted = shortened(&name).replace('\\', "\\\\").replace('"', "\\\"");
    if quoted.is_empty() {
        "Content-Disposition: attachment\r\n".to_owned()
    } else {
        format!("Content-Disposition: attachment; filename=\"{quoted}\"\r\n")
    }
}

/// A name of at most [`MOST_OF_NAME`] characters, its extension kept.
fn shortened(name: &str) -> String {
    let (stem, extension) = name.split_at(extension(name));
    let most = MOST_OF_NAME.saturating_sub(extension.chars().count());
    stem.chars().take(most).chain(extension.chars()).collect()
}

/// Whether a text can stand in a field as it is.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 200
        && text.bytes().all(|octet| octet.is_ascii_graphic() && !b"<>()\";".contains(&octet))
}

fn with_line_ends(octets: Vec<u8>, ends: LineEnds) -> Vec<u8> {
    match ends {
        LineEnds::Crlf => octets,
        LineEnds::Lf => octets.into_iter().filter(|octet| *octet != b'\r').collect(),
        LineEnds::Cr => octets.into_iter().filter(|octet| *octet != b'\n').collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINMAIL: &[u8] = include_bytes!("../corpus/vectors/tnef/winmail.dat");

    /// A message with text and a `winmail.dat`.
    fn mail(text: &str, end: &str) -> Vec<u8> {
        let mut packed = Vec::new();
        encode_lines_to(WINMAIL, &mut packed).expect("memory");
        let head = format!(
            "Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n{text}\r\n--b\r\n\
             Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\
             X-Kept: y\r\n\r\n"
        );
        let last = format!("--b\r\n\r\n{}\r\n--b--\r\n", if text.is_empty() { "" } else { "last" });
        let whole = [head.as_bytes(), &packed, last.as_bytes()].concat();
        String::from_utf8(whole).expect("ASCII").replace("\r\n", end).into_bytes()
    }

    fn names(message: &[u8]) -> Vec<String> {
        let view = Message::parse(message);
        view.attachments().iter().map(|file| file.safe_name().to_owned()).collect()
    }

    #[test]
    fn what_is_packed_stands_by_itself() {
        for end in ["\r\n", "\n", "\r"] {
            let before = mail("hello", end);
            let unpacked = UnpackedTnef::of(&before).expect("a winmail.dat");
            let done = crate::normalize(unpacked.octets());
            let files = Message::parse(done.octets());
            assert!(done.octets().is_ascii(), "{end:?}");
            let packed: Vec<_> = Message::parse(&before)
                .attachments()
                .iter()
                .map(|file| file.octets().into_owned())
                .collect();
            let stood: Vec<_> =
                files.attachments().iter().map(|file| file.octets().into_owned()).collect();
            assert_eq!(stood[stood.len() - packed.len()..], packed, "{end:?}");
            assert_eq!(
                names(done.octets())[0],
                "message.html",
                "the message shows text of its own"
            );
            assert!(
                files.text().starts_with("hello") && files.text().contains("last"),
                "{}",
                files.text()
            );
            assert!(UnpackedTnef::of(done.octets()).is_none());
            assert_eq!(crate::normalize(done.octets()).octets(), done.octets());
        }
    }

    #[test]
    fn a_body_that_nothing_else_shows_is_shown() {
        let message = mail("", "\r\n");
        let unpacked = UnpackedTnef::of(&message).expect("a winmail.dat");
        assert!(!names(unpacked.octets()).contains(&"message.html".to_owned()));
        let view = Message::parse(unpacked.octets());
        assert!(view.leaves().any(|part| part.media_type() == "text/html"));
    }

    #[test]
    fn issues_are_where_the_message_had_them() {
        let before = [&mail("hello", "\r\n")[..], b"\xE9\r\n"].concat();
        let unpacked = UnpackedTnef::of(&before).expect("a winmail.dat");
        let done = crate::normalize(unpacked.octets());
        let issues = unpacked.issues(done.report());
        let part = Message::parse(&before).parts().nth(2).expect("the winmail.dat").span();
        assert_eq!(
            (issues[0].code(), issues[0].part(), issues[0].span()),
            (Code::TnefUnpacked, "2", part)
        );
        let epilogue =
            issues.iter().find(|issue| issue.code() == Code::EpilogueDropped).expect("an epilogue");
        assert!(
            before[epilogue.span().start..epilogue.span().end].ends_with(b"\xE9\r\n"),
            "{epilogue}"
        );
        assert!(issues.iter().all(|issue| issue.span().end <= before.len()));
    }

    /// Whatever is cut off or changed: none of it may be lost.
    #[test]
    fn what_cannot_be_read_whole_stays() {
        let message = |stream: &[u8]| {
            let fields =
                b"Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64\r\n\r\n";
            let mut message = fields.to_vec();
            encode_lines_to(stream, &mut message).expect("memory");
            message
        };
        assert!(UnpackedTnef::of(&message(WINMAIL)).is_some());
        // A stream says nowhere how many attributes it has: one that ends between two of them is
        // whole.
        let unpacked = |length: &usize| UnpackedTnef::of(&message(&WINMAIL[..*length])).is_some();
        assert_eq!((0..WINMAIL.len()).filter(unpacked).collect::<Vec<_>>(), [255, 319, 390]);
        let mut changed = WINMAIL.to_vec();
        let hello = memmem::find(WINMAIL, b"hello").expect("a file");
        changed[hello] ^= 1;
        assert!(UnpackedTnef::of(&message(&changed)).is_none());
    }

    #[test]
    fn long_names_keep_their_extension() {
        for (name, written) in [
            ("a.txt".to_owned(), "a.txt".to_owned()),
            ("\u{e9}".repeat(300) + ".txt", "\u{e9}".repeat(196) + ".txt"),
            ("a".repeat(300), "a".repeat(200)),
            ("a.".to_owned() + &"b".repeat(300), "a.".to_owned() + &"b".repeat(198)),
        ] {
            assert!(attached(&name).ends_with(&format!("filename=\"{written}\"\r\n")), "{name}");
        }
        assert!(attached(&("\u{1f600}".repeat(300) + ".txt")).len() < 998);
    }

    #[test]
    fn what_is_signed_stays() {
        let inside = String::from_utf8(mail("hello", "\r\n")).expect("ASCII");
        let signed = format!(
            "Content-Type: multipart/signed; boundary=s; protocol=\"application/pgp-signature\"\r\n\r\n--s\r\n{inside}\r\n\
             --s\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--s--\r\n"
        );
        assert!(UnpackedTnef::of(signed.as_bytes()).is_none());
        assert!(UnpackedTnef::of(b"Subject: x\r\n\r\nno\r\n").is_none());
        assert!(UnpackedTnef::of(b"Content-Type: application/ms-tnef\r\n\r\nno\r\n").is_none());
    }
}
