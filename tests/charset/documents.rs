//! The rules of RFC 2152, RFC 2279 and its draft successor, and RFC 2781, one by one;
//! docs/charsets.md says which test covers which rule.

use sevenbit::utf7::{self, Direct};
use sevenbit::utf8::{self, Form};
use sevenbit::utf16::{self, Bom, ByteOrder, Label};
use sevenbit::{Charset, Code, DecodeFault, Malformed, decode_header};

const SET_D: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:?";
const SET_O: &str = "!\"#$%&*;<=>@[]^_`{|}";
const RULE_3: &str = " \t\r\n";

#[test]
fn sets_d_and_o_and_the_rest() {
    for c in '\0'..='\x7F' {
        let text = c.to_string();
        let safe = SET_D.contains(c) || RULE_3.contains(c);
        assert_eq!(utf7::encode(&text, Direct::MailSafe) == text, safe, "{c:?}");
        let direct = safe || SET_O.contains(c);
        assert_eq!(utf7::encode(&text, Direct::OptionalDirect) == text, direct, "{c:?}");
        if c == '+' {
            continue;
        }
        // Characters of neither set are read anyway, with a note.
        let decoded = utf7::decode(text.as_bytes());
        let codes: Vec<Code> = decoded.issues().iter().map(|issue| issue.code()).collect();
        assert_eq!((decoded.text(), codes.is_empty()), (&*text, direct), "{c:?}");
        assert!(codes.iter().all(|code| *code == Code::Decode(DecodeFault::NotDirect)));
        assert_eq!(utf7::decode_strict(text.as_bytes()).as_deref(), Ok(&*text));
    }
}

#[test]
fn mail_safe_utf_7_has_nothing_that_gateways_change() {
    let text: String = ('\0'..='\u{2FF}').chain('\u{1F600}'..='\u{1F610}').collect();
    let octets = utf7::encode(&text, Direct::MailSafe);
    assert!(
        octets.chars().all(|c| SET_D.contains(c) || RULE_3.contains(c) || c == '+'),
        "{octets}"
    );
    assert_eq!(utf7::decode_strict(octets.as_bytes()).as_deref(), Ok(&*text));
    // So it may be used in the Q encoding of a header field, and is.
    assert_eq!(decode_header(b"=?utf-7?Q?Hi_Mom_+Jjo-!?=").text(), "Hi Mom ☺!");
}

#[test]
fn a_shifted_sequence_ends_with_its_line() {
    for (octets, text) in [
        (&b"+ZeVnLIqe\r\n+ZeU\nx"[..], "日本語\r\n日\nx"),
        (b"+ZeVnLA\r\nip4-", "日本\r\nip4-"),
        (b"+ZeU\tx", "日\tx"),
    ] {
        assert_eq!(utf7::decode_strict(octets).as_deref(), Ok(text));
    }
    let written = utf7::encode("日本\r\n語\n語", Direct::OptionalDirect);
    assert_eq!(written, "+ZeVnLA\r\n+ip4\n+ip4-");
}

#[test]
fn only_a_hyphen_is_absorbed() {
    for end in ('\0'..='\x7F').filter(|c| !c.is_ascii_alphanumeric() && !"+/-".contains(*c)) {
        let octets = format!("+ZeU{end}");
        assert_eq!(utf7::decode(octets.as_bytes()).text(), format!("日{end}"));
    }
    assert_eq!(utf7::decode_strict(b"+ZeU-").as_deref(), Ok("日"));
    assert_eq!(utf7::decode_strict(b"+ZeU--").as_deref(), Ok("日-"));
    assert_eq!(utf7::encode("日-", Direct::MailSafe), "+ZeU--");
    // A hyphen is written if the next character would continue the sequence.
    for next in "AZaz09/'(),.:?".chars() {
        let needed = if next.is_ascii_alphanumeric() || next == '/' { "-" } else { "" };
        assert_eq!(
            utf7::encode(&format!("日{next}"), Direct::MailSafe),
            format!("+ZeU{needed}{next}")
        );
    }
    assert_eq!(utf7::encode("日+", Direct::MailSafe), "+ZeUAKw-");
}

#[test]
fn utf_7_costs_one_octet_or_two_and_two_thirds() {
    for units in 1..50 {
        let text = "字".repeat(units);
        let octets = utf7::encode(&text, Direct::MailSafe).len();
        assert_eq!(octets, 1 + (8 * units).div_ceil(3) + 1, "to shift in and out");
    }
    assert_eq!(utf7::encode(&"a b\r\n".repeat(20), Direct::MailSafe).len(), 100);
}

#[test]
fn every_line_of_utf_7_stands_for_itself() {
    let text = "Prices: 5 € – 7 €\u{2028}日本語のとても長い文章です。\u{2029}\rEnd +1\n".repeat(9);
    for limit in [16, 40, 76, 998] {
        let lines = utf7::encode_lines(&text, Direct::MailSafe, limit);
        let read: Vec<String> = lines
            .split("\r\n")
            .map(|line| {
                assert!(line.len() <= limit);
                utf7::decode_strict(line.as_bytes()).expect("a whole line").into_owned()
            })
            .collect();
        let characters = |text: &str| text.replace(['\r', '\n', '\u{2028}', '\u{2029}'], "");
        assert_eq!(read.concat(), characters(&text));
        if limit == 998 {
            assert_eq!(read.len(), 9 * 4 + 1, "line ends of every kind become CRLF");
        }
    }
}

/// RFC 2279, 2: any value up to 7FFF FFFF in this many octets.
fn sequence(value: u32, octets: usize) -> Vec<u8> {
    if octets == 1 {
        return vec![value as u8];
    }
    let tail = (1..octets).rev().map(|at| 0x80 | (value >> (6 * (at - 1)) & 0x3F) as u8);
    let lead = (0xFF00_u16 >> octets) as u8 | (u64::from(value) >> (6 * (octets - 1))) as u8;
    std::iter::once(lead).chain(tail).collect()
}

/// The rows of its table: the last value of each length.
const LAST: [u32; 6] = [0x7F, 0x7FF, 0xFFFF, 0x1F_FFFF, 0x3FF_FFFF, 0x7FFF_FFFF];

fn shortest(value: u32) -> usize {
    1 + LAST.iter().filter(|last| value > **last).count()
}

#[test]
fn every_character_in_utf_8_utf_16_and_utf_32() {
    let charset = |label| Charset::for_label(label).expect("known");
    let (big, little) = (charset("utf-16be"), charset("utf-16le"));
    let mut before = Vec::new();
    for c in '\0'..=char::MAX {
        let value = u32::from(c);
        let octets = sequence(value, shortest(value));
        assert_eq!(utf8::decode_strict(&octets).map(|text| text.chars().next()), Ok(Some(c)));
        assert!(before < octets, "octets sort as characters do");
        assert!(octets.len() == 1 || octets.iter().all(|octet| *octet >= 0x80));
        // RFC 2781, 2.1.
        let units: Vec<u16> = match value.checked_sub(0x1_0000) {
            None => vec![value as u16],
            Some(rest) => vec![0xD800 | (rest >> 10) as u16, 0xDC00 | (rest & 0x3FF) as u16],
        };
        let in_order =
            |order: fn(u16) -> [u8; 2]| units.iter().copied().flat_map(order).collect::<Vec<_>>();
        let (of_big, of_little) = (in_order(u16::to_be_bytes), in_order(u16::to_le_bytes));
        let text = c.to_string();
        assert_eq!(utf16::encode(&text, ByteOrder::Big, Bom::Without), of_big);
        assert_eq!(utf16::encode(&text, ByteOrder::Little, Bom::Without), of_little);
        if c != '\u{FFFE}' {
            // At the head of a text that character is a signature of the other order: see below.
            assert_eq!(big.decode_strict(&of_big).as_deref(), Ok(&*text));
            assert_eq!(little.decode_strict(&of_little).as_deref(), Ok(&*text));
        }
        before = octets;
    }
    let all: String = ('\0'..=char::MAX).collect();
    for label in ["utf-7", "utf-8", "utf-16", "utf-32", "utf-32le"] {
        let octets = charset(label).encode(&all).expect("Unicode");
        assert!(charset(label).decode_strict(&octets).as_deref() == Ok(&*all), "{label}");
    }
}

#[test]
fn one_way_to_write_a_character_and_names_for_the_others() {
    let edges = LAST.iter().flat_map(|last| [*last, last.wrapping_add(1) & 0x7FFF_FFFF]);
    for value in edges.chain([
        0,
        0x2F,
        0xAF,
        0x20AC,
        0xD7FF,
        0xE000,
        0xFFFD,
        0x10_FFFF,
        0x11_0000,
        0x7FFF_0000,
    ]) {
        for octets in shortest(value)..=6 {
            let sequence = sequence(value, octets);
            let fault = utf8::faults(&sequence).next();
            let code = match (octets > shortest(value), octets) {
                (_, 5) => Code::Decode(DecodeFault::Utf8FiveOctets),
                (_, 6) => Code::Decode(DecodeFault::Utf8SixOctets),
                (true, _) => Code::Decode(DecodeFault::Utf8Overlong),
                (false, _) if value > 0x10_FFFF => Code::Decode(DecodeFault::Utf8TooLarge),
                (false, _) => {
                    assert_eq!(fault, None, "{sequence:02X?}");
                    continue;
                }
            };
            let fault = fault.expect("ill-formed");
            assert_eq!(
                (Code::from(fault.kind()), fault.span().len(), fault.value()),
                (code, octets, Some(value))
            );
            let error = utf8::decode_strict(&sequence).expect_err("ill-formed");
            assert_eq!((error.code(), error.offset(), error.value()), (code, 0, Some(value)));
        }
    }
}

#[test]
fn surrogates_are_no_characters() {
    for value in 0xD800..0xE000_u32 {
        let octets = sequence(value, 3);
        let fault = utf8::faults(&octets).next().expect("ill-formed");
        assert_eq!((fault.kind(), fault.value()), (DecodeFault::Utf8Surrogate, Some(value)));
        assert_eq!(Form::of(&octets), Some(Form::Wtf8));
        let unit = [(value >> 8) as u8, value as u8];
        let error = utf16::decode_strict(&unit, Label::WithBom).expect_err("half a pair");
        assert_eq!(
            (error.code(), error.value()),
            (Code::Decode(DecodeFault::UnpairedSurrogate), Some(value)),
            "RFC 2781, 2.2"
        );
    }
    assert_eq!(Form::of(b"\xED\xA1\x8C\xED\xBE\xB4"), Some(Form::Cesu8));
    assert_eq!(Form::of(b"\xC0\x80").map(Form::name), Some("Modified UTF-8"));
    let cesu = Charset::for_label("cesu-8").expect("registered");
    assert_eq!(cesu.decode_strict(b"\xED\xA1\x8C\xED\xBE\xB4").as_deref(), Ok("\u{233B4}"));
}

#[test]
fn octets_that_begin_no_character() {
    for lead in 0x80..=0xFF_u8 {
        let never = matches!(lead, 0x80..=0xC1 | 0xF5..=0xFF);
        let begins = (0x80..=0xBF_u8).any(|second| {
            (1..4).any(|octets| utf8::decode_strict(&[lead, second, 0x80, 0x80][..=octets]).is_ok())
        });
        assert_eq!(begins, !never, "{lead:02X}");
    }
    for never in [0xFE, 0xFF] {
        let error = utf8::decode_strict(&[never]).expect_err("never appears");
        assert_eq!(error.code(), Code::Decode(DecodeFault::Utf8NeverAppears));
    }
}

#[test]
fn characters_are_found_from_anywhere() {
    let text = "A≢Α. 한국어 日本語 \u{233B4}é$¢€𐍈";
    for start in 0..text.len() {
        let rest = utf8::decode(&text.as_bytes()[start..], Default::default());
        let whole = (start..).find(|at| text.is_char_boundary(*at)).expect("the end is one");
        assert!(whole - start <= 3);
        assert_eq!(rest.text(), "\u{FFFD}".repeat(whole - start) + &text[whole..]);
    }
    for end in 0..text.len() {
        let cut = utf8::decode(&text.as_bytes()[..end], Default::default());
        let whole = (0..=end).rev().find(|at| text.is_char_boundary(*at)).expect("0 is one");
        assert_eq!(
            cut.text(),
            text[..whole].to_owned() + if whole < end { "\u{FFFD}" } else { "" }
        );
    }
}

#[test]
fn paths_are_not_smuggled() {
    // draft-yergeau-rfc2279bis-00, 8.
    for octets in [&b"\x2F\xC0\xAE\x2E\x2F"[..], b"\xC0\x80", b"\xE0\x80\xAE", b"\xF0\x80\x80\xAF"]
    {
        let text = utf8::decode(octets, Default::default()).into_text();
        assert!(
            !text.contains("..") && !text.contains('\0') && utf8::decode_strict(octets).is_err()
        );
    }
}

/// RFC 2781, 4.3: big-endian *should* be assumed without a signature; text readable only in the
/// other order is in that.
#[test]
fn the_order_without_a_byte_order_mark_is_the_one_that_reads() {
    let unordered = Charset::for_label("utf-16").expect("known");
    let long = "Guten Tag, \u{4F1A}\u{8BAE} \u{1F600}\r\n".repeat(60);
    for text in [
        "Gr\u{FC}\u{DF}e",
        "\u{4F1A}\u{8BAE}\u{5B89}\u{6392}",
        "\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}",
        &long,
    ] {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let octets = utf16::encode(text, order, Bom::Without);
            assert_eq!(unordered.decode_strict(&octets).as_deref(), Ok(text), "{order:?}");
            // However the octets are cut, and with a fault in them as without.
            for octets in [
                &octets[..],
                &octets[..octets.len() - 1],
                &[&octets[..], &octets[..1], &octets].concat(),
            ] {
                let whole = unordered.decode(octets);
                for size in [1, 2, 3, 7, 255, 511, 512, 513] {
                    for strict in [false, true] {
                        let policy = if strict { Malformed::Strict } else { Malformed::Replace };
                        let read = |size: usize| {
                            let (mut decoder, mut text) =
                                (unordered.decoder().on_malformed(policy), String::new());
                            octets.chunks(size).for_each(|chunk| decoder.push(chunk, &mut text));
                            (decoder.finish(&mut text), text)
                        };
                        assert_eq!(read(size).1, read(octets.len()).1, "{size}");
                        assert!(strict || read(size) == read(octets.len()), "{size}");
                        assert!(strict || read(size).1 == whole.text());
                    }
                }
            }
        }
    }
    // The codec itself follows the RFC.
    assert_eq!(utf16::decode(b"N\0", Label::WithBom).text(), "\u{4E00}");
    assert_eq!(unordered.decode(b"N\0").text(), "N");
    assert_eq!(unordered.decode(b"").text(), "");
}

#[test]
fn orders_and_byte_order_marks() {
    // RFC 2781, 3.1: 258 is 0102.
    assert_eq!(utf16::encode("\u{102}", ByteOrder::Big, Bom::Without), [1, 2]);
    assert_eq!(utf16::encode("\u{102}", ByteOrder::Little, Bom::Without), [2, 1]);
    // 3.2: a signature is the first two octets and nothing else.
    let (big, little) = (Label::Ordered(ByteOrder::Big), Label::Ordered(ByteOrder::Little));
    for (octets, label, text) in [
        (&b"\xFE\xFF\x01\x02\xFE\xFF"[..], Label::WithBom, "\u{102}\u{FEFF}"),
        (b"\xFF\xFE\x02\x01\xFF\xFE", Label::WithBom, "\u{102}\u{FEFF}"),
        (b"\x01\x02\xFE\xFF", Label::WithBom, "\u{102}\u{FEFF}"),
        (b"\xFE\xFF\x01\x02", big, "\u{FEFF}\u{102}"),
        (b"\xFF\xFE\x02\x01", little, "\u{FEFF}\u{102}"),
        (b"\xFE\xFF", Label::WithBom, ""),
        (b"", Label::WithBom, ""),
    ] {
        assert_eq!(
            utf16::decode_strict(octets, label).as_deref(),
            Ok(text),
            "{octets:02X?} {label:?}"
        );
    }
    for (octets, label) in [(b"\xFF\xFE\x01\x02", big), (b"\xFE\xFF\x02\x01", little)] {
        let error = utf16::decode_strict(octets, label).expect_err("4.1 and 4.2");
        assert_eq!((error.code(), error.offset()), (Code::Decode(DecodeFault::WrongByteOrder), 0));
    }
    // 3.3: a signature under the label that does not name the order, and under no other.
    let encoded = |label: &str| {
        Charset::for_label(label).expect("known").encode("a").expect("Unicode").into_owned()
    };
    assert_eq!(encoded("utf-16"), b"\xFE\xFF\0a");
    assert_eq!((encoded("utf-16be"), encoded("utf-16le")), (b"\0a".to_vec(), b"a\0".to_vec()));
    assert_eq!(utf16::encode("a", ByteOrder::Little, Bom::With), b"\xFF\xFEa\0");
    assert_eq!(utf16::encode("", ByteOrder::Big, Bom::With), b"\xFE\xFF");
    // Joined pieces have no signature between them.
    let mut encoder = Charset::for_label("utf-16").expect("known").encoder();
    let mut octets = Vec::new();
    ["a", "", "b"].iter().for_each(|piece| encoder.push(piece, &mut octets).expect("Unicode"));
    encoder.finish(&mut octets);
    assert_eq!(octets, b"\xFE\xFF\0a\0b");
}
