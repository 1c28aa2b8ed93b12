//! Prose in eight languages, to any length: the sentences of `text/*.txt` in an order that does not
//! repeat soon, so that no branch predictor learns them by heart.

use super::Numbers;

/// A language: its code, its sentences (one per line), and the separator between two of them.
#[derive(Clone, Copy)]
pub struct Language {
    pub code: &'static str,
    sentences: &'static str,
    space: &'static str,
    /// Characters per line.
    columns: usize,
}

/// A language with a space between words.
const fn spaced(code: &'static str, sentences: &'static str) -> Language {
    Language { code, sentences, space: " ", columns: 72 }
}

/// A language without spaces, whose characters are twice as wide.
const fn unspaced(code: &'static str, sentences: &'static str) -> Language {
    Language { code, sentences, space: "", columns: 36 }
}

/// The languages that are measured.
pub const LANGUAGES: [Language; 8] = [
    spaced("en", include_str!("../text/en.txt")),
    spaced("fr", include_str!("../text/fr.txt")),
    spaced("ru", include_str!("../text/ru.txt")),
    spaced("el", include_str!("../text/el.txt")),
    unspaced("zh", include_str!("../text/zh.txt")),
    unspaced("ja", include_str!("../text/ja.txt")),
    spaced("ko", include_str!("../text/ko.txt")),
    spaced("hi", include_str!("../text/hi.txt")),
];

/// The language of this code.
///
/// # Panics
/// There is none.
pub fn language(code: &str) -> Language {
    LANGUAGES.into_iter().find(|language| language.code == code).expect("one of the eight")
}

impl Language {
    /// Sentences without end.
    fn stream(self, seed: u64) -> impl Iterator<Item = &'static str> {
        let sentences: Vec<&str> = self.sentences.lines().collect();
        let mut numbers = Numbers::new(seed);
        std::iter::repeat_with(move || sentences[numbers.below(sentences.len())])
    }

    /// At most `octets` of prose in lines that end in CRLF, a few octets less if a character or
    /// line ends there.
    pub fn prose(self, octets: usize, seed: u64) -> String {
        let mut text = String::with_capacity(octets + 512);
        let mut column = 0;
        for sentence in self.stream(seed) {
            if text.len() >= octets {
                break;
            }
            self.wrap(sentence, &mut text, &mut column);
        }
        let end = (0..=octets - 2).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.truncate(text.trim_end().len());
        text.push_str("\r\n");
        text
    }

    /// Appends a sentence to `text`, in lines of at most so many columns; `column` is where the last
    /// line ends.
    fn wrap(self, sentence: &str, text: &mut String, column: &mut usize) {
        for word in self.words(sentence) {
            let width = word.chars().count();
            if *column > 0 && *column + 1 + width > self.columns {
                text.push_str("\r\n");
                *column = 0;
            } else if *column > 0 {
                text.push_str(self.space);
                *column += self.space.len();
            }
            text.push_str(word);
            *column += width;
        }
    }

    /// Pieces that may not be broken over two lines.
    fn words(self, sentence: &str) -> Vec<&str> {
        match self.space {
            "" => sentence.split_inclusive(['、', '。', ',', ':', ';']).collect(),
            space => sentence.split(space).collect(),
        }
    }

    /// `count` pieces of sentences, as long as subjects are.
    pub fn subjects(self, count: usize) -> Vec<String> {
        let mut numbers = Numbers::new(7);
        let subject = |sentence: &str| -> String {
            let characters =
                if self.space.is_empty() { 8 + numbers.below(16) } else { 20 + numbers.below(40) };
            sentence.chars().take(characters).collect::<String>().trim_end().to_owned()
        };
        self.stream(3).map(subject).take(count).collect()
    }

    /// `count` names of mailboxes: one to three words with `/` between them.
    pub fn mailboxes(self, count: usize) -> Vec<String> {
        let words: Vec<&str> =
            self.sentences.split(|c: char| !is_of_word(c)).filter(|word| word.len() > 2).collect();
        let mut numbers = Numbers::new(11);
        let mut word = |_| words[numbers.below(words.len())].chars().take(12).collect::<String>();
        (0..count)
            .map(|index| (0..=index % 3).map(&mut word).collect::<Vec<_>>().join("/"))
            .collect()
    }
}

/// Letters, and the vowel signs that Devanagari words are written with.
fn is_of_word(c: char) -> bool {
    c.is_alphabetic() || ('\u{900}'..'\u{964}').contains(&c)
}
