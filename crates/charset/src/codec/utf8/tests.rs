//! The vectors at every split, and the results compared with those of the standard library.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

const VECTORS: &str = include_str!("../../../../../corpus/vectors/utf8.json");

fn cases(kind: &str) -> Vec<Value> {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    vectors[kind].as_array().expect("a list of cases").clone()
}

fn octets_of(case: &Value) -> Vec<u8> {
    let hex = case["hex"].as_str().expect("octets");
    hex.split(' ').map(|octet| u8::from_str_radix(octet, 16).expect("hexadecimal")).collect()
}

/// The result of reading: the text, and code, span and detail of each issue.
type Reading = (String, Vec<(&'static str, usize, usize, String)>);

fn reading(text: String, issues: &[crate::Issue]) -> Reading {
    let issue = |i: &crate::Issue| {
        (i.code().as_str(), i.span().start, i.span().end, i.detail().to_string())
    };
    (text, issues.iter().map(issue).collect())
}

fn in_chunks<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, decoder: &Decoder) -> Reading {
    let (mut decoder, mut text, mut tally) = (decoder.clone(), String::new(), Tally::default());
    for chunk in chunks {
        decoder.decode(chunk, false, &mut text, &mut tally);
    }
    decoder.decode(b"", true, &mut text, &mut tally);
    reading(text, &tally.into_issues())
}

fn at_once(octets: &[u8], decoder: &Decoder) -> Reading {
    let (mut text, mut tally) = (String::new(), Tally::default());
    decoder.clone().decode(octets, true, &mut text, &mut tally);
    reading(text, &tally.into_issues())
}

fn at_every_split(octets: &[u8], decoder: &Decoder) -> Reading {
    let whole = at_once(octets, decoder);
    for at in 0..=octets.len() {
        let (head, tail) = octets.split_at(at);
        assert_eq!(in_chunks([head, b"", tail], decoder), whole, "{octets:X?} split at {at}");
        let (mut decoder, mut text, mut tally) = (decoder.clone(), String::new(), Tally::default());
        decoder.decode(head, false, &mut text, &mut tally);
        decoder.decode(tail, true, &mut text, &mut tally);
        assert_eq!(
            reading(text, &tally.into_issues()),
            whole,
            "{octets:X?} split at {at}, last not empty"
        );
    }
    assert_eq!(in_chunks(octets.chunks(1), decoder), whole, "{octets:X?} octet by octet");
    whole
}

#[test]
fn well_formed_vectors() {
    for case in cases("well_formed") {
        let octets = octets_of(&case);
        let text = case["text"].as_str().expect("a text");
        assert_eq!(
            at_every_split(&octets, &Decoder::new(Malformed::Replace)),
            (text.into(), vec![])
        );
        assert!(matches!(decode(&octets, Malformed::Replace).into_strict(), Ok(Cow::Borrowed(_))));
        if let Some(without) = case["without_signature"].as_str() {
            assert_eq!(
                text.strip_prefix('\u{FEFF}'),
                Some(without),
                "a signature stays; who knows better takes it"
            );
        }
    }
}

#[test]
fn ill_formed_vectors() {
    for case in cases("ill_formed") {
        let octets = octets_of(&case);
        let (text, issues) = at_every_split(&octets, &Decoder::new(Malformed::Replace));
        assert_eq!(Some(text.as_str()), case["replace"].as_str(), "{case}");
        if let Some(code) = case["code"].as_str() {
            let codes: Vec<&str> = issues.iter().map(|(code, ..)| *code).collect();
            assert_eq!(codes, [code], "{case}");
        }
        let form = match case["form"].as_str() {
            Some("modified-utf-8") => Some(Form::ModifiedUtf8),
            Some("cesu-8") => Some(Form::Cesu8),
            _ => None,
        };
        assert_eq!(Form::of(&octets), form, "{case}");
    }
}

#[test]
fn policies() {
    for case in cases("policies") {
        let octets = octets_of(&case);
        let read = |malformed| {
            let (text, _) = at_every_split(&octets, &Decoder::new(malformed));
            assert_eq!(decode(&octets, malformed).text(), text);
            text
        };
        assert_eq!(Some(read(Malformed::Replace).as_str()), case["replace"].as_str());
        assert_eq!(Some(read(Malformed::Latin1).as_str()), case["latin1"].as_str());
        assert_eq!(Some(read(Malformed::Windows1252).as_str()), case["windows-1252"].as_str());
        let units: Vec<String> =
            to_utf8b(&octets).iter().map(|unit| format!("{unit:04X}")).collect();
        assert_eq!(Some(units.join(" ").as_str()), case["utf8b_utf16"].as_str());
    }
}

#[test]
fn faults_say_what_they_stood_for() {
    let detail =
        |octets: &[u8]| decode(octets, Malformed::Replace).issues()[0].detail().to_string();
    assert_eq!(detail(b"\xF8\x88\x80\x80\x80"), "UCS-4 value 00200000");
    assert_eq!(detail(b"\xFC\x84\x80\x80\x80\x80"), "UCS-4 value 04000000");
    assert_eq!(detail(b"\xF4\x90\x80\x80"), "UCS-4 value 00110000");
    assert_eq!(detail(b"\xC0\x80"), "Modified UTF-8 NUL");
    assert_eq!(detail(b"\xE0\x80\xAF"), "U+002F in 3 octets");
    assert_eq!(detail(b"\xED\xA1\x8C\xED\xBE\xB4"), "CESU-8 form of U+233B4");
    assert_eq!(detail(b"\xED\xA1\x8Cx"), "WTF-8 form of D84C");
    assert_eq!(detail(b"\xE2\x82"), "");
    let error = decode_strict(b"ab\xFC\x84\x80\x80\x80\x80").expect_err("ill-formed");
    assert_eq!(
        (error.kind(), error.offset(), error.value()),
        (crate::ErrorKind::Decode(crate::DecodeFault::Utf8SixOctets), 2, Some(0x400_0000))
    );
}

#[test]
fn faults_come_one_after_the_other() {
    let octets = b"a\xC0\x80\xC3\xA9\xED\xA1\x8C\xED\xBE\xB4\x80\xE2\x82";
    let found: Vec<_> = faults(octets)
        .map(|f| (crate::Code::from(f.kind()).as_str(), f.span().start, f.value()))
        .collect();
    let expected = [
        ("utf8-overlong", 1, Some(0)),
        ("utf8-surrogate", 5, Some(0x233B4)),
        ("utf8-unexpected-continuation", 11, Some(0x80)),
        ("utf8-truncated", 12, None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn words_are_letters_and_enough_of_them() {
    for words in [&b"badcharsetname"[..], b"Re: your order 12", b"A word and another one"] {
        assert!(super::is_words(words), "{}", words.escape_ascii());
    }
    // Chinese in UTF-16, hiragana in UTF-16, something short, a control, and an octet that is not
    // US-ASCII.
    for other in [
        &b"geNKQvRM"[..],
        b"0B0U0c0f0A0D0F0H",
        b"thirteen oct.",
        b"badcharset\0name",
        b"badcharsetn\xE4me",
    ] {
        assert!(!super::is_words(other), "{}", other.escape_ascii());
    }
}

#[test]
fn text_that_was_cut_is_still_utf_8() {
    for cut in [
        &b"Price 5 \xE2\x82"[..],
        b"Price \xE2\x80 5",
        b"Hello \xF0\x9F\x98",
        b"Hello \xED\xA0\xBD\xED\xB8\x80 you",
        b"Caf\xC3\xA9 au lait \xC3\xA0 Paris \xC3",
        b"na\xC3 r\xC3\xA9sum\xC3\xA9",
        b"\xE4\xBD\xA0\xE5\xA5",
        b"\xD0\x9F\xD1\x80\xD0",
    ] {
        assert!(super::is_surely_cut(cut), "{}", cut.escape_ascii());
    }
    for other in [
        &b""[..],
        b"plain",
        "café".as_bytes(),
        b"IRM\xC3",
        b"caf\xE9\x92s",
        b"Beyonc\xE9\x94",
        b"\xE9\xA1\xCC",
        b"\xC4\xE3\xBA\xC3",
        b"\xCF\xF0\xE8\xE2\xE5\xF2",
        b"\xC3\xA9 \xFF",
        b"\xE0\xA0demain",
    ] {
        assert!(!super::is_surely_cut(other), "{}", other.escape_ascii());
    }
}

#[test]
fn relatives_are_distinguished() {
    assert_eq!(Form::of("plain, привет".as_bytes()), None);
    assert_eq!(Form::of(b"a\xED\xA1\x8Cb"), Some(Form::Wtf8));
    assert_eq!(Form::of(b"a\xED\xBE\xB4b"), Some(Form::Wtf8));
    assert_eq!(Form::of(b"\xED\xA1\x8C\xED\xBE\xB4\xC0\x80"), Some(Form::ModifiedUtf8));
    assert_eq!(Form::of(b"\xED\xA1\x8C\xED\xBE\xB4\xFF"), None);
    let read = at_every_split(b"a\xC0\x80\xED\xA1\x8C\xED\xBE\xB4\xED\xA1\x8Cb", &Decoder::cesu8());
    assert_eq!(read.0, "a\0\u{233B4}\u{FFFD}\u{FFFD}\u{FFFD}b");
}

fn octets() -> impl Strategy<Value = Vec<u8>> {
    let lead = proptest::sample::select(vec![
        0x41, 0x80, 0xBF, 0xC0, 0xC3, 0xE0, 0xE2, 0xED, 0xF0, 0xF1, 0xF4, 0xF5, 0xF8, 0xFC, 0xFE,
    ]);
    let tail = proptest::collection::vec(
        proptest::sample::select(vec![0x80_u8, 0x90, 0x9F, 0xA0, 0xB0, 0xBF]),
        0..6,
    );
    let sequence = (lead, tail).prop_map(|(lead, tail)| [&[lead][..], &tail].concat());
    let text = ".{0,40}".prop_map(String::into_bytes);
    proptest::collection::vec(prop_oneof![sequence, text], 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn replaces_as_the_standard_library_does(octets in octets()) {
        prop_assert_eq!(at_every_split(&octets, &Decoder::new(Malformed::Replace)).0, String::from_utf8_lossy(&octets));
        at_every_split(&octets, &Decoder::cesu8());
    }

    #[test]
    fn one_verdict(octets in octets()) {
        let strict = decode_strict(&octets);
        prop_assert_eq!(strict.clone().ok(), std::str::from_utf8(&octets).ok());
        let stopped = decode(&octets, Malformed::Strict);
        let valid = std::str::from_utf8(&octets).map_or_else(|error| error.valid_up_to(), str::len);
        prop_assert_eq!(stopped.text().len(), valid);
        prop_assert_eq!(stopped.into_strict().err(), strict.err());
        let replaced = decode(&octets, Malformed::Replace);
        let starts = replaced.issues().iter().map(|issue| (issue.code(), issue.span().start, issue.value()));
        for (code, start, value) in starts {
            let first = faults(&octets).find(|fault| crate::Code::from(fault.kind()) == code).expect("a fault");
            prop_assert_eq!((first.span().start, first.value()), (start, value));
        }
    }

    #[test]
    fn well_formed_starts_and_damage_are_seen_chunk_by_chunk(octets in octets(), again in 1_usize..9) {
        let octets = octets.repeat(again);
        let chunks = || octets.utf8_chunks();
        prop_assert_eq!(super::valid_start(&octets), chunks().next().map_or("", |first| first.valid()));
        let sequences = |chunk: std::str::Utf8Chunk<'_>| chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        let mut counts = (0, 0);
        let is_hopeless = chunks().any(|chunk| {
            counts = (counts.0 + sequences(chunk.clone()), counts.1 + usize::from(!chunk.invalid().is_empty()));
            counts.1 >= 16 && counts.0 < counts.1
        });
        let is_nearly = !is_hopeless && counts.0 >= 4 && counts.0 >= 4 * counts.1;
        prop_assert_eq!(super::is_nearly_well_formed(&octets), is_nearly);
    }

    #[test]
    fn fallbacks_lose_nothing(octets in octets(), chunk in 1_usize..40) {
        let read = at_every_split(&octets, &Decoder::new(Malformed::Latin1));
        prop_assert_eq!(&in_chunks(octets.chunks(chunk), &Decoder::new(Malformed::Latin1)), &read);
        let expected: String = octets.utf8_chunks().map(|chunk| {
            chunk.valid().to_string() + &chunk.invalid().iter().map(|&octet| char::from(octet)).collect::<String>()
        }).collect();
        prop_assert_eq!(read.0, expected);
    }

    #[test]
    fn utf8b_comes_back(octets in octets(), anything in proptest::collection::vec(any::<u8>(), 0..100)) {
        prop_assert_eq!(from_utf8b(&to_utf8b(&octets)), Some(octets));
        prop_assert_eq!(from_utf8b(&to_utf8b(&anything)), Some(anything));
    }
}
