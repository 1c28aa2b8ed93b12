//! Whether a message is 7-bit safe, read line by line and without any parser of the library (G1 to G4).

/// Why `message` is not 7-bit safe, or nothing.
pub fn why_not(message: &[u8]) -> Option<String> {
    if let Some(at) = message.iter().position(|&octet| octet == 0 || octet > 0x7F) {
        return Some(format!("octet {:02X} at {at}", message[at]));
    }
    let lines = split(message);
    if let Some(line) = lines.iter().find(|line| line.iter().any(|octet| b"\r\n".contains(octet))) {
        return Some(format!("bare CR or LF in {:?}", show(line)));
    }
    if let Some(line) = lines.iter().find(|line| line.len() > 998) {
        return Some(format!("line of {} octets: {:?}", line.len(), show(line)));
    }
    if message.is_empty() {
        return None;
    }
    let header = lines.iter().take_while(|line| !line.is_empty());
    header.enumerate().find_map(|(number, line)| why_not_header(line, number == 0))
}

/// The lines between CR LF.
fn split(message: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    for at in memchr_crlf(message) {
        lines.push(&message[start..at]);
        start = at + 2;
    }
    lines.push(&message[start..]);
    lines
}

fn memchr_crlf(message: &[u8]) -> impl Iterator<Item = usize> + '_ {
    message.windows(2).enumerate().filter(|(_, pair)| pair == b"\r\n").map(|(at, _)| at)
}

fn why_not_header(line: &[u8], first: bool) -> Option<String> {
    if line.iter().any(|&octet| !matches!(octet, 0x20..=0x7E | b'\t')) {
        return Some(format!("control character in the header: {:?}", show(line)));
    }
    let continuation = matches!(line[0], b' ' | b'\t');
    if continuation && (first || line.iter().all(|octet| b" \t".contains(octet))) {
        return Some(format!("no field to continue, or nothing continued: {:?}", show(line)));
    }
    let name = line.iter().take_while(|octet| matches!(octet, 33..=57 | 59..=126)).count();
    if !continuation && (name == 0 || line.get(name) != Some(&b':')) {
        return Some(format!("not a header line: {:?}", show(line)));
    }
    let words = words(line);
    if let Some(word) = words.iter().find(|word| word.len() > 75) {
        return Some(format!("encoded-word of {}: {:?}", word.len(), show(word)));
    }
    (!words.is_empty() && line.len() > 76)
        .then(|| format!("encoded-word on a line of {}: {:?}", line.len(), show(line)))
}

/// The encoded-words of a line, found as `=?` token `?` B or Q `?` text `?=`.
fn words(line: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < line.len() {
        match word_len(&line[at..]) {
            Some(len) => {
                found.push(&line[at..at + len]);
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

fn word_len(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"=?")?;
    let token = |rest: &[u8]| rest.iter().position(|&octet| octet == b'?' || octet.is_ascii_whitespace());
    let charset = token(rest).filter(|&len| len > 0 && rest[len] == b'?')?;
    let rest = &rest[charset + 1..];
    let (b'B' | b'b' | b'Q' | b'q', Some(b'?')) = (*rest.first()?, rest.get(1)) else { return None };
    let body = token(&rest[2..])?;
    (rest[2 + body..].starts_with(b"?=")).then_some(2 + charset + 1 + 2 + body + 2)
}

fn show(octets: &[u8]) -> String {
    String::from_utf8_lossy(&octets[..octets.len().min(90)]).into_owned()
}

#[test]
fn the_judge_sees_what_is_wrong() {
    for (message, good) in [
        (&b"A: b\r\n\r\n\x7f\r\n"[..], true),
        (b"\r\nbody", true),
        (b"A: b\r\n\r\n\xe9", false),
        (b"A: b\r\n\r\n\0", false),
        (b"A: b\n\r\n", false),
        (b"A: b\r\n \r\n\r\n", false),
        (b"A b\r\n\r\n", false),
        (b"A: \x01\r\n\r\n", false),
        (
            b"A: =?utf-8?Q?aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?=\r\n\r\n",
            false,
        ),
    ] {
        assert_eq!(why_not(message).is_none(), good, "{message:?}");
    }
}
