//! The laws of stores: any octets have an answer, and each octet of a mailbox is accounted for.

use std::io::{Cursor, Read};
use std::path::Path;

use sevenbit_store::old::{Cutter, Format};
use sevenbit_store::{members, packed, recognise, zipped};

/// The most octets of one member that are read: what unpacks to more says nothing new.
const MOST: u64 = 1 << 20;

/// Checks all laws of stores with any octets.
///
/// # Panics
/// One does not hold.
pub fn stores(octets: &[u8]) {
    for name in ["", "1", "a.eml", "a.mbox", "a.zip", "a.msg"] {
        let _ = recognise(octets, Path::new(name));
    }
    marked(octets);
    counted(octets);
    archives(octets);
}

/// The messages of a mailbox, by the places that they say they have, and whether all of it could be
/// read.
fn cut(octets: &[u8], format: Format) -> (Vec<(usize, usize)>, bool) {
    let mut cutter = Cutter::new(octets, format);
    let mut found = Vec::new();
    loop {
        let envelope = match cutter.next_message() {
            Ok(Some(envelope)) => envelope,
            Ok(None) => return (found, true),
            Err(_) => return (found, false),
        };
        let mut message = envelope.postmark.clone();
        if cutter.read_to_end(&mut message).is_err() {
            return (found, false);
        }
        let (begin, end) = (place(envelope.begin), place(cutter.end()));
        assert_eq!(message, octets[begin..end], "the octets of a message are those at its place");
        assert!(found.last().is_none_or(|(_, before)| *before <= begin), "one after the other");
        found.push((begin, end));
    }
}

fn place(offset: u64) -> usize {
    usize::try_from(offset).expect("inside")
}

/// Whether the octets of an MMDF mailbox are those of its messages and of marks, and no message
/// holds a mark.
fn marked(octets: &[u8]) {
    let (found, is_whole) = cut(octets, Format::Mmdf);
    assert!(is_whole, "nothing is damage");

    // Counted once more, line by line.
    let (mut count, mut within, mut outside) = (0, false, 0);
    for line in octets.split_inclusive(|octet| *octet == b'\n') {
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        let is_mark =
            bare == b"\x01\x01\x01\x01" || bare == b"\x01\x01\x01\x01\r" && line.ends_with(b"\n");
        count += usize::from(!is_mark && !within);
        outside += if is_mark { line.len() } else { 0 };
        within = !is_mark;
    }
    assert_eq!(found.len(), count, "every message is found");
    let inside: usize = found.iter().map(|(begin, end)| end - begin).sum();
    assert_eq!(inside + outside, octets.len(), "every octet is accounted for");
}

/// Whether the octets of an mbx mailbox are those of its messages, of their envelopes and of what
/// comes first.
fn counted(octets: &[u8]) {
    let (found, is_whole) = cut(octets, Format::Mbx);
    let mut position = octets.len().min(2048);
    for (begin, end) in found {
        let envelope = &octets[position..begin];
        assert_eq!(
            envelope.iter().position(|octet| *octet == b'\n'),
            Some(envelope.len() - 1),
            "one line"
        );
        position = end;
    }
    assert!(!is_whole || position == octets.len(), "every octet is accounted for");
}

/// Archives, and packed octets: all of them have an answer and an end.
fn archives(octets: &[u8]) {
    let mut tar = members::Members::new(octets);
    while let Some(found) = tar.next(|member, at| {
        let mut content = Vec::new();
        member.take(MOST).read_to_end(&mut content)?;
        assert!(content.is_empty() || at < octets.len() as u64, "inside the file");
        Ok(())
    }) {
        if let Err(place) = found {
            assert!(place.span.start <= place.span.end, "a place");
        }
    }

    if let Ok(mut zip) = zipped::Members::new(Box::new(Cursor::new(octets.to_vec()))) {
        while zip.next(|_, content| content.take(MOST).read_to_end(&mut Vec::new())).is_some() {}
    }
    if let Ok(unpacked) = packed::unpack(Cursor::new(octets.to_vec())) {
        let _ = unpacked.into_stream().take(MOST).read_to_end(&mut Vec::new());
    }
}
