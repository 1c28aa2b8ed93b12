//! The laws of every charset: no octets make it panic, chunks do not matter, and what is written
//! reads the same.

use std::borrow::Cow;

use sevenbit::{Charset, Malformed};

use crate::shared_laws::charset as laws_of;

/// A small generator, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

fn decodable() -> impl Iterator<Item = Charset> {
    Charset::all().filter(|charset| charset.is_decodable())
}

#[track_caller]
fn must(law: Result<(), String>) {
    law.unwrap_or_else(|why| panic!("{why}"));
}

/// Octets that mean something to charsets with shifts, and noise.
fn noise(random: &mut Random, len: usize) -> Vec<u8> {
    const PIECES: [&[u8]; 36] = [
        b"\x1B$B",
        b"\x1B(B",
        b"\x1B(J",
        b"\x1B(I",
        b"\x1B$)C",
        b"\x0E",
        b"\x0F",
        b"\x1B$*H",
        b"\x1BN",
        b"\x1BO",
        b"\x1B$(Q",
        b"\x1B.A",
        b"\x1B.F",
        b"\x1B$@",
        b"\x1B&@",
        b"\x1B$(D",
        b"\x1B$+I",
        b"\x1B$)A",
        b"\x1B",
        b"~{",
        b"~}",
        b"~",
        b"~\n",
        b"\n",
        b"\r\n",
        b"text",
        b"F|K\\",
        b"\xB0\xA1",
        b"\x8E\xA2\xA1\xA1",
        b"\x81\x30\x81\x30",
        b"\xED\xA0\x80\xED\xB0\x80",
        b"+2D3cqQ-",
        b"\xFE\xFF",
        b"\xFF\xFE\0\0",
        b"a^'",
        b"\xA6\xB8\xA1",
    ];
    let mut octets = Vec::new();
    while octets.len() < len {
        match random.below(3) {
            0 => octets.push(random.next() as u8),
            1 => octets.push(0x20 + random.below(0x60) as u8),
            _ => octets.extend(PIECES[random.below(PIECES.len())]),
        }
    }
    octets
}

#[test]
fn chunks_do_not_matter_and_spans_lie_in_the_input() {
    let mut random = Random(0x5EED);
    for charset in decodable() {
        for len in [0, 1, 2, 3, 7, 40] {
            let octets = noise(&mut random, len);
            must(laws_of::spans_lie_in_the_input(charset, &octets));
            for at in 0..=octets.len() {
                let (front, back) = octets.split_at(at);
                must(laws_of::chunks_do_not_matter(charset, &[b"", front, b"", back, b""]));
            }
            must(laws_of::chunks_do_not_matter(charset, &octets.chunks(1).collect::<Vec<_>>()));
        }
    }
}

#[test]
fn code_units_are_of_the_same_text() {
    let mut random = Random(0xDEC0DE);
    for charset in decodable() {
        for len in [0, 1, 2, 5, 30, 30, 30] {
            let octets = noise(&mut random, len);
            must(laws_of::code_units_are_of_the_same_text(charset, &octets));
            let text = String::from_utf8_lossy(&octets).repeat(9);
            let carried = charset.encode(&text).map(Cow::into_owned).unwrap_or_default();
            must(laws_of::code_units_are_of_the_same_text(charset, &carried));
        }
    }
}

#[test]
fn strict_and_lenient_agree() {
    let mut random = Random(0xFACE);
    for charset in decodable() {
        for len in [1, 2, 5, 30] {
            must(laws_of::strict_and_lenient_agree(charset, &noise(&mut random, len)));
        }
    }
}

#[test]
fn a_strict_decoder_stops_before_the_first_loss() {
    let mut random = Random(0xBAD);
    for charset in decodable() {
        // In UTF-7 the fault is a whole shifted sequence, part of which may have been read.
        let exact = !charset.name().contains("UTF-7");
        for len in [0, 1, 3, 9, 40, 900] {
            let octets = noise(&mut random, len);
            let strict = |size: usize| {
                let mut decoder = charset.decoder().on_malformed(Malformed::Strict);
                let mut text = String::new();
                octets.chunks(size).for_each(|chunk| decoder.push(chunk, &mut text));
                let losses = decoder.finish(&mut text).into_iter().map(|issue| issue.span().start);
                (text, losses.min())
            };
            let (text, _) = strict(octets.len().max(1));
            let lenient = charset.decode(&octets);
            let rest = lenient.text().strip_prefix(&*text);
            let rest = rest.unwrap_or_else(|| panic!("{charset}: {octets:02X?}: {text:?}"));
            match charset.decode_strict(&octets) {
                Ok(whole) => assert_eq!(whole, text),
                Err(_) if exact => {
                    assert!(rest.starts_with('\u{FFFD}'), "{charset}: {octets:02X?}: {rest:?}")
                }
                Err(_) => assert!(rest.contains('\u{FFFD}')),
            }
            if exact {
                assert_eq!(strict(1).0, text, "{charset}: {octets:02X?}");
                assert_eq!(strict(7).0, text, "{charset}: {octets:02X?}");
            }
        }
    }
}

#[test]
fn every_character_that_is_written_reads_the_same() {
    for charset in decodable() {
        let (mut encoder, mut octets, mut carried) = (charset.encoder(), Vec::new(), Vec::new());
        for c in ('\0'..='\u{2FFFF}').chain('\u{E0000}'..='\u{E01FF}').chain(['\u{10FFFF}']) {
            match encoder.push(c.encode_utf8(&mut [0; 4]), &mut octets) {
                Ok(()) => carried.push(c),
                Err(error) => assert_eq!(error.character(), Some(c), "{charset}"),
            }
        }
        encoder.finish(&mut octets);
        assert!(carried.len() > 34, "{charset} writes {}", carried.len());
        let back = charset.decode(&octets);
        let different = back.text().chars().zip(&carried).find(|(back, c)| back != *c);
        assert_eq!(different, None, "{charset}");
        assert_eq!(back.text().chars().count(), carried.len(), "{charset}");
        must(laws_of::code_units_are_of_the_same_text(charset, &octets));
        texts_read_the_same(charset, &carried);
    }
}

/// Characters in a row: the state after one must not change the next.
fn texts_read_the_same(charset: Charset, carried: &[char]) {
    let mut random = Random(0xCAFE);
    for _ in 0..60 {
        let text: String = (0..24).map(|_| carried[random.below(carried.len())]).collect();
        must(laws_of::what_is_written_reads_the_same(charset, &text));
    }
}

/// Found by the fuzzer.
#[test]
fn letters_of_two_octets_beside_the_letter_they_begin_with() {
    let viqr = Charset::for_label("viqr").unwrap();
    for text in ["Dđ", "dđ", "DĐ", "dĐ", "đd", "Đđ", "DDđ"] {
        must(laws_of::what_is_written_reads_the_same(viqr, text));
    }
}

#[test]
fn every_octet_sequence_that_is_read_is_written_again() {
    // Characters of a superset are not written under the narrower label; nor, in TSCII, a vowel
    // sign that hangs before a dead consonant, which no Tamil text has.
    let narrow = [
        "ISO-8859-1",
        "ISO-8859-9",
        "TIS-620",
        "GB2312",
        "GB_2312-80",
        "GBK",
        "EUC-KR",
        "EUC-JP",
        "CP51932",
        "Big5",
        "TSCII",
    ];
    for charset in decodable().filter(|charset| !narrow.contains(&charset.name())) {
        let lead = |octet: &u8| charset.decode_strict(&[*octet]).ok().is_none();
        let singles = (0..=0xFF_u8).map(|octet| vec![octet]);
        let pairs = (0..=0xFF_u8)
            .filter(lead)
            .flat_map(|lead| (0..=0xFF_u8).map(move |second| vec![lead, second]));
        let (mut same, mut other) = (0, 0);
        for octets in singles.chain(pairs) {
            let Some(text) = charset.decode_strict(&octets).ok().map(String::from) else {
                continue;
            };
            match charset.encode(&text) {
                Ok(again) if *again == *octets => same += 1,
                Ok(again) => {
                    assert_eq!(
                        charset.decode_strict(&again).ok().as_deref(),
                        Some(&*text),
                        "{charset}: {octets:02X?}"
                    );
                    other += 1;
                }
                Err(error) => panic!("{charset}: {octets:02X?} is {text:?}: {error}"),
            }
        }
        let longer = charset.name().starts_with("UTF-32") || charset.name().ends_with("UCS-4");
        assert!(longer || same + other > 34, "{charset}: {same} {other}");
    }
}
