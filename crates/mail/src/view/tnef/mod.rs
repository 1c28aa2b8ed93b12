//! Microsoft's TNEF (`winmail.dat`, MS-OXTNEF): files and bodies that Outlook packed into one part.
//!
//! Written here, since the one crate for it takes a stream with an odd attribute for no TNEF at
//! all.

mod properties;
mod rtf;

use self::properties::{Properties, Value, tags};
use self::rtf::Rtf;
use crate::Charset;
use crate::codec::lzfu;

/// The first octets of a stream: its signature, as an integer 0x223E9F78.
const SIGNATURE: &[u8] = b"\x78\x9f\x3e\x22";

/// The attributes that matter, by their ids.
mod attributes {
    pub(super) const BODY: u32 = 0x0002_800c;
    pub(super) const MESSAGE_PROPERTIES: u32 = 0x0006_9003;
    pub(super) const OEM_CODEPAGE: u32 = 0x0006_9007;
    /// Begins an attachment.
    pub(super) const ATTACH_RENDERING: u32 = 0x0006_9002;
    pub(super) const ATTACH_TITLE: u32 = 0x0001_8010;
    pub(super) const ATTACH_DATA: u32 = 0x0006_800f;
    pub(super) const ATTACH_PROPERTIES: u32 = 0x0006_9005;
}

/// The contents of a TNEF stream: `winmail.dat`.
///
/// ```
/// let winmail = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/vectors/tnef/winmail.dat")).unwrap();
/// let tnef = sevenbit::Tnef::read(&winmail).unwrap();
/// assert_eq!(tnef.files()[0].name(), "Grüße.txt");
/// assert_eq!(tnef.files()[0].octets(), b"hello\r\n");
/// ```
#[derive(Clone, Debug)]
pub struct Tnef<'o> {
    files: Vec<TnefFile<'o>>,
    text: Option<String>,
    html: Option<String>,
    rtf: Option<Vec<u8>>,
    is_whole: bool,
}

/// A file in a TNEF stream.
#[derive(Clone, Debug)]
pub struct TnefFile<'o> {
    name: String,
    media_type: Option<String>,
    content_id: Option<String>,
    octets: &'o [u8],
}

impl<'o> Tnef<'o> {
    /// Reads a stream; `None` if `octets` are none. What is broken or cut off ends the stream: what
    /// came before counts, and [`is_whole`](Self::is_whole) is false.
    pub fn read(octets: &'o [u8]) -> Option<Self> {
        // A key of two octets follows, which means nothing here.
        let content = octets.strip_prefix(SIGNATURE)?.get(2..)?;
        let (mut reader, mut attributes) =
            (Reader::default(), Attributes { rest: content, is_broken: false });
        for (id, data) in attributes.by_ref() {
            reader.take(id, data);
        }
        let tnef = reader.settle();
        Some(Self { is_whole: tnef.is_whole && !attributes.is_broken, ..tnef })
    }

    /// Returns whether the stream was read to its end without a fault, and every file in it has
    /// octets: whether the answers are all that is in it.
    ///
    /// ```
    /// let winmail = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/vectors/tnef/winmail.dat")).unwrap();
    /// let is_whole = |octets: &[u8]| sevenbit::Tnef::read(octets).unwrap().is_whole();
    /// assert_eq!((is_whole(&winmail), is_whole(&winmail[..winmail.len() - 1])), (true, false));
    /// ```
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.text.is_none() && self.html.is_none() && self.rtf.is_none()
    }

    /// Returns the files in order. A message in the message is a file that is TNEF itself.
    pub fn files(&self) -> &[TnefFile<'o>] {
        &self.files
    }

    /// Returns the plain text of the message, with LF line ends, as the stream has it, or as its
    /// RTF says.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Returns the HTML of the message, as the stream has it, or as its RTF contains it
    /// (MS-OXRTFEX).
    pub fn html(&self) -> Option<&str> {
        self.html.as_deref()
    }

    /// Returns the RTF of the message, decompressed (MS-OXRTFCP).
    pub fn rtf(&self) -> Option<&[u8]> {
        self.rtf.as_deref()
    }
}

impl<'o> TnefFile<'o> {
    /// Returns its name as the stream gives it; empty if there is none. Never use it as a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its media type as labelled, in lower case.
    pub fn media_type(&self) -> Option<&str> {
        self.media_type.as_deref()
    }

    /// Returns the id by which `cid:` in HTML names it.
    pub fn content_id(&self) -> Option<&str> {
        self.content_id.as_deref()
    }

    /// Returns its octets.
    pub fn octets(&self) -> &'o [u8] {
        self.octets
    }
}

/// ```text
/// attribute = level id length data checksum    ; 1, 4, 4, length and 2 octets, little-endian
/// ```
/// A wrong checksum ends nothing: what was changed on the way is still the best there is.
struct Attributes<'o> {
    rest: &'o [u8],
    /// Whether an attribute was cut off or changed.
    is_broken: bool,
}

impl<'o> Iterator for Attributes<'o> {
    type Item = (u32, &'o [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let Some((head, rest)) = self.rest.split_at_checked(9) else {
            // A line end after the stream is none of it.
            self.is_broken |= !self.rest.trim_ascii().is_empty();
            return None;
        };
        let length = usize::try_from(number(&head[5..])).ok()?;
        // A stream that was cut off may end with half a file.
        let (data, rest) = rest.split_at(length.min(rest.len()));
        let (checksum, rest) = rest.split_at(2.min(rest.len()));
        self.is_broken |= data.len() < length || checksum != sum(data).to_le_bytes();
        self.rest = rest;
        Some((number(&head[1..5]), data))
    }
}

/// Returns the checksum of an attribute.
fn sum(data: &[u8]) -> u16 {
    data.iter().fold(0, |sum, &octet| sum.wrapping_add(u16::from(octet)))
}

/// Returns the integer that up to four octets are.
fn number(octets: &[u8]) -> u32 {
    octets.iter().take(4).rev().fold(0, |number, &octet| number << 8 | u32::from(octet))
}

/// The attributes read so far.
#[derive(Default)]
struct Reader<'o> {
    codepage: Option<u32>,
    body: Option<&'o [u8]>,
    message: Properties<'o>,
    files: Vec<File<'o>>,
}

#[derive(Default)]
struct File<'o> {
    title: Option<&'o [u8]>,
    data: Option<&'o [u8]>,
    properties: Properties<'o>,
}

impl<'o> Reader<'o> {
    fn take(&mut self, id: u32, data: &'o [u8]) {
        match id {
            attributes::OEM_CODEPAGE => self.codepage = Some(number(data)),
            attributes::BODY => self.body = Some(data),
            attributes::MESSAGE_PROPERTIES => self.message = Properties::read(data),
            attributes::ATTACH_RENDERING => self.files.push(File::default()),
            attributes::ATTACH_TITLE => self.file().title = Some(data),
            attributes::ATTACH_DATA => self.file().data = Some(data),
            attributes::ATTACH_PROPERTIES => self.file().properties = Properties::read(data),
            _ => {}
        }
    }

    /// Returns the file that was begun last.
    fn file(&mut self) -> &mut File<'o> {
        if self.files.is_empty() {
            self.files.push(File::default());
        }
        self.files.last_mut().expect("there is one")
    }

    fn settle(self) -> Tnef<'o> {
        let own = self.codepage.and_then(Charset::of_code_page).unwrap_or(WESTERN);
        let of_html = match self.message.get(tags::INTERNET_CODEPAGE) {
            Some(&Value::Number(codepage)) => Charset::of_code_page(codepage).unwrap_or(own),
            _ => own,
        };
        let packed = match self.message.get(tags::RTF_COMPRESSED) {
            Some(Value::Octets(octets)) => Some(*octets),
            _ => None,
        };
        let rtf = packed.and_then(lzfu::decode);
        let read = rtf.as_deref().map(Rtf::read).unwrap_or_default();
        let html = self.message.text(tags::BODY_HTML, of_html).or(read.html);
        let body = self.body.map(|octets| ended(own.read(octets).text()));
        let text = self.message.text(tags::BODY, own).or(body).or(read.text);
        let text = text.map(|text| text.replace("\r\n", "\n")).filter(|text| !text.is_empty());
        let is_read = rtf.is_some() == packed.is_some() && !self.message.is_broken();
        let are_read = !self.files.iter().any(|file| file.properties.is_broken());
        let begun = self.files.len();
        let files: Vec<_> = self.files.into_iter().filter_map(|file| file.settle(own)).collect();
        let is_whole = is_read && are_read && files.len() == begun;
        Tnef { files, text, html: html.filter(|html| !html.is_empty()), rtf, is_whole }
    }
}

impl<'o> File<'o> {
    /// Returns the file; `None` if it has no octets, as a link to one has none.
    fn settle(self, charset: Charset) -> Option<TnefFile<'o>> {
        let text = |tag| self.properties.text(tag, charset).filter(|text| !text.is_empty());
        let title = || self.title.map(|octets| ended(charset.read(octets).text()));
        let octets = match self.properties.get(tags::ATTACH_DATA) {
            Some(Value::Octets(octets)) => Some(*octets),
            // An object: its interface, then its content.
            Some(Value::Object(octets)) => octets.get(16..),
            _ => None,
        };
        let name = text(tags::ATTACH_LONG_NAME).or_else(title).or_else(|| text(tags::ATTACH_NAME));
        Some(TnefFile {
            octets: self.data.filter(|data| !data.is_empty()).or(octets).or(self.data)?,
            name: name.or_else(|| text(tags::DISPLAY_NAME)).unwrap_or_default(),
            media_type: text(tags::ATTACH_MIME_TYPE).map(|text| text.to_ascii_lowercase()),
            content_id: text(tags::ATTACH_CONTENT_ID)
                .map(|id| id.trim_matches(['<', '>']).to_owned()),
        })
    }
}

/// Returns a text up to its first NUL, which ends it.
fn ended(text: &str) -> String {
    text.split('\0').next().unwrap_or_default().to_owned()
}

const WESTERN: Charset = Charset::WINDOWS_1252;

#[cfg(test)]
mod tests;
