//! More hostile shapes: short pieces that each have to be rewritten separately, thousands of parts,
//! shapes close to a limit, and shapes that newer rules read twice.

use super::shapes::{Shape, closed, filled, multipart, shape, varied};

/// Those of `shapes.rs` are about one field or one body; most of these are about many.
pub const MORE: &[Shape] = &[
    // Short fields and tokens, each rewritten.
    shape("fields of one 8-bit octet", |n| filled(b"", b"a:\xE9\r\n", n)),
    shape("fields without a name", |n| filled(b"", b":\xE9\r\n", n)),
    shape("lists of one 8-bit octet", |n| filled(b"", b"To:\xE9\r\n", n)),
    shape("lists of one bracket", |n| filled(b"", b"To:<\r\n", n)),
    shape("dates of one 8-bit octet", |n| filled(b"", b"Date: \xE9\r\n", n)),
    shape("delivery reports of short fields", |n| {
        filled(
            b"Content-Type: message/delivery-status\r\n\r\n",
            b"a:\xE9\r\nTo:\xE9\r\nDate: \xE9\r\n",
            n,
        )
    }),
    shape("8-bit keywords in a delivery report", |n| report(b"Keywords: ", b"\xE9,", n)),
    shape("8-bit comments of Received in a delivery report", |n| {
        report(b"Received: from a ", b"(\xE9)", n)
    }),
    shape("8-bit domains in a delivery report", |n| report(b"To: ", b"a@\xC3\xA9.example, ", n)),
    shape("8-bit parameters in a delivery report", |n| {
        report(b"Content-Type: a/b", b"; a=\xE9", n)
    }),
    shape("delivery reports of lists", |n| report(b"", b"To:\xE9\r\n", n)),
    shape("delivery reports side by side", |n| {
        let block =
            b"--b\r\nContent-Type: message/delivery-status\r\n\r\nKeywords: \xE9,\xE9,\xE9\r\n";
        multipart(block, n)
    }),
    shape("returned headers of 8-bit keywords", |n| {
        filled(b"Content-Type: text/rfc822-headers\r\n\r\nKeywords: ", b"\xE9,", n)
    }),
    shape("8-bit comments of Received", |n| filled(b"Received: from a ", b"(\xE9)", n)),
    shape("8-bit local parts, a field each", |n| filled(b"", b"To: \xE9@b\r\n", n)),
    shape("parameters of one 8-bit octet", |n| {
        numbered(b"Content-Type: text/plain", |at| format!("; p{at}="), b"\xE9", n)
    }),
    shape("parameters in two sections", |n| {
        numbered(
            b"Content-Type: text/plain",
            |at| format!("; a{at}*0*=x''%E9; a{at}*1*=%E8"),
            b"",
            n,
        )
    }),
    shape("8-bit keywords", |n| filled(b"Keywords: ", b"\xE9,", n)),
    shape("8-bit comments in References", |n| filled(b"References: ", b"(\xE9)", n)),
    shape("8-bit local parts", |n| filled(b"To: ", b"\xE9@b,", n)),
    shape("8-bit angle brackets", |n| filled(b"To: ", b"<\xE9>,", n)),
    shape("at signs and commas", |n| filled(b"To: ", b"@,", n)),
    shape("empty angle brackets", |n| filled(b"To: ", b"<>", n)),
    shape("8-bit signatures", |n| filled(b"", b"DKIM-Signature: v=1; h=from; b=\xE9\r\n", n)),
    shape("NUL and 8-bit octets in a subject", |n| filled(b"Subject: ", b"\0\xE9", n)),
    // Address lists with stray specials (rule H6).
    shape("names that are addresses", |n| filled(b"From: ", b"a@b.c <d@e.f>, ", n)),
    shape("addresses in addresses", |n| filled(b"To: ", b"<a@b>@c, a@b@c, <d@e:f@g>, ", n)),
    shape("addresses without commas", |n| filled(b"To: ", b"a@b ", n)),
    shape("groups in groups", |n| filled(b"To: ", b"g: a@b, h: c@d;, ", n)),
    shape("semicolons in lists", |n| filled(b"To: a@b", b"; ; c", n)),
    shape("routes", |n| filled(b"To: ", b"<@a,@b:c@d>, ", n)),
    shape("words torn by specials", |n| filled(b"To: ", b"=?utf-8?Q?Doe,_<a@b>?= <c@d>, ", n)),
    shape("comments with brackets", |n| filled(b"From: ", b"(<a@b>) c@d, ", n)),
    shape("backslashes in local parts", |n| filled(b"To: ", b"a\\@b, \"\\c\"@d, ", n)),
    shape("long lists of A-labels", |n| filled(b"Cc: ", b"a@xn--b-qfa.example, ", n)),
    shape("words over their length in addresses", |n| {
        closed(b"To: ", &[&b"=?utf-8?b?"[..], &[b'Q'; 80], b"?=@b.c, "].concat(), b"", n)
    }),
    // Parameters and sections.
    shape("sections that repeat", |n| {
        filled(b"Content-Disposition: attachment", b"; f*0=a; f*0*=''b", n)
    }),
    shape("sections of many names", |n| {
        numbered(b"Content-Disposition: attachment", |at| format!("; f{at}*1=a"), b"", n)
    }),
    shape("boundaries beside the boundary", |n| {
        numbered(
            b"Content-Type: multipart/mixed; boundary=b",
            |at| format!("; boundary{at}=c"),
            b"",
            n,
        )
    }),
    shape("doubled semicolons and comments", |n| {
        filled(b"Content-Type: text/plain", b";; (c) a=(d)b", n)
    }),
    shape("sections of a boundary without semicolons", |n| {
        let head = filled(b"Content-Type: multipart/mixed", b" boundary*0=b", n);
        [&head[..], b"\r\n\r\n--b\r\n\r\ntext\r\n--b--\r\n"].concat()
    }),
    // Stateful words.
    shape("torn ISO-2022 words", |n| {
        filled(b"Subject: ", b"=?iso-2022-jp?B?GyRCIQ==?= =?iso-2022-jp?B?IRsoQg==?= ", n)
    }),
    shape("ISO-2022 words that never return", |n| {
        filled(b"Subject: ", b"=?iso-2022-jp?B?GyRCJCI=?= ", n)
    }),
    shape("8-bit octets and escapes in turn", |n| filled(b"Subject: ", b"\xE9 \x1B$B!A\x1B(B ", n)),
    // Parts.
    shape("boundaries renamed in parts", |n| {
        let part =
            b"--b\r\nContent-Type: multipart/mixed; boundary=\"c d \"\r\n\r\n--c d\r\n\r\nx\r\n--c d--\r\n";
        multipart(part, n)
    }),
    shape("boundaries that repeat", |n| {
        multipart(
            b"--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\n--bx\r\n--c--\r\n",
            n,
        )
    }),
    shape("base64 that looks like text", |n| {
        multipart(
            b"--b\r\nContent-Transfer-Encoding: base64\r\n\r\nThis is plain text, no base64.\r\n",
            n,
        )
    }),
    shape("one base64 part that looks like text", |n| {
        filled(
            b"Content-Transfer-Encoding: base64\r\n\r\n",
            b"QUJDREVGR0hJSktM\r\nplain, words.\r\n",
            n,
        )
    }),
    shape("unlabelled pieces, no two alike", |n| {
        varied(b"Content-Type: multipart/mixed; boundary=b\r\n\r\n", b"--b\r\n\r\nt", b" x\r\n", n)
    }),
    shape("text in parts of charsets", |n| {
        multipart(
            b"--b\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n\xF0\xD2\xC9\xD7\xC5\xD4\r\n",
            n,
        )
    }),
    shape("two types in parts", |n| {
        multipart(b"--b\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n\r\n\xE9\r\n", n)
    }),
    shape("types without grammar in parts", |n| {
        multipart(b"--b\r\nContent-Type: (c)text plain; ;x\r\n\r\n\xE9\r\n", n)
    }),
    shape("signed parts", |n| {
        let part = b"--b\r\nContent-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=s\r\n\r\n\
            --s\r\n\r\n\xE9\r\n--s\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n--s--\r\n";
        multipart(part, n)
    }),
    shape("messages side by side", |n| {
        multipart(
            b"--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: a@b (c)\r\nSubject: x\r\n\r\nx\r\n",
            n,
        )
    }),
    shape("messages in messages, 8-bit", |n| {
        filled(b"", b"Subject: \xE9\r\nContent-Type: message/rfc822\r\n\r\n", n)
    }),
    shape("digests in digests", |n| {
        filled(b"", b"Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n", n)
    }),
    shape("delimiters in the preamble", |n| {
        filled(b"Content-Type: multipart/mixed; boundary=b\r\n\r\n", b"x --b\r\n", n)
    }),
    shape("uuencoded parts", |n| {
        multipart(
            b"--b\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 f\r\n#0V%T\r\n`\r\nend\r\n",
            n,
        )
    }),
    // Near limits.
    shape("headers just under the limit", |n| {
        closed(b"Subject: ", b"\xE9", b"", n.min((1 << 20) - 100))
    }),
    shape("headers that grow past the limit", |n| {
        filled(b"", b"X-A: \xE9\xE9\xE9\xE9\xE9\xE9\r\n", n)
    }),
    shape("messages of lists", |n| messages(|n| filled(b"", b"To:\xE9\r\n", n), n)),
    shape("messages of fields", |n| messages(|n| filled(b"", b"a:\xE9\r\n", n), n)),
    shape("messages of 8-bit keywords", |n| {
        messages(|n| closed(b"Keywords: ", b"\xE9,", b"\r\n", n), n)
    }),
    shape("messages of 8-bit parameters", |n| {
        messages(|n| numbered(b"Content-Type: text/plain", |at| format!("; p{at}="), b"\xE9", n), n)
    }),
    shape("escapes of ISO-2022 that never return", |n| filled(b"Received: ", b"by \x1B$B", n)),
    shape("escapes of ISO-2022 that return at once", |n| filled(b"To: ", b"\x1B$B,\x1B(B", n)),
    shape("controls in a word of raw text", |n| closed(b"To: ", b"!\0", b"\xE9\r\n", n)),
    shape("parameters without semicolons", |n| filled(b"Content-Type: text/plain; ", b"a=b ", n)),
    shape("numbered parameters without semicolons", |n| {
        numbered(b"Content-Type: text/plain; ", |at| format!("p{at}=1 "), b"", n)
    }),
    shape("messages of parameters in an unknown charset", |n| {
        messages(
            |n| numbered(b"Content-Type: text/plain", |at| format!("; p{at}*=x''%E9"), b"", n),
            n,
        )
    }),
    shape("messages of parameters under a label that lies", |n| {
        messages(
            |n| {
                numbered(
                    b"Content-Type: text/plain",
                    |at| format!("; p{at}*=us-ascii''%E9"),
                    b"",
                    n,
                )
            },
            n,
        )
    }),
    shape("messages of comments of Received", |n| {
        messages(|n| closed(b"Received: from a ", b"(\xE9)", b"\r\n", n), n)
    }),
    shape("messages of 8-bit local parts", |n| messages(|n| filled(b"", b"To: \xE9@b\r\n", n), n)),
    shape("Received tokens without space", |n| filled(b"Received: ", b"\xE9;b;", n)),
    shape("one keyword of many words", |n| filled(b"Keywords: ", b"a \xE9 ", n)),
    shape("stray lines in the header", |n| filled(b"To: a@b\r\n", b"stray line\r\nX-B: c\r\n", n)),
    shape("headers of blank continuations", |n| filled(b"Subject: x\r\n", b" \r\n", n)),
    // Bodies.
    shape("lines of From", |n| filled(b"\r\n", b"From a\r\n.\r\n\xE9\r\n", n)),
    shape("quoted-printable with blanks at line ends", |n| {
        filled(b"Content-Transfer-Encoding: quoted-printable\r\n\r\n", b"a \t \r\n=E9\r\n", n)
    }),
    shape("dashes after CR", |n| {
        filled(b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n", b"\r--a", n)
    }),
    shape("soft line breaks that never end", |n| {
        filled(b"Content-Transfer-Encoding: quoted-printable\r\n\r\n", b"=\r", n)
    }),
    shape("base64 with padding in the middle", |n| {
        filled(
            b"Content-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n",
            b"QQ==QUI=\r\n",
            n,
        )
    }),
    shape("HTML of charsets", |n| {
        filled(b"Content-Type: text/html; charset=koi8-r\r\n\r\n", b"<meta charset=koi8-r>\xC1", n)
    }),
];

/// Messages in a multipart, each with such a `header`: a limit for one says nothing about all of
/// them.
fn messages(header: fn(usize) -> Vec<u8>, octets: usize) -> Vec<u8> {
    const HEADER: usize = 300_000;
    let header = header(octets.min(HEADER));
    multipart(
        &[b"--b\r\nContent-Type: message/rfc822\r\n\r\n", &*header, b"\r\nx\r\n"].concat(),
        octets,
    )
}

/// A delivery report: a body that is a block of fields.
fn report(head: &[u8], piece: &[u8], octets: usize) -> Vec<u8> {
    filled(&[b"Content-Type: message/delivery-status\r\n\r\n", head].concat(), piece, octets)
}

/// `head`, then pieces with a number in each and `tail` after it until there are `octets`.
fn numbered(head: &[u8], piece: fn(usize) -> String, tail: &[u8], octets: usize) -> Vec<u8> {
    let mut message = head.to_vec();
    for at in 0.. {
        if message.len() >= octets {
            break;
        }
        message.extend_from_slice(piece(at).as_bytes());
        message.extend_from_slice(tail);
    }
    message
}
