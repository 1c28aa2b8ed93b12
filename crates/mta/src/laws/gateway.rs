//! The laws of the gateway.

use sevenbit::Signed;

use super::client::{Ran, run};
use super::next_hop::NextHop;
use crate::filter::{Fate, Filter, OnFailure};
use crate::gateway::Room;
use crate::memory::Memory;

/// The extensions of a modern next hop.
pub const FULL: &[&str] = &["PIPELINING", "SIZE 1000000", "8BITMIME", "SMTPUTF8", "CHUNKING"];

/// The commands before a message.
pub const ENVELOPE: &[u8] =
    b"EHLO c\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n";

/// Checks any octets: first the choice of how they come and of the next hop, then a message or
/// anything a client might send.
///
/// # Errors
/// The law that is broken.
pub fn check(octets: &[u8]) -> Result<(), String> {
    let (&choice, rest) = octets.split_first().unwrap_or((&0, &[]));
    let piece = 1 + usize::from(choice >> 4);
    let room = Room {
        memory: if choice & 8 == 0 { 1 << 20 } else { 64 },
        directory: None,
        files: Memory::default(),
        total: Memory::default(),
    };
    if choice & 1 == 0 {
        let says = match choice & 4 {
            0 => [ENVELOPE, &stuffed(rest), b".\r\nQUIT\r\n"].concat(),
            _ => [
                ENVELOPE.strip_suffix(b"DATA\r\n").unwrap_or(ENVELOPE),
                &chunked(rest),
                b"QUIT\r\n",
            ]
            .concat(),
        };
        // A next hop that has not waited for the end of a message is asked again.
        let leaves_before = if choice & 2 == 0 { "" } else { "DATA" };
        let setting = Setting { extensions: &[], leaves_before, filter: super::filter(), room };
        return cuts_do_not_matter(&says, piece, &setting)
            .and_then(|ran| the_next_hop_gets_the_normal_form(&with_last_line_end(rest), &ran));
    }
    let mut filter = super::filter();
    if choice & 4 != 0 {
        filter.max_message = 300;
        filter.on_too_large = OnFailure::Accept;
        filter.normalizer = filter.normalizer.signed(Signed::Refuse);
    }
    let extensions = if choice & 2 == 0 { &[][..] } else { FULL };
    let ran =
        cuts_do_not_matter(rest, piece, &Setting { extensions, leaves_before: "", filter, room })?;
    nothing_is_smuggled(&ran)?;
    nothing_is_sent_unasked(&ran, extensions)?;
    accepted_messages_reached_the_next_hop(&ran)
}

/// Inputs for [`check`] of a message.
pub fn inputs(message: &[u8]) -> Vec<Vec<u8>> {
    let plain = [ENVELOPE, &stuffed(message), b".\r\nNOOP\r\nQUIT\r\n"].concat();
    let again =
        b"MAIL FROM:<a@example.org> BODY=8BITMIME SMTPUTF8\r\nRCPT TO:<\xC3\xA9@example.org>\r\n\
        RCPT TO:<b@example.org> ORCPT=utf-8;\xC3\xA9@example.org\r\nVRFY \xC3\xA9\r\nDATA\r\n";
    let twice =
        [ENVELOPE, &stuffed(message), b".\r\n", &again[..], &stuffed(message), b".\r\n"].concat();
    [
        (0x50, message),
        (0x52, message),
        (0x54, message),
        (0x51, &plain),
        (0x55, &twice),
        (0x57, &twice),
        (0x53, &twice),
    ]
    .map(|(choice, rest)| [&[choice], rest].concat())
    .into()
}

/// The setting of a conversation.
struct Setting {
    extensions: &'static [&'static str],
    leaves_before: &'static str,
    filter: Filter,
    room: Room,
}

/// Law 1.
fn cuts_do_not_matter(says: &[u8], piece: usize, with: &Setting) -> Result<Ran, String> {
    let next = || NextHop { leaves_before: with.leaves_before, ..NextHop::with(with.extensions) };
    let ran = |piece| run(says, piece, next(), &with.filter, &with.room);
    let facts = |ran: &Ran| {
        let records = ran.records.iter();
        let records = records.map(|record| {
            (record.octets, record.fate, record.codes.clone(), record.answer.clone())
        });
        (ran.answers.clone(), ran.heard.clone(), ran.taken.clone(), records.collect::<Vec<_>>())
    };
    let (whole, cut) = (ran(usize::MAX), ran(piece));
    if facts(&whole) == facts(&cut) {
        Ok(whole)
    } else {
        Err(format!("whole {whole:?}, by {piece} {cut:?}"))
    }
}

/// Law 3, for a message that is sent correctly.
fn the_next_hop_gets_the_normal_form(sent: &[u8], ran: &Ran) -> Result<(), String> {
    let normal = with_last_line_end(super::filter().normalizer.normalize(sent).octets());
    match &ran.taken[..] {
        [(mail, taken)] if *taken == stuffed(&normal) && mail == "MAIL FROM:<a@example.org>" => {
            Ok(())
        }
        taken => Err(format!("not the normal form \"{}\": {taken:?}", normal.escape_ascii())),
    }
}

/// Law 3, for anything that a client sends.
fn nothing_is_smuggled(ran: &Ran) -> Result<(), String> {
    if let Some(command) = ran.heard.iter().find(|command| command.contains(['\r', '\n', '\0'])) {
        return Err(format!("the next hop hears {command:?}"));
    }
    let offers_8bit = ran.heard.iter().any(|command| command.contains("BODY=8BITMIME"));
    for (mail, taken) in &ran.taken {
        let bare = taken.iter().enumerate().any(|(at, &octet)| match octet {
            b'\n' => at == 0 || taken[at - 1] != b'\r',
            b'\r' => taken.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let is_unasked = !(taken.is_ascii() || offers_8bit && mail.contains(" BODY=8BITMIME"));
        if bare || is_unasked {
            return Err(format!("after {mail}: \"{}\"", taken.escape_ascii()));
        }
    }
    Ok(())
}

/// Law 3, for commands: octets beyond ASCII occur only in a transaction with SMTPUTF8, at a next
/// hop that has it.
fn nothing_is_sent_unasked(ran: &Ran, extensions: &[&str]) -> Result<(), String> {
    let mut is_asked = false;
    for command in &ran.heard {
        let verb = command.get(..4).unwrap_or_default().to_ascii_uppercase();
        if ["MAIL", "RSET"].contains(&&*verb) {
            is_asked = extensions.contains(&"SMTPUTF8") && command.ends_with(" SMTPUTF8");
        }
        if !(command.is_ascii() || is_asked && ["MAIL", "RCPT"].contains(&&*verb)) {
            return Err(format!("the next hop hears {command:?}"));
        }
    }
    Ok(())
}

/// Law 4.
fn accepted_messages_reached_the_next_hop(ran: &Ran) -> Result<(), String> {
    let accepted = ran.records.iter().filter(|record| record.answer.ends_with(" queued as X"));
    let fates = || ran.records.iter().map(|record| (record.fate, record.answer.as_str()));
    if accepted.count() != ran.taken.len() {
        return Err(format!("{} taken, and {:?}", ran.taken.len(), fates().collect::<Vec<_>>()));
    }
    let failed = fates().find(|(fate, _)| *fate == Fate::Failed);
    failed.map_or(Ok(()), |failed| Err(format!("{failed:?}")))
}

/// The message as a client sends it in chunks: one of a third of it, one of nothing, and the rest.
fn chunked(message: &[u8]) -> Vec<u8> {
    let (first, last) = message.split_at(message.len() / 3);
    let begin = format!("BDAT {}\r\n", first.len());
    let end = format!("BDAT 0\r\nBDAT {} LAST\r\n", last.len());
    [begin.as_bytes(), first, end.as_bytes(), last].concat()
}

/// The message as a client sends it: with a dot inserted before each line that begins with one, and
/// an end for the last.
fn stuffed(message: &[u8]) -> Vec<u8> {
    let mut wire = Vec::new();
    for (at, &octet) in message.iter().enumerate() {
        if octet == b'.' && (at == 0 || message[..at].ends_with(b"\r\n")) {
            wire.push(b'.');
        }
        wire.push(octet);
    }
    with_last_line_end(&wire)
}

fn with_last_line_end(message: &[u8]) -> Vec<u8> {
    let end: &[u8] = if message.is_empty() || message.ends_with(b"\r\n") { b"" } else { b"\r\n" };
    [message, end].concat()
}
