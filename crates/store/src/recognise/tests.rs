//! Files of every kind by their first octets, and what they are.

use std::path::Path;

use super::{Mailbox, Outlook, Recognised, Wrapping, recognise};

#[track_caller]
fn check(octets: &[u8], name: &str, expected: Recognised) {
    let found = recognise(octets, Path::new(name));
    assert_eq!(found, expected, "{name:?}: {:?}", String::from_utf8_lossy(octets));
}

/// Checks that a file is no mail, and what it is in words.
#[track_caller]
fn is_no_mail(octets: &[u8], name: &str, words: &str) {
    match recognise(octets, Path::new(name)) {
        Recognised::NoMail(kind) => assert_eq!(kind.one, words, "{name:?}"),
        other => panic!("{name:?} is {other:?}: {:?}", String::from_utf8_lossy(octets)),
    }
}

const HEADER: &str =
    "From: Ann <a@example.org>\nDate: Thu, 19 Nov 2026 10:00:00 +0000\nSubject: x\n\ntext\n";

#[test]
fn one_message_with_every_line_end_and_beginning() {
    let lines = [HEADER.to_owned(), HEADER.replace('\n', "\r\n"), HEADER.replace('\n', "\r")];
    for text in lines {
        for before in ["", "\u{feff}", "\n\n", "\r\n", "Forwarded by a program\n"] {
            check(format!("{before}{text}").as_bytes(), "any.name", Recognised::Message);
        }
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for wide in
            [&little, &big, &[b"\xFF\xFE", &little[..]].concat(), &[b"\xFE\xFF", &big[..]].concat()]
        {
            check(wide, "any.name", Recognised::Message);
        }
    }
    check(
        b"Received: from a by b; Thu, 19 Nov 2026 10:00:00 +0000\n",
        "x.log",
        Recognised::Message,
    );
    check(b"Subject : x\nFrom : a@example.org\n\n", "x.dat", Recognised::Message);
}

#[test]
fn few_fields_need_a_name_that_agrees() {
    for name in ["1", "a", "a.eml", "A.EML"] {
        check(b"Subject: caf\xE9\n\ntext\n", name, Recognised::Message);
    }
    is_no_mail(b"Subject: caf\xE9\n\ntext\n", "a.txt", "a text without a header of mail");
    is_no_mail(b"Date: 2026-11-19\n\nnotes\n", "1", "a text without a header of mail");
    for text in [&b"no header at all\n"[..], b"<html>text", b"Subject\0: x\n", b"\x01\x02\x03"] {
        check(text, "a.eml", Recognised::Message);
    }
    is_no_mail(b"no header at all\n", "a", "a text without a header of mail");
}

#[test]
fn mailboxes_by_how_they_begin() {
    for begin in [
        "From a@example.org Thu Nov 19 10:00:00 2026\n",
        "From 6543210987654321012\n",
        "From caf\u{e9}\n",
        "From \n",
        ">From joe\n",
        "\u{feff}From joe 10:00\r\n",
        "\0\0\0\0From joe\n",
        "\n\nFrom joe\r",
    ] {
        check(format!("{begin}{HEADER}").as_bytes(), "Inbox", Recognised::Mailbox(Mailbox::Mbox));
    }
    check(b"", "x.mbox", Recognised::Mailbox(Mailbox::Mbox));
    check(b"\x01\x01\x01\x01\nFrom: a@example.org\n", "x", Recognised::Mailbox(Mailbox::Mmdf));
    check(b"BABYL OPTIONS:\nVersion: 5\n", "x", Recognised::Mailbox(Mailbox::Babyl));
    check(b"*mbx*\r\n00000000", "x", Recognised::Mailbox(Mailbox::Mbx));
    is_no_mail(
        b"From here on there is text.\nMore of it.\n",
        "x",
        "a text without a header of mail",
    );
}

#[test]
fn mail_of_apple_and_outlook() {
    check(format!("123      \n{HEADER}").as_bytes(), "x", Recognised::Emlx);
    check(b"9\nSubject: \n", "1.emlx", Recognised::Emlx);
    check(b"!BDN\x01\x02\x03\x04SM\x17\0", "x", Recognised::Outlook(Outlook::Pst));
    check(b"!BDN\x01\x02\x03\x04SO\x24\0", "x", Recognised::Outlook(Outlook::Ost));
    check(b"\xCF\xAD\x12\xFE\xC5\xFD", "Inbox.dbx", Recognised::Outlook(Outlook::Dbx));
    check(b"\x78\x9F\x3E\x22\x01\0", "winmail.dat", Recognised::Outlook(Outlook::Tnef));
    let compound = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0\0\0";
    check(compound, "a.msg", Recognised::Outlook(Outlook::Msg));
    check(compound, "a.oft", Recognised::Outlook(Outlook::Oft));
    is_no_mail(compound, "a.doc", "an Office document");
}

#[test]
fn a_tar_file_whose_first_header_is_damaged_is_known_by_its_name() {
    check(b"\x01\x02\0\0", "a.tar", Recognised::Wrapping(Wrapping::Tar));
    check(
        &[&[0; 257], &b"ustar"[..], &[0; 99]].concat(),
        "a.tar",
        Recognised::Wrapping(Wrapping::Tar),
    );
    is_no_mail(b"\x01\x02\0\0", "a", "data");
    is_no_mail(b"notes on tar\n", "a.tar", "a text without a header of mail");
    is_no_mail(b"", "a.tar", "an empty file");
}

#[test]
fn wrappings_by_how_they_begin() {
    for (octets, wrapping) in [
        (&b"\x1F\x8B\x08\0"[..], Wrapping::Gz),
        (b"\x28\xB5\x2F\xFD", Wrapping::Zst),
        (b"BZh91AY&SY", Wrapping::Bz2),
        (b"\xFD7zXZ\0", Wrapping::Xz),
        (b"PK\x03\x04", Wrapping::Zip),
        (b"PK\x05\x06", Wrapping::Zip),
    ] {
        check(octets, "a.eml", Recognised::Wrapping(wrapping));
    }
    let zip = |name: &str| [b"PK\x03\x04".as_slice(), &[0; 26], name.as_bytes()].concat();
    check(&zip("Inbox.mbox"), "mail.zip", Recognised::Wrapping(Wrapping::Zip));
    is_no_mail(&zip("META-INF/MANIFEST.MF"), "a.zip", "a program");
    is_no_mail(&zip("[Content_Types].xml"), "a", "an Office document");
    is_no_mail(&zip("package/__init__.py"), "a.whl", "a package");
    let mut header = [0; 512];
    header[..5].copy_from_slice(b"a.eml");
    let sum = b"a.eml".iter().map(|octet| u32::from(*octet)).sum::<u32>() + 8 * 32;
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    check(&header, "x", Recognised::Wrapping(Wrapping::Tar));
    header[0] = b'b';
    is_no_mail(&header, "x", "data");
}

#[test]
fn what_is_no_mail_is_named() {
    let message = HEADER.as_bytes();
    for (begin, words) in [
        (&b"SQLite format 3\0\x10\0\x01\x01\0@  "[..], "a SQLite database"),
        (b"%PDF-1.7\n", "a PDF document"),
        (
            b"!<arch>\na.eml/          0           0     0     644     100       `\n",
            "an ar archive",
        ),
        (b"070701000000010000", "a cpio archive"),
        (b"#!/bin/sh\nsendmail -t <<EOF\n", "a script"),
        (b"// <!-- <mdb:mork:z v=\"1.4\"/> -->\n", "a Mork database"),
        (b"# Mozilla User Preferences\n\n", "a text without a header of mail"),
        (
            b"// Mozilla User Preferences\n\nuser_pref(\"mail\");\n",
            "a text without a header of mail",
        ),
        (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "an image"),
        (b"{\"from\": \"a@example.org\"}\n", "a text without a header of mail"),
        (b"HTTP/1.1 200 OK\n", "a text without a header of mail"),
        (b"<!doctype HTML>\n", "a web page"),
        (b"\0\x01\x02\x03\x04data\n", "data"),
    ] {
        for name in ["a", "a.dat", "1"] {
            is_no_mail(&[begin, message].concat(), name, words);
        }
    }
    is_no_mail(b"", "a", "an empty file");
    is_no_mail(
        b"Package: x\nVersion: 1\nDate: today\n\n",
        "control",
        "a text without a header of mail",
    );
    is_no_mail(b"from: me\nto: you\n", "a.yaml", "a text without a header of mail");
    is_no_mail(b"one\ntwo\nthree\nFrom: a@example.org\n", "a", "a text without a header of mail");
}

/// Any octets have an answer.
#[test]
fn any_beginning_of_a_file_has_an_answer() {
    let octets =
        [b"\xFF\xFEF\0r\0o\0m\0 \0".as_slice(), HEADER.as_bytes(), b"PK\x03\x04\x1F"].concat();
    for from in 0..octets.len() {
        for to in from..octets.len() {
            let _ = recognise(&octets[from..to], Path::new(""));
        }
    }
}
