//! The properties of a message as a file of JSON, for what mail has no place for.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};

use super::Source;
use super::mime::Part;
use super::time;
use crate::characters::Choice;
use crate::model::{Attachment, Content, Name, Properties, PropertyName, Value};
use crate::tags;

/// The name of the file.
const NAME: &str = "outlook-properties.json";

/// The properties whose content stands elsewhere in the mail.
const ELSEWHERE: [u16; 4] =
    [tags::TRANSPORT_MESSAGE_HEADERS, tags::BODY, tags::RTF_COMPRESSED, tags::BODY_HTML];

/// Returns the properties of a message, of its recipients and of its attachments, those whose
/// content stands elsewhere apart, and the charsets in which texts were read.
pub(super) fn part(source: &Source<'_>) -> Part {
    let message = source.message;
    let recipients: Vec<Json> =
        message.recipients.iter().map(|properties| list(source, properties)).collect();
    let attachments: Vec<Json> =
        message.attachments.iter().map(|attachment| of_attachment(source, attachment)).collect();
    let properties = list(source, &message.properties);
    let charsets: Vec<Json> = source.characters.choices().iter().map(of_choice).collect();

    let file = json!({
        "class": source.class,
        "charsets": charsets,
        "properties": properties,
        "recipients": recipients,
        "attachments": attachments,
    });
    let mut part = Part::octets("application/json", format!("{file:#}\n").as_bytes());
    part.add("Content-Disposition", &format!("attachment; filename=\"{NAME}\""));
    part
}

fn of_choice(choice: &Choice) -> Json {
    json!({ "charset": choice.charset, "by": choice.basis.to_string() })
}

fn of_attachment(source: &Source<'_>, attachment: &Attachment) -> Json {
    match &attachment.content {
        // A message inside has a file of its own.
        Content::Message(_) => json!([]),
        _ => list(source, &attachment.properties),
    }
}

fn list(source: &Source<'_>, properties: &Properties) -> Json {
    properties
        .iter()
        .filter(|(id, _)| !ELSEWHERE.contains(id))
        .map(|(id, value)| property(source, id, properties.name_of(id), value))
        .collect()
}

fn property(source: &Source<'_>, id: u16, name: Option<&PropertyName>, value: &Value) -> Json {
    let mut object = Map::new();
    object.insert("id".to_owned(), format!("{id:04x}").into());
    if let Some(PropertyName { set, name }) = name {
        object.insert("set".to_owned(), set.to_string().into());
        let name = match name {
            Name::Number(number) => Json::from(*number),
            Name::Text(text) => text.as_str().into(),
        };
        object.insert("name".to_owned(), name);
    }
    let (kind, value) = typed(source, value);
    object.insert("type".to_owned(), kind.into());
    object.insert("value".to_owned(), value);
    object.into()
}

/// Returns the type of a value in a word, and the value: octets in base64, a time as RFC 5322 has
/// it.
fn typed(source: &Source<'_>, value: &Value) -> (&'static str, Json) {
    match value {
        Value::Integer16(_) | Value::Integer32(_) | Value::Integer64(_) => {
            ("integer", value.integer().into())
        }
        Value::Float(number) => ("float", (*number).into()),
        Value::Boolean(is_so) => ("boolean", (*is_so).into()),
        Value::Time(time) => ("time", time::date(*time).map_or((*time).into(), Json::from)),
        Value::Guid(guid) => ("guid", guid.to_string().into()),
        Value::Text(_) | Value::Octets8(_) => ("text", source.characters.text_of(value).into()),
        Value::Binary(octets) | Value::Object(octets) => ("binary", STANDARD.encode(octets).into()),
        Value::Error(code) => ("error", (*code).into()),
        Value::Multiple(values) => {
            let values: Vec<Json> = values.iter().map(|value| typed(source, value).1).collect();
            ("multiple", values.into())
        }
    }
}
