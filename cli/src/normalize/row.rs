//! The row of a message in `--export`.

use std::collections::BTreeSet;

use sevenbit::{Message, Part, Report};

use super::ending::Ending;
use crate::input::Item;
use crate::place::shown;

/// The longest text body that is exported whole.
const MAX_TEXT: usize = 4 << 20;

/// The row of a message.
pub struct Row {
    pub offset: i64,
    pub date: Option<i64>,
    pub changed: bool,
    /// The text columns, in the order of the schema.
    pub texts: [Option<String>; 8],
}

impl Row {
    /// The row of a message as a reader sees it. Lists are words, separated by spaces.
    pub fn of(item: &Item, message: &[u8], report: &Report, ending: Ending) -> Self {
        let view = Message::parse(message);
        let header = |name: &str| view.header(name).map(|text| text.into_owned());
        let charsets =
            view.leaves().filter_map(|part| part.charset_label().map(str::to_ascii_lowercase));
        let codes = report.issues().iter().map(|issue| issue.code().as_str().to_owned());
        Self {
            offset: item.position().map_or(0, |position| position.span.start.cast_signed()),
            date: view.date().map(|date| date.timestamp() * 1000),
            changed: ending == Ending::Changed,
            texts: [
                Some(shown(&item.name).into_owned()),
                view.message_id().map(|id| id.into_owned()),
                header("from"),
                header("to"),
                header("subject"),
                text(&view),
                Some(words(charsets)),
                Some(words(codes)),
            ],
        }
    }

    /// How many octets of text it contains.
    pub fn octets(&self) -> usize {
        self.texts.iter().flatten().map(String::len).sum()
    }
}

fn words(words: impl Iterator<Item = String>) -> String {
    words.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
}

/// The text body: the first plain text that is not an attachment, else the first of any kind.
fn text(view: &Message<'_>) -> Option<String> {
    let inline =
        |part: &Part<'_>| part.disposition() != Some("attachment") && part.filename().is_none();
    let plain = view.leaves().find(|part| inline(part) && part.media_type() == "text/plain");
    let body =
        plain.or_else(|| view.leaves().find(|part| inline(part) && part.text().is_some()))?;
    let mut text = body.text()?.into_owned();
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(end.unwrap_or_default());
    Some(text)
}
