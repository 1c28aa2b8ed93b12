//! Hostile shapes: messages made to cost more than their length. Each is made to any number of
//! octets, and reading one twice as long must cost twice as much.

/// A name, and a function that makes a message of about this many octets.
pub struct Shape {
    pub name: &'static str,
    pub make: fn(usize) -> Vec<u8>,
}

pub(super) const fn shape(name: &'static str, make: fn(usize) -> Vec<u8>) -> Shape {
    Shape { name, make }
}

pub const SHAPES: &[Shape] = &[
    shape("nested multiparts", nested_multiparts),
    shape("nested messages", |n| filled(b"", b"Content-Type: message/rfc822\r\n\r\n", n)),
    shape("nested messages in base64", nested_in_base64),
    shape("many parts", |n| multipart(b"--b\r\n\r\nx\r\n", n)),
    shape("many empty parts", |n| multipart(b"--b\r\n", n)),
    shape("many 8-bit parts", |n| multipart(b"--b\r\n\r\n\xE9\r\n", n)),
    shape("many boundaries", many_boundaries),
    shape("boundaries that begin alike", alike_boundaries),
    shape("lines that begin like boundaries", |n| multipart(b"--bx\r\n", n)),
    shape("lines of --", |n| multipart(b"--\r\n", n)),
    shape("one long run of -", |n| multipart(b"-", n)),
    shape("huge header", |n| filled(b"Subject: x", b"\r\n folded and folded again", n)),
    shape("one long header line", |n| filled(b"Subject: ", b"word ", n)),
    shape("one long header word", |n| filled(b"Subject: ", b"x", n)),
    shape("many fields", |n| filled(b"", b"X-A: b\r\n", n)),
    shape("many Content-Type fields", |n| filled(b"", b"Content-Type: text/plain\r\n", n)),
    shape("many DKIM signatures", |n| {
        filled(b"Subject: \xE9\r\n", b"DKIM-Signature: v=1; h=from:to:subject; b=x\r\n", n)
    }),
    shape("no field at all", |n| filled(b"Subject: x\r\n", b"neither field nor fold\r\n", n)),
    shape("header of 8-bit octets", |n| filled(b"Subject: ", b"\xE9", n)),
    shape("many words", |n| filled(b"Subject: ", b"=?utf-8?Q?=C3=A9?= ", n)),
    shape("many words of many charsets", |n| {
        filled(b"Subject: ", b"=?iso-2022-jp?B?GyRCIUE=?= =?koi8-r?Q?=C1?=\r\n ", n)
    }),
    shape("words without an end", |n| filled(b"Subject: ", b"=?utf-8?Q?", n)),
    shape("runs of =?", |n| filled(b"Subject: ", b"=?", n)),
    shape("one word without an end", |n| filled(b"Subject: =?utf-8?B?", b"QUJD", n)),
    shape("many addresses", |n| filled(b"To: a@b", b",\r\n a@b", n)),
    shape("many 8-bit addresses", |n| filled(b"To: a@b", b",\r\n \xC3\xA9 <a@b>", n)),
    shape("commas", |n| filled(b"To: ", b",", n)),
    shape("angle brackets", |n| filled(b"To: ", b"<", n)),
    shape("angle brackets behind raw text", |n| filled(b"To: ", b"<\xE9", n)),
    shape("ASCII that has to be encoded", |n| closed(b"To: ", b"a@", b"\xE9 <a@b>", n)),
    shape("open angle brackets, then raw text", |n| closed(b"To: ", b"<", b"\xE9", n)),
    shape("ends of words", |n| closed(b"Subject: ", b"?=", b"\xE9", n)),
    shape("escapes in a header", |n| filled(b"Subject: ", b"\x1B$B", n)),
    shape("semicolons in Received", |n| closed(b"Received: ", b";", b"\xE9", n)),
    shape("open groups", |n| filled(b"To: ", b"g:", n)),
    shape("open comments", |n| filled(b"To: ", b"(", n)),
    shape("comments in comments", |n| paired(b"To: ", b"(\xE9", b")", n)),
    shape("alternating quotes", |n| filled(b"To: ", b"\"\\\"", n)),
    shape("quotes without an end", |n| filled(b"To: \"", b"x ", n)),
    shape("backslashes", |n| filled(b"To: \"", b"\\", n)),
    shape("many parameters", |n| filled(b"Content-Type: text/plain", b";\r\n a=b", n)),
    shape("many parameter sections", parameter_sections),
    shape("parameter sections backwards", backward_sections),
    shape("many semicolons", |n| filled(b"Content-Type: text/plain", b";", n)),
    shape("Received of 8-bit clauses", |n| filled(b"Received: ", b"by \xE9 (\xE9) ", n)),
    shape("one long line", |n| text("8bit", b"x", n)),
    shape("one long 8-bit line", |n| text("8bit", b"\xE9", n)),
    shape("bare line ends", |n| text("8bit", b"\r\r\n\n", n)),
    shape("NUL octets", |n| text("7bit", b"\0", n)),
    shape("quoted-printable of =", |n| text("quoted-printable", b"=", n)),
    shape("quoted-printable of soft breaks", |n| text("quoted-printable", b"=\r\n", n)),
    shape("quoted-printable of spaces", |n| text("quoted-printable", b" ", n)),
    shape("quoted-printable, 8-bit", |n| text("quoted-printable", b"=\xE9=E", n)),
    shape("base64 of one octet a line", |n| text("base64", b"QQ==\r\n", n)),
    shape("base64 of junk", |n| text("base64", b"Q*", n)),
    shape("base64 of =", |n| text("base64", b"=", n)),
    shape("uuencode without an end", |n| text("x-uuencode", b"begin 644 a\r\n", n)),
    shape("UTF-7 of shifts", |n| labelled("utf-7", b"+-+AGE-", n)),
    shape("UTF-7 without an end", |n| labelled("utf-7", b"+", n)),
    shape("ISO-2022 of escapes", |n| labelled("iso-2022-jp", b"\x1B$B\x1B(B", n)),
    shape("HZ of shifts", |n| labelled("hz-gb-2312", b"~{~}", n)),
    shape("UTF-16 of lone surrogates", |n| labelled("utf-16le", b"\x00\xD8", n)),
    shape("unlabelled octets", |n| filled(b"\r\n", b"\xE9\xA0 \x81", n)),
    shape("HTML of meta", |n| html(b"<meta charset=x ", n)),
    shape("HTML of comments without an end", |n| html(b"<!--", n)),
    shape("cleartext signatures", |n| {
        text("8bit", b"-----BEGIN PGP SIGNED MESSAGE-----\r\n\xE9\r\n", n)
    }),
    shape("percent sections out of order", scattered_sections),
    shape("words of charsets in turn", |n| {
        filled(
            b"Subject: ",
            b"=?utf-8?B?w6k=?= =?iso-8859-1?Q?=E9?= =?gb18030?B?gTCBMA==?= =?utf-7?Q?+AOk-?= ",
            n,
        )
    }),
    shape("words of long unknown labels", |n| {
        filled(b"Subject: ", b"=?x-a-charset-that-nobody-ever-heard-of-1?Q?=E9?=\r\n ", n)
    }),
    shape("lines that nearly are boundaries", |n| {
        let boundary = "b".repeat(70);
        let head = format!("Content-Type: multipart/mixed; boundary={boundary}\r\n\r\n");
        filled(head.as_bytes(), format!("--{}x\r\n", &boundary[1..]).as_bytes(), n)
    }),
    shape("postmarks", |n| {
        filled(b"From a b\r\nSubject: x\r\n\r\n\xE9\r\n", b"From a@b Sat\r\n", n)
    }),
    shape("delivery reports of many groups", |n| {
        filled(
            b"Content-Type: message/delivery-status\r\n\r\n",
            b"Final-Recipient: utf-8;\xC3\xA9@b\r\nAction: failed\r\n\r\n",
            n,
        )
    }),
    shape("GB18030 of four octets", |n| labelled("gb18030", b"\x81\x30\x81\x30", n)),
    shape("text between charsets", |n| {
        filled(b"\r\n", b"\xC3\xA9 \xE9t\xE9\r\n\x82\xA0\x82\xA2\r\n\xC1\xD2\r\n", n)
    }),
    shape("format=flowed of spaces", |n| {
        filled(
            b"Content-Type: text/plain; format=flowed; charset=koi8-r\r\n\r\n",
            b"> \xC1 \r\n",
            n,
        )
    }),
    shape("everything without an end", everything_open),
    shape("subjects of one 8-bit octet", |n| filled(b"", b"Subject: \xE9\r\n", n)),
    shape("8-bit subjects, no two alike", |n| varied(b"", b"Subject: ", b"\r\n", n)),
    shape("8-bit comments beside names", |n| filled(b"To: ", b"a (\xE9) <b@c> (d), ", n)),
    shape("8-bit comments beside parameters", |n| {
        filled(b"Content-Type: text/plain", b"; (c) a (\xE9) = (d) \"b\"", n)
    }),
    shape("messages of one octet in base64", |n| {
        let part =
            b"--b\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\nDQrp\r\n";
        multipart(part, n)
    }),
    shape("a digest of one octet in base64", |n| {
        let head = b"Content-Type: multipart/digest; boundary=b\r\n\r\n";
        filled(head, b"--b\r\nContent-Transfer-Encoding: base64\r\n\r\n6Q==\r\n", n)
    }),
    shape("8-bit messages in a message", |n| {
        let part =
            b"--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: \xE9\r\nTo: \xE9 <a@b>\r\n\r\n\xE9\r\n";
        multipart(part, n)
    }),
    shape("8-bit domains", |n| filled(b"To: ", b"a@b\xC3\xBC.c, ", n)),
    shape("quoted-pairs in a parameter", |n| {
        filled(b"Content-Type: text/plain; a=\"", b"\\\xE9", n)
    }),
    shape("angle brackets and commas", |n| filled(b"To: ", b"<,", n)),
    shape("quoted 8-bit names", |n| filled(b"To: ", b"\"\xE9\" <a@b>, ", n)),
    shape("8-bit message identifiers", |n| filled(b"References: ", b"<\xE9@b> ", n)),
    shape("fields of 8-bit message identifiers", |n| filled(b"", b"Message-ID: <\xE9@b>\r\n", n)),
    shape("8-bit list identifiers", |n| filled(b"", b"List-Id: \xE9 <a.b>\r\n", n)),
    shape("fields of 8-bit clauses", |n| filled(b"", b"Received: from \xE9 by b; x\r\n", n)),
    shape("signatures that count a body", signatures_of_a_body),
    shape("words that their label belies", |n| filled(b"", b"Subject: =?utf-8?Q?=E9=E8?=\r\n", n)),
    shape("words of unknown-8bit", |n| filled(b"", b"Subject: =?unknown-8bit?Q?=E9?=\r\n", n)),
    shape("words of stateful charsets in turn", |n| {
        filled(b"Subject: ", b"=?iso-2022-kr?B?GyQpQw4hIQ8=?= x =?hz-gb-2312?Q?~{VP~}?= x ", n)
    }),
    shape("parts of charsets in turn", parts_of_charsets),
    shape("raw ISO-2022 in fields", |n| filled(b"", b"Subject: \x1b$B!A\x1b(B\r\n", n)),
    shape("8-bit sections of one parameter", |n| {
        let section = |number: usize| [format!("; f*{number}=\"").as_bytes(), b"\xE9\""].concat();
        let head = b"Content-Disposition: attachment".to_vec();
        head.into_iter().chain((0..n / 12).flat_map(section)).collect()
    }),
];

/// `head`, then `unit` until there are `octets`.
pub(super) fn filled(head: &[u8], unit: &[u8], octets: usize) -> Vec<u8> {
    let mut message = head.to_vec();
    let times = octets.saturating_sub(head.len()) / unit.len();
    message.extend(unit.repeat(times.max(1)));
    message
}

/// `head`, then `unit` until there are `octets`, then `tail`.
pub(super) fn closed(head: &[u8], unit: &[u8], tail: &[u8], octets: usize) -> Vec<u8> {
    let mut message = filled(head, unit, octets);
    message.extend_from_slice(tail);
    message
}

/// As many `open` as `close`.
fn paired(head: &[u8], open: &[u8], close: &[u8], octets: usize) -> Vec<u8> {
    let times = octets / (open.len() + close.len());
    [head, &open.repeat(times), &close.repeat(times), b"\r\n\r\n"].concat()
}

/// `before`, two octets above 7F and `after`, repeatedly, each time with others.
pub(super) fn varied(head: &[u8], before: &[u8], after: &[u8], octets: usize) -> Vec<u8> {
    let mut message = head.to_vec();
    for number in 0.. {
        if message.len() >= octets {
            break;
        }
        // 6,365 is odd: all pairs, in no order.
        let pair = number * 6365 % 16384;
        message.extend_from_slice(before);
        message.extend([0x80 | (pair >> 7) as u8, 0x80 | (pair & 0x7F) as u8]);
        message.extend_from_slice(after);
    }
    message
}

fn parts_of_charsets(octets: usize) -> Vec<u8> {
    let part = |charset: &str, text: &[u8]| {
        [
            format!("--b\r\nContent-Type: text/plain; charset={charset}\r\n\r\n").as_bytes(),
            text,
            b"\r\n",
        ]
        .concat()
    };
    let parts = [
        part("iso-2022-jp", b"\x1b$B!A\x1b(B"),
        part("koi8-r", b"\xC1"),
        part("utf-7", b"+AOk-"),
        part("gb18030", b"\xB0\xA1"),
    ];
    multipart(&parts.concat(), octets)
}

/// As many octets of signatures, each of which covers a part of the body, as of the body, whose
/// last octet changes.
fn signatures_of_a_body(octets: usize) -> Vec<u8> {
    let header = filled(b"Subject: \xE9\r\n", b"DKIM-Signature: l=900000\r\n", octets / 2);
    [header, filled(b"\r\n", b"x\r\n", octets / 2), b"\xE9\r\n".to_vec()].concat()
}

pub(super) fn multipart(unit: &[u8], octets: usize) -> Vec<u8> {
    filled(b"Content-Type: multipart/mixed; boundary=b\r\n\r\n", unit, octets)
}

fn text(encoding: &str, unit: &[u8], octets: usize) -> Vec<u8> {
    let head = format!(
        "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    );
    filled(head.as_bytes(), unit, octets)
}

fn labelled(charset: &str, unit: &[u8], octets: usize) -> Vec<u8> {
    let head = format!(
        "Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    );
    filled(head.as_bytes(), unit, octets)
}

fn html(unit: &[u8], octets: usize) -> Vec<u8> {
    filled(b"Content-Type: text/html; charset=iso-8859-1\r\n\r\n\xE9", unit, octets)
}

fn nested_multiparts(octets: usize) -> Vec<u8> {
    let level = |depth: usize| {
        format!("Content-Type: multipart/mixed; boundary=b{depth}\r\n\r\n--b{depth}\r\n")
    };
    (0..octets / 56).flat_map(|depth| level(depth).into_bytes()).collect()
}

/// Base64 of messages, each inside the one before: the length grows by a third per level, so that
/// few levels suffice.
fn nested_in_base64(octets: usize) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut message = b"Subject: \xE9\r\n\r\nthe innermost\r\n".to_vec();
    while message.len() < octets * 3 / 4 {
        let sextets = |three: &[u8]| {
            let word = three
                .iter()
                .chain([&0, &0])
                .take(3)
                .fold(0_usize, |word, &octet| word << 8 | usize::from(octet));
            [18, 12, 6, 0].map(|shift| ALPHABET[word >> shift & 63])
        };
        message.extend(b" ".repeat((3 - message.len() % 3) % 3));
        let encoded: Vec<u8> = message.chunks(3).flat_map(sextets).collect();
        message =
            b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n".to_vec();
        message.extend(encoded);
    }
    message
}

/// A hundred multiparts, then lines that could be a delimiter of any of them.
fn many_boundaries(octets: usize) -> Vec<u8> {
    let mut message = nested_multiparts(90 * 56);
    let lines: Vec<u8> =
        (0..90).flat_map(|depth| format!("--b{depth}x\r\n").into_bytes()).collect();
    message.extend(lines.repeat(octets.saturating_sub(message.len()) / lines.len() + 1));
    message
}

/// Boundaries that are prefixes of each other.
fn alike_boundaries(octets: usize) -> Vec<u8> {
    let level = |depth: usize| {
        let boundary = "b".repeat(depth);
        format!("Content-Type: multipart/mixed; boundary={boundary}\r\n\r\n--{boundary}\r\n")
    };
    let mut message: Vec<u8> = (1..60).flat_map(|depth| level(depth).into_bytes()).collect();
    let line = [b"\r\n--".as_slice(), &b"b".repeat(65)].concat();
    message.extend(line.repeat(octets.saturating_sub(message.len()) / line.len() + 1));
    message
}

fn parameter_sections(octets: usize) -> Vec<u8> {
    sections(0..octets / 18)
}

fn backward_sections(octets: usize) -> Vec<u8> {
    sections((0..octets / 18).rev())
}

/// In a scattered order, each percent-encoded.
fn scattered_sections(octets: usize) -> Vec<u8> {
    let count = octets / 26;
    let mut message = b"Content-Disposition: attachment; filename*0*=koi8-r''%C1".to_vec();
    let numbers = (1..count).map(|number| number * 7919 % count.max(1));
    message
        .extend(numbers.flat_map(|number| format!(";\r\n filename*{number}*=%C1%D2").into_bytes()));
    message.extend(b"\r\n\r\nx");
    message
}

fn sections(numbers: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut message = b"Content-Disposition: attachment".to_vec();
    message.extend(numbers.flat_map(|number| format!(";\r\n filename*{number}=a").into_bytes()));
    message.extend(b"\r\n\r\n\xE9");
    message
}

fn everything_open(octets: usize) -> Vec<u8> {
    let unit = b"(\"<=?utf-8?B?;a*0*=\"x''%\\\r\n ";
    let third = octets / 3;
    let mut message = filled(b"To: ", unit, third);
    message.extend(filled(b"\r\nContent-Type: multipart/mixed; boundary=b; x=", unit, third));
    message.extend(filled(
        b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n",
        b"--b-\r\n=\r<meta charset=\xE9\r\n",
        third,
    ));
    message
}
