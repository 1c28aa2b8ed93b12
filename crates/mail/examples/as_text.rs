//! Shows a message as a person reads it: who wrote what to whom, and which files came with it.
//!
//! ```sh
//! cargo run -p sevenbit-mail --example as_text < message.eml
//! ```

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Read, Write};

use sevenbit_mail::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let mut octets = Vec::new();
    io::stdin().lock().read_to_end(&mut octets)?;
    io::stdout().write_all(shown(&octets).as_bytes())?;
    Ok(())
}

/// Returns any octets as a message is shown.
fn shown(octets: &[u8]) -> String {
    let message = Message::parse(octets);
    let mut shown = String::new();
    for name in ["From", "To", "Cc"] {
        let people: Vec<_> =
            message.mailboxes(name).iter().map(|one| one.name().to_owned()).collect();
        if !people.is_empty() {
            let _ = writeln!(shown, "{name}: {}", people.join(", "));
        }
    }
    let _ = writeln!(shown, "{}\n", message.subject().unwrap_or_default());
    shown.push_str(&message.text());
    for file in message.attachments() {
        let _ = writeln!(shown, "[{}, {} octets]", file.safe_name(), file.octets().len());
    }
    shown
}

#[test]
fn a_message_is_shown_as_text() {
    let mail = b"From: =?iso-8859-1?Q?J=F6rg?= <joerg@example.org>\r\n\
        To: Zo\xC3\xAB <zoe@example.org>\r\n\
        Subject: =?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=\r\n\
        Content-Type: multipart/mixed; boundary=b\r\n\r\n\
        --b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>d\xC3\xA9j\xC3\xA0 <b>vu</b></p>\r\n\
        --b\r\nContent-Disposition: attachment; filename=\"../b.txt\"\r\n\r\nhello\r\n--b--\r\n";
    assert_eq!(shown(mail), "From: Jörg\nTo: Zoë\nПривет\n\ndéjà vu\n[b.txt, 5 octets]\n");
}
