//! Guessing charsets: what must be found, what must not, and how often the guess is right on real
//! mail.

use std::collections::BTreeMap;
use std::process::Command;

use sevenbit::Charset;

#[test]
fn finds_what_says_so_itself() {
    let text = "日本語のテキスト";
    for label in ["ISO-2022-JP", "UTF-16", "UTF-32", "Shift_JIS", "EUC-JP", "UTF-8"] {
        let charset = Charset::for_label(label).expect("known");
        let octets = charset.encode(text).expect("encodable");
        assert_eq!(Charset::detect(&octets), charset);
    }
    for (label, text) in [
        ("HZ-GB-2312", "中文信息处理"),
        ("ISO-2022-KR", "한국어 문장"),
        ("ISO-2022-CN", "中文信息處理"),
        ("UTF-16BE", "Plain Latin text, one line\r\n"),
        ("UTF-16LE", "Plain Latin text, one line\r\n"),
        ("UTF-16LE", "会议安排在明天下午\r\n请准时参加，地点不变 Room 5\r\n"),
        ("UTF-16BE", "お世話になっております。\r\n山田です。\r\n"),
        ("windows-1251", "Съешь ещё этих мягких французских булок, да выпей чаю"),
        ("windows-1252", "Voilà, c’est l’été à Besançon; où êtes-vous?"),
    ] {
        let charset = Charset::for_label(label).expect("known");
        let octets = charset.encode(text).expect("encodable");
        let guess = Charset::detect(&octets);
        assert_eq!(
            guess.decode_strict(&octets).ok().as_deref(),
            Some(text),
            "{label} taken for {guess}"
        );
    }
}

#[test]
fn utf_32_needs_no_byte_order_mark() {
    for label in ["UTF-32BE", "UTF-32LE"] {
        let charset = Charset::for_label(label).expect("known");
        for text in ["Plain Latin text, one line\r\n", "お世話になっております。\r\n"] {
            let octets = charset.encode(text).expect("encodable");
            assert_eq!(Charset::detect(&octets), charset, "{text}");
        }
    }
}

/// Two octets of ISO-8859-2 that are also one of UTF-8, as `ӯ` amid Latin letters; and a word in
/// UTF-8 with a letter of another script, as those who deceive write it.
#[test]
fn one_pair_of_utf_8_that_mixes_scripts_is_not_certain() {
    let polish = Charset::detect(b"R\xD3\xAFNE");
    assert_eq!(polish.decode(b"R\xD3\xAFNE").text(), "RÓŻNE");
    // Three octets, which are one letter of a transliteration.
    let slovak = Charset::detect(b"zotavenie zvl\xE1\xB9\xBB");
    assert_eq!(slovak.decode(b"zvl\xE1\xB9\xBB").text(), "zvlášť");
    for text in [
        "P\u{430}ypal",
        "microsоft.example",
        "Δt",
        "café",
        "10 µm",
        "naïve",
        "Viṣṇu",
        "Paṇini",
        "Muḥammad",
    ] {
        assert_eq!(Charset::detect(text.as_bytes()), Charset::UTF_8, "{text}");
    }
}

#[test]
fn octets_by_chance_are_no_utf_16() {
    // A fixed sequence (xorshift); one octet in 256 is zero.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut octet = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    let mut sure = 0;
    for _ in 0..1000 {
        let octets: Vec<u8> = (0..32).map(|_| octet()).collect();
        sure += usize::from(Charset::guess(&octets).sureness() >= 0.65);
    }
    assert!(sure <= 5, "{sure} of 1000");
}

#[test]
fn a_stray_nul_makes_no_utf_16() {
    for octets in [
        &b"Sch\xF6ne Gr\xFC\xDFe aus  M\xFCnchen\0\r\n"[..],
        b"\0Sch\xF6ne Gr\xFC\xDFe aus M\xFCnchen\r\n",
        b"a\0b M\xFCller\r\n",
        b"MZ\x90\0 this is the program \xFF\xFE\0 that is seen",
    ] {
        let guess = Charset::detect(octets);
        assert!(!guess.name().starts_with("UTF-"), "{octets:02X?} taken for {guess}");
    }
}

#[test]
fn never_guesses_utf_7_and_falls_back_on_windows_1252() {
    for octets in [
        &b"1 +ADw-b+AD4- 2 caf\xE9"[..],
        b"+ZeVnLIqe-",
        b"caf\xE9",
        b"~{",
        b"~{}~}",
        b"\x1B$B\xE9",
        b"",
        b"\0",
    ] {
        let guess = Charset::detect(octets);
        assert_eq!(guess, Charset::WINDOWS_1252, "{octets:02X?}");
    }
}

#[test]
fn looks_past_much_ascii() {
    let ascii = "Nothing but letters. ".repeat(20_000);
    for (text, charset) in [("Voilà", Charset::UTF_8), ("", Charset::WINDOWS_1252)] {
        assert_eq!(Charset::detect(format!("{ascii}{text}").as_bytes()), charset);
    }
}

#[test]
fn accuracy_on_real_mail() {
    let root = env!("CARGO_MANIFEST_DIR");
    let folders =
        ["../shared/corpora", "../../shared/corpora"].map(|path| format!("{root}/{path}"));
    let Some(folder) = folders.iter().find(|path| std::path::Path::new(path).is_dir()) else {
        return println!("no corpora beside the project: nothing was measured");
    };
    let Ok(output) = Command::new("python3")
        .arg(format!("{root}/corpus/charset/labelled.py"))
        .arg(folder)
        .output()
    else {
        return println!("python3 is not here: nothing was measured");
    };
    let lines = String::from_utf8(output.stdout).expect("text");
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for line in lines.lines() {
        let (label, hex) = line.split_once('\t').expect("two fields");
        let Some(charset) = Charset::for_label(label) else { continue };
        let octets: Vec<u8> = hex.as_bytes().chunks(2).map(octet).collect();
        let guess = Charset::detect(&octets);
        let count = counts.entry(charset.name()).or_default();
        count[0] += 1;
        count[1] += usize::from(guess == charset);
        count[2] += usize::from(guess.decode(&octets).text() == charset.decode(&octets).text());
    }
    println!("{:16} {:>6} {:>10} {:>10}", "label", "bodies", "same name", "same text");
    for (label, [all, name, text]) in &counts {
        println!("{label:16} {all:6} {name:10} {text:10}");
    }
    let [all, name, text] =
        counts.values().fold([0; 3], |sum, add| std::array::from_fn(|i| sum[i] + add[i]));
    println!("{:16} {all:6} {name:10} {text:10}", "all");
    assert!(text * 10 >= all * 9, "fewer than nine in ten");
}

fn octet(hex: &[u8]) -> u8 {
    let text = std::str::from_utf8(hex).expect("ASCII");
    u8::from_str_radix(text, 16).expect("hexadecimal")
}
