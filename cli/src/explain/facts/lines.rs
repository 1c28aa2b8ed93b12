//! Which octets of a body are behind each line of its text.
//!
//! Decoders do not say. So the lines of the body are counted in its own way, and used if there are
//! as many as in the text. Nothing is returned for content with NUL: UTF-16 and its kin have line
//! ends of their own.

use std::ops::Range;

use sevenbit::Part;

/// Returns for each line of `shown`, the beginning of `text`, where its octets are in the body of
/// the part.
pub fn lines_behind(part: &Part<'_>, text: &str, shown: &str) -> Option<Vec<[usize; 2]>> {
    let (body, content) = (part.body_octets(), part.octets());
    if content.contains(&0) {
        return None;
    }
    let lines = match part.transfer_encoding() {
        "7bit" | "8bit" | "binary" => lines_of(body),
        "quoted-printable" => without_soft_breaks(body, lines_of(body)),
        "base64" => in_base64(body, &content),
        _ => return None,
    };
    let count = |text: &str| {
        text.matches('\n').count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
    };
    (lines.len() == count(text)).then(|| {
        let wanted = lines.into_iter().take(count(shown));
        wanted.map(|line| [line.start, line.end]).collect()
    })
}

/// Returns where each line of `octets` ends, after its CR LF, LF or CR; not where the last one does
/// without any.
pub fn line_ends(octets: &[u8]) -> impl Iterator<Item = usize> {
    let ends_line = |&at: &usize| match octets[at] {
        b'\n' => true,
        b'\r' => octets.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..octets.len()).filter(ends_line).map(|at| at + 1)
}

/// Lines with their ends: CR LF, LF or CR.
fn lines_of(octets: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut lines: Vec<_> =
        line_ends(octets).map(|end| std::mem::replace(&mut start, end)..end).collect();
    if start < octets.len() {
        lines.push(start..octets.len());
    }
    lines
}

/// Joins lines of quoted-printable that a soft break separates.
fn without_soft_breaks(body: &[u8], lines: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    let mut soft = false;
    for line in lines {
        let goes_on = body[line.clone()].trim_ascii_end().ends_with(b"=");
        match joined.last_mut() {
            Some(last) if soft => last.end = line.end,
            _ => joined.push(line),
        }
        soft = goes_on;
    }
    joined
}

/// The lines of the content as octets of base64: four for three, whatever else is between them.
fn in_base64(body: &[u8], content: &[u8]) -> Vec<Range<usize>> {
    let digits: Vec<usize> = (0..body.len())
        .filter(
            |at| matches!(body[*at], b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'='),
        )
        .collect();
    let first = |octet: usize| digits.get(octet / 3 * 4 + octet % 3).copied().unwrap_or(body.len());
    let last = |octet: usize| {
        let digit = (octet - 1) / 3 * 4 + (octet - 1) % 3 + 1;
        digits.get(digit).map_or(body.len(), |at| at + 1)
    };
    lines_of(content).into_iter().map(|line| first(line.start)..last(line.end)).collect()
}

#[cfg(test)]
mod tests {
    use sevenbit::Message;

    use super::lines_behind;

    /// Returns the octets behind each line of a body under an encoding.
    fn behind(encoding: &str, charset: &str, body: &str) -> Option<Vec<String>> {
        let mail = format!(
            "Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n{body}"
        );
        let message = Message::parse(mail.as_bytes());
        let root = message.root();
        let text = root.text().expect("it is text");
        let octets = root.body_octets();
        let lines = lines_behind(&root, &text, &text)?;
        Some(
            lines
                .iter()
                .map(|&[start, end]| String::from_utf8_lossy(&octets[start..end]).into_owned())
                .collect(),
        )
    }

    #[test]
    fn lines_as_they_stand() {
        assert_eq!(
            behind("8bit", "utf-8", "a\r\né\r\n\r\nb").unwrap(),
            ["a\r\n", "é\r\n", "\r\n", "b"]
        );
        assert_eq!(behind("7bit", "us-ascii", "").unwrap(), [""; 0]);
    }

    #[test]
    fn lines_over_soft_breaks() {
        let lines =
            behind("quoted-printable", "utf-8", "caf=C3=\r\n=A9 =  \r\nx\r\nnext=\r\n").unwrap();
        assert_eq!(lines, ["caf=C3=\r\n=A9 =  \r\nx\r\n", "next=\r\n"]);
    }

    #[test]
    fn lines_in_base64() {
        // "one\ntwo\n"
        assert_eq!(
            behind("base64", "utf-8", "b25l\r\nCnR3bwo=\r\n").unwrap(),
            ["b25l\r\nCn", "nR3bwo"]
        );
    }

    #[test]
    fn nothing_is_said_where_lines_do_not_agree() {
        assert_eq!(behind("base64", "utf-16le", "YQAKAGIA\r\n"), None);
    }
}
