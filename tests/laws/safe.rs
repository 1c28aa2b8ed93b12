//! Whether a message is 7-bit safe, read line by line and without any parser of the library (G1 to
//! G4).

/// Returns why `message` is not 7-bit safe, or nothing.
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
    let mut of_addresses = false;
    header.enumerate().find_map(|(number, line)| {
        if !matches!(line[0], b' ' | b'\t') {
            of_addresses = is_of_addresses(line);
        }
        why_not_header(line, number == 0, of_addresses)
    })
}

/// Whether a line begins a field of addresses (rule H2).
fn is_of_addresses(line: &[u8]) -> bool {
    const NAMES: [&str; 20] = [
        "apparently-to",
        "author",
        "bcc",
        "cc",
        "delivered-to",
        "disposition-notification-to",
        "envelope-to",
        "errors-to",
        "from",
        "mail-followup-to",
        "mail-reply-to",
        "original-from",
        "reply-to",
        "return-path",
        "return-receipt-to",
        "sender",
        "to",
        "x-envelope-from",
        "x-envelope-to",
        "x-original-to",
    ];
    let end = line.iter().position(|&octet| octet == b':').unwrap_or(0);
    let name = String::from_utf8_lossy(&line[..end]).to_ascii_lowercase();
    NAMES.contains(&name.strip_prefix("resent-").unwrap_or(&name))
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

fn why_not_header(line: &[u8], first: bool, of_addresses: bool) -> Option<String> {
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
    let words = words(line, of_addresses);
    if let Some(word) = words.iter().find(|word| word.len() > 75) {
        return Some(format!("encoded-word of {}: {:?}", word.len(), show(word)));
    }
    (!words.is_empty() && line.len() > 76)
        .then(|| format!("encoded-word on a line of {}: {:?}", line.len(), show(line)))
}

/// The encoded-words of a line, found as `=?` token `?` B or Q `?` text `?=`. Text in an addr-spec
/// that looks like one is not one (RFC 2047, 5): no reader may decode it, and no limit applies to
/// it.
fn words(line: &[u8], of_addresses: bool) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < line.len() {
        match word_len(&line[at..]) {
            Some(len) => {
                if !of_addresses || !is_in_addr_spec(line, at, at + len) {
                    found.push(&line[at..at + len]);
                }
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

/// Whether an `@` is in `start..end`, or before or after it with only characters of an addr-spec in
/// between, including quoted-strings and a domain in brackets.
fn is_in_addr_spec(line: &[u8], start: usize, end: usize) -> bool {
    let is_atext = |octet: u8| octet.is_ascii_graphic() && !br#"()<>:;\,""#.contains(&octet);
    let is_quote = |at: &usize| line[*at] == b'"' && (*at == 0 || line[*at - 1] != b'\\');
    let quotes: Vec<usize> = (0..line.len()).filter(is_quote).collect();
    // The last one may have no partner.
    let strings: Vec<(usize, usize)> =
        quotes.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let (mut from, mut to) = (start, end);
    if let Some(&(opened, closed)) =
        strings.iter().find(|(opened, closed)| (opened..closed).contains(&&start))
    {
        (from, to) = (opened, closed + 1);
    }
    while from > 0 {
        from = match strings.iter().find(|(_, closed)| closed + 1 == from) {
            Some(&(opened, _)) => opened,
            None if is_atext(line[from - 1]) => from - 1,
            None => break,
        };
    }
    while to < line.len() {
        to = match strings.iter().find(|(opened, _)| *opened == to) {
            Some(&(_, closed)) => closed + 1,
            None if is_atext(line[to]) => to + 1,
            None => break,
        };
    }
    let beside = line[from..to].contains(&b'@');
    // A domain in brackets may contain more.
    let bracket = line[..start].iter().rposition(|octet| matches!(octet, b'[' | b']'));
    let in_domain =
        |at| line[..at].ends_with(b"@") && line[at] == b'[' && line[end..].contains(&b']');
    beside || bracket.is_some_and(in_domain)
}

fn word_len(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"=?")?;
    let token =
        |rest: &[u8]| rest.iter().position(|&octet| octet == b'?' || octet.is_ascii_whitespace());
    let charset = token(rest).filter(|&len| len > 0 && rest[len] == b'?')?;
    let rest = &rest[charset + 1..];
    let (b'B' | b'b' | b'Q' | b'q', Some(b'?')) = (*rest.first()?, rest.get(1)) else {
        return None;
    };
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
        (
            b"To: =?utf-8?Q?aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?= <a@b>\r\n\r\n",
            false,
        ),
        (
            b"To: =?utf-8?Q?aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?=@b\r\n\r\n",
            true,
        ),
    ] {
        assert_eq!(why_not(message).is_none(), good, "{message:?}");
    }
}
