//! How a message ends its lines (rule B10).

use memchr::{memchr, memchr2};

pub use crate::ascii::{line_end, without_line_end};
use crate::syntax::field_name::field_name;
use crate::transfer::LineEnds;
pub use crate::transfer::{cr_as_lf, lf_as_crlf, lines, to_crlf};

/// The number of lines with LF that may stand before the first that ends with CR alone: programs put
/// some of their own in front of a stored message, Gmail two, Thunderbird three.
const ADDED: usize = 5;

/// Returns the line ends of `message`. The first one decides, whether LF or CR LF, unless CR alone
/// ends the first or second line, or one after a few with LF: then most lines of the header do, so
/// that neither a stray CR nor line ends that some tool added change the meaning of every line.
/// Mail that was sent has CR LF, and a CR in its later lines is stray whatever there is.
pub fn line_ends_of(message: &[u8]) -> LineEnds {
    let by_first_lf = match memchr(b'\n', message) {
        None if memchr(b'\r', message).is_some() => return LineEnds::Cr,
        None => return LineEnds::Crlf,
        Some(0) => LineEnds::Lf,
        Some(at) if message[at - 1] == b'\r' => LineEnds::Crlf,
        Some(_) => LineEnds::Lf,
    };
    if begins_with_cr(message) && has_header_with_cr(message) { LineEnds::Cr } else { by_first_lf }
}

/// Returns whether CR alone ends the first or second line, or one after a few with LF alone.
fn begins_with_cr(message: &[u8]) -> bool {
    let is_cr_alone = |(line, next): (&[u8], &[u8])| line.ends_with(b"\r") && !next.is_empty();
    let is_lf_alone =
        |(line, _): &(&[u8], &[u8])| line.ends_with(b"\n") && !line.ends_with(b"\r\n");
    universal_lines(message).take(2).any(is_cr_alone)
        || universal_lines(message)
            .take(ADDED + 1)
            .find(|line| !is_lf_alone(line))
            .is_some_and(is_cr_alone)
}

/// Returns whether a header has at least two lines that end with CR alone before a field or the
/// empty line, and more of them than of others.
fn has_header_with_cr(message: &[u8]) -> bool {
    let (mut with_cr, mut others) = (0, 0);
    for (line, next) in universal_lines(message) {
        if without_line_end(line).is_empty() {
            break;
        }
        let next = universal_lines(next).next().map_or(next, |(line, _)| line);
        if without_line_end(next).is_empty() || field_name(next).is_some() {
            *(if line.ends_with(b"\r") { &mut with_cr } else { &mut others }) += 1;
        }
    }
    with_cr >= 2 && with_cr > others
}

/// Returns each line of `octets` with its line end (CR LF, CR or LF), and all that comes after the
/// line.
fn universal_lines(mut octets: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let at = memchr2(b'\r', b'\n', octets).unwrap_or(octets.len());
        let end = if octets[at..].starts_with(b"\r\n") { at + 2 } else { octets.len().min(at + 1) };
        let (line, next) = octets.split_at(end);
        octets = next;
        (!line.is_empty()).then_some((line, next))
    })
}

/// Returns whether a line is the empty one that ends a header section, which in some mail ends with
/// CR CR LF.
pub fn is_empty_line(line: &[u8]) -> bool {
    line.iter().all(|&octet| octet == b'\r')
}

/// Returns where the content before a delimiter line at `at` ends: the line end before a delimiter
/// belongs to the delimiter (RFC 2046, 5.1.1).
pub fn before_line_end(octets: &[u8], floor: usize, at: usize) -> usize {
    floor + without_line_end(&octets[floor..at]).len()
}

/// Returns `field` with a final line end.
pub fn ended(mut field: Vec<u8>) -> Vec<u8> {
    if !field.ends_with(b"\n") {
        field.extend_from_slice(b"\r\n");
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_end_decides_unless_most_of_the_header_differ() {
        for (message, expected) in [
            (&b"A: b\r\nc\n"[..], LineEnds::Crlf),
            (b"A: b\nc\r\n", LineEnds::Lf),
            (b"A: b\rc", LineEnds::Cr),
            (b"\n", LineEnds::Lf),
            (b"", LineEnds::Crlf),
            // A stray CR, even before what looks like a field or like the empty line.
            (b"A: b\rc\r\nd", LineEnds::Crlf),
            (b"A: b\rC: d\r\n\r\ne", LineEnds::Crlf),
            (b"A: b\r\rc\r\nD: e\r\n\r\nf", LineEnds::Crlf),
            (b"A: b\rc\rd\re\nF: g\n\nh", LineEnds::Lf),
            (b"A: b\r\nC: d\rE: f\r\nG: h\r\n\r\ni", LineEnds::Crlf),
            (b"A: b\r\nC: d\r\n\r\ne\rf\rg", LineEnds::Crlf),
            // Stray line ends.
            (b"A: b\rC: d\r\re\n", LineEnds::Cr),
            (b"A: b\rC: d\r\re\r\n", LineEnds::Cr),
            (b"A: b\rC: d\rE: f\r\n", LineEnds::Cr),
            (b"A: b\nC: d\rE: f\r\rg", LineEnds::Cr),
            (b"A: b\r\nC: d\rE: f\r\rg", LineEnds::Cr),
            (b"A: b\rC: d\nE: f\r\rg", LineEnds::Cr),
            (b"A: b\nC: d\nE: f\nG: h\rI: j\rK: l\rM: n\rO: p\r\rq", LineEnds::Cr),
            (b"A: b\nC: d\nE: f\nG: h\rI: j\rK: l\n\nm", LineEnds::Lf),
            (b"A: b\r\nC: d\r\nG: h\rI: j\rK: l\rM: n\r\rq", LineEnds::Crlf),
            (b"A: b\rC: d\rE: f\r\n\r\ng\r\nh", LineEnds::Cr),
            (b"A: b\rC: d\r\re\n\nf\ng\nh\n", LineEnds::Cr),
        ] {
            assert_eq!(line_ends_of(message), expected, "{:?}", message.escape_ascii().to_string());
        }
    }

    /// A file labelled binary keeps its octets if it is stored with LF, and so is normal the second
    /// time.
    #[test]
    fn files_labelled_binary_keep_their_line_ends() {
        let mail = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
            --b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\n\r\nlines\r\nof text\r\n\
            --b\r\nContent-Type: application/x-data\r\nContent-Transfer-Encoding: binary\r\n\r\n\
            1\r\n2\r\n\r\n--b--\r\n";
        for profile in [sevenbit::Profile::Transport, sevenbit::Profile::Archive] {
            let normalizer = sevenbit::Normalizer::new().profile(profile);
            let stored = |message: &[u8]| {
                let mut stored = Vec::new();
                normalizer.plan(message).write_lf_to(&mut stored).expect("memory");
                stored
            };
            let once = stored(mail.as_bytes());
            let expected = mail.replace("\r\n", "\n").replace("1\n2\n\n", "1\r\n2\r\n\n");
            assert_eq!(
                once.escape_ascii().to_string(),
                expected.as_bytes().escape_ascii().to_string()
            );
            assert_eq!(stored(&once).escape_ascii().to_string(), once.escape_ascii().to_string());
            let data =
                crate::Message::parse(&once).leaves().nth(1).map(|leaf| leaf.octets().into_owned());
            assert_eq!(data.as_deref(), Some(&b"1\r\n2\r\n"[..]));
        }
    }
}
