//! Letters with combining tone marks, composed: charsets of Vietnamese write them apart.

use std::borrow::Cow;

use super::Charset;
use super::route::Route;

/// The tone marks of Vietnamese, each with pairs of a letter and the letter with that mark (as in
/// NFC).
const TONES: [(char, &str); 5] = [
    (
        '\u{300}',
        "AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằĒḔēḕŌṐōṑƠỜơờ\
         ƯỪưừ",
    ),
    (
        '\u{301}',
        "AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsśuúwẃ\
         yýzźÂẤÅǺÆǼÇḈÊẾÏḮÔỐÕṌØǾÜǗâấåǻæǽçḉêếïḯôốõṍøǿüǘĂẮăắĒḖēḗŌṒōṓŨṸũṹƠỚơớ\
         ƯỨưứ",
    ),
    ('\u{303}', "AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÔỖâẫêễôỗĂẴăẵƠỠơỡƯỮưữ"),
    ('\u{309}', "AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử"),
    (
        '\u{323}',
        "AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọrṛsṣ\
         tṭuụvṿwẉyỵzẓÂẬÊỆÔỘâậêệôộĂẶăặƠỢơợƯỰưựṠṨṡṩ",
    ),
];

impl Charset {
    /// Returns text that was read in this charset, with letters and the tone marks after them
    /// composed, as all other text in mail has them: search for a Vietnamese word does not find it
    /// otherwise. Text in Unicode stays as it was written.
    pub(super) fn composed(self, text: Cow<'_, str>) -> Cow<'_, str> {
        let is_by_table = match self.route() {
            Route::Table(_) => true,
            Route::Whatwg(encoding, _) => encoding.is_single_byte(),
            _ => false,
        };
        if is_by_table && !text.is_ascii() && has_tones(&text) {
            Cow::Owned(composed(&text))
        } else {
            text
        }
    }
}

/// Returns whether a text has tone marks that stand by themselves.
pub(super) fn has_tones(text: &str) -> bool {
    // All of them are CC 80 to CC BF.
    memchr::memchr(0xCC, text.as_bytes()).is_some()
        && TONES.iter().any(|(tone, _)| text.contains(*tone))
}

/// Returns text with each letter and the tone mark after it composed, if there is such a letter.
pub(super) fn composed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match out.chars().next_back().and_then(|letter| with_tone(letter, c)) {
            Some(both) => {
                out.pop();
                out.push(both);
            }
            None => out.push(c),
        }
    }
    out
}

fn with_tone(letter: char, tone: char) -> Option<char> {
    let (_, pairs) = TONES.iter().find(|(known, _)| *known == tone)?;
    let mut pairs = pairs.chars();
    while let (Some(one), Some(both)) = (pairs.next(), pairs.next()) {
        if one == letter {
            return Some(both);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vietnamese_is_composed() {
        for (label, octets) in [
            ("windows-1258", &b"Th\xF4ng b\xE1o cu\xF4\xF2c ho\xF2p, \xD0\xE0 N\xE0\xDEng"[..]),
            ("tcvn", b"Th\xABng b\xB8o cu\xAB\xB4c ho\xB4p"),
        ] {
            let charset = Charset::for_label(label).expect("known");
            let read = charset.read(octets);
            assert!(read.text().starts_with("Thông báo cuộc họp"), "{label}: {}", read.text());
            assert_eq!(charset.read_lossless(octets).as_deref(), Some(read.text()));
        }
    }

    #[test]
    fn what_was_apart_in_unicode_stays_so() {
        let apart = "o\u{323}";
        assert_eq!(Charset::UTF_8.read(apart.as_bytes()).text(), apart);
        assert_eq!(composed("o\u{323}x\u{323}\u{301}"), "ọx\u{323}\u{301}");
    }
}
