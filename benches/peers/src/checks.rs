//! Checks of an output before it is timed.

use mail_parser::{Message, MessageParser};

use crate::table::Note;

/// Whether it is as expected.
pub fn same(got: impl AsRef<[u8]>, expected: impl AsRef<[u8]>) -> Note {
    let (got, expected) = (got.as_ref(), expected.as_ref());
    if got == expected {
        return Note::Right;
    }
    let at = got.iter().zip(expected).position(|(a, b)| a != b).unwrap_or(got.len().min(expected.len()));
    Note::Wrong(format!("differs from octet {at} on ({} octets for {})", got.len(), expected.len()))
}

/// How many of a list are not as expected.
pub fn all_same<G: AsRef<str>, E: AsRef<str>>(
    got: impl IntoIterator<Item = G>,
    expected: impl IntoIterator<Item = E>,
) -> Note {
    let pairs: Vec<(G, E)> = got.into_iter().zip(expected).collect();
    let wrong = pairs.iter().filter(|(got, expected)| got.as_ref() != expected.as_ref()).count();
    match wrong {
        0 => Note::Right,
        _ => Note::Wrong(format!("{wrong} of {} differ", pairs.len())),
    }
}

/// Whether rewritten messages are fit for a 7-bit path, and have the same content.
pub fn rewritten(messages: &[Vec<u8>], rewrite: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Note {
    let mut counts = [0; 5];
    for message in messages {
        let Some(output) = rewrite(message) else {
            counts[0] += 1;
            continue;
        };
        counts[1] += usize::from(!output.is_ascii());
        counts[2] += usize::from(output.split(|&octet| octet == b'\n').any(|line| line.len() > 999));
        counts[3] += usize::from(output.windows(2).any(|pair| pair[1] == b'\n' && pair[0] != b'\r'));
        counts[4] += usize::from(content(message) != content(&output));
    }
    let faults = [
        "not written",
        "still 8-bit",
        "with a line over 998",
        "with a bare LF",
        "read otherwise by mail-parser",
    ];
    let named: Vec<String> = counts
        .iter()
        .zip(faults)
        .filter(|(count, _)| **count > 0)
        .map(|(count, fault)| format!("{count} {fault}"))
        .collect();
    let named = format!("of {} messages {}", messages.len(), named.join(", "));
    match counts {
        [0, 0, 0, 0, 0] => Note::Right,
        [0, 0, 0, 0, _] => Note::Aside(named),
        _ => Note::Wrong(named),
    }
}

/// Subject and leaves as mail-parser reads them, white space aside.
pub fn content(message: &[u8]) -> Vec<Vec<u8>> {
    let Some(message) = MessageParser::default().parse(message) else { return Vec::new() };
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").into_bytes();
    let subject = words(message.subject().unwrap_or_default());
    std::iter::once(subject).chain(leaves(&message)).collect()
}

fn leaves(message: &Message<'_>) -> Vec<Vec<u8>> {
    let leaf = message.parts().filter(|part| !part.is_multipart() && !part.is_message());
    leaf.map(|part| match part.text() {
        Some(text) => text.replace("\r\n", "\n").trim_end().as_bytes().to_vec(),
        None => part.decoded().into_owned(),
    })
    .collect()
}
