//! The code pages of a document's fonts.

use std::collections::HashMap;

use sevenbit_charset::charset::code_pages;

use crate::characters::{Basis, Characters, Encoding};

/// The fonts that a table of fonts describes, and the page of text that names none.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    /// The character sets of the fonts, by their numbers.
    sets: HashMap<i32, i32>,
    default_font: Option<i32>,
    default_page: Option<u32>,
}

/// The code page of text, as far as the document names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Page(Option<u32>);

impl Page {
    /// Returns whether an octet begins a character of two.
    pub(super) fn is_lead(self, octet: u8) -> bool {
        match self.0 {
            Some(932) => matches!(octet, 0x81..=0x9f | 0xe0..=0xfc),
            Some(936 | 949 | 950 | 1361) => matches!(octet, 0x81..=0xfe),
            _ => false,
        }
    }

    fn has_pairs(self) -> bool {
        self.is_lead(0x81)
    }
}

impl Fonts {
    pub(super) fn set_default_page(&mut self, page: Option<i32>) {
        self.default_page =
            page.and_then(|page| u32::try_from(page).ok()).filter(|page| *page != 0);
    }

    pub(super) fn set_default_font(&mut self, font: Option<i32>) {
        self.default_font = font;
    }

    /// Adds a font with its character set.
    pub(super) fn add(&mut self, font: i32, set: Option<i32>) {
        self.sets.extend(set.map(|set| (font, set)));
    }

    /// Returns the page of text in a font. A font of the default set, and one that nothing is known
    /// of, has the document's.
    pub(super) fn page(&self, font: Option<i32>) -> Page {
        let set = font.or(self.default_font).and_then(|font| self.sets.get(&font));
        Page(set.and_then(|set| code_pages::of_font(*set)).or(self.default_page))
    }

    /// Returns the text of octets in a page. The font's page comes first, then the document's.
    /// Where the font is Western, which is also said of fonts that have just any letters, and the
    /// document is in a charset of pairs, pairs come first.
    pub(super) fn text(&self, page: Page, octets: &[u8], characters: &Characters) -> String {
        const SYMBOLS: &[u8] = &[0xb7, 0xa7, 0xa8];
        let default = Page(self.default_page);
        let has_pairs = octets.windows(2).any(|pair| pair[0] >= 0x80 && pair[1] >= 0x80);
        let is_symbols = octets.iter().all(|octet| octet.is_ascii() || SYMBOLS.contains(octet));

        let are_pairs = page.0 == Some(1252) && default.has_pairs() && has_pairs && !is_symbols;
        let order = if are_pairs { [default, page] } else { [page, default] };
        let pages: Vec<(Encoding, Basis)> = order
            .into_iter()
            .filter_map(|page| Some((Encoding::of_code_page(page.0?)?, Basis::Rtf)))
            .collect();
        characters.text_in(&pages, octets)
    }
}
