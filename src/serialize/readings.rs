//! The readings of the texts of a message.

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::{Message, Part, Reading, ReadingOrigin, RepairStep};

/// The number of characters of a reading that are shown.
const SHOWN: usize = 300;

/// The number of characters that are shown before the first one in which readings differ.
const BEFORE: usize = 40;

/// The [readings](crate::readings) of a text as one object, for a person to choose from: what
/// `sevenbit repair --candidates` writes of it (feature `serde`).
///
/// Keys: `part` and `label`, the section of the part and its charset label, if it has them;
/// `readings`, the most probable first. Keys of a reading: `charset`; `by`, which is `label`,
/// `guess` or `repair`; `undone`, what a repair undoes, in words; `sureness`, from 0 to 1; `text`,
/// 300 characters from where the readings differ.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// let mail = "Content-Type: text/plain; charset=utf-8\r\n\r\nschÃ¶ne GrÃ¼ÃŸe\r\n";
/// let message = sevenbit::Message::parse(mail.as_bytes());
/// let data = serde_json::to_value(sevenbit::TextReadings::of_message(&message)).unwrap();
/// assert_eq!(data[0]["readings"][0]["text"], "schöne Grüße\n");
/// assert_eq!(data[0]["readings"][0]["by"], "repair");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TextReadings {
    part: Option<String>,
    label: Option<String>,
    readings: Vec<Candidate>,
}

/// A reading as it is shown.
#[derive(Clone, Debug)]
struct Candidate {
    charset: &'static str,
    by: &'static str,
    undone: Vec<String>,
    sureness: f64,
    text: String,
}

impl TextReadings {
    /// Returns the readings of each text of a message, in document order.
    pub fn of_message(message: &Message<'_>) -> Vec<Self> {
        let texts = message.leaves().filter(|part| part.media_type().starts_with("text/"));
        texts.map(|part| Self::of_part(&part)).collect()
    }

    /// Returns the readings of a part; none if it is no text.
    pub fn of_part(part: &Part<'_>) -> Self {
        Self {
            part: Some(part.path()),
            label: part.charset_label().map(str::to_owned),
            readings: candidates(&part.readings()),
        }
    }

    /// Returns the readings of a text that is in no message.
    pub fn of_text(readings: &[Reading]) -> Self {
        Self { part: None, label: None, readings: candidates(readings) }
    }
}

/// Shows readings, each by the place where they differ.
fn candidates(readings: &[Reading]) -> Vec<Candidate> {
    let start = first_difference(readings).saturating_sub(BEFORE);
    readings.iter().map(|reading| Candidate::of(reading, start)).collect()
}

/// Returns the number of the first character in which readings differ; 0 if they do not.
fn first_difference(readings: &[Reading]) -> usize {
    let [first, others @ ..] = readings else { return 0 };
    let alike = |other: &Reading| {
        first
            .text()
            .chars()
            .zip(other.text().chars())
            .take_while(|(one, other)| one == other)
            .count()
    };
    others.iter().map(alike).min().unwrap_or(0)
}

impl Candidate {
    fn of(reading: &Reading, start: usize) -> Self {
        let undone = match reading.origin() {
            ReadingOrigin::Repair(steps) => steps.iter().map(RepairStep::to_string).collect(),
            _ => Vec::new(),
        };
        Self {
            charset: reading.charset().name(),
            by: reading.origin().as_str(),
            undone,
            sureness: (f64::from(reading.sureness()) * 1000.0).round() / 1000.0,
            text: reading.text().chars().skip(start).take(SHOWN).collect(),
        }
    }
}

impl Serialize for TextReadings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (key, value) in [("part", &self.part), ("label", &self.label)] {
            if let Some(value) = value {
                object.serialize_entry(key, value)?;
            }
        }
        object.serialize_entry("readings", &self.readings)?;
        object.end()
    }
}

impl Serialize for Candidate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("charset", self.charset)?;
        object.serialize_entry("by", self.by)?;
        if !self.undone.is_empty() {
            object.serialize_entry("undone", &self.undone)?;
        }
        object.serialize_entry("sureness", &self.sureness)?;
        object.serialize_entry("text", &self.text)?;
        object.end()
    }
}
