//! The readings of the texts of a message as data. `js/` is built with this file too: it depends on
//! the library and serde alone.

use serde::Serialize;
use sevenbit::{Message, Part, Reading, ReadingOrigin, RepairStep};

/// The number of characters of a reading that are shown.
const SHOWN: usize = 300;

/// The number of characters that are shown before the first one in which readings differ.
const BEFORE: usize = 40;

/// The readings of a text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextReadings {
    /// The section of the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    /// The charset label of the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    readings: Vec<Candidate>,
}

/// A reading as it is shown.
#[derive(Serialize)]
struct Candidate {
    charset: &'static str,
    by: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undone: Vec<String>,
    sureness: f64,
    text: String,
}

impl TextReadings {
    /// Describes the readings of each text of a message.
    pub fn of_message(message: &Message<'_>) -> Vec<Self> {
        let texts = message.leaves().filter(|part| part.media_type().starts_with("text/"));
        texts.map(|part| Self::of_part(&part)).collect()
    }

    fn of_part(part: &Part<'_>) -> Self {
        let label = part.charset_label().map(str::to_owned);
        Self::new(Some(part.path()), label, &part.readings())
    }

    /// Describes the readings of a text with the section and the label of its part, if it is in
    /// one.
    pub fn new(part: Option<String>, label: Option<String>, readings: &[Reading]) -> Self {
        Self { part, label, readings: candidates(readings) }
    }
}

/// Describes readings, each by the place where they differ.
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
