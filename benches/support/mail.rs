//! Mail made of the prose in `text`, for machines without a corpus of real mail. A message has an
//! index, by which it is always the same.

use sevenbit::{Charset, Normalizer, Profile};

use super::Numbers;
use super::text::{LANGUAGES, Language};

/// The label of mail in this language before UTF-8.
fn legacy_label(language: Language) -> &'static str {
    match language.code {
        "fr" => "iso-8859-1",
        "ru" => "koi8-r",
        "el" => "iso-8859-7",
        "zh" => "gb18030",
        "ja" => "shift_jis",
        "ko" => "euc-kr",
        _ => "utf-8",
    }
}

/// A message in 8bit: headers as in real mail, text of a few kilobytes, some with a part in HTML or
/// a file.
pub fn eightbit(index: usize) -> Vec<u8> {
    let language = LANGUAGES[index % LANGUAGES.len()];
    let mut numbers = Numbers::new(index as u64);
    let (text, label) = body(language, 600 + numbers.below(6_000), index);
    let mut mail = header(language, index).into_bytes();
    let leaf = |mail: &mut Vec<u8>, kind: &str, text: &[u8]| {
        let head = format!(
            "Content-Type: text/{kind}; charset={label}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        );
        mail.extend(head.as_bytes());
        mail.extend(text);
    };
    match index % 5 {
        0 => {
            mail.extend(
                b"Content-Type: multipart/alternative; boundary=\"=_alternative\"\r\n\r\n--=_alternative\r\n",
            );
            leaf(&mut mail, "plain", &text);
            mail.extend(b"--=_alternative\r\n");
            leaf(
                &mut mail,
                "html",
                &[b"<html><body><p>", text.as_slice(), b"</p></body></html>\r\n"].concat(),
            );
            mail.extend(b"--=_alternative--\r\n");
        }
        1 if index.is_multiple_of(3) => {
            mail.extend(
                b"Content-Type: multipart/mixed; boundary=\"=_mixed\"\r\n\r\n--=_mixed\r\n",
            );
            leaf(&mut mail, "plain", &text);
            mail.extend(b"--=_mixed\r\nContent-Type: image/png; name=\"chart.png\"\r\n");
            mail.extend(b"Content-Transfer-Encoding: binary\r\n\r\n");
            mail.extend(numbers.octets(20_000));
            mail.extend(b"\r\n--=_mixed--\r\n");
        }
        _ => leaf(&mut mail, "plain", &text),
    }
    mail
}

/// The text of a message in the charset of its label, in UTF-8 or the older one by turns.
fn body(language: Language, octets: usize, index: usize) -> (Vec<u8>, &'static str) {
    let text = language.prose(octets, index as u64);
    let label = if index.is_multiple_of(2) { "utf-8" } else { legacy_label(language) };
    let charset = Charset::for_label(label).expect("a known label");
    match charset.encode(&text) {
        Ok(octets) => (octets.into_owned(), label),
        Err(_) => (text.into_bytes(), "utf-8"),
    }
}

/// The header of a message up to MIME-Version.
fn header(language: Language, index: usize) -> String {
    let subject = &language.subjects(20)[index % 20];
    format!(
        "Return-Path: <sorter-{index}@post.example>\r\n\
         Received: from window.example (window.example [192.0.2.{}])\r\n\tby harbour.example (8.15.2) with ESMTP id a{index:08};\r\n\tMon, 2 Feb 2026 06:15:{:02} +0100\r\n\
         Received: by window.example (Postfix, from userid 1001)\r\n\tid 9F{index:06}; Mon, 2 Feb 2026 06:15:00 +0100 (CET)\r\n\
         Date: Mon, 2 Feb 2026 06:15:00 +0100\r\n\
         From: The Sorter <sorter-{index}@post.example>\r\n\
         To: keeper@lighthouse.example, \"Trainee, The\" <trainee@post.example>\r\n\
         Subject: {subject}\r\n\
         Message-ID: <{index}.6150@post.example>\r\n\
         References: <1.6150@post.example>\r\n\t<2.6150@post.example>\r\n\
         X-Mailer: Pigeonhole 4.2\r\n\
         MIME-Version: 1.0\r\n",
        index % 250,
        index % 60
    )
}

/// Ordinary mail: one message in four still contains 8-bit octets, the others have been through a
/// gateway.
pub fn mixed(index: usize) -> Vec<u8> {
    let raw = eightbit(index);
    match index % 4 {
        0 => raw,
        _ => {
            Normalizer::new().profile(Profile::Transport).normalize(&raw).into_octets().into_owned()
        }
    }
}
