//! Messages made of few pieces or lines: what is odd in one place, and what stands beside it. Most
//! defects need no more than two or three, and there are so few of those that all of them can be
//! tried.

use super::chooser::Chooser;

/// The octets before pieces in a field, and after them: a place of every kind.
const PLACES: [(&[u8], &[u8]); 34] = [
    (b"Subject: ", b""),
    (b"To: ", b""),
    (b"To: ", b" <d@e.example>"),
    (b"To: a@b.example (", b")"),
    (b"To: g: ", b"; x@y.example"),
    (b"From: ", b""),
    (b"Sender: a", b""),
    (b"Cc: a@b.example, ", b""),
    (b"Cc: g: ", b";"),
    (b"Resent-To: ", b" <a@b.example>"),
    (b"Return-Path: ", b""),
    (b"Disposition-Notification-To: ", b""),
    (b"Keywords: ", b""),
    (b"Date: ", b""),
    (b"Message-ID: <", b">"),
    (b"References: ", b""),
    (b"Received: ", b"; Mon, 1 Jan 2024 00:00:00 +0000"),
    (b"DKIM-Signature: v=1; ", b""),
    (b"List-Id: ", b"<a.example>"),
    (b"List-Unsubscribe: ", b""),
    (b"Content-Type: ", b""),
    (b"Content-Type: text/plain; charset=", b""),
    (b"Content-Type: text/plain; name=\"", b"\""),
    (b"Content-Type: text/plain; name*=", b""),
    (b"Content-Type: text/plain; name*0=a; name*1=", b""),
    (b"Content-Type: multipart/mixed; boundary=", b""),
    (b"Content-Disposition: ", b""),
    (b"Content-Disposition: attachment; filename=", b""),
    (b"Content-Disposition: attachment; filename*=", b""),
    (b"Content-Transfer-Encoding: ", b""),
    (b"Content-ID: ", b""),
    (b"Content-Description: ", b""),
    (b"", b": x"),
    (b"X: ", b"\r\nFrom: a@b.example"),
];

/// Octets that mean something in some place, and words whose charset or label is odd.
const PIECES: [&[u8]; 56] = [
    b"a",
    b"b",
    b" ",
    b"\t",
    b"\r\n ",
    b"\r",
    b"\0",
    b"\x7f",
    b"\x1b$B",
    b"\x1b(B",
    b":",
    b";",
    b",",
    b".",
    b"@",
    b"=",
    b"'",
    b"*",
    b"%",
    b"%E9",
    b"utf-8''",
    b"<",
    b">",
    b"<a@b.example>",
    b"(",
    b")",
    b"()",
    b"]",
    b"[a]",
    b"\"",
    b"\"\"",
    b"\\",
    b"\xA9",
    b"\xC3",
    b"\xE9",
    b"\xB0\xA1\xB0",
    b"=?=",
    b"=?utf-8?Q?x?=",
    b"=?utf-8?Q?a b?=",
    b"=?utf-8?Q?=22?=",
    b"=?utf-8?Q?=40?=",
    b"=?utf-8?B?w6k=?=",
    b"=?UTF-8?Q?=C3?=",
    b"=?utf-8?Q?=A9?=",
    b"=?us-ascii?Q?=C3?=",
    b"=?iso-8859-1?Q?=E9?=",
    b"=?shift_jis?Q?=83?=",
    b"=?gb18030?Q?=B0?=",
    b"=?gb18030?Q?=A1?=",
    b"=?utf-16?Q?=00a?=",
    b"=?iso-2022-jp?B?GyRCJA==?=",
    b"=?iso-2022-jp?B?IhsoQg==?=",
    b"=?x-foo?Q?=A9?=",
    b"=?x-unknown?Q?=A9?=",
    b"=?unknown-8bit?Q?=C3?=",
    b"=?Unknown-8bit?Q?=83?=",
];

const BODIES: [&[u8]; 6] = [
    b"body\r\n",
    b"",
    b"b\xE9\r\n",
    b"\xC3\xA9\xFF\r\n",
    b"Sch\xF6ne Gr\xFC\xDFe\r\n",
    b"\xC9\xD7\xC1\xCE \xF0\xC5\xD4\r\n",
];

/// Lines that mean something in a header, in a body or around parts.
const LINES: [&[u8]; 72] = [
    b"",
    b" ",
    b" folded",
    b"x",
    b"x y",
    b".",
    b"=",
    b"=\r",
    b"`",
    b"X-a",
    b": x",
    b"From x y",
    b"From: a@b.example",
    b"Received from x",
    b"Subject: \xE9",
    b"MIME-Version: 1.0",
    b"--",
    b"--b",
    b"--b ",
    b"--bb",
    b"--b--",
    b"--b\t--",
    b"\r--b",
    b"--c",
    b"--c--",
    b"Content-Type:",
    b"Content-Type: text",
    b"Content-Type: text/plain; charset=utf-16",
    b"Content-Type: text/plain; charset=shift_jis",
    b"Content-Type: text/plain; charset=iso-2022-jp",
    b"Content-Type: text/html; charset=x-foo",
    b"Content-Type: text/rfc822-headers",
    b"Content-Type: application/octet-stream",
    b"Content-Type: application/pgp-encrypted",
    b"Content-Type: application/pgp-signature",
    b"Content-Type: message/rfc822",
    b"Content-Type: message/global",
    b"Content-Type: message/news",
    b"Content-Type: message/delivery-status",
    b"Content-Type: multipart/mixed; boundary=b",
    b"Content-Type: multipart/alternative; boundary=\"c\"",
    b"Content-Type: multipart/digest; boundary=bb",
    b"Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"",
    b"Content-Type: multipart/encrypted; boundary=c; protocol=\"application/pgp-encrypted\"",
    b"Content-Transfer-Encoding: 8bit",
    b"Content-Transfer-Encoding: binary",
    b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: b64",
    b"Content-Transfer-Encoding: quoted-printable",
    b"Content-Transfer-Encoding: x-uuencode",
    b"Content-Disposition: attachment",
    b"Content-Disposition: attachment; filename=a.txt",
    b"-----BEGIN PGP SIGNED MESSAGE-----",
    b"<meta charset=koi8-r>",
    b"a=?utf-8?Q?=C3=A9?=",
    b"=E9",
    b"+AOk-",
    b"w6k=",
    b"LS1i",
    b"LS1iDQo=",
    b"Q29udGVudC1UeXBlOiB0ZXh0L2h0bWwNCg0K6Q0K",
    b"begin 644 f",
    b"#0V%T",
    b"end",
    b"\x1b$B",
    b"$\"",
    b"\x1b(B",
    b"\xE9",
    b"\xC3\xA9",
    b"\x82\xA0",
    b"\xFF\xFEa\0",
    b"a\0b",
];

const LINE_ENDS: [&[u8]; 3] = [b"\r\n", b"\n", b"\r"];

/// How many fields a message has at most, how many pieces a field, and how many lines a message of
/// lines.
const MAX_FIELDS: usize = 5;
const MAX_PIECES: usize = 4;
const MAX_LINES: usize = 14;

/// Returns a field in every place with every pair of pieces, each in a message of its own.
pub fn pairs() -> impl Iterator<Item = Vec<u8>> {
    let pairs =
        PIECES.iter().flat_map(|first| PIECES.iter().map(|second| [*first, *second].concat()));
    pairs.flat_map(|value| {
        PLACES.iter().map(move |(before, after)| {
            [before, &value[..], after, b"\r\nX-Last: x\r\n\r\n", BODIES[0]].concat()
        })
    })
}

/// Returns every pair of lines as a message, and as what a part begins with in a multipart of every
/// kind.
pub fn pairs_of_lines() -> impl Iterator<Item = Vec<u8>> {
    let heads = LINES.iter().filter(|line| line.starts_with(b"Content-Type: multipart"));
    let heads: Vec<Vec<u8>> =
        heads.map(|line| [line, &b"\r\n\r\n--b\r\n--bb\r\n--c\r\n"[..]].concat()).collect();
    let pairs = LINES
        .iter()
        .flat_map(|first| LINES.iter().map(|second| [*first, *second].join(&b"\r\n"[..])));
    pairs.flat_map(move |pair| {
        let parts: Vec<Vec<u8>> =
            heads.iter().map(|head| [&head[..], &pair[..]].concat()).collect();
        parts.into_iter().chain([pair])
    })
}

/// Returns the message that `octets` choose: of fields if the first is even, otherwise of lines.
pub fn message(octets: &[u8]) -> Vec<u8> {
    match octets.split_first() {
        Some((first, rest)) if first % 2 == 1 => lines(rest),
        Some((_, rest)) => fields(rest),
        None => Vec::new(),
    }
}

/// Chooses a line end, then lines.
fn lines(octets: &[u8]) -> Vec<u8> {
    let mut choose = Chooser::new(octets);
    let line_end = choose.one_of(&LINE_ENDS);
    let lines = std::iter::from_fn(|| choose.next_below(LINES.len()).map(|number| LINES[number]));
    lines.take(MAX_LINES).collect::<Vec<_>>().join(line_end)
}

/// Chooses a body, then fields.
fn fields(octets: &[u8]) -> Vec<u8> {
    let mut choose = Chooser::new(octets);
    let body = choose.one_of(&BODIES);
    let fields = std::iter::from_fn(|| field(&mut choose)).take(MAX_FIELDS);
    [fields.flatten().collect(), b"\r\n".to_vec(), body.to_vec()].concat()
}

/// Chooses a place, how many pieces are in it, and those; nothing if the octets are used up.
pub fn field(choose: &mut Chooser<'_>) -> Option<Vec<u8>> {
    let (before, after) = PLACES[choose.next_below(PLACES.len())?];
    let pieces = (0..=choose.below(MAX_PIECES)).map(|_| choose.one_of(&PIECES));
    let pieces: Vec<u8> = pieces.flatten().copied().collect();
    Some([before, &pieces, after, b"\r\n"].concat())
}

/// Chooses a line that means something, without its end.
pub fn line(choose: &mut Chooser<'_>) -> &'static [u8] {
    choose.one_of(&LINES)
}
