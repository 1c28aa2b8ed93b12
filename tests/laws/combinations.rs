//! Messages made of few pieces: what is odd in one place of a field, and what stands beside it. Most defects need no more
//! than two or three pieces, and there are so few of those that all of them can be tried.

/// What comes before pieces in a field, and after them: a place of every kind.
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

/// How many fields a message has at most, and how many pieces a field.
const MAX_FIELDS: usize = 5;
const MAX_PIECES: usize = 4;

/// Returns a field in every place with every pair of pieces, each in a message of its own.
pub fn pairs() -> impl Iterator<Item = Vec<u8>> {
    let pairs = PIECES.iter().flat_map(|first| PIECES.iter().map(|second| [*first, *second].concat()));
    pairs.flat_map(|value| {
        PLACES.iter().map(move |(before, after)| {
            [before, &value[..], after, b"\r\nX-Last: x\r\n\r\n", BODIES[0]].concat()
        })
    })
}

/// Returns the message that `octets` choose: its body, then for each field its place, how many pieces it has, and those.
pub fn message(octets: &[u8]) -> Vec<u8> {
    let mut octets = octets.iter().copied();
    let mut choose = || octets.next().map(usize::from);
    let body = BODIES[choose().unwrap_or(0) % BODIES.len()];
    let mut message = Vec::new();
    for _ in 0..MAX_FIELDS {
        let Some(place) = choose() else { break };
        let (before, after) = PLACES[place % PLACES.len()];
        message.extend_from_slice(before);
        for _ in 0..choose().unwrap_or(0) % MAX_PIECES + 1 {
            message.extend_from_slice(PIECES[choose().unwrap_or(0) % PIECES.len()]);
        }
        message.extend([after, b"\r\n"].concat());
    }
    [&message[..], b"\r\n", body].concat()
}
