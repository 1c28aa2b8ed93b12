//! The attachments of a message as parts.

use super::Source;
use super::mime::{Part, one_line, quoted};
use super::time;
use crate::model::{Attachment, Content};
use crate::tags;

/// Returns a file, an object, or a word about what is elsewhere.
pub(super) fn file(source: &Source<'_>, attachment: &Attachment, number: usize) -> Part {
    let name = name(source, attachment);
    let (media_type, octets, name) = match &attachment.content {
        Content::Octets(octets) => (
            media_type(source, attachment),
            octets.clone(),
            name.unwrap_or_else(|| format!("attachment-{number}")),
        ),
        Content::Object(octets) => {
            let name = name.unwrap_or_else(|| format!("object-{number}.ole"));
            (Some("application/x-ole-storage".to_owned()), octets.clone(), name)
        }
        Content::Reference => return elsewhere(source, attachment),
        Content::None | Content::Message(_) => {
            let name = name.unwrap_or_else(|| format!("attachment-{number}"));
            return Part::text("plain", &format!("The attachment {name} could not be read.\n"));
        }
    };

    // RFC 2046 forbids an encoding around messages and parts, and these have octets that must stay.
    let is_composite = |media_type: &String| {
        media_type.starts_with("message/") || media_type.starts_with("multipart/")
    };
    let media_type = media_type.filter(|media_type| !is_composite(media_type));
    let mut part =
        Part::octets(media_type.as_deref().unwrap_or("application/octet-stream"), &octets);
    part.add("Content-Disposition", &disposition(attachment, &name));
    add_names(source, attachment, &mut part);
    part
}

/// Returns a message in the message.
pub(super) fn message(source: &Source<'_>, attachment: &Attachment, message: Vec<u8>) -> Part {
    let mut part = Part::of_message("message/rfc822", message);
    let name = source.characters.get(&attachment.properties, tags::DISPLAY_NAME);
    if let Some(name) = name.or_else(|| name_of_file(source, attachment)) {
        part.add("Content-Description", &one_line(&name));
    }
    part.add("Content-Disposition", "attachment");
    part
}

fn elsewhere(source: &Source<'_>, attachment: &Attachment) -> Part {
    let text = |id| source.characters.get(&attachment.properties, id);
    let path = text(tags::ATTACH_LONG_PATH).or_else(|| text(tags::ATTACH_PATH));
    let name = name(source, attachment).or_else(|| path.clone()).unwrap_or_default();
    let mut part =
        Part::text("plain", &format!("The file is elsewhere: {}\n", path.unwrap_or_default()));
    part.add(
        "Content-Disposition",
        &format!("attachment; filename={}", quoted(&format!("{name}.txt"))),
    );
    part
}

/// Returns the names by which HTML may show an attachment, in lower case.
pub(super) fn cited_names(source: &Source<'_>, attachment: &Attachment) -> Vec<String> {
    if !matches!(attachment.content, Content::Octets(_)) {
        return Vec::new();
    }
    let text = |id| source.characters.get(&attachment.properties, id);
    let id = text(tags::ATTACH_CONTENT_ID)
        .map(|id| id.trim().trim_matches(['<', '>']).to_ascii_lowercase());
    let location =
        text(tags::ATTACH_CONTENT_LOCATION).map(|place| place.trim().to_ascii_lowercase());
    id.into_iter().chain(location).filter(|name| !name.is_empty()).collect()
}

/// Returns the media type that an attachment is labelled with, if that is one.
pub(super) fn media_type(source: &Source<'_>, attachment: &Attachment) -> Option<String> {
    let label = source.characters.get(&attachment.properties, tags::ATTACH_MIME_TYPE)?;
    let label = label.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_token = |token: &str| {
        !token.is_empty()
            && token
                .bytes()
                .all(|octet| octet.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&octet))
    };
    label
        .split_once('/')
        .is_some_and(|(main, sub)| is_token(main) && is_token(sub))
        .then_some(label)
}

fn name(source: &Source<'_>, attachment: &Attachment) -> Option<String> {
    name_of_file(source, attachment)
        .or_else(|| source.characters.get(&attachment.properties, tags::DISPLAY_NAME))
}

fn name_of_file(source: &Source<'_>, attachment: &Attachment) -> Option<String> {
    let text = |id| source.characters.get(&attachment.properties, id);
    text(tags::ATTACH_LONG_NAME)
        .or_else(|| text(tags::ATTACH_NAME))
        .map(|name| one_line(name.trim()))
}

fn disposition(attachment: &Attachment, name: &str) -> String {
    let mut disposition = format!("attachment; filename={}", quoted(name));
    let times = [
        ("creation-date", tags::CREATION_TIME),
        ("modification-date", tags::LAST_MODIFICATION_TIME),
    ];
    for (parameter, id) in times {
        if let Some(date) = attachment.properties.time(id).and_then(time::date) {
            disposition.push_str(&format!("; {parameter}=\"{date}\""));
        }
    }
    disposition
}

fn add_names(source: &Source<'_>, attachment: &Attachment, part: &mut Part) {
    let text = |id| source.characters.get(&attachment.properties, id);
    if let Some(id) = text(tags::ATTACH_CONTENT_ID) {
        let id: String = id
            .trim()
            .trim_matches(['<', '>'])
            .chars()
            .filter(|char| char.is_ascii_graphic())
            .collect();
        if !id.is_empty() {
            part.add("Content-ID", &format!("<{id}>"));
        }
    }
    if let Some(location) = text(tags::ATTACH_CONTENT_LOCATION) {
        part.add("Content-Location", location.trim());
    }
}
