//! Lists the folders of a store of Outlook, with the subjects of their messages and the names of
//! their attachments.
//!
//! ```text
//! cargo run -p sevenbit-outlook --example pst_list -- mail.pst
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use sevenbit_outlook::{Content, Message, Store, Value, tags};

/// `PidTagAttachLongFilename` and `PidTagAttachFilename`.
const FILE_NAMES: [u16; 2] = [0x3707, 0x3704];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: pst_list FILE")?;
    let mut store = Store::open(File::open(path)?)?;
    let mut out = BufWriter::new(std::io::stdout().lock());

    for folder in store.folders() {
        writeln!(out, "folder\t{folder}\t{}", folder.messages)?;
    }
    for (node, error) in store.damaged_folders() {
        writeln!(out, "damaged\t{node:x}\t{error}")?;
    }
    for found in store.messages() {
        match found.message {
            Ok(message) => {
                writeln!(
                    out,
                    "message\t{}\t{:x}\t{}",
                    found.folder,
                    found.node,
                    subject(&message)
                )?;
                list_parts(&mut out, &message)?;
            }
            Err(error) => writeln!(out, "lost\t{}\t{:x}\t{error}", found.folder, found.node)?,
        }
    }
    out.flush()?;
    Ok(())
}

fn list_parts(out: &mut impl Write, message: &Message) -> Result<(), Box<dyn Error>> {
    for recipient in &message.recipients {
        writeln!(out, "  recipient\t{}", text(recipient.get(tags::DISPLAY_NAME)))?;
    }
    for attachment in &message.attachments {
        let name = FILE_NAMES.iter().find_map(|name| attachment.properties.get(*name));
        let name = text(name);
        match &attachment.content {
            Content::Octets(octets) => writeln!(out, "  file\t{name}\t{}", octets.len())?,
            Content::Object(octets) => writeln!(out, "  object\t{name}\t{}", octets.len())?,
            Content::Message(message) => {
                writeln!(out, "  message\t{}", subject(message))?;
                list_parts(out, message)?;
            }
            Content::Reference => writeln!(out, "  reference\t{name}")?,
            Content::None => writeln!(out, "  nothing\t{name}")?,
        }
    }
    for fault in &message.faults {
        writeln!(out, "  fault\t{fault}")?;
    }
    Ok(())
}

fn subject(message: &Message) -> String {
    text(message.properties.get(tags::SUBJECT)).replace(char::is_control, " ")
}

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::Text(text)) => text.clone(),
        Some(Value::Octets8(octets)) => String::from_utf8_lossy(octets).into_owned(),
        _ => String::new(),
    }
}
