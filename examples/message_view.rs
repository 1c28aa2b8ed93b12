//! A message as a webmail backend wants it: headers as text, mailboxes, the text to show, the files
//! to offer.
//!
//!     cargo run --example message_view -- message.eml

use std::{env, fs, io};

use sevenbit::{Message, MessageIssues as _};

const SAMPLE: &[u8] =
    b"From: =?iso-8859-1?Q?J=F6rg?= <joerg@example.org>\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n\
    Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
    Sch=F6ne Gr=FC=DFe!\r\n";

fn main() -> io::Result<()> {
    let octets = match env::args_os().nth(1) {
        Some(path) => fs::read(path)?,
        None => SAMPLE.to_vec(),
    };
    let message = Message::parse(&octets);

    println!("subject  {}", message.subject().unwrap_or_default());
    for mailbox in message.mailboxes("from") {
        // The name is decoded text; the address never is, so nothing in it can pose as another
        // address.
        println!("from     {:?} <{}>", mailbox.name(), mailbox.address());
    }

    if let Some(date) = message.date() {
        println!("date     {date}, {} seconds since 1970", date.timestamp());
    }
    if let Some(first) = message.references().first() {
        println!("thread   {first}");
    }

    // RFC 8621, 4.1.4: parts to show one after the other, and parts to offer.
    let body = message.body_parts();
    for part in body.plain() {
        match part.text() {
            Some(text) => text.lines().for_each(|line| println!("  | {line}")),
            None => println!("  [{}]", part.media_type()),
        }
    }
    for part in body.attachments() {
        // Paths and controls in file names come from strangers: a name to show, never one to open.
        let name = part.filename().unwrap_or("no name");
        println!("attached {name:?}: {}, {} octets", part.media_type(), part.octets().len());
    }

    for issue in message.issues() {
        println!("odd: {issue}");
    }
    Ok(())
}
