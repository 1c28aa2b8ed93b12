//! The texts that octets may be taken for, for a person to choose from.

use std::borrow::Cow;

use super::doubt::MAX_OCTETS;
use super::{RepairStep, Repaired, doubtful};
use crate::Charset;
use crate::charset::Guess;
use crate::charset::markup::{self, MarkupKind};

/// The sureness of a label about which nothing is doubtful, and of a repair.
const BELIEVED: f32 = 0.95;

/// The sureness of a label whose charset the octets are not quite text in.
const FAULTY: f32 = 0.5;

/// The maximum number of readings: nobody looks at more.
const MAX_READINGS: usize = 12;

/// The maximum number of readings of a text that is longer than [`MAX_OCTETS`], each of which takes
/// its length in memory.
const MAX_READINGS_OF_LONG_TEXT: usize = 2;

/// A text that octets may be taken for, how sure that is, and how it comes about: an item of
/// [`readings`] and [`Part::readings`](crate::Part::readings).
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    charset: Charset,
    origin: ReadingOrigin,
    sureness: f32,
    text: String,
}

/// What a [`Reading`] rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadingOrigin {
    /// The label. `Doubtful::Keep` of sevenbit writes text so.
    Label,
    /// The octets. `Normalizer::read_as` of sevenbit writes text so.
    Guess,
    /// The text: it was misread before it was written, which is undone.
    /// `Doubtful::Repair` of sevenbit writes text so.
    Repair(Vec<RepairStep>),
}

impl ReadingOrigin {
    /// Returns the word for it: `label`, `guess` or `repair`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Guess => "guess",
            Self::Repair(_) => "repair",
        }
    }
}

impl Reading {
    /// Returns the charset that the octets are read in.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Returns what the reading rests on.
    pub fn origin(&self) -> &ReadingOrigin {
        &self.origin
    }

    /// Returns how probable it is that the text reads as it was meant, from 0 to 1.
    pub fn sureness(&self) -> f32 {
        self.sureness
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the reading with its text changed.
    pub(crate) fn map_text(self, change: impl FnOnce(String) -> String) -> Self {
        Self { text: change(self.text), ..self }
    }
}

/// Returns the plausible readings of octets, the most probable first: as labelled, as they seem to
/// be, and with what mangled them undone. The others are for a person who finds the first one
/// unreadable.
///
/// ```
/// use sevenbit::{Charset, readings};
///
/// let found = readings("Привет, как дела?".as_bytes(), Charset::for_label("koi8-r"));
/// assert_eq!(found[0].text(), "Привет, как дела?");
/// assert_eq!(found[0].origin().as_str(), "repair");
/// assert!(found[1].origin().as_str() == "label" && found[1].sureness() < 0.1);
/// ```
pub fn readings(octets: &[u8], label: Option<Charset>) -> Vec<Reading> {
    plausible_readings(octets, label, None, None)
}

/// Returns the plausible readings of a text of this kind of markup, with the guess that rests on
/// more than its octets.
pub fn plausible_readings(
    octets: &[u8],
    label: Option<Charset>,
    guess: Option<Guess>,
    markup: Option<MarkupKind>,
) -> Vec<Reading> {
    let mut found = Found(Vec::new());

    let label = label.filter(|charset| charset.is_decodable());
    let label_trust = label.map_or(0.0, |charset| {
        let (text, is_lossless) = read(octets, charset, markup);
        let repaired = doubtful(octets, charset, &text);
        let is_doubtful = repaired.is_some() || charset.is_belied_by_text(octets);
        let trust = match (is_doubtful, is_lossless) {
            (true, _) => 1.0 - BELIEVED,
            (false, true) => BELIEVED,
            (false, false) => FAULTY,
        };
        found.push(charset, ReadingOrigin::Label, trust, text);
        found.push_repaired(charset, BELIEVED, repaired);
        trust
    });

    for (rank, guess) in guess.into_iter().chain(guesses(octets)).enumerate() {
        let (text, is_lossless) = read(octets, guess.charset(), markup);
        // Text that was cut is in the first charset though it has a fault; of the others nothing
        // else tells.
        if !is_lossless && rank > 0 {
            continue;
        }
        let mut sureness = guess.sureness() * (1.0 - label_trust);
        // The label is not believed, and the text that it was meant to be may be mangled itself.
        if rank == 0 && label_trust < BELIEVED {
            let repaired = doubtful(octets, guess.charset(), &text);
            let is_doubtful = repaired.is_some();
            found.push_repaired(guess.charset(), sureness * BELIEVED, repaired);
            sureness *= if is_doubtful { 1.0 - BELIEVED } else { 1.0 };
        }
        found.push(guess.charset(), ReadingOrigin::Guess, sureness, text);
    }

    let most = if octets.len() > MAX_OCTETS { MAX_READINGS_OF_LONG_TEXT } else { MAX_READINGS };
    found.into_sorted(most)
}

/// Returns octets as text, and whether nothing in it was ill-formed.
fn read(octets: &[u8], charset: Charset, markup: Option<MarkupKind>) -> (Cow<'_, str>, bool) {
    if let Some(text) = markup::read_lossless(octets, charset, markup) {
        return (text, true);
    }
    (charset.read(octets).into_text(), false)
}

/// Returns the charsets that octets may be in, the most probable first.
fn guesses(octets: &[u8]) -> Vec<Guess> {
    if octets.is_ascii() && Charset::shown_by(octets).is_none() {
        return vec![Guess::certain(Charset::US_ASCII)];
    }
    Charset::guesses(octets)
}

/// Readings in the order in which they were found, no two with the same text.
struct Found(Vec<Reading>);

impl Found {
    /// Adds a text. If it is known, the reading that was found first stays: octets that are surely
    /// in the charset of their label do not say that the text in it is the one that was meant.
    fn push(&mut self, charset: Charset, origin: ReadingOrigin, sureness: f32, text: Cow<'_, str>) {
        if self.0.iter().all(|known| known.text != text) {
            self.0.push(Reading { charset, origin, sureness, text: text.into_owned() });
        }
    }

    /// Adds a text as it was before it was misread.
    fn push_repaired(&mut self, charset: Charset, sureness: f32, repaired: Option<Repaired<'_>>) {
        if let Some(repaired) = repaired {
            let origin = ReadingOrigin::Repair(repaired.steps().to_vec());
            self.push(charset, origin, sureness, repaired.into_text());
        }
    }

    /// Returns at most so many, the most probable first.
    fn into_sorted(mut self, most: usize) -> Vec<Reading> {
        self.0.sort_by(|one, other| other.sureness.total_cmp(&one.sureness));
        self.0.truncate(most);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_OCTETS, MAX_READINGS, ReadingOrigin, readings};
    use crate::Charset;

    fn encoded(text: &str, label: &str) -> Vec<u8> {
        charset(label).encode(text).expect("encodable").into_owned()
    }

    fn charset(label: &str) -> Charset {
        Charset::for_label(label).expect("known")
    }

    /// Mangled text, its label, what it was, and what that rests on.
    #[test]
    fn the_first_reading_of_mangled_text_is_what_it_was() {
        let japanese = "お世話になっております。会議は三時からです。";
        let once = encoded("schöne Grüße aus Köln", "utf-8");
        let twice = charset("cp1252").decode(&once).into_text().into_owned();
        for (octets, label, text, origin) in [
            (encoded(japanese, "shift_jis"), Some("iso-8859-1"), japanese, "repair"),
            (twice.clone().into_bytes(), Some("utf-8"), "schöne Grüße aus Köln", "repair"),
            (twice.clone().into_bytes(), Some("us-ascii"), "schöne Grüße aus Köln", "repair"),
            (twice.into_bytes(), None, "schöne Grüße aus Köln", "repair"),
            (
                encoded("Привет, как дела?", "cp1251"),
                Some("iso-8859-1"),
                "Привет, как дела?",
                "repair",
            ),
            (encoded("Привет, как дела?", "koi8-r"), None, "Привет, как дела?", "guess"),
            (
                encoded("您好，谢谢您的来信", "gb18030"),
                Some("us-ascii"),
                "您好，谢谢您的来信",
                "guess",
            ),
            (b"$BEl5~$NE75$(B".to_vec(), Some("us-ascii"), "東京の天気", "repair"),
        ] {
            let found = readings(&octets, label.map(charset));
            assert_eq!(
                (found[0].text(), found[0].origin().as_str()),
                (text, origin),
                "{label:?}: {found:?}"
            );
            assert!(found[0].sureness() > 0.6, "{found:?}");
        }
    }

    #[test]
    fn clean_text_is_read_as_labelled() {
        for (octets, label) in [
            (encoded("Schöne Grüße", "utf-8"), "utf-8"),
            (encoded("Schöne Grüße", "cp1252"), "iso-8859-1"),
            (b"plain".to_vec(), "us-ascii"),
        ] {
            let found = readings(&octets, Some(charset(label)));
            assert_eq!(*found[0].origin(), ReadingOrigin::Label, "{found:?}");
            assert!(found[0].sureness() > 0.9, "{found:?}");
        }
        assert_eq!(readings(b"plain", None).len(), 1);
    }

    /// A fault does not hide the one reading that a person can read.
    #[test]
    fn text_with_a_fault_is_read_with_it() {
        let mut cut = encoded("Schöne Grüße", "utf-8");
        cut.push(0xC3);
        assert_eq!(readings(&cut, Some(Charset::UTF_8))[0].text(), "Schöne Grüße\u{fffd}");
    }

    #[test]
    fn no_text_is_given_twice_and_no_more_than_anybody_reads() {
        let octets: Vec<u8> = (0x80..=0xFF).collect();
        let found = readings(&octets, Some(charset("iso-8859-1")));
        assert!(found.len() <= MAX_READINGS);
        for (at, reading) in found.iter().enumerate() {
            assert!(found[..at].iter().all(|other| other.text() != reading.text()));
            assert!(at == 0 || found[at - 1].sureness() >= reading.sureness());
        }
        let long = b"\xE6\xEF ".repeat(MAX_OCTETS / 2);
        assert!(readings(&long, None).len() <= 2);
    }
}
