//! The laws of messages of Outlook: whatever the octets, mail comes out, and it is in its normal
//! form once it is normalised.

use sevenbit::Normalizer;
use sevenbit_outlook::{Attachment, Content, Message, Names, Properties, Value, tags};

/// Checks octets as a `.msg`, and as the values of a message.
///
/// # Errors
/// Which law is broken.
pub fn check(octets: &[u8]) -> Result<(), String> {
    if let Ok(message) = Message::read_msg(octets) {
        check_message(&message)?;
    }
    check_message(&of_values(octets))
}

/// Checks that what a message becomes is 7-bit, and in the normal form.
fn check_message(message: &Message) -> Result<(), String> {
    let composed = message.compose();
    let once = Normalizer::new().normalize(composed.octets()).octets().to_vec();
    if !once.is_ascii() {
        return Err("it is not 7-bit".to_owned());
    }
    let twice = Normalizer::new().normalize(&once).octets().to_vec();
    let lines =
        |octets: &[u8]| String::from_utf8_lossy(octets).lines().map(str::to_owned).collect();
    let (once, twice): (Vec<String>, Vec<String>) = (lines(&once), lines(&twice));
    let differing = once.iter().zip(&twice).find(|(once, twice)| once != twice);
    match differing {
        _ if once == twice => Ok(()),
        Some((once, twice)) => Err(format!("twice is not once: {once:?} became {twice:?}")),
        None => Err(format!("twice is {} lines, once {}", twice.len(), once.len())),
    }
}

/// Returns a message whose texts are `octets`: the subject, the header, the names, the bodies, the
/// file.
fn of_values(octets: &[u8]) -> Message {
    let names = Names::default();
    let text = || Value::Octets8(octets.to_vec());
    let list = |ids: &[u16]| {
        let mut properties = Properties::default();
        for id in ids {
            properties.insert(*id, text(), &names);
        }
        properties
    };

    let mut properties = list(&[
        tags::SUBJECT,
        tags::TRANSPORT_MESSAGE_HEADERS,
        tags::SENDER_NAME,
        tags::INTERNET_MESSAGE_ID,
        tags::BODY,
    ]);
    let rtf =
        [b"\0\0\0\0\xff\xff\xff\x00MELA\0\0\0\0{\\rtf1\\ansicpg932\\fromhtml1 ", octets].concat();
    properties.insert(tags::RTF_COMPRESSED, Value::Binary(rtf), &names);
    properties.insert(tags::BODY_HTML, Value::Binary(octets.to_vec()), &names);
    properties.insert(tags::REPLY_RECIPIENT_ENTRIES, Value::Binary(octets.to_vec()), &names);

    let file = Attachment {
        properties: list(&[
            tags::ATTACH_LONG_NAME,
            tags::ATTACH_MIME_TYPE,
            tags::ATTACH_CONTENT_ID,
            tags::ATTACH_CONTENT_LOCATION,
        ]),
        content: Content::Octets(octets.to_vec()),
    };
    Message {
        properties,
        recipients: vec![list(&[tags::DISPLAY_NAME, tags::SMTP_ADDRESS])],
        attachments: vec![file],
        ..Message::default()
    }
}
