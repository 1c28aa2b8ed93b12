//! Messages in which a few pieces are repeated again and again, in any place: where one of them
//! looks for another that never comes, or comes late, work grows with the square of the length.

use super::Numbers;

/// The beginnings of messages: fields, and bodies of each kind.
const HEADS: &[&str] = &[
    "To: ",
    "Cc: x: ",
    "Subject: ",
    "Keywords: ",
    "Received: ",
    "Received: from a by b ",
    "References: ",
    "Message-ID: ",
    "Date: ",
    "Return-Path: ",
    "List-Id: ",
    "List-Unsubscribe: ",
    "Authentication-Results: a; ",
    "Final-Recipient: rfc822; ",
    "MIME-Version: ",
    "DKIM-Signature: v=1; h=from; ",
    "DKIM-Signature: v=1; l=9; h=from; b=a\r\nSubject: ",
    "ARC-Seal: i=1; ",
    "Content-Transfer-Encoding: ",
    "Content-ID: ",
    "Content-Type: ",
    "Content-Type: text/plain; ",
    "Content-Type: text/plain; charset=",
    "Content-Type: text/plain; name*=",
    "Content-Type: multipart/mixed; boundary=b; ",
    "Content-Disposition: attachment; filename=",
    "X-A: ",
    "",
    "\r\n",
    "Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n",
    "Content-Type: text/html\r\n\r\n<body>",
    "Content-Type: text/plain; charset=utf-7\r\n\r\n",
    "Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n",
    "Content-Type: text/plain; charset=gb18030\r\n\r\n",
    "Content-Type: text/plain; charset=utf-16\r\n\r\n",
    "Content-Type: text/plain; charset=hz-gb-2312\r\n\r\n",
    "Content-Transfer-Encoding: base64\r\n\r\n",
    "Content-Transfer-Encoding: quoted-printable\r\n\r\n",
    "Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 a\r\n",
    "Content-Type: multipart/mixed\r\n\r\n",
    "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n",
    "Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n",
    "Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n",
    "Content-Type: message/rfc822\r\n\r\n",
    "Content-Type: message/delivery-status\r\n\r\n",
    "Content-Type: text/rfc822-headers\r\n\r\n",
    "Content-Type: application/octet-stream\r\n\r\n",
    "\r\n-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\n",
];

const PIECES: &[&[u8]] = &[
    b"a",
    b"a=b",
    b"a*0=b;",
    b"a*1*=%E9;",
    b" boundary*0=b",
    b"a*=utf-8''%C3%A9;",
    b"a@b",
    b"<a@b>",
    b"<http://a>",
    b"[1.2.3.4]",
    b"xn--a",
    b"=",
    b";",
    b"\"",
    b"(",
    b")",
    b"<",
    b">",
    b"@",
    b",",
    b":",
    b".",
    b"-",
    b"[",
    b"]",
    b"\\",
    b"%",
    b"*",
    b"''",
    b"?",
    b" ",
    b"\t",
    b"\r\n ",
    b"\r\n",
    b"\n",
    b"\r",
    b"\r\n\r\n",
    b"\0",
    b"\x7F",
    b"=?",
    b"?=",
    b"=?utf-8?Q?a?=",
    b"=?utf-8?Q?=C3=A9?=",
    b"=?iso-2022-jp?B?GyRC?=",
    b"=?x?Q?a?=",
    b"\xE9",
    b"\xC3\xA9",
    b"\xC3",
    b"\xE4\xB8\xAD",
    b"\xEF\xBB\xBF",
    b"e\xCC\x81",
    b"--",
    b"--b",
    b"\r\n--b\r\n",
    b"\r\n--b--\r\n",
    b"=3D",
    b"=\r\n",
    b"= \r\n",
    b"QUJD",
    b"====",
    b"&",
    b"&amp;",
    b"<b>",
    b"</b>",
    b"<!--",
    b"-->",
    b"<div style=\"",
    b"<meta charset=x>",
    b"+",
    b"+AGE-",
    b"+2AA-",
    b"\x1B$B",
    b"\x1B(B",
    b"\x1B",
    b"~{",
    b"~}",
    b"\x81",
    b"\x81\x40",
    b"by ",
    b"for ",
    b"v=1; ",
    b"h=from; ",
    b"b=",
    b"From ",
    b">From ",
    b"To: ",
    b"Subject: \xE9\r\n",
    b"Content-Type: multipart/mixed; boundary=b\r\n\r\n",
    b"Content-Type: message/rfc822\r\n\r\n",
    b"begin 644 a\r\n",
    b"end\r\n",
    b"=ybegin line=1 size=1 name=a\r\n",
    b"-----BEGIN PGP SIGNATURE-----\r\n",
];

/// A message of any length.
#[derive(Debug)]
pub struct Repeated {
    start: Vec<u8>,
    unit: Vec<u8>,
    end: Vec<u8>,
}

impl Repeated {
    pub fn any(numbers: &mut Numbers) -> Self {
        let mut pieces = |least: usize, most: usize| -> Vec<u8> {
            let count = least + numbers.below(most - least + 1);
            let pieces: Vec<&[u8]> =
                (0..count).map(|_| PIECES[numbers.below(PIECES.len())]).collect();
            pieces.concat()
        };
        let (before, unit, end) = (pieces(0, 2), pieces(1, 3), pieces(0, 2));
        let head = HEADS[numbers.below(HEADS.len())].as_bytes();
        Self { start: [head, &before].concat(), unit, end }
    }

    pub fn make(&self, octets: usize) -> Vec<u8> {
        let times = octets.saturating_sub(self.start.len()) / self.unit.len();
        [&self.start[..], &self.unit.repeat(times), &self.end].concat()
    }
}

/// As literals.
impl std::fmt::Display for Repeated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "b\"{}\", b\"{}\" again and again, b\"{}\"",
            self.start.escape_ascii(),
            self.unit.escape_ascii(),
            self.end.escape_ascii()
        )
    }
}
