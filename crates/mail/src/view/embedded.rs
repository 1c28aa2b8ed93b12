//! Files that were written into the text of a message, as mail did before MIME and news still does:
//! uuencoded (POSIX) and in yEnc.

use std::ops::Range;

use memchr::memmem;

use crate::ascii::without_line_end;
use crate::codec::{uuencode, yenc};
use crate::report::Tally;

/// A file in text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Embedded {
    /// Its lines, from `begin` or `=ybegin` on, the line end of the last one included.
    pub(super) lines: Range<usize>,
    name: Range<usize>,
    /// The lines between the first and the last.
    data: Range<usize>,
    kind: Embedding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Embedding {
    Uuencode,
    Yenc,
}

impl Embedded {
    /// Returns the octets of its name, which it always has.
    pub(super) fn name<'o>(&self, text: &'o [u8]) -> &'o [u8] {
        text[self.name.clone()].trim_ascii()
    }

    /// Returns what it decodes to.
    pub(super) fn octets(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        match self.kind {
            Embedding::Uuencode => {
                uuencode::decode(&text[self.lines.clone()], &mut out, &mut Tally::default())
            }
            Embedding::Yenc => out = yenc::decode(&text[self.data.clone()]),
        }
        out
    }
}

/// Returns the files in `text`, in order. `begin` alone is an English word: a line of data has to
/// follow it.
pub(super) fn files(text: &[u8]) -> Vec<Embedded> {
    let mut found: Vec<Embedded> = Vec::new();
    for at in memmem::find_iter(text, "begin ") {
        let after = found.last().map_or(0, |last| last.lines.end);
        let (start, kind) = if text[..at].ends_with(b"=y") {
            (at - 2, Embedding::Yenc)
        } else {
            (at, Embedding::Uuencode)
        };
        if start < after || start > 0 && !matches!(text[start - 1], b'\n' | b'\r') {
            continue;
        }
        found.extend(match kind {
            Embedding::Uuencode => uuencoded(text, start),
            Embedding::Yenc => in_yenc(text, start),
        });
    }
    found
}

/// Returns `text` without the lines of `files`.
pub(super) fn without(text: &[u8], files: &[Embedded]) -> Vec<u8> {
    let mut rest = Vec::with_capacity(text.len());
    let mut from = 0;
    for file in files {
        rest.extend_from_slice(&text[from..file.lines.start]);
        from = file.lines.end;
    }
    rest.extend_from_slice(&text[from..]);
    rest
}

/// `begin 644 name`, lines of data, an empty one, `end`. What is not such a line ends a file that
/// was cut off.
fn uuencoded(text: &[u8], start: usize) -> Option<Embedded> {
    let first = line(text, start);
    if !uuencode::is_begin(content(text, &first)) {
        return None;
    }
    let mode = start + b"begin ".len();
    let name = mode + memchr::memchr(b' ', &text[mode..first.end])? + 1..first.end;
    let (mut at, mut lines) = (first.end, 0);
    loop {
        let next = line(text, at);
        let written = content(text, &next);
        let is_last = written.trim_ascii() == b"end";
        let is_empty = matches!(written, b"`" | b" " | b"");
        if !(is_last || uuencode::is_data(written) || is_empty && lines > 0) || next.is_empty() {
            break;
        }
        lines += usize::from(!is_last && !is_empty);
        at = next.end;
        if is_last {
            break;
        }
    }
    (lines > 0).then_some(Embedded {
        lines: start..at,
        name,
        data: first.end..at,
        kind: Embedding::Uuencode,
    })
}

/// `=ybegin line=128 size=123 name=a name`, lines of data, `=yend size=123`.
fn in_yenc(text: &[u8], start: usize) -> Option<Embedded> {
    let first = line(text, start);
    let written = &text[first.clone()];
    let holds = |word: &[u8]| memmem::find(written, word);
    holds(b" line=").and(holds(b" size="))?;
    let name = start + holds(b" name=")? + b" name=".len()..first.end;
    let data = &text[first.end..];
    let end = memmem::find(data, b"\n=yend").map_or(text.len(), |at| first.end + at + 1);
    Some(Embedded {
        lines: start..line(text, end).end,
        name,
        data: first.end..end,
        kind: Embedding::Yenc,
    })
}

/// Returns the line that begins at `start`, with its line end.
fn line(text: &[u8], start: usize) -> Range<usize> {
    let rest = &text[start..];
    let end = memchr::memchr2(b'\n', b'\r', rest)
        .map_or(rest.len(), |at| at + if rest[at..].starts_with(b"\r\n") { 2 } else { 1 });
    start..start + end
}

/// Returns a line without its line end.
fn content<'o>(text: &'o [u8], line: &Range<usize>) -> &'o [u8] {
    without_line_end(&text[line.clone()])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &[u8]) -> (Vec<(String, Vec<u8>)>, String) {
        let files = files(text);
        let name = |file: &Embedded| String::from_utf8_lossy(file.name(text)).into_owned();
        let found = files.iter().map(|file| (name(file), file.octets(text))).collect();
        (found, String::from_utf8_lossy(&without(text, &files)).into_owned())
    }

    #[test]
    fn files_are_taken_out_of_text() {
        let cat = ("cat.txt".to_owned(), b"Cat".to_vec());
        for (text, files, rest) in [
            (
                "hi\r\nbegin 644 cat.txt\r\n#0V%T\r\n`\r\nend\r\nbye\r\n",
                vec![cat.clone()],
                "hi\r\nbye\r\n",
            ),
            ("begin 644 cat.txt\n#0V%T\n \nend", vec![cat.clone()], ""),
            ("begin 0644 cat.txt\n#0V%T\n`\nend", vec![cat.clone()], ""),
            (
                "begin 10644 a cat.txt\n#0V%T\n`\nend",
                vec![("a cat.txt".to_owned(), b"Cat".to_vec())],
                "",
            ),
            ("begin 644 cat.txt\n#0V%T\nand so on\n", vec![cat.clone()], "and so on\n"),
            (
                "begin 644 cat.txt\n#0V%T\n`\nend\nbegin 600 cat.txt\n#0V%T\n`\nend\n",
                vec![cat.clone(), cat.clone()],
                "",
            ),
            ("begin 644 apples\nand so on\n", vec![], "begin 644 apples\nand so on\n"),
            ("begin the day\n#0V%T\n", vec![], "begin the day\n#0V%T\n"),
            (
                "to begin 644 cat.txt\n#0V%T\n`\nend\n",
                vec![],
                "to begin 644 cat.txt\n#0V%T\n`\nend\n",
            ),
        ] {
            let (found, left) = read(text.as_bytes());
            assert_eq!(found, files, "{text}");
            assert_eq!(left, rest, "{text}");
        }
        let (found, left) =
            read(b"a\n=ybegin line=128 size=3 name=a cat.txt \r\nm\x8b\x9e\r\n=yend size=3\r\nb\n");
        assert_eq!(found, [("a cat.txt".to_owned(), b"Cat".to_vec())]);
        assert_eq!(left, "a\nb\n");
    }

    proptest! {
        #[test]
        fn any_text_is_read_within_its_bounds(text in "(begin |644 |=ybegin | line=1 size=| name=x|#0V%T|`|end|=yend|[ -`]{0,9}|\r|\n|\r\n){0,30}") {
            let files = files(text.as_bytes());
            prop_assert!(files.windows(2).all(|two| two[0].lines.end <= two[1].lines.start));
            for file in &files {
                let _ = (file.name(text.as_bytes()), file.octets(text.as_bytes()));
            }
            prop_assert!(without(text.as_bytes(), &files).len() <= text.len());
        }
    }
}
