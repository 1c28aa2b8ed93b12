//! The encoders of charsets that are tables, compared with encoding_rs and with what the charsets
//! read.

use std::collections::BTreeMap;

use encoding_rs::{EncoderResult, Encoding};
use sevenbit::{Charset, Substitution};

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap_or_else(|| panic!("{label} is not known"))
}

fn written(charset: Charset, c: char) -> Option<Vec<u8>> {
    charset.encode_code_units(c.encode_utf16(&mut [0; 2]))
}

/// The octets that encoding_rs writes, unless `charset` would read them as another character.
fn standard(encoding: &'static Encoding, charset: Charset, c: char) -> Option<Vec<u8>> {
    let (mut utf8, mut octets) = ([0; 4], Vec::with_capacity(16));
    let text = c.encode_utf8(&mut utf8);
    let (result, _) =
        encoding.new_encoder().encode_from_utf8_to_vec_without_replacement(text, &mut octets, true);
    let reads = || charset.decode_strict(&octets).ok().is_some_and(|back| back == *text);
    (result == EncoderResult::InputEmpty && reads()).then_some(octets)
}

/// Everything that one to three octets can mean.
fn read(charset: Charset) -> BTreeMap<char, Vec<Vec<u8>>> {
    let is_lead = |octet: u8| charset.decode_strict(&[octet]).ok().is_none() || octet == 0x80;
    let leads: Vec<u8> = (0x80..=0xFF).filter(|&octet| is_lead(octet)).collect();
    let pairs = leads.iter().flat_map(|&lead| (0x40..=0xFF_u8).map(move |trail| vec![lead, trail]));
    let triples =
        (0xA1..=0xFE_u8).flat_map(|row| (0xA1..=0xFE_u8).map(move |cell| vec![0x8F, row, cell]));
    let mut all: BTreeMap<char, Vec<Vec<u8>>> = BTreeMap::new();
    for octets in (0..=0xFF_u8).map(|octet| vec![octet]).chain(pairs).chain(triples) {
        let text = charset.decode_strict(&octets).ok().unwrap_or_default();
        let mut chars = text.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            all.entry(c).or_default().push(octets.clone());
        }
    }
    all
}

/// All characters that may be one octet, which are one unit of UTF-16 each, and some of the others.
fn scalars() -> impl Iterator<Item = char> {
    ('\0'..='\u{FFFF}').chain(('\u{10000}'..=char::MAX).step_by(61))
}

const DOUBLE: [&str; 5] = ["GBK", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR"];

#[test]
fn characters_of_single_octets_are_written_as_the_encoding_standard_says() {
    let singles = Charset::all().filter_map(|charset| {
        let encoding = Encoding::for_label_no_replacement(charset.name().as_bytes())?;
        let same =
            encoding.is_single_byte() && charset.name().eq_ignore_ascii_case(encoding.name());
        same.then_some((charset, encoding))
    });
    let mut compared = 0;
    for (charset, encoding) in singles {
        for c in scalars() {
            assert_eq!(
                written(charset, c),
                standard(encoding, charset, c),
                "{charset} U+{:04X}",
                c as u32
            );
        }
        compared += 1;
    }
    assert!(compared > 24, "{compared}");
}

/// Some labels write more, namely characters that they read; EUC-KR writes fewer.
#[test]
fn characters_of_two_octets_are_written_as_the_encoding_standard_says() {
    for label in DOUBLE {
        let (charset, encoding) = (charset(label), Encoding::for_label(label.as_bytes()).unwrap());
        let read = read(charset);
        assert!(read.len() > 8_000, "{charset}: {}", read.len());
        for c in '\0'..=char::MAX {
            let ours = written(charset, c);
            let Some(codes) = read.get(&c) else {
                assert_eq!(ours, None, "{charset} U+{:04X}", c as u32);
                continue;
            };
            assert!(
                ours.as_ref().is_none_or(|ours| codes.contains(ours)),
                "{charset} {c} {ours:02X?}"
            );
            let private = ('\u{E000}'..='\u{E757}').contains(&c);
            match standard(encoding, charset, c) {
                None if label == "EUC-JP" => {
                    assert_eq!(ours.map_or(0, |ours| ours[0]), 0x8F, "{c}")
                }
                None if label == "Shift_JIS" && private => {
                    assert!(ours.is_some(), "U+{:04X}", c as u32)
                }
                Some(octets)
                    if label == "EUC-KR"
                        && octets.iter().any(|octet| (0x80..0xA1).contains(octet)) =>
                {
                    assert_eq!(ours, None, "{c}");
                }
                Some(octets) if label == "EUC-KR" && octets.len() == 2 && octets[1] < 0x80 => {
                    assert_eq!(ours, None, "{c}");
                }
                standard => assert_eq!(ours, standard, "{charset} {c} U+{:04X}", c as u32),
            }
        }
    }
}

#[test]
fn gb_18030_is_written_as_the_encoding_standard_says() {
    let charset = charset("gb18030");
    for c in '\0'..=char::MAX {
        let standard = standard(encoding_rs::GB18030, charset, c);
        assert_eq!(written(charset, c), standard, "U+{:04X}", c as u32);
    }
}

#[test]
fn the_places_of_hong_kong_are_those_that_others_write() {
    let (big5, hkscs) = (charset("big5"), charset("big5-hkscs"));
    for c in '\0'..=char::MAX {
        let narrow = big5.encode(c.encode_utf8(&mut [0; 4])).ok().map(Vec::from);
        let wide = hkscs.encode(c.encode_utf8(&mut [0; 4])).ok().map(Vec::from);
        assert!(narrow.is_none() || narrow == wide, "{c}");
    }
    // As Python and the GNU C library do; each has another code as well.
    let two = "弌9361瀞96EE牐9455瑨947A蔃9242蠏8FB6覩A0D4鍮A05F靝9CE4鼗91BE";
    let mut rest = two;
    while let Some(c) = rest.chars().next() {
        let (code, after) = rest[c.len_utf8()..].split_at(4);
        let octets = u16::from_str_radix(code, 16).unwrap().to_be_bytes();
        assert_eq!(hkscs.encode(c.encode_utf8(&mut [0; 4])).unwrap(), octets.as_slice(), "{c}");
        rest = after;
    }
}

#[test]
fn tables_of_our_own_write_what_they_read() {
    let mut compared = 0;
    let tables = Charset::all().filter(|charset| charset.encode_code_units(&[]).is_some());
    for charset in
        tables.filter(|charset| written(*charset, '字').or(written(*charset, '가')).is_none())
    {
        let mut read = BTreeMap::new();
        for octet in 0..=0xFF_u8 {
            let octets = [octet];
            let text = charset.decode_strict(&octets).ok().unwrap_or_default();
            text.chars().for_each(|c| _ = read.entry(c).or_insert(vec![octet]));
        }
        // Characters of a superset are not written under the narrower label.
        let narrow = ["ISO-8859-1", "ISO-8859-9", "TIS-620"].contains(&charset.name());
        read.retain(|_, octets| !narrow || !(0x80..0xA0).contains(&octets[0]));
        for c in scalars() {
            assert_eq!(written(charset, c).as_ref(), read.get(&c), "{charset} U+{:04X}", c as u32);
        }
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}

/// What is written beyond the charset that a label names, and what is not: docs/charsets.md says so.
#[test]
fn exceptions_are_those_of_the_page() {
    for (label, text) in
        [("shift_jis", "①髙"), ("euc-jp", "①髙"), ("iso-2022-jp", "①髙ｱ"), ("gb2312", "€")]
    {
        let charset = charset(label);
        let octets = charset.encode(text).unwrap();
        assert_eq!(charset.decode(&octets).text(), text, "{label}");
    }
    for (label, text) in [("gb2312", "朆"), ("euc-kr", "똠"), ("tis-620", "€"), ("iso-8859-1", "€")]
    {
        assert!(charset(label).encode(text).is_err(), "{text} under {label}");
    }
    for label in ["shift_jis", "euc-jp", "iso-2022-jp"] {
        for text in ["〜", "−", "‖", "¢", "£", "¬"] {
            assert!(charset(label).encode(text).is_err(), "{text} under {label}");
        }
    }
}

/// Text is written in pieces, and those in blocks: a missing character is found wherever it is.
#[test]
fn the_error_names_the_offset_of_a_missing_character() {
    let lines = [
        ("windows-1252", "Grüße, 20 €.\n", '語'),
        ("windows-1252", "Grüße\0, 20 €.\n", '\u{1F600}'),
        ("shift_jis", "メールの文字\n", '한'),
        ("gb18030", "你好 안녕 \u{1F600}\n", '\u{E5E5}'),
        ("big5-hkscs", "電郵\u{20021}Ê̄\n", '한'),
        ("us-ascii", "plain words\n", 'é'),
    ];
    for (label, line, missing) in lines {
        let (charset, whole) = (charset(label), line.repeat(6_000 / line.len()));
        let octets = charset.encode(&whole).unwrap().into_owned();
        let units: Vec<u16> = whole.encode_utf16().collect();
        assert!(
            charset.encode_code_units(&units).is_none_or(|by_units| by_units == octets),
            "{label}"
        );
        for (at, _) in whole.char_indices() {
            let text = format!("{}{missing}{}", &whole[..at], &whole[at..]);
            let (mut encoder, mut before) = (charset.encoder(), Vec::new());
            let error = encoder.push(&text, &mut before).unwrap_err();
            assert_eq!((error.offset(), error.character()), (at, Some(missing)), "{label}");
            encoder.finish(&mut before);
            assert_eq!(before, *charset.encode(&whole[..at]).unwrap(), "{label}");
        }
    }
}

/// Before, characters at 80-9F in windows-1252 were written as they are there if another missing
/// one followed.
#[test]
fn what_a_narrow_label_lacks_is_substituted_each_time() {
    for (label, text) in [("iso-8859-1", "€語€"), ("iso-8859-9", "€語Œ"), ("tis-620", "€語…")]
    {
        let mut encoder = charset(label).encoder().substituting(Substitution::QuestionMark);
        let mut octets = Vec::new();
        encoder.push(text, &mut octets).unwrap();
        encoder.finish(&mut octets);
        assert_eq!(octets.escape_ascii().to_string(), "???", "{label}");
        assert_eq!(charset(label).encode(text).unwrap_err().offset(), 0, "{label}");
    }
}
