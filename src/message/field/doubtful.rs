//! Header text that reads as mojibake (rules H3 and B7).

use sevenbit_mail::{doubtful, doubtful_text};

use super::draft::Draft;
use super::raw_text::RawFate;
use super::rules::FieldRules;
use crate::codec::controls::has_control_but_tab;
use crate::decode::{Nul, Segment, Words, literal_text, raw_text_in, segments, without_controls};
use crate::report::Tally;
use crate::syntax::encoded_word::next_word;
use crate::syntax::lexical::unfold;
use crate::{Charset, Code, Doubtful, Repaired, Span};

/// A piece of a text, and whether a space is before it.
pub(super) type Piece<'p> = (bool, &'p [u8]);

/// Reports a text that reads as mojibake; returns what is written in its place, if that is asked
/// for. The text is judged as a whole, since it may be written in other pieces.
pub(super) fn mend(draft: &mut Draft<'_>, pieces: &[Piece<'_>], span: Span) -> Option<String> {
    let policy = draft.rules.policy;
    let is_asked = policy.doubtful != Doubtful::Keep || policy.read_as.is_some();
    if !is_asked || pieces.iter().all(|(_, octets)| literal_text(octets).is_some()) {
        return None;
    }

    let read = Read::of(pieces, &draft.rules)?;
    let whole = if read.is_chosen { None } else { mended(&read.text, span) };
    let mut details = read.details;
    details.extend(whole.as_ref().map(Repaired::detail));
    if details.is_empty() {
        return None;
    }

    let repairs = policy.doubtful == Doubtful::Repair || read.is_chosen;
    let code = if repairs { Code::TextRepaired } else { Code::LabelDoubtful };
    draft.tally.note_value(code, span, None, || details.join("; "));
    let text = whole.map_or(read.text, |whole| whole.into_text().into_owned());
    let text = without_controls(text.into(), Nul::Dropped, span, &mut Tally::default());
    repairs.then(|| text.into_owned())
}

/// Returns a text as it was before it was misread, by its controls, too, or else without them, as it
/// is written (rule H5).
fn mended(text: &str, span: Span) -> Option<Repaired<'static>> {
    let by_controls = doubtful_text(text);
    if by_controls.is_some() || !has_control_but_tab(text) {
        return by_controls;
    }
    doubtful_text(&without_controls(text.into(), Nul::Dropped, span, &mut Tally::default()))
}

/// A text, with words under doubtful labels read as they were meant.
#[derive(Default)]
struct Read {
    text: String,
    /// What was undone in the words.
    details: Vec<String>,
    /// Whether anything cannot be read.
    is_lossy: bool,
    /// Whether a person has chosen the charset of some of it.
    is_chosen: bool,
}

impl Read {
    /// Reads the pieces of a text; `None` if anything in it cannot be read, and stays as it is.
    fn of(pieces: &[Piece<'_>], rules: &FieldRules) -> Option<Self> {
        let mut read = Self::default();
        for (is_spaced, octets) in pieces {
            if *is_spaced {
                read.text.push(' ');
            }
            segments(octets, |segment| match segment {
                Segment::Raw(span) => read.push_raw(&octets[span.start..span.end], rules),
                Segment::Words(words) => read.push_words(words, rules),
            });
        }
        // None is written (rule H5), so that none may come between octets that are judged again.
        read.text.retain(|c| c != '\0');
        // An earlier run may have written a word that could not be read as text, or replaced it.
        let is_replaced = rules.policy.replaces && read.text.contains(char::REPLACEMENT_CHARACTER);
        let is_unread =
            read.is_lossy || is_replaced || next_word(read.text.as_bytes(), 0).is_some();
        (!is_unread).then_some(read)
    }

    /// Adds a text that is read in the charset that a person has chosen.
    fn push_chosen(&mut self, text: &str, charset: Charset) {
        self.is_chosen = true;
        let detail = format!("read as {charset}");
        if !self.details.contains(&detail) {
            self.details.push(detail);
        }
        self.text.push_str(text);
    }

    fn push_raw(&mut self, octets: &[u8], rules: &FieldRules) {
        if let Some(charset) = rules.policy.read_as
            && charset.tells(octets)
            && str::from_utf8(octets).is_err()
            && let Some(text) = charset.read_lossless(&unfold(octets))
        {
            return self.push_chosen(&text, charset);
        }
        match RawFate::of(octets, rules) {
            RawFate::Text(charset) => {
                self.text.push_str(&raw_text_in(
                    octets,
                    Span::default(),
                    charset,
                    &mut Tally::default(),
                ));
            }
            RawFate::Label(_) => self.is_lossy = true,
        }
    }

    fn push_words(&mut self, words: &Words<'_>, rules: &FieldRules) {
        let raw = rules.raw_text();
        if let Some(charset) = rules.policy.read_as
            && let Some(text) = words.text_as(charset)
        {
            return self.push_chosen(&text, charset);
        }
        let is_lossless = words.is_lossless(raw);
        if !is_lossless && !rules.policy.replaces {
            self.is_lossy = true;
            return;
        }
        if is_lossless
            && let Some(mended) =
                words.labelled().and_then(|(charset, text)| doubtful(&words.octets, charset, &text))
        {
            self.details.push(mended.detail());
            self.text.push_str(mended.text());
        } else if let Some(text) = words.text(raw, Nul::Dropped, &mut Tally::default()) {
            self.text.push_str(&text);
        } else {
            self.is_lossy = true;
        }
    }
}
