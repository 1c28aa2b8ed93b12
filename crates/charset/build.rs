//! The prose of `languages.txt` as `guess/language.rs` counts it: each language as its words in
//! order, in small letters, each as often as it was written. In place of the letters that a word
//! shares with the one before stands their number: `0hand2us` is `hand haus`. Pairs of letters and
//! their counts are those of the prose, and the text compresses a quarter better, which whoever
//! loads a module of WebAssembly feels.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

/// The most letters that are left out: their number is one digit.
const MOST_SHARED: usize = 9;

fn main() {
    let prose = "src/charset/guess/languages.txt";
    println!("cargo::rerun-if-changed={prose}");
    let folder = env::var_os("OUT_DIR").expect("cargo names a folder for what is built");
    let prose = fs::read_to_string(prose).expect("the prose is part of the package");
    fs::write(Path::new(&folder).join("languages.txt"), words(&prose)).expect("a file is written");
}

/// Returns `= code` and the words of a language, a line each, languages in the order of the prose.
/// Letters are characters; no word has digits.
fn words(prose: &str) -> String {
    let mut code = "";
    let mut codes = Vec::new();
    let mut languages: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in prose.lines().filter(|line| !line.starts_with('#')) {
        if let Some(heading) = line.strip_prefix("= ") {
            code = heading;
            if !codes.contains(&code) {
                codes.push(code);
            }
        } else {
            let words = line.split(|c: char| c.is_ascii() && !c.is_ascii_alphabetic());
            let words = words.filter(|word| !word.is_empty());
            languages.entry(code).or_default().extend(words.map(in_small_letters));
        }
    }
    let mut text = String::new();
    for code in codes {
        let words = languages.get_mut(code).expect("a language has words");
        words.sort_unstable();
        text.extend(["= ", code, "\n"]);
        let mut before = "";
        for word in words {
            let letters = before.chars().zip(word.chars());
            let shared = letters.take_while(|(a, b)| a == b).count().min(MOST_SHARED);
            text.push_str(&shared.to_string());
            text.extend(word.chars().skip(shared));
            before = word;
        }
        text.push('\n');
    }
    text
}

/// Returns the word in small letters, but for letters whose small form is more than one character.
fn in_small_letters(word: &str) -> String {
    word.chars()
        .map(|letter| {
            let mut small = letter.to_lowercase();
            match (small.next(), small.next()) {
                (Some(small), None) => small,
                _ => letter,
            }
        })
        .collect()
}
