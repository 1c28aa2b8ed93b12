//! Nothing that is decoded becomes structure: no field, mailbox, parameter or part appears,
//! disappears or moves, whatever a word or a value says. The output is read with our own view and
//! with another reader, mail-parser.
//!
//! `src/message/field/tests/attacks.rs` attacks one field at a time; this file tries whole
//! messages.
//!
//! Over 400 lines: half of them are the attacks themselves: payloads, places and whole messages.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use mail_parser::{HeaderName, MessageParser, MimeHeaders};
use sevenbit::{Charset, Message, Normalizer};

use crate::laws::{self, PROFILES};

/// The payloads that are hidden in words and values.
const PAYLOADS: [&str; 18] = [
    "\r\nBcc: eve@evil.example",
    "\r\n\r\n<script>",
    "\nX-Evil: 1\n",
    "\r.\r",
    "a\0b",
    "<eve@evil.example>",
    "eve@evil.example>, <",
    "> <eve@evil.example",
    ", eve@evil.example",
    "eve@evil.example, ",
    "\" <eve@evil.example> \"",
    ") eve@evil.example (",
    "evil: eve@evil.example;",
    "; filename=\"evil.exe\"",
    "\"; boundary=\"evil",
    "=?utf-8?Q?=3E?=",
    "\\",
    "\u{2028}\u{ff1e}\u{ff20}\u{ff0c}",
];

/// The places where they are hidden, as a field or as a part's; `{}` is the word.
const PLACES: [&str; 24] = [
    "Subject: {}",
    "Subject: a {} b",
    "From: {} <a@b.example>",
    "From: \"{}\" <a@b.example>",
    "From: a@b.example ({})",
    "From: A ({}) <a@b.example>, {} <c@d.example>",
    "From: {}: a@b.example;, c@d.example",
    "From: {}@b.example",
    "From: <{}@b.example>",
    "From: \"{}\"@b.example",
    "From: <a@{}>",
    "From: a@{}, c@d.example",
    "From: <@{}:a@b.example>",
    "Reply-To: {}, c@d.example",
    "Message-ID: <{}@b.example>",
    "References: <a@b.example> {} <c@d.example>",
    "Received: from {} ({}) by b.example; Mon, 3 Mar 2025 20:32:00 +0000",
    "Keywords: {}, b",
    "List-Id: {} <list.b.example>",
    "Content-Type: text/plain; charset=us-ascii; name=\"{}\"",
    "Content-Type: {}; charset=us-ascii",
    "Content-Transfer-Encoding: {}",
    "Content-Disposition: attachment; filename={}",
    "Content-Type: multipart/mixed; boundary=\"{}\"",
];

/// The structure of a message as one reader sees it.
#[derive(Debug, Default, PartialEq)]
struct Structure {
    fields: Vec<String>,
    mailboxes: Vec<(&'static str, Vec<String>)>,
    leaves: Vec<String>,
}

const ADDRESSES: [&str; 3] = ["from", "reply-to", "to"];

fn ours(octets: &[u8]) -> Structure {
    let message = Message::parse(octets);
    let addresses = |name| {
        let found = message.mailboxes(name).into_iter().map(|mailbox| mailbox.address().to_owned());
        found.filter(|address| !address.is_empty()).collect::<Vec<_>>()
    };
    Structure {
        fields: message.headers().map(|(name, _)| name.to_ascii_lowercase()).collect(),
        mailboxes: ADDRESSES.map(|name| (name, addresses(name))).into(),
        leaves: message.leaves().map(|leaf| leaf.media_type().to_owned()).collect(),
    }
}

/// The structure that mail-parser sees. It reads the fields that RFC 5322 and MIME name; any other
/// is only counted.
fn theirs(octets: &[u8]) -> Option<Structure> {
    let message = MessageParser::default().parse(octets)?;
    let addresses = |name: &str| -> Vec<String> {
        let all =
            message.headers().iter().filter(|header| header.name().eq_ignore_ascii_case(name));
        let groups = all.filter_map(|header| header.value().as_address());
        // It keeps the route of an obsolete address.
        let spec =
            |address: &str| match address.strip_prefix('@').and_then(|route| route.split_once(':'))
            {
                Some((_, spec)) => spec.to_owned(),
                None => address.to_owned(),
            };
        groups.flat_map(|list| list.iter().filter_map(|one| one.address().map(spec))).collect()
    };
    let leaf = |part: &mail_parser::MessagePart<'_>| {
        let content = part.content_type().map(|content| match content.subtype() {
            Some(subtype) => format!("{}/{subtype}", content.ctype()).to_ascii_lowercase(),
            None => content.ctype().to_ascii_lowercase(),
        });
        // It keeps an invalid type, and the name of a multipart without parts.
        let none = |content: &String| content.contains("=?") || content.starts_with("multipart/");
        content.filter(|content| !none(content)).unwrap_or_else(|| "text/plain".to_owned())
    };
    let name = |header: &mail_parser::Header<'_>| match &header.name {
        HeaderName::Other(name) => name.to_ascii_lowercase(),
        known => known.as_str().to_ascii_lowercase(),
    };
    Some(Structure {
        fields: message.headers().iter().map(name).collect(),
        mailboxes: ADDRESSES.map(|name| (name, addresses(name))).into(),
        leaves: message.parts.iter().filter(|part| !part.is_multipart()).map(leaf).collect(),
    })
}

/// `text` as encoded-words that hide it from readers that do not decode, each with a harmless one
/// of the same length.
fn words(text: &str) -> Vec<(String, String)> {
    let q = |octets: &[u8]| octets.iter().map(|octet| format!("={octet:02X}")).collect::<String>();
    let mut words = Vec::new();
    for label in ["utf-8", "utf-7", "iso-8859-1", "iso-2022-jp", "utf-16be", "koi8-r"] {
        let charset = Charset::for_label(label).expect("a charset");
        let Ok(octets) = charset.encode(text) else { continue };
        let h: &[u8] = if label == "utf-16be" { b"\0h" } else { b"h" };
        let harmless = h.repeat(octets.len() / h.len());
        let b = |octets: &[u8]| format!("=?{label}?B?{}?=", BASE64_STANDARD.encode(octets));
        let q = |octets: &[u8]| format!("=?{label}?Q?{}?=", q(octets));
        words.extend([(b(&octets), b(&harmless)), (q(&octets), q(&harmless))]);
    }
    // All of it in base64 under UTF-7, so that no octet shows what it is.
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let shifted = |text: &str| {
        format!("=?utf-7?Q?+{}-?=", BASE64_STANDARD.encode(units(text)).trim_end_matches('='))
    };
    words.push((shifted(text), shifted(&"h".repeat(text.encode_utf16().count()))));
    words
}

/// A message with that field among others, with raw octets so that every field is rewritten in some
/// profile.
fn message(field: &str) -> Vec<u8> {
    let rest =
        ["From: a@b.example", "To: C \u{e9} <c@d.example>", "Subject: \u{e9}", "MIME-Version: 1.0"];
    let name = field.split(':').next().unwrap_or_default();
    let mut lines: Vec<&str> = rest.into_iter().filter(|line| !line.starts_with(name)).collect();
    lines.insert(1, field);
    format!("{}\r\n\r\ntext\r\n", lines.join("\r\n")).into_bytes()
}

/// The parts that are comparable between two messages whose words differ: not the addr-specs that
/// contain them.
fn outline(mut structure: Structure) -> Structure {
    for address in structure.mailboxes.iter_mut().flat_map(|(_, addresses)| addresses) {
        if address.contains("=?") {
            "a word".clone_into(address);
        }
    }
    structure
}

/// The structure that mail-parser sees, except for addr-specs that contain a word: it decodes them.
fn beside(mut theirs: Structure, ours: &Structure) -> Structure {
    for ((_, theirs), (_, ours)) in theirs.mailboxes.iter_mut().zip(&ours.mailboxes) {
        for (theirs, ours) in theirs.iter_mut().zip(ours).filter(|(_, ours)| *ours == "a word") {
            theirs.clone_from(ours);
        }
    }
    theirs
}

/// Each place with each word that hides each payload, and its harmless twin.
fn hidden() -> impl Iterator<Item = (&'static str, String, String)> {
    let payloads =
        PLACES.iter().flat_map(|&place| PAYLOADS.iter().map(move |&payload| (place, payload)));
    payloads.flat_map(|(place, payload)| {
        words(payload).into_iter().map(move |(word, harmless)| (place, word, harmless))
    })
}

fn none_is(wrong: &[String]) {
    let first = wrong[..wrong.len().min(8)].join("\n");
    assert!(wrong.is_empty(), "{} of them, the first:\n{first}", wrong.len());
}

#[test]
fn no_word_makes_structure() {
    let mut wrong = Vec::new();
    for (place, word, harmless) in hidden() {
        let (attack, twin) =
            (message(&place.replace("{}", &word)), message(&place.replace("{}", &harmless)));
        for profile in PROFILES {
            let normalizer = Normalizer::new().profile(profile);
            let (attack, twin) = (normalizer.normalize(&attack), normalizer.normalize(&twin));
            let (seen, expected) = (outline(ours(attack.octets())), outline(ours(twin.octets())));
            if seen != expected {
                wrong.push(format!("{place} {word}, {profile:?}: {seen:?}\n  not {expected:?}"));
            }
            for law in [laws::output_is_safe, laws::normalizing_twice_is_once] {
                law(attack.octets(), profile).unwrap_or_else(|why| panic!("{place} {word}: {why}"));
            }
        }
    }
    none_is(&wrong);
}

/// Another reader sees the same fields, mailboxes and parts in the output as our own view does.
#[test]
fn another_reader_agrees() {
    let mut wrong = Vec::new();
    for (place, word, _) in hidden() {
        for profile in PROFILES {
            let message = message(&place.replace("{}", &word));
            let output = Normalizer::new().profile(profile).normalize(&message);
            let ours = outline(ours(output.octets()));
            let theirs = theirs(output.octets()).map(|theirs| beside(theirs, &ours));
            if theirs.as_ref() != Some(&ours) {
                wrong.push(format!("{place} {word}, {profile:?}: {ours:?}\n  they {theirs:?}"));
            }
        }
    }
    none_is(&wrong);
}

/// A message written to be misread, and what every reader must see in the output.
struct Case {
    name: &'static str,
    message: &'static [u8],
    from: &'static [&'static str],
    leaves: &'static [&'static str],
    /// Names that no field of the output may have.
    never: &'static [&'static str],
}

const CASES: [Case; 16] = [
    Case {
        name: "two From fields",
        message: b"From: a@b.example\r\nFrom: \xe9 <eve@evil.example>\r\n\r\n\xe9\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &["bcc"],
    },
    Case {
        name: "addresses in comments",
        message: b"From: (<eve@evil.example>, \xe9) a@b.example (\" eve@evil.example \")\r\n\r\n\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "an address as the name of a group",
        message: b"From: \"eve@evil.example\" \xe9: a@b.example;\r\n\r\n\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "quoted local parts",
        message: b"From: \xe9 <\"eve@evil.example ,\"@b.example>\r\n\r\n\r\n",
        from: &["\"eve@evil.example ,\"@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "a bare CR before a field",
        message: b"From: a@b.example\r\nSubject: x\rBcc: eve@evil.example\r\n\r\n\xe9\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &["bcc"],
    },
    Case {
        name: "a bare CR that would end the header",
        message: b"From: a@b.example\r\nSubject: x\r\rContent-Type: text/html\r\n\r\n<p>\xe9\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &["content-location"],
    },
    Case {
        name: "NUL and vertical tabs around a colon",
        message: b"From: a@b.example\r\nBcc\0: eve@evil.example\r\nX\x0b: y\r\nSubject: \xe9\r\n\r\n\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &["bcc"],
    },
    Case {
        name: "a value of RFC 2231 with everything in it",
        message: b"From: a@b.example\r\nContent-Disposition: attachment;\r\n filename*0*=utf-8''a%0D%0A%0D%0A--b;\r\n filename*1=\"\\\"; filename=evil.exe\";\r\n filename*2*=%3B%20x%3D%00\xe9\r\n\r\n\xe9\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "an encoded-word as the media type",
        message: b"From: a@b.example\r\nContent-Type: =?utf-8?Q?multipart/mixed?=; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n\xe9\r\n--b--\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "stray octets inside a media type",
        message: b"From: a@b.example\r\nContent-Type: multi\xadpart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n\xe9\r\n--b--\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "an encoded-word as the transfer encoding",
        message: b"From: a@b.example\r\nContent-Transfer-Encoding: =?us-ascii?Q?base64?=\r\n\r\nPHNjcmlwdD4=\r\n\xe9\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "quoted-printable that decodes to a delimiter",
        message: b"From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=2D-b\r\nContent-Type: text/html\r\n\r\n<p>=2D=2Db--\xe9\r\n--b--\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "base64 that decodes to delimiters",
        message: b"From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: base64\r\n\r\nDQotLWINCkNvbnRlbnQtVHlwZTogdGV4dC9odG1sDQoNCjxwPukNCi0tYi0tDQo=\r\n--b--\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "a boundary that begins another, in a part",
        message: b"From: a@b.example\r\nContent-Type: multipart/mixed; boundary=\"b b\"\r\n\r\n--b b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n\xe9\r\n--b--\r\n--b b\r\nContent-Type: text/html\r\n\r\n<p>\xe9\r\n--b b--\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain", "text/html"],
        never: &[],
    },
    Case {
        name: "From lines and dots",
        message: b"From a@b.example Mon Mar  3 20:32:00 2025\r\nFrom: a@b.example\r\nContent-Transfer-Encoding: 8bit\r\n\r\nFrom eve@evil.example\r\n.\r\n..\r\n\xe9\r\n",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
    Case {
        name: "a dot between every kind of line end",
        message: b"From: a@b.example\r\n\r\na\n.\nb\r.\rc\r\n.\rd\n.\r\ne\r\n.\nRCPT TO:<eve@evil.example>\r\r\n.\r\r\n\xe9",
        from: &["a@b.example"],
        leaves: &["text/plain"],
        never: &[],
    },
];

#[test]
fn every_reader_sees_what_was_meant() {
    for case in &CASES {
        for profile in PROFILES {
            let output = Normalizer::new().profile(profile).normalize(case.message);
            let shown = || {
                format!("{}, {profile:?}:\n{}", case.name, String::from_utf8_lossy(output.octets()))
            };
            laws::every_law(case.message).unwrap_or_else(|why| panic!("{}: {why}", case.name));
            for seen in [Some(ours(output.octets())), theirs(output.octets())] {
                let seen = seen.unwrap_or_else(|| panic!("{}", shown()));
                let from: Vec<&str> = seen.mailboxes[0].1.iter().map(String::as_str).collect();
                assert_eq!(from, case.from, "{}", shown());
                assert_eq!(seen.leaves, case.leaves, "{}", shown());
                assert!(
                    !seen.fields.iter().any(|name| case.never.contains(&name.as_str())),
                    "{}",
                    shown()
                );
            }
        }
    }
}

/// Octets on the wire: no server ends the message at a place where the next does not.
#[test]
fn nothing_ends_the_message_early() {
    const ENDS: [&[u8]; 6] = [b"\r\n", b"\n", b"\r", b"\r\r\n", b"\n\r", b"\r\n\r"];
    for before in ENDS {
        for after in ENDS {
            let body = [
                b"a",
                before,
                b".",
                after,
                b"MAIL FROM:<eve@evil.example>",
                before,
                b"\xe9",
                after,
            ]
            .concat();
            for head in [&b"Subject: x\r\n\r\n"[..], b"Content-Type: image/png\r\n\r\n", b"\r\n"] {
                let message = [head, &body].concat();
                for profile in PROFILES {
                    laws::output_is_safe(&message, profile).expect("only CRLF ends a line");
                    laws::normalizing_twice_is_once(&message, profile).expect("twice is once");
                }
            }
        }
    }
}

/// Decoded content of a part of any type contains no delimiter: neither of the enclosing boundary,
/// nor of the name that the boundary would be given instead.
#[test]
fn no_encoded_line_delimits() {
    const TYPES: [&str; 11] = [
        "message/partial",
        "message/external-body",
        "message/rfc822",
        "message/global",
        "message/delivery-status",
        "message/disposition-notification",
        "message/global-headers",
        "text/rfc822-headers",
        "multipart/mixed; boundary=inner",
        "text/plain",
        "application/x-data",
    ];
    const BODIES: [&str; 5] = [
        "--outer\r\nContent-Type: text/html\r\n\r\n<b>evil</b>\r\n",
        "Action: failed\r\n\r\n--outer--\r\nContent-Type: text/html\r\n\r\n<b>evil</b>\r\n",
        "--=_sevenbit_1_\r\n\r\nevil\r\n--outer\r\n\r\nevil\r\n",
        "--inner\r\n\r\n--outer\r\n\r\nevil\r\n--inner--\r\n",
        "Reason: x\r--outer\rContent-Type: text/html\r\rx",
    ];
    for kind in TYPES {
        for body in BODIES {
            let encoded = BASE64_STANDARD.encode(body);
            let message = format!(
                "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=outer\r\n\r\n--outer\r\nContent-Type: {kind}\r\n\
                 Content-Transfer-Encoding: base64\r\n\r\n{encoded}\r\n--outer\r\n\r\nlast\r\n--outer--\r\n"
            );
            for profile in PROFILES {
                let output = Normalizer::new().profile(profile).normalize(message.as_bytes());
                let parts = |path: &str| path.split('.').count() == 1 && !path.is_empty();
                let ours = Message::parse(output.octets())
                    .parts()
                    .filter(|part| parts(&part.path()))
                    .count();
                let theirs = MessageParser::new().parse(output.octets()).expect("a message");
                let theirs = theirs.root_part().sub_parts().map_or(0, <[_]>::len);
                assert_eq!(
                    (ours, theirs),
                    (2, 2),
                    "{kind}, {body:?}: {}",
                    output.octets().escape_ascii()
                );
            }
        }
    }
}

/// Everything too long: there are as many fields and mailboxes as before, and it ends.
#[test]
fn over_long_everything() {
    for unit in [
        "x",
        "x ",
        "\u{e9}",
        "=?utf-8?Q?=C3=A9?= ",
        "\"",
        "(",
        "<",
        ",",
        ";",
        ":",
        "=?",
        "?=",
        "\\",
        "%",
    ] {
        let long = unit.repeat(30_000 / unit.len());
        for place in PLACES {
            let message = message(&place.replace("{}", &long));
            // Each line of the header is a field; those of MIME may be added.
            let header = message.split(|&octet| octet == b'\n').take_while(|line| *line != b"\r");
            let name = |line: &[u8]| {
                String::from_utf8_lossy(line).split(':').next().unwrap_or_default().to_owned()
            };
            let lines = header.filter(|line| !is_mime(&name(line))).count();
            for profile in PROFILES {
                let output = Normalizer::new().profile(profile).normalize(&message);
                let fields = Message::parse(output.octets())
                    .headers()
                    .filter(|(name, _)| !is_mime(name))
                    .count();
                assert_eq!(fields, lines, "{place} of {unit}, {profile:?}");
                laws::output_is_safe(&message, profile)
                    .unwrap_or_else(|why| panic!("{place} of {unit}: {why}"));
            }
        }
    }
}

/// Whether a field of that name describes how the body is written: those are added and rewritten.
fn is_mime(name: &str) -> bool {
    ["MIME-Version", "Content-Type", "Content-Transfer-Encoding"]
        .iter()
        .any(|mime| name.eq_ignore_ascii_case(mime))
}
