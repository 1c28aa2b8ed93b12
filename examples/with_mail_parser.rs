//! A mail server that has parsed a message with mail-parser, and uses sevenbit for the rest:
//! text in charsets that it does not read, raw 8-bit headers, and the 7-bit form for the next hop.
//!
//!     cargo run --example with_mail_parser -- message.eml

use std::borrow::Cow;
use std::{env, fs, io};

use mail_parser::{HeaderName, MessageParser, MessagePart};

// ISO-2022-KR, which mail-parser 0.11 does not decode.
const SAMPLE: &[u8] = b"From: a@example.org\r\nSubject: =?iso-2022-kr?B?GyQpQw4+SDNnDw==?=\r\n\
    Content-Type: text/plain; charset=iso-2022-kr\r\n\r\n\x1b$)C\x0eGQ1[\x0f\r\n";

fn main() -> io::Result<()> {
    let octets = match env::args_os().nth(1) {
        Some(path) => fs::read(path)?,
        None => SAMPLE.to_vec(),
    };
    let Some(parsed) = MessageParser::default().parse(&octets) else { return Ok(()) };

    // The field where mail-parser found it, its octets decoded in every charset that mail has been
    // labelled with.
    if let Some(field) = parsed.headers().iter().find(|field| field.name == HeaderName::Subject) {
        let value = &octets[field.offset_start as usize..field.offset_end as usize];
        println!("subject  {}", sevenbit::decode_header(value.trim_ascii()).text());
    }

    // The same octets, seen by sevenbit: its parts are found by their place in the message.
    let view = sevenbit::Message::parse(&octets);
    for part in parsed.text_bodies() {
        println!("text     {}", text(part, &view).trim_end());
    }

    // Before it is sent on to a server without 8BITMIME; mail that is already safe is not copied.
    let safe = sevenbit::Normalizer::new().profile(sevenbit::Profile::Transport).normalize(&octets);
    println!("on       {} octets, {} issues", safe.octets().len(), safe.report().issues().len());
    Ok(())
}

/// The text that mail-parser read, or that of sevenbit if there was anything it cannot read.
fn text<'m>(part: &'m MessagePart<'m>, view: &'m sevenbit::Message<'m>) -> Cow<'m, str> {
    let body = part.offset_body as usize;
    let doubtful = part.is_encoding_problem
        || part.text_contents().is_none_or(|text| text.contains(['\u{FFFD}', '\u{1B}']));
    let better =
        || view.leaves().find(|leaf| (leaf.span().start..leaf.span().end).contains(&body))?.text();
    doubtful
        .then(better)
        .flatten()
        .unwrap_or_else(|| part.text_contents().unwrap_or_default().into())
}
