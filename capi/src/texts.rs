//! Lists of texts: all fields of a name, ids of References.

use crate::SEVENBIT_ERROR_ABSENT;
use crate::guard::{free, get, lend};
use crate::kept::Kept;
use crate::text::SevenbitText;

/// Texts, in order.
pub struct SevenbitTexts(Kept<SevenbitText>);

impl SevenbitTexts {
    pub(crate) fn new<Text: AsRef<str>>(all: impl IntoIterator<Item = Text>) -> Self {
        Self(Kept::new(all, |text, texts| texts.text(text.as_ref())))
    }
}

/// How many texts there are; 0 for NULL.
///
/// # Safety
/// `texts` are texts or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_texts_count(texts: *const SevenbitTexts) -> usize {
    // SAFETY: as above.
    unsafe { get(texts) }.map_or(0, |texts| texts.0.len())
}

/// The text of that number, from 0; NULL if there is none.
///
/// # Safety
/// `texts` are texts or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_texts_at(
    texts: *const SevenbitTexts,
    number: usize,
) -> *const SevenbitText {
    // SAFETY: as above.
    lend(|| unsafe { get(texts) }?.0.get(number).ok_or(SEVENBIT_ERROR_ABSENT))
}

/// Frees texts.
///
/// # Safety
/// `texts` are texts that were not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_texts_free(texts: *mut SevenbitTexts) {
    // SAFETY: as above.
    unsafe { free(texts) };
}
