//! Text that its label, or nothing, makes unreadable: what it was before it was misread.

use std::borrow::Cow;

use super::{RepairStep, Repaired, by_lines, distinct, escapes, legacy, misread};
use crate::Charset;
use crate::charset::Evidence;

/// Longer text is looked at no further: a table or a log, of which a reader looks at a part.
pub(super) const MAX_OCTETS: usize = 1 << 20;

/// How often text is mended again until nothing is left to mend.
const ROUNDS: usize = 4;

/// Returns text as it reads if its label is wrong, or as it was before it was misread; `None` if
/// nothing is doubtful about it. `text` is what `octets` are in `charset`. About the answer nothing
/// is doubtful. A picture that says it is text is none in another charset either.
pub fn doubtful(octets: &[u8], charset: Charset, text: &str) -> Option<Repaired<'static>> {
    let is_long = octets.len().max(text.len()) > MAX_OCTETS;
    if cfg!(not(feature = "repair")) || is_long || Evidence::was_no_text(text) {
        return None;
    }
    if charset != Charset::UTF_8
        && !octets.is_ascii()
        && let Some(text) = misread::under_label(octets, charset)
    {
        let steps = vec![RepairStep::Misread { written_in: Charset::UTF_8, read_as: charset }];
        return until_settled(text.to_owned(), steps);
    }
    doubtful_text(text)
}

/// Returns text as it was before it was misread; `None` if nothing is doubtful about it. About the
/// answer nothing is.
pub fn doubtful_text(text: &str) -> Option<Repaired<'static>> {
    if cfg!(not(feature = "repair")) || text.len() > MAX_OCTETS {
        return None;
    }
    let mut steps = Vec::new();
    let mended = mend(text, &mut steps)?;
    until_settled(mended, steps)
}

fn until_settled(mut text: String, mut steps: Vec<RepairStep>) -> Option<Repaired<'static>> {
    for _ in 0..ROUNDS {
        match mend(&text, &mut steps) {
            Some(better) => text = better,
            None => return Some(Repaired { text: Cow::Owned(text), steps: distinct(steps) }),
        }
    }
    None
}

/// Mends what a charset explains. What an encoding left in text may be talked about in a message.
fn mend(text: &str, steps: &mut Vec<RepairStep>) -> Option<String> {
    let by_letters =
        |text: &str, steps: &mut Vec<RepairStep>| legacy::mend(text, legacy::FEW_IN_MESSAGE, steps);
    let mut mended = None;
    for mend in [escapes::mend_escapes, by_lines, by_letters] {
        if let Some(better) = mend(mended.as_deref().unwrap_or(text), steps) {
            mended = Some(better);
        }
    }
    mended
}
