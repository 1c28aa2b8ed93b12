//! `.msg` files, written here, as mail.

mod laws;
mod writer;

use std::fs::{self, DirEntry};

use proptest::prelude::*;
use sevenbit::{Charset, Message as Mail, Normalizer, Profile};
use sevenbit_outlook::{Content, Message, MsgError, Value};

use self::writer::{Msg, compressed, kinds};

/// A text in a language, the code page that Windows has for it, and a locale.
const LANGUAGES: [(&str, u32, u32, &str); 20] = [
    ("windows-1252", 1252, 0x0407, "Schöne Grüße aus Köln – für fünf Euro (€)"),
    ("windows-1252", 1252, 0x040c, "À bientôt, chère élève, où êtes-vous ?"),
    ("windows-1250", 1250, 0x0415, "Zażółć gęślą jaźń, proszę państwa"),
    ("windows-1250", 1250, 0x0405, "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("windows-1250", 1250, 0x040e, "Árvíztűrő tükörfúrógép"),
    ("windows-1251", 1251, 0x0419, "Съешь же ещё этих мягких французских булок"),
    ("windows-1251", 1251, 0x0422, "Чуєш їх, доцю, га? Кумедна ж ти, прощайся без ґольфів!"),
    ("windows-1253", 1253, 0x0408, "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία"),
    ("windows-1254", 1254, 0x041f, "Pijamalı hasta yağız şoföre çabucak güvendi"),
    ("windows-1255", 1255, 0x040d, "דג סקרן שט בים מאוכזב ולפתע מצא חברה"),
    ("windows-1256", 1256, 0x0401, "نص حكيم له سر قاطع وذو شأن عظيم"),
    (
        "windows-1257",
        1257,
        0x0427,
        "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą",
    ),
    ("windows-1257", 1257, 0x0426, "Glāžšķūņa rūķīši dzērumā čiepj"),
    ("windows-1258", 1258, 0x042a, "Tiếng Việt rất hay"),
    ("windows-874", 874, 0x041e, "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า"),
    ("windows-31j", 932, 0x0411, "日本語のソフトウェア表示、予定能力"),
    ("windows-31j", 932, 0x0411, "ｶﾀｶﾅと漢字とひらがな"),
    ("gbk", 936, 0x0804, "测试邮件，请查收附件"),
    ("euc-kr", 949, 0x0412, "다람쥐 헌 쳇바퀴에 타고파"),
    ("big5", 950, 0x0404, "格式測試許功蓋的信件"),
];

/// Returns a text in a code page; characters that the page only has with a combining accent are
/// taken apart.
fn encoded(label: &str, text: &str) -> Vec<u8> {
    let charset = Charset::for_label(label).expect("a charset");
    if label == "windows-1258" {
        // Vietnamese of Windows has the tones as combining accents.
        let taken_apart =
            text.replace('ế', "ê\u{301}").replace('ệ', "ê\u{323}").replace('ấ', "â\u{301}");
        return charset.encode(&taken_apart).expect("encodable").into_owned();
    }
    charset.encode(text).unwrap_or_else(|error| panic!("{label}: {error}")).into_owned()
}

/// Returns a text as the page of Vietnamese has it.
fn shown(label: &str, text: &str) -> String {
    Charset::for_label(label).expect("a charset").decode(&encoded(label, text)).text().to_owned()
}

fn composed(octets: &[u8]) -> Vec<u8> {
    let message = Message::read_msg(octets).expect("a message");
    assert_eq!(message.faults, []);
    message.compose().into_octets()
}

/// Returns the subject, the name of the recipient, the text and the name of the file of mail.
fn answers(mail: &[u8]) -> [String; 4] {
    let normalized = Normalizer::new().profile(Profile::Archive).normalize(mail).octets().to_vec();
    assert!(normalized.is_ascii());
    let again =
        Normalizer::new().profile(Profile::Archive).normalize(&normalized).octets().to_vec();
    assert_eq!(again, normalized);

    let mail = Mail::parse(&normalized);
    let to =
        mail.mailboxes("To").first().map(|mailbox| mailbox.name().to_owned()).unwrap_or_default();
    let text = mail.text().trim().to_owned();
    let files = mail.attachments();
    let name = files.first().and_then(|file| file.name()).unwrap_or_default().to_owned();
    [mail.subject().unwrap_or_default().into_owned(), to, text, name]
}

/// Returns a message whose texts are `text`, as octets of the code page or in Unicode.
fn written(text: &str, label: &str, is_unicode: bool) -> Msg {
    let mut msg = Msg::default();
    let value = |text: &str| if is_unicode { writer::wide(text) } else { encoded(label, text) };
    let kind = if is_unicode { kinds::TEXT } else { kinds::OCTETS8 };
    msg.add(0x001a, kind, value("IPM.Note"));
    msg.add(0x0037, kind, value(text));
    msg.add(0x1000, kind, value(text));
    msg.recipient(&[
        (0x3001, kind, value(text)),
        (0x39fe, kind, value("a@example.org")),
        (0x0c15, 3, vec![1, 0, 0, 0]),
    ]);
    msg.attachment(&[
        (0x3707, kind, value(&format!("{text}.bin").replace(['?', '/', '"'], "_"))),
        (0x3701, kinds::BINARY, b"\0\xff".to_vec()),
        (0x3705, 3, vec![1, 0, 0, 0]),
    ]);
    msg
}

fn expected(text: &str, label: &str, is_unicode: bool) -> [String; 4] {
    let text = if is_unicode { text.to_owned() } else { shown(label, text) };
    [text.clone(), text.clone(), text.clone(), format!("{text}.bin").replace(['?', '/', '"'], "_")]
}

#[test]
fn texts_in_unicode_are_read() {
    for (label, _, _, text) in LANGUAGES {
        let mail = composed(&written(text, label, true).octets());
        assert_eq!(answers(&mail), expected(text, label, true), "{label}");
    }
}

/// The code page of the message, that of its locale, and that of its way through the internet each
/// suffice.
#[test]
fn texts_in_a_code_page_are_read() {
    for (label, code_page, locale, text) in LANGUAGES {
        let internet = match code_page {
            932 => 50_220,
            936 => 936,
            949 => 51_949,
            1252 => 20_127,
            1251 => 20_866,
            other => other,
        };
        for (id, number) in [(0x3ffd, code_page), (0x3ff1, locale), (0x3fde, internet)] {
            let mut msg = written(text, label, false);
            msg.add(id, 3, number.to_le_bytes().to_vec());
            assert_eq!(
                answers(&composed(&msg.octets())),
                expected(text, label, false),
                "{label}, {id:04x}"
            );
        }
    }
}

/// A code page in which the octets are no text is passed over.
#[test]
fn a_wrong_code_page_is_passed_over() {
    let text = "Съешь же ещё этих мягких";
    let mut msg = written(text, "windows-1251", false);
    msg.add(0x3ffd, 3, 65_001u32.to_le_bytes().to_vec());
    msg.add(0x3ff1, 3, 0x0419u32.to_le_bytes().to_vec());
    assert_eq!(answers(&composed(&msg.octets())), expected(text, "windows-1251", false));

    let mut msg = written("Grüße", "utf-8", false);
    msg.add(0x3ffd, 3, 1252u32.to_le_bytes().to_vec());
    assert_eq!(answers(&composed(&msg.octets())), expected("Grüße", "utf-8", false));
}

/// Texts in RTF: escaped in the document's page, in a font's, and HTML in RTF.
#[test]
fn texts_in_rtf_are_read() {
    for (label, code_page, _, text) in LANGUAGES {
        let set = match code_page {
            1250 => 238,
            1251 => 204,
            1253 => 161,
            1254 => 162,
            1255 => 177,
            1256 => 178,
            1257 => 186,
            1258 => 163,
            874 => 222,
            932 => 128,
            936 => 134,
            949 => 129,
            950 => 136,
            _ => 0,
        };
        let escaped: String =
            encoded(label, text).iter().map(|octet| format!("\\'{octet:02x}")).collect();
        let fonts = format!("{{\\fonttbl{{\\f0\\fcharset0 A;}}{{\\f1\\fcharset{set} B;}}}}");
        for rtf in [
            format!("{{\\rtf1\\ansi\\ansicpg{code_page} {escaped}\\par}}"),
            format!("{{\\rtf1\\ansi\\ansicpg1252{fonts}\\f1 {escaped}\\f0\\par}}"),
            format!(
                "{{\\rtf1\\ansi\\ansicpg1252\\fromhtml1{fonts}{{\\*\\htmltag <p>}}\\htmlrtf\\f1\\htmlrtf0 {escaped}{{\\*\\htmltag </p>}}}}"
            ),
        ] {
            let mut msg = Msg::default();
            msg.add(0x0037, kinds::TEXT, writer::wide("rtf"));
            msg.add(0x1009, kinds::BINARY, compressed(rtf.as_bytes()));
            let [_, _, found, _] = answers(&composed(&msg.octets()));
            assert_eq!(found, shown(label, text).trim(), "{label}: {rtf}");
        }
    }
}

#[test]
fn a_received_header_is_kept() {
    let mut msg = written("Subject", "us-ascii", true);
    let header = "Received: from a.example\r\n\tby b.example\r\nFrom: A <a@example.org>\r\nSubject: of the header\r\n\
        Content-Type: application/ms-tnef\r\n\tname=winmail.dat\r\nMIME-Version: 1.0\r\nDKIM-Signature: v=1;  b=x\r\n\
        To: b@example.org\r\nMessage-ID: <1@example.org>\r\nDate: Fri, 13 Feb 2009 23:31:30 +0000\r\n\r\n";
    msg.add(0x007d, kinds::TEXT, writer::wide(header));
    let mail = composed(&msg.octets());
    let text = String::from_utf8_lossy(&mail);
    let kept = header.replace(
        "Content-Type: application/ms-tnef\r\n\tname=winmail.dat\r\nMIME-Version: 1.0\r\n",
        "",
    );
    assert!(text.starts_with(kept.trim_end()), "{text}");
    assert!(!text.contains("a@example.org>,"), "{text}");

    // The header of another message is not taken.
    msg.add(0x1035, kinds::TEXT, writer::wide("<2@example.org>"));
    let mail = composed(&msg.octets());
    assert!(!String::from_utf8_lossy(&mail).contains("DKIM"));
    assert_eq!(Mail::parse(&mail).message_id().as_deref(), Some("2@example.org"));
}

#[test]
fn a_message_inside_is_a_message() {
    let inner = written("inner", "us-ascii", true);
    let mut outer = written("outer", "us-ascii", true);
    outer.message(
        &[(0x3001, kinds::TEXT, writer::wide("inner")), (0x3705, 3, vec![5, 0, 0, 0])],
        inner,
    );
    let octets = outer.octets();
    let message = Message::read_msg(&octets).expect("a message");
    let Content::Message(inner) = &message.attachments[1].content else { panic!("no message") };
    assert_eq!(inner.properties.get(0x0037), Some(&Value::Text("inner".to_owned())));

    let mail = composed(&octets);
    let text = String::from_utf8_lossy(&mail);
    assert!(text.contains("Content-Type: message/rfc822\r\n"), "{text}");
    assert!(text.contains("Subject: inner\r\n"), "{text}");
}

#[test]
fn what_is_signed_stays_octet_for_octet() {
    let entity = b"Content-Type: multipart/signed; boundary=b; protocol=\"application/pkcs7-signature\"; micalg=sha1\r\n\r\n\
        --b\r\n\r\n  text  \r\n--b\r\nContent-Type: application/pkcs7-signature\r\n\r\nx\r\n--b--\r\n";
    let mut msg = Msg::default();
    msg.add(0x001a, kinds::TEXT, writer::wide("IPM.Note.SMIME.MultipartSigned"));
    msg.attachment(&[
        (0x370e, kinds::TEXT, writer::wide("multipart/signed")),
        (0x3701, kinds::BINARY, entity.to_vec()),
    ]);
    let mail = composed(&msg.octets());
    assert!(mail.ends_with(entity), "{}", String::from_utf8_lossy(&mail));
}

#[test]
fn other_files_are_refused() {
    assert!(matches!(Message::read_msg(b"From: a@b\r\n\r\n"), Err(MsgError::NotCompound(_))));
    assert_eq!(Message::read_msg(&writer::document()).err(), Some(MsgError::NoMessage));
}

/// What breaks writers of mail.
const PIECES: [&str; 16] = [
    "\r\n",
    "\n\n",
    "--=_outlook0_1",
    "From ",
    "Subject: a\r\n",
    "Content-Type: text/html\r\n",
    "{\\*\\htmltag ",
    "}",
    "\\'83",
    "\\u-1",
    "\0",
    "\u{1}",
    "multipart/signed",
    "=?utf-8?B?",
    "\"",
    "@",
];

/// Findings of fuzzing: `corpus/findings/outlook-WHAT`.
#[test]
fn findings_stay_fixed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/findings");
    let is_ours = |entry: &DirEntry| entry.file_name().to_string_lossy().starts_with("outlook-");
    for entry in fs::read_dir(folder).expect("a folder").flatten().filter(is_ours) {
        let octets = fs::read(entry.path()).expect("a file");
        assert_eq!(laws::check(&octets), Ok(()), "{:?}", entry.file_name());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Octets that were changed anywhere give an answer, and mail that is in its normal form once
    /// it is normalised.
    #[test]
    fn changed_octets_are_read(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let mut octets = written("Grüße", "windows-1252", false).octets();
        for (index, octet) in changes {
            let place = index.index(octets.len());
            octets[place] = octet;
        }
        prop_assert_eq!(laws::check(&octets), Ok(()));
    }

    #[test]
    fn any_values_are_mail(octets in prop::collection::vec(any::<u8>(), 0..80), pieces in prop::collection::vec(0..PIECES.len(), 0..12)) {
        let text: Vec<u8> = pieces.iter().flat_map(|piece| PIECES[*piece].as_bytes()).copied().chain(octets).collect();
        prop_assert_eq!(laws::check(&text), Ok(()));
    }

    #[test]
    fn cut_off_octets_are_read(length in any::<prop::sample::Index>()) {
        let octets = written("Grüße", "windows-1252", false).octets();
        let _ = Message::read_msg(&octets[..length.index(octets.len())]).map(|message| message.compose());
    }
}

/// A file has what mail has no place for, if it is wanted, and nothing else changes.
#[test]
fn properties_are_attached_if_they_are_wanted() {
    let mut msg = written("Съешь же ещё", "windows-1251", false);
    msg.add(0x3ff1, 3, 0x0419u32.to_le_bytes().to_vec());
    msg.named("Cost Centre", "Kölner Straße");
    let message = Message::read_msg(&msg.octets()).expect("a message");

    let plain = message.compose().into_octets();
    assert!(!String::from_utf8_lossy(&plain).contains("outlook-properties"));
    let mail = message.compose_with_properties().into_octets();
    assert_eq!(answers(&mail), answers(&plain));

    let mail = Mail::parse(&mail);
    let files = mail.attachments();
    let file = files.last().expect("a file");
    assert_eq!((file.name(), files.len()), (Some("outlook-properties.json"), 2));
    let found: serde_json::Value = serde_json::from_slice(&file.octets()).expect("JSON");
    let own = found["properties"].as_array().expect("properties").last().expect("one");
    assert_eq!(own["name"], "Cost Centre");
    assert_eq!(own["set"], "00020329-0000-0000-c000-000000000046");
    assert_eq!((&own["type"], &own["value"]), (&"text".into(), &"Kölner Straße".into()));
    assert_eq!(found["charsets"][0]["charset"], "windows-1251");
    assert_eq!(found["charsets"][0]["by"], "the code page of the message's locale");
    assert_eq!(found["recipients"][0].as_array().map(Vec::len), Some(3));
    // The text stands in the mail.
    let ids = found["properties"].as_array().expect("properties").iter().map(|one| &one["id"]);
    assert!(ids.clone().any(|id| id == "0037") && !ids.clone().any(|id| id == "1000"));
}
