//! The addresses of a message, out of several properties that may each be missing.

use super::Source;
use super::mime::{one_line, quoted};
use crate::characters::Characters;
use crate::model::Properties;
use crate::tags;

/// A person or a list, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) name: Option<String>,
    pub(super) mailbox: Option<String>,
}

/// The ids of the properties of somebody.
pub(super) struct Ids {
    pub(super) name: u16,
    pub(super) smtp: u16,
    pub(super) email: u16,
    pub(super) entry: u16,
}

pub(super) const REPRESENTED: Ids = Ids {
    name: tags::SENT_REPRESENTING_NAME,
    smtp: tags::SENT_REPRESENTING_SMTP_ADDRESS,
    email: tags::SENT_REPRESENTING_EMAIL_ADDRESS,
    entry: tags::SENT_REPRESENTING_ENTRY_ID,
};

pub(super) const SENDER: Ids = Ids {
    name: tags::SENDER_NAME,
    smtp: tags::SENDER_SMTP_ADDRESS,
    email: tags::SENDER_EMAIL_ADDRESS,
    entry: tags::SENDER_ENTRY_ID,
};

pub(super) const RECIPIENT: Ids = Ids {
    name: tags::DISPLAY_NAME,
    smtp: tags::SMTP_ADDRESS,
    email: tags::EMAIL_ADDRESS,
    entry: tags::ENTRY_ID,
};

impl Address {
    /// Returns somebody by the first property that is an SMTP address; `None` if nothing is known.
    pub(super) fn of(properties: &Properties, ids: &Ids, characters: &Characters) -> Option<Self> {
        let text = |id| characters.get(properties, id).map(|text| one_line(text.trim()));
        let name = text(ids.name);
        let email = text(ids.email);
        let entry = properties.binary(ids.entry).and_then(|entry| one_off(entry, characters));

        let mailbox = text(ids.smtp)
            .filter(|address| is_mailbox(address))
            .or_else(|| email.clone().filter(|address| is_mailbox(address)))
            .or_else(|| entry.clone().and_then(|entry| entry.mailbox))
            .or_else(|| name.clone().filter(|address| is_mailbox(address)));
        let name = name
            .or_else(|| entry.and_then(|entry| entry.name))
            .or_else(|| email.as_deref().map(|email| common_name(email).to_owned()));
        (name.is_some() || mailbox.is_some()).then(|| Self { name, mailbox }.without_twin())
    }

    /// Returns it without a name that only repeats the address.
    fn without_twin(self) -> Self {
        let is_twin = |name: &String| {
            let name = name.trim_matches(['\'', '"', '<', '>', ' ']);
            self.mailbox.as_ref().is_some_and(|mailbox| mailbox.eq_ignore_ascii_case(name))
        };
        Self { name: self.name.clone().filter(|name| !is_twin(name)), mailbox: self.mailbox }
    }

    /// Returns it as a mailbox; who has no address is a group of nobody (RFC 6854).
    pub(super) fn written(&self) -> String {
        match (&self.name, &self.mailbox) {
            (Some(name), Some(mailbox)) => format!("{} <{mailbox}>", quoted(name)),
            (None, Some(mailbox)) => format!("<{mailbox}>"),
            (Some(name), None) => format!("{}:;", quoted(name)),
            (None, None) => String::new(),
        }
    }
}

/// Returns whether a text is an SMTP address.
pub(super) fn is_mailbox(text: &str) -> bool {
    let is_odd =
        |char: char| char.is_whitespace() || char.is_control() || "<>()[]:;,\"\\".contains(char);
    text.rsplit_once('@').is_some_and(|(local, domain)| {
        !local.is_empty()
            && !domain.is_empty()
            && !local.contains(is_odd)
            && !domain.contains(is_odd)
    })
}

/// Returns the last name of an X.500 address: `/o=.../cn=name`.
fn common_name(address: &str) -> &str {
    match address.rsplit_once('=') {
        Some((path, name)) if path.starts_with('/') => name,
        _ => address,
    }
}

/// ```text
/// one-off = 4%x00 uid version flags name NUL type NUL address NUL   ; uid of 16 octets, version and flags of 2
/// ```
/// Returns the address in an entry that stands for itself (MS-OXCDATA, 2.2.5.1).
fn one_off(entry: &[u8], characters: &Characters) -> Option<Address> {
    const UID: [u8; 16] = [
        0x81, 0x2b, 0x1f, 0xa4, 0xbe, 0xa3, 0x10, 0x19, 0x9d, 0x6e, 0, 0xdd, 0x01, 0x0f, 0x54, 0x02,
    ];
    const IS_UNICODE: u16 = 0x8000;

    let rest = entry.get(4..)?.strip_prefix(&UID)?;
    let flags = u16::from_le_bytes(*rest.get(2..)?.first_chunk()?);
    let texts = rest.get(4..)?;
    let texts: Vec<String> = if flags & IS_UNICODE != 0 {
        let units: Vec<u16> =
            texts.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
        units.split(|unit| *unit == 0).take(3).map(String::from_utf16_lossy).collect()
    } else {
        texts.split(|octet| *octet == 0).take(3).map(|octets| characters.text(octets)).collect()
    };
    let [name, _, mailbox] = <[String; 3]>::try_from(texts).ok()?;
    Some(Address {
        name: Some(one_line(name.trim())).filter(|name| !name.is_empty()),
        mailbox: Some(mailbox.trim().to_owned()).filter(|mailbox| is_mailbox(mailbox)),
    })
}

/// ```text
/// entries = count size *(length entry filling)     ; 4 octets each, and filled to 4
/// ```
/// Returns those who get replies.
pub(super) fn reply_recipients(source: &Source<'_>) -> Vec<Address> {
    const MAX: usize = 1000;
    let Some(entries) = source.message.properties.binary(tags::REPLY_RECIPIENT_ENTRIES) else {
        return Vec::new();
    };
    let names = source.text(tags::REPLY_RECIPIENT_NAMES).unwrap_or_default();
    let names: Vec<_> = names.split(';').map(str::trim).collect();

    let mut found = Vec::new();
    let mut rest = entries.get(8..).unwrap_or_default();
    while let Some((length, after)) = rest.split_first_chunk::<4>()
        && found.len() < MAX
    {
        let length = u32::from_le_bytes(*length) as usize;
        let Some(entry) = after.get(..length) else { break };
        let name =
            names.get(found.len()).filter(|name| !name.is_empty()).map(|name| one_line(name));
        let address = match one_off(entry, &source.characters) {
            Some(address) => Address { name: address.name.or(name), ..address },
            None => Address { mailbox: name.clone().filter(|name| is_mailbox(name)), name },
        };
        found.push(address.without_twin());
        rest = after.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    found.retain(|address| address.name.is_some() || address.mailbox.is_some());
    found
}
