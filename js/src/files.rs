//! What a file is, and the messages in it. Only modules with the feature `files` have it.

use std::io::{Cursor, Read as _};
use std::path::Path;

use sevenbit_store::emlx::message_in;
use sevenbit_store::old::{Cutter, Format};
use sevenbit_store::{
    EMPTY, HEAD, Mailbox, Outlook, Recognised, TEXT, recognise as recognise_file,
};
use wasm_bindgen::prelude::*;

use crate::mbox::{Mails, is_mbox};

/// What a file is: a class in one word, a tabulator, and its kind in words for people.
#[wasm_bindgen]
pub fn recognise(file: &[u8], name: &str) -> String {
    let found = recognised(file, name);
    let class = match found {
        Recognised::Message | Recognised::Emlx => "message",
        Recognised::Mailbox(_) => "mailbox",
        Recognised::Wrapping(_) => "wrapping",
        Recognised::Outlook(_) => "outlook",
        Recognised::NoMail(_) => "other",
    };
    format!("{class}\t{}", found.words())
}

/// The message with the parts that are in a `winmail.dat`; none if there is no such part.
#[wasm_bindgen(js_name = unpackTnef)]
pub fn unpack_tnef(message: &[u8]) -> Option<Vec<u8>> {
    sevenbit::UnpackedTnef::of(message).map(|unpacked| unpacked.octets().to_vec())
}

/// A message of Outlook (`.msg`, `.oft`) as mail; none if the octets are no such file, or one that cannot be read.
#[wasm_bindgen(js_name = outlookMessage)]
pub fn outlook_message(file: &[u8]) -> Option<Vec<u8>> {
    Some(sevenbit_outlook::Message::read_msg(file).ok()?.compose().into_octets())
}

/// The messages in a file that is not packed, one at a time.
#[wasm_bindgen]
pub struct MailFile(Inside);

enum Inside {
    One(Option<Vec<u8>>),
    Mbox(Mails),
    Old(Cutter<Cursor<Vec<u8>>>),
}

#[wasm_bindgen]
impl MailFile {
    /// Opens a file; says in words what it is if no message can be had from it. A text without a header is taken for a message:
    /// somebody has chosen it.
    #[wasm_bindgen(constructor)]
    pub fn new(file: Vec<u8>, name: &str) -> Result<Self, String> {
        let found = recognised(&file, name);
        let old = |file, format| Inside::Old(Cutter::new(Cursor::new(file), format));
        Ok(Self(match found {
            Recognised::Message | Recognised::NoMail(TEXT | EMPTY) => Inside::One(Some(file)),
            Recognised::Emlx => Inside::One(Some(file[message_in(&file)].to_vec())),
            Recognised::Mailbox(Mailbox::Mbox) if !is_mbox(&file) => Inside::One(Some(file)),
            Recognised::Mailbox(Mailbox::Mbox) => Inside::Mbox(Mails::new(file)),
            Recognised::Mailbox(Mailbox::Mmdf) => old(file, Format::Mmdf),
            Recognised::Mailbox(Mailbox::Mbx) => old(file, Format::Mbx),
            Recognised::Outlook(Outlook::Msg | Outlook::Oft) => {
                let mail = outlook_message(&file)
                    .ok_or_else(|| format!("{}, and damaged", found.words()))?;
                Inside::One(Some(mail))
            }
            _ => return Err(found.words().to_owned()),
        }))
    }

    /// The next message; says what is wrong with a mailbox that is damaged.
    pub fn next(&mut self) -> Result<Option<Vec<u8>>, String> {
        match &mut self.0 {
            Inside::One(message) => Ok(message.take()),
            Inside::Mbox(mails) => Ok(mails.next()),
            Inside::Old(cutter) => old_message(cutter).map_err(|error| error.to_string()),
        }
    }
}

fn old_message(cutter: &mut Cutter<Cursor<Vec<u8>>>) -> std::io::Result<Option<Vec<u8>>> {
    let Some(envelope) = cutter.next_message()? else { return Ok(None) };
    let mut message = Vec::new();
    cutter.read_to_end(&mut message)?;
    Ok(Some(envelope.with_fields(message)))
}

fn recognised(file: &[u8], name: &str) -> Recognised {
    recognise_file(&file[..file.len().min(HEAD)], Path::new(name))
}
