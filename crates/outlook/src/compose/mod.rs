//! A MAPI message as a MIME message (MS-OXCMAIL).

mod address;
mod attachment;
mod body;
mod calendar;
mod contact;
mod header;
mod mime;
mod properties;
mod report;
mod time;

use std::collections::BTreeSet;

use sevenbit_charset::codec::lzfu;

use self::mime::{Boundaries, Part};
use crate::characters::{Characters, Choice};
use crate::model::{Content, Message};
use crate::tags;

/// A message as mail, and what was decided on the way.
#[derive(Clone, Debug, Default)]
pub struct Composed {
    octets: Vec<u8>,
    choices: BTreeSet<Choice>,
}

impl Composed {
    /// Returns the message (RFC 5322), with its header in UTF-8 (RFC 6532).
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns the message (RFC 5322), with its header in UTF-8 (RFC 6532).
    pub fn into_octets(self) -> Vec<u8> {
        self.octets
    }

    /// Returns the charsets in which texts above ASCII were read, and what named each.
    pub fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.choices.iter()
    }
}

impl Message {
    /// Returns the message as mail: a received header octet for octet, or one made from the
    /// properties, the bodies, and whatever is attached.
    pub fn compose(&self) -> Composed {
        self.compose_by(Beside::Nothing)
    }

    /// Returns the message as mail, with all its properties beside it, and beside each message
    /// inside: a file `outlook-properties.json` (`docs/outlook.md`). What was signed or encrypted
    /// stays as it was, and has none.
    pub fn compose_with_properties(&self) -> Composed {
        self.compose_by(Beside::Properties)
    }

    fn compose_by(&self, beside: Beside) -> Composed {
        let mut composer =
            Composer { boundaries: Boundaries::unlike(self), choices: BTreeSet::new(), beside };
        let octets = composer.message(self, None);
        Composed { octets, choices: composer.choices }
    }
}

/// A file beside those that the message has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    Properties,
}

struct Composer {
    boundaries: Boundaries,
    choices: BTreeSet<Choice>,
    beside: Beside,
}

/// What is known of a message while it is composed.
struct Source<'m> {
    message: &'m Message,
    characters: Characters,
    rtf: Option<Vec<u8>>,
    class: String,
}

impl<'m> Source<'m> {
    fn of(message: &'m Message, around: Option<&Characters>) -> Self {
        let rtf = message.properties.binary(tags::RTF_COMPRESSED).and_then(lzfu::decode);
        let characters = Characters::of(message, around, rtf.as_deref());
        let class = characters.get(&message.properties, tags::MESSAGE_CLASS).unwrap_or_default();
        Self { message, characters, rtf, class: class.trim().to_ascii_uppercase() }
    }

    /// Returns the property `id` of the message as a text that is not empty.
    fn text(&self, id: u16) -> Option<String> {
        self.characters.get(&self.message.properties, id)
    }

    /// Returns whether the class of the message is `class`, or one below it.
    fn is_a(&self, class: &str) -> bool {
        self.class.strip_prefix(class).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl Composer {
    /// Returns a message as mail, and those in it.
    fn message(&mut self, message: &Message, around: Option<&Characters>) -> Vec<u8> {
        let source = Source::of(message, around);

        let mut octets = header::octets(&source);
        octets.extend(b"MIME-Version: 1.0\r\n");
        match signed_entity(&source) {
            Some(entity) => mime::write_entity(entity, &mut octets),
            None => self.part(&source).write(&mut self.boundaries, &mut octets),
        }

        self.choices.extend(source.characters.into_choices());
        octets
    }

    /// Returns the content of a message.
    fn part(&mut self, source: &Source<'_>) -> Part {
        if let Some(part) = enveloped(source) {
            return part;
        }

        let bodies = body::Bodies::of(source);
        let (mut shown, mut attached) = (Vec::new(), Vec::new());
        for (number, attachment) in source.message.attachments.iter().enumerate() {
            let part = match &attachment.content {
                Content::Message(message) => {
                    let inner = self.message(message, Some(&source.characters));
                    attachment::message(source, attachment, inner)
                }
                _ => attachment::file(source, attachment, number),
            };
            if bodies.shows(&attachment::cited_names(source, attachment)) {
                shown.push(part.inline());
            } else {
                attached.push(part);
            }
        }

        if source.class.starts_with("REPORT.") {
            attached.extend(self.properties(source));
            return report::part(source, bodies, shown, attached);
        }
        attached.extend(bodies.rtf_file(source));
        attached.extend(contact::part(source));
        let body = bodies.into_part(source, shown);
        // Last, when all texts have been read.
        attached.extend(self.properties(source));
        if attached.is_empty() {
            body
        } else {
            Part::multipart("mixed", [body].into_iter().chain(attached).collect())
        }
    }

    /// Returns the properties of a message as a file, if they are wanted.
    fn properties(&self, source: &Source<'_>) -> Option<Part> {
        (self.beside == Beside::Properties).then(|| properties::part(source))
    }
}

/// Returns the entity that was signed, with its own header, as it came: then signatures verify.
fn signed_entity<'m>(source: &Source<'m>) -> Option<&'m [u8]> {
    let (entity, media_type) = secured(source)?;
    let head = entity.get(..entity.len().min(4096))?.to_ascii_lowercase();
    let is_entity =
        head.starts_with(b"content-") || head.windows(10).any(|window| window == b"\ncontent-t");
    (media_type.starts_with("multipart/signed") && is_entity).then_some(entity)
}

/// Returns what was encrypted, or signed without a text beside it, as a part.
fn enveloped(source: &Source<'_>) -> Option<Part> {
    let (octets, media_type) = secured(source)?;
    if media_type.starts_with("multipart/") {
        return None;
    }
    let received = header::received_field(source, "content-type");
    let content_type = received
        .filter(|value| value.to_ascii_lowercase().contains("pkcs7-mime"))
        .unwrap_or_else(|| "application/pkcs7-mime; name=\"smime.p7m\"".to_owned());
    let mut part = Part::octets(&content_type, octets);
    part.add("Content-Disposition", "attachment; filename=\"smime.p7m\"");
    Some(part)
}

/// Returns the only attachment of a message that is signed or encrypted, with its media type.
fn secured<'m>(source: &Source<'m>) -> Option<(&'m [u8], String)> {
    let is_secured = source.is_a("IPM.NOTE.SMIME") || source.is_a("IPM.NOTE.SECURE");
    let [attachment] = &source.message.attachments[..] else { return None };
    let Content::Octets(octets) = &attachment.content else { return None };
    let media_type = attachment::media_type(source, attachment).unwrap_or_default();
    is_secured.then_some((octets, media_type.to_ascii_lowercase()))
}
