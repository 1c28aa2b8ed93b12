//! A request in either form, as facts about a message.

use std::collections::HashMap;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Form;
use crate::decision::{Held, Incoming};
use crate::filter::{Addresses, header_of};

/// Base64 as the draft has it, with its padding or without.
pub(super) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Why a request cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    /// The mail server's name for the message; may be empty.
    pub id: String,
    /// The address of its client.
    pub client: String,
    /// Whether the client has logged in.
    pub is_authenticated: bool,
    /// The sender and the recipients.
    pub envelope: Addresses,
    /// Whether the client has said that addresses and header may have UTF-8.
    pub asks_smtputf8: bool,
    /// The message.
    pub message: Message,
}

/// A message as a mail server has shown it.
#[derive(Debug)]
pub(super) struct Message {
    /// Its octets.
    pub octets: Vec<u8>,
    /// The offset at which its body begins.
    pub body: usize,
    /// Its fields, as a mail server knows that shows them one by one: where each begins, how long
    /// its name is, and where it ends.
    pub fields: Vec<(usize, usize, usize)>,
    /// Whether the values of fields came with their line ends, as they stood, and not trimmed.
    pub has_line_ends: bool,
    /// Whether these are other octets than it has.
    pub is_garbled: bool,
}

impl Request {
    /// Reads a request; returns nothing if it is about another stage than DATA.
    ///
    /// # Errors
    /// Not a request, or one without a message.
    pub fn read(octets: &[u8], form: Form) -> Result<Option<Self>, Malformed> {
        let wrong = |error: serde_json::Error| Malformed(format!("the request: {error}"));
        match form {
            Form::Stalwart => serde_json::from_slice(octets).map_err(wrong).and_then(of_stalwart),
            Form::Draft(_) => serde_json::from_slice(octets).map_err(wrong).and_then(of_draft),
        }
    }

    /// The message, to be decided on.
    pub fn incoming(&self, max_message: u64) -> Incoming<'_> {
        let length = self.message.octets.len() as u64;
        let held = if length > max_message {
            Held::TooLarge
        } else if self.message.is_garbled {
            Held::Garbled
        } else {
            Held::Whole
        };
        Incoming { octets: &self.message.octets, length, held, asks_smtputf8: self.asks_smtputf8 }
    }
}

impl Message {
    /// The header section.
    pub fn header(&self) -> &[u8] {
        &self.octets[..self.body]
    }

    /// The fields: where each begins, its name, and where it ends.
    pub fn fields(&self) -> impl Iterator<Item = (usize, &[u8], usize)> {
        self.fields
            .iter()
            .map(|&(start, length, end)| (start, &self.octets[start..start + length], end))
    }

    /// A message whose octets are known.
    fn whole(octets: Vec<u8>) -> Self {
        // Reading memory does not fail.
        let body = header_of(&octets[..]).map_or(0, |header| header.len());
        Self { octets, body, fields: Vec::new(), has_line_ends: true, is_garbled: false }
    }

    /// A message that was shown in parts.
    fn of_parts(shown: &ShownParts) -> Self {
        let has_line_ends = shown.headers.iter().any(|(_, value)| value.ends_with('\n'));
        let mut octets = Vec::with_capacity(shown.size.unwrap_or(0).min(2 * shown.contents.len()));
        let mut fields = Vec::with_capacity(shown.headers.len());
        for (name, value) in &shown.headers {
            let start = octets.len();
            octets.extend_from_slice(name.as_bytes());
            octets.extend_from_slice(if has_line_ends { b":" } else { b": " });
            octets.extend_from_slice(value.as_bytes());
            if !value.ends_with('\n') {
                octets.extend_from_slice(b"\r\n");
            }
            fields.push((start, name.len(), octets.len()));
        }
        octets.extend_from_slice(b"\r\n");
        let body = octets.len();
        octets.extend_from_slice(shown.contents.as_bytes());

        // U+FFFD that the message has itself, and no other, leaves it as long as it is.
        let has_replacement = |text: &str| text.contains('\u{FFFD}');
        let is_replaced = has_replacement(&shown.contents)
            || shown
                .headers
                .iter()
                .any(|(name, value)| has_replacement(name) || has_replacement(value));
        let is_garbled = is_replaced && shown.size != Some(octets.len());
        Self { octets, body, fields, has_line_ends, is_garbled }
    }
}

/// A request of Stalwart's.
#[derive(Deserialize)]
struct OfStalwart {
    context: Context,
    envelope: Option<Envelope>,
    message: Option<ShownParts>,
}

#[derive(Deserialize)]
struct Context {
    stage: String,
    client: Option<Client>,
    sasl: Option<IgnoredAny>,
    queue: Option<Queue>,
}

#[derive(Deserialize)]
struct ShownParts {
    headers: Vec<(String, String)>,
    contents: String,
    size: Option<usize>,
}

/// A request of the draft's.
#[derive(Deserialize)]
struct OfDraft {
    stage: String,
    client: Option<Client>,
    auth: Option<IgnoredAny>,
    queue: Option<Queue>,
    envelope: Option<Envelope>,
    #[serde(rename = "rawMessage")]
    raw_message: Option<String>,
}

#[derive(Deserialize)]
struct Client {
    ip: Option<String>,
}

#[derive(Deserialize)]
struct Queue {
    id: Option<String>,
}

#[derive(Deserialize)]
struct Envelope {
    from: Option<Address>,
    #[serde(default)]
    to: Vec<Address>,
}

/// An address of the envelope: an object, or its text alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Address {
    Text(String),
    Object { address: Option<String>, parameters: Option<HashMap<String, IgnoredAny>> },
}

impl Address {
    fn bare(&self) -> String {
        let (Self::Text(text) | Self::Object { address: Some(text), .. }) = self else {
            return String::new();
        };
        Addresses::bare(text.as_bytes())
    }

    fn has_parameter(&self, name: &str) -> bool {
        match self {
            Self::Object { parameters: Some(parameters), .. } => {
                parameters.keys().any(|key| key.eq_ignore_ascii_case(name))
            }
            _ => false,
        }
    }
}

fn of_stalwart(request: OfStalwart) -> Result<Option<Request>, Malformed> {
    let OfStalwart { context, envelope, message } = request;
    if !context.stage.eq_ignore_ascii_case("data") {
        return Ok(None);
    }
    let shown = message.ok_or_else(|| Malformed("`message` is missing".to_owned()))?;
    let message = Message::of_parts(&shown);
    let Context { client, sasl, queue, .. } = context;
    Ok(Some(about(message, envelope, client, queue, sasl.is_some())))
}

fn of_draft(request: OfDraft) -> Result<Option<Request>, Malformed> {
    let OfDraft { stage, client, auth, queue, envelope, raw_message } = request;
    if stage != "data" {
        return Ok(None);
    }
    let raw = raw_message.ok_or_else(|| {
        Malformed("`rawMessage` is missing: register for the property `/rawMessage`".to_owned())
    })?;
    let octets = BASE64
        .decode(&raw)
        .map_err(|error| Malformed(format!("`rawMessage` is no Base64: {error}")))?;
    Ok(Some(about(Message::whole(octets), envelope, client, queue, auth.is_some())))
}

/// Puts a request together.
fn about(
    message: Message,
    envelope: Option<Envelope>,
    client: Option<Client>,
    queue: Option<Queue>,
    is_authenticated: bool,
) -> Request {
    let from = envelope.as_ref().and_then(|envelope| envelope.from.as_ref());
    let asks_smtputf8 = from.is_some_and(|from| from.has_parameter("SMTPUTF8"));
    let from = from.map(Address::bare).unwrap_or_default();
    let to = envelope.iter().flat_map(|envelope| &envelope.to).map(Address::bare).collect();
    Request {
        id: queue.and_then(|queue| queue.id).unwrap_or_default(),
        client: client.and_then(|client| client.ip).unwrap_or_default(),
        is_authenticated,
        envelope: Addresses { from, to },
        asks_smtputf8,
        message,
    }
}
