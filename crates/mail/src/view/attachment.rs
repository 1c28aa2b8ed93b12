//! The attachments of a message: every file in it, however it was put there.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use super::body::BodyParts;
use super::embedded;
use super::file_name::{Taken, safe_file_name, usual_extension};
#[cfg(feature = "files")]
use super::file_type::{file_type, type_by_name};
use super::part::Part;
use super::tnef::Tnef;
use crate::codec::text::lossy;

/// A file of a message, with a name that is safe to store it under.
///
/// ```
/// let mail = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n\
///     --b\r\n\r\nsee below\r\n\
///     --b\r\nContent-Type: application/octet-stream\r\n\
///     Content-Disposition: attachment; filename=\"../cat.gif\"\r\n\r\nGIF89a\r\n--b--\r\n";
/// let message = sevenbit::Message::parse(mail);
/// let file = &message.attachments()[0];
/// assert_eq!((file.name(), file.safe_name()), (Some("../cat.gif"), "cat.gif"));
/// assert_eq!(file.media_type(), "application/octet-stream");
/// # #[cfg(feature = "files")]
/// assert_eq!((file.type_by_name(), file.type_by_octets()), (Some("image/gif"), Some("image/gif")));
/// assert_eq!(&*file.octets(), b"GIF89a");
/// ```
#[derive(Clone, Debug)]
pub struct Attachment<'m> {
    part: Part<'m>,
    origin: Origin,
    name: Option<String>,
    safe_name: String,
    media_type: String,
    content_id: Option<String>,
    is_inline: bool,
    /// The octets, if they are not those of the part.
    octets: Option<Vec<u8>>,
}

/// How a file was put into a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The file is a part.
    Part,
    /// The file was uuencoded, or written in yEnc, in the text of a part.
    Text,
    /// The file was in a part of Microsoft's TNEF (`winmail.dat`).
    Tnef,
}

impl<'m> Attachment<'m> {
    /// Returns its name as the message gives it. Never use that as a path.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns a name to store it under, as [`safe_file_name`](crate::safe_file_name) makes it. No
    /// two attachments of a message have the same one, also if case does not count.
    pub fn safe_name(&self) -> &str {
        &self.safe_name
    }

    /// Returns its media type as labelled, in lower case; `application/octet-stream` if none is.
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// Returns the media type that the extension of its name stands for.
    #[cfg(feature = "files")]
    pub fn type_by_name(&self) -> Option<&'static str> {
        type_by_name(self.safe_name())
    }

    /// Returns the media type that its octets begin like.
    #[cfg(feature = "files")]
    pub fn type_by_octets(&self) -> Option<&'static str> {
        file_type(&self.octets())
    }

    /// Returns the number of its octets. Those of a part are decoded to be counted.
    pub fn size(&self) -> usize {
        self.octets().len()
    }

    /// Returns the id by which `cid:` in HTML names it, without angle brackets.
    pub fn content_id(&self) -> Option<&str> {
        self.content_id.as_deref()
    }

    /// Returns whether it is shown in the message, as an image between its lines: not only offered
    /// as a file.
    pub fn is_inline(&self) -> bool {
        self.is_inline
    }

    /// Returns how it was put into the message.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the part that it is, or in which it is.
    pub fn part(&self) -> Part<'m> {
        self.part
    }

    /// Returns its octets, any encoding removed. An attached message is all of it: its header and
    /// its body.
    pub fn octets(&self) -> Cow<'_, [u8]> {
        match &self.octets {
            Some(octets) => octets.into(),
            None => self.part.octets(),
        }
    }

    /// Returns a reader of its octets.
    pub fn reader(&self) -> impl Read + '_ {
        Cursor::new(self.octets())
    }

    /// Returns the attachments of a message whose parts are sorted.
    pub(super) fn all(body: &BodyParts<'m>) -> Vec<Self> {
        let mut parts: Vec<(Part<'m>, bool)> =
            body.attachments().iter().map(|part| (*part, true)).collect();
        let shown = body.plain().iter().chain(body.html());
        parts.extend(shown.map(|part| (*part, !part.media_type().starts_with("text/"))));
        parts.sort_by_key(|(part, is_file)| (part.index, !is_file));
        parts.dedup_by_key(|(part, _)| part.index);
        let mut taken = Taken::default();
        let mut all = Vec::new();
        for (part, is_file) in parts {
            if is_file {
                all.extend(Self::of_part(part));
            } else {
                all.extend(Self::in_text(part));
            }
        }
        for attachment in &mut all {
            attachment.safe_name = taken.unique(std::mem::take(&mut attachment.safe_name));
        }
        all
    }

    /// Returns a part, or what was packed into it.
    fn of_part(part: Part<'m>) -> Vec<Self> {
        let packed = Self::in_tnef(part);
        if packed.is_empty() { vec![Self::whole(part)] } else { packed }
    }

    fn whole(part: Part<'m>) -> Self {
        let name = part.filename().map(str::to_owned);
        Self {
            safe_name: name.as_deref().map_or_else(|| usual_name(&part), safe_file_name),
            name,
            media_type: part.media_type().to_owned(),
            content_id: part.content_id().map(Cow::into_owned),
            is_inline: is_inline(&part),
            octets: None,
            origin: Origin::Part,
            part,
        }
    }

    /// Returns the files in the text of a part.
    fn in_text(part: Part<'m>) -> Vec<Self> {
        if part.media_type() != "text/plain" {
            return Vec::new();
        }
        let octets = part.octets();
        let made = |file: &embedded::Embedded| {
            let name = lossy(file.name(&octets)).into_owned();
            Self::from_octets(part, Origin::Text, name, file.octets(&octets))
        };
        embedded::files(&octets).iter().map(made).collect()
    }

    /// Returns the files of a part in TNEF.
    fn in_tnef(part: Part<'m>) -> Vec<Self> {
        if !may_be_tnef(&part) {
            return Vec::new();
        }
        let octets = part.octets();
        let Some(tnef) = Tnef::read(&octets) else { return Vec::new() };
        let files = tnef.files().iter().map(|file| {
            let made = Self::from_octets(
                part,
                Origin::Tnef,
                file.name().to_owned(),
                file.octets().to_vec(),
            );
            Self {
                media_type: file.media_type().map_or(made.media_type, str::to_owned),
                content_id: file.content_id().map(str::to_owned),
                ..made
            }
        });
        files.collect()
    }

    fn from_octets(part: Part<'m>, origin: Origin, name: String, octets: Vec<u8>) -> Self {
        Self {
            safe_name: safe_file_name(&name),
            name: Some(name).filter(|name| !name.is_empty()),
            media_type: String::from("application/octet-stream"),
            content_id: None,
            is_inline: false,
            octets: Some(octets),
            origin,
            part,
        }
    }
}

/// Returns whether a part says that it is TNEF: by its type, or by the name that Outlook gives it.
pub fn may_be_tnef(part: &Part<'_>) -> bool {
    let is_named = |name: &str| {
        name.eq_ignore_ascii_case("winmail.dat") || name.eq_ignore_ascii_case("win.dat")
    };
    let is_type = matches!(part.media_type(), "application/ms-tnef" | "application/vnd.ms-tnef");
    part.is_leaf() && (is_type || part.filename().is_some_and(is_named))
}

/// Returns whether a part is shown where it stands or where HTML names it.
fn is_inline(part: &Part<'_>) -> bool {
    let is_media =
        ["image/", "audio/", "video/"].iter().any(|top| part.media_type().starts_with(top));
    let is_related = part.parent().is_some_and(|parent| parent.media_type() == "multipart/related");
    match part.disposition() {
        Some("inline") => true,
        Some("attachment") => is_related && part.content_id().is_some(),
        _ => is_media || is_related && part.content_id().is_some(),
    }
}

/// Returns the name of a part that has none: an attached message is called by its subject.
fn usual_name(part: &Part<'_>) -> String {
    let message = if part.is_multipart() { None } else { part.children().next() };
    let subject = message.and_then(|message| message.header("subject"));
    let stem = subject.map(|subject| safe_file_name(&subject.replace(['/', '\\'], "_")));
    let stem = stem.filter(|stem| stem != "unnamed");
    let extension = usual_extension(part.media_type());
    safe_file_name(&format!("{}{extension}", stem.as_deref().unwrap_or("unnamed")))
}
