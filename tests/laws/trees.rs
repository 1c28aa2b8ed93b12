//! Messages that are trees of parts: what is odd about how one of them begins and ends, in every
//! company, and odd lines and fields anywhere between.

use super::chooser::Chooser;
use super::combinations;

/// How deep parts are nested, and how many a multipart has, at most.
const MAX_DEPTH: usize = 4;
const MAX_PARTS: usize = 4;

/// How many odd lines and fields are inserted, at most.
const MAX_INSERTED: usize = 3;

const LINE_ENDS: [&[u8]; 3] = [b"\r\n", b"\n", b"\r"];

/// Boundaries, most of which begin like another.
const BOUNDARIES: [&[u8]; 8] = [b"b", b"bb", b"b-", b"b--", b"B", b"c", b"=_sevenbit_2_", b"b b"];

/// The octets before a delimiter (of which some are in the part before it), and after it.
const BEFORE_DELIMITER: [&[u8]; 6] = [b"\r\n", b"", b"\n", b"\r", b"\r\n ", b"\r\n\r\n"];
const AFTER_DELIMITER: [&[u8]; 9] =
    [b"\r\n", b" \r\n", b"\t\r\n", b"\r\n\r\n", b"", b"x\r\n", b"--\r\n", b"-- \r\n", b"\r"];
const CLOSE: [&[u8]; 6] = [b"--\r\n", b"--", b"--\t\r\n", b"--x\r\n", b"", b"\r\n"];

/// The octets around parts.
const AROUND_PARTS: [&[u8]; 5] = [b"", b"text\r\n", b"--\r\n", b"\xE9\r\n", b"\r\n"];

/// Lines at the top of a header section, before what says what the entity is.
const FIRST_LINES: [&[u8]; 12] = [
    b"",
    b"Subject: x\r\n",
    b"Subject: \xE9\r\n",
    b"x\r\n",
    b" x\r\n",
    b"From x y\r\n",
    b": x\r\n",
    b"Received from x\r\n",
    b"\r\n",
    b"--x\r\n",
    b"X:\r",
    b"a=E9\r\n",
];

/// The octets after the last field.
const HEADER_ENDS: [&[u8]; 7] = [b"\r\n", b"", b"x\r\n", b" \r\n", b"X-Last: x\r\n", b"\n", b"\r"];

const ENCODINGS: [&[u8]; 8] = [
    b"",
    b"Content-Transfer-Encoding: 8bit\r\n",
    b"Content-Transfer-Encoding: binary\r\n",
    b"Content-Transfer-Encoding: base64\r\n",
    b"Content-Transfer-Encoding: quoted-printable\r\n",
    b"Content-Transfer-Encoding: x-uuencode\r\n",
    b"Content-Transfer-Encoding: b64\r\n",
    b"Content-Transfer-Encoding: 8bit\r\nContent-Transfer-Encoding: base64\r\n",
];

const LEAVES: [&[u8]; 14] = [
    b"",
    b"Content-Type: text/plain; charset=utf-8\r\n",
    b"Content-Type: text/html; charset=koi8-r\r\n",
    b"Content-Type: text/plain; charset=iso-2022-jp\r\n",
    b"Content-Type: text/plain; charset=utf-16\r\n",
    b"Content-Type: text/plain; charset=x-foo\r\n",
    b"Content-Type: application/octet-stream\r\n",
    b"Content-Type: application/pgp-signature\r\n",
    b"Content-Type: application/pgp-encrypted\r\n",
    b"Content-Type: message/delivery-status\r\n",
    b"Content-Type: message/partial; number=1\r\n",
    b"Content-Type: text/rfc822-headers\r\n",
    b"Content-Type: multipart/mixed\r\n",
    b"Content-Type: text/plain; name=\"\xE9\"\r\n",
];

const TEXTS: [&[u8]; 17] = [
    b"text\r\n",
    b"",
    b"\xE9\r\n",
    b"\xC3\xA9\r\n",
    b"=E9\r\n",
    b"=\r\n",
    b"w6k=\r\n",
    b"\x1b$B$\"\x1b(B\r\n",
    b"begin 644 f\r\n#0V%T\r\n`\r\nend\r\n",
    b"-----BEGIN PGP SIGNED MESSAGE-----\r\n",
    b"X: x\r\n\r\n",
    b"a\0b\r",
    b"\xFE\xFF\0a\0\r\0\n\0\xE9",
    b"\xFF\xFEa\0\r\0\n\0\xE9\0",
    b"=FF=FEa=00=0D=00\n\0=E9=00\r\n",
    b"a\r=0Ab=0D\nc\r=\r\n=0Ad\r\n",
    b"a=0D\r\nb=0D\r\n",
];

const MESSAGES: [&[u8]; 3] = [b"message/rfc822", b"message/global", b"message/news"];

const MULTIPARTS: [&[u8]; 6] = [b"mixed", b"alternative", b"digest", b"report", b"related", b"x"];

/// A kind of multipart whose content is sealed.
struct Seal {
    subtype: &'static [u8],
    /// The part that its protocol asks for.
    control: &'static [u8],
    is_control_first: bool,
}

const SEALS: [Seal; 2] = [
    Seal {
        subtype: b"signed; protocol=\"application/pgp-signature\"",
        control:
            b"Content-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n",
        is_control_first: false,
    },
    Seal {
        subtype: b"encrypted; protocol=\"application/pgp-encrypted\"",
        control: b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n",
        is_control_first: true,
    },
];

/// Returns the message that `octets` choose.
pub fn message(octets: &[u8]) -> Vec<u8> {
    let mut choose = Chooser::new(octets);
    let line_end = choose.one_of(&LINE_ENDS);
    let inserted: Vec<_> =
        (0..choose.below(MAX_INSERTED + 1)).map(|_| inserted(&mut choose)).collect();
    let message = entity(&mut choose, 0);
    let mut lines: Vec<&[u8]> = message.split_inclusive(|&octet| octet == b'\n').collect();
    for (place, line) in &inserted {
        lines.insert(place % (lines.len() + 1), line);
    }
    let end = |line: &[u8]| {
        line.strip_suffix(b"\r\n").map_or(line.to_vec(), |line| [line, line_end].concat())
    };
    lines.into_iter().flat_map(end).collect()
}

/// Chooses an odd line or field, and its place: the number of a line.
fn inserted(choose: &mut Chooser<'_>) -> (usize, Vec<u8>) {
    let place = choose.below(256);
    let line = if choose.below(2) == 0 { None } else { combinations::field(choose) };
    (place, line.unwrap_or_else(|| [combinations::line(choose), b"\r\n"].concat()))
}

fn entity(choose: &mut Chooser<'_>, depth: usize) -> Vec<u8> {
    match if depth == MAX_DEPTH { 0 } else { choose.below(8) } {
        0..3 => {
            let fields = choose.one_of(&LEAVES);
            [header(choose, fields), choose.one_of(&TEXTS).to_vec()].concat()
        }
        3 => {
            let fields = [&b"Content-Type: "[..], choose.one_of(&MESSAGES), b"\r\n"].concat();
            composite(choose, &fields, |choose| entity(choose, depth + 1))
        }
        4 => {
            let seal = &SEALS[choose.below(SEALS.len())];
            multipart(choose, seal.subtype, |choose| {
                let content = entity(choose, depth + 1);
                let control = seal.control.to_vec();
                if seal.is_control_first { vec![control, content] } else { vec![content, control] }
            })
        }
        _ => {
            let subtype = choose.one_of(&MULTIPARTS);
            multipart(choose, subtype, |choose| {
                (0..=choose.below(MAX_PARTS)).map(|_| entity(choose, depth + 1)).collect()
            })
        }
    }
}

fn multipart(
    choose: &mut Chooser<'_>,
    subtype: &[u8],
    parts: impl FnOnce(&mut Chooser<'_>) -> Vec<Vec<u8>>,
) -> Vec<u8> {
    let boundary = choose.one_of(&BOUNDARIES);
    let fields =
        [b"Content-Type: multipart/", subtype, b"; boundary=\"", boundary, b"\"\r\n"].concat();
    composite(choose, &fields, |choose| {
        let mut body = choose.one_of(&AROUND_PARTS).to_vec();
        for part in parts(choose) {
            body.extend([&b"--"[..], boundary, choose.one_of(&AFTER_DELIMITER)].concat());
            body.extend(part);
            body.extend_from_slice(choose.one_of(&BEFORE_DELIMITER));
        }
        body.extend(
            [&b"--"[..], boundary, choose.one_of(&CLOSE), choose.one_of(&AROUND_PARTS)].concat(),
        );
        body
    })
}

/// Returns an entity that holds others: as it is, or encoded.
fn composite(
    choose: &mut Chooser<'_>,
    fields: &[u8],
    body: impl FnOnce(&mut Chooser<'_>) -> Vec<u8>,
) -> Vec<u8> {
    let is_encoded = choose.below(6) == 5;
    let encoding: &[u8] =
        if is_encoded { b"Content-Transfer-Encoding: quoted-printable\r\n" } else { b"" };
    let header = header(choose, &[encoding, fields].concat());
    let body = body(choose);
    [header, if is_encoded { quoted_printable(&body) } else { body }].concat()
}

/// Returns a header section with these fields.
fn header(choose: &mut Chooser<'_>, fields: &[u8]) -> Vec<u8> {
    // Mostly nothing is odd about it.
    let is_odd = choose.below(3) == 1;
    let mut one_of =
        |pieces: &[&'static [u8]]| if is_odd { choose.one_of(pieces) } else { pieces[0] };
    [one_of(&FIRST_LINES), one_of(&ENCODINGS), fields, one_of(&HEADER_ENDS)].concat()
}

/// Returns octets in quoted-printable (RFC 2045, 6.7), one to a line.
fn quoted_printable(octets: &[u8]) -> Vec<u8> {
    octets.iter().flat_map(|octet| format!("={octet:02X}=\r\n").into_bytes()).collect()
}
