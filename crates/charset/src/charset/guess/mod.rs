//! The charset of octets above 7F, judged by the letters that they would be: each candidate, a
//! charset together with a language, computes how probable the octets are if they were written in
//! it, letter by letter after the preceding one; white space, digits and most punctuation do not
//! count. The most probable one by far is sure; octets that chance explains just as well are not.

mod candidates;
mod counted;
mod east_asian;
mod hints;
mod language;
mod log;
mod page;
mod significant;
mod signs;
mod single_byte;

use std::fmt;

use self::candidates::Scored;
use self::counted::Counted;
use super::Charset;

/// How sure a guess must be, at least, for text to be rewritten by it, in thousandths.
const SURE: u16 = 650;

/// A guess that is no surer than this, in thousandths, is one by chance.
const CHANCE: u16 = 100;

/// A candidate less probable than the best one by this (as a logarithm) need not be considered.
const HOPELESS: f64 = 12.0;

/// How improbable it is beforehand (as a logarithm) that octets are not text at all.
const NO_TEXT: f64 = -6.0;

/// The part of a difference between two scores that is evidence. The letters of a word depend on one another, and what is known of a
/// language is a page of prose, so that probabilities multiplied letter by letter are further apart than the truth.
const EVIDENCE: f64 = 0.8;

/// Returns how probable something is beside the best, by their scores.
fn share(score: f64, top: f64) -> f64 {
    (EVIDENCE * (score - top).min(50.0)).exp()
}

/// The charset that unlabelled text seems to be in, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    charset: Charset,
    per_mille: u16,
    /// Whether the octets alone, or a label elsewhere, make it sure enough.
    sure: bool,
}

impl fmt::Display for Guess {
    /// The charset and, if it is not certain, how sure it is: `windows-1252 (0.93)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.charset.name())?;
        if self.per_mille == 1000 {
            return Ok(());
        }
        // Formatting of floats, which is large, is not needed anywhere else in the library.
        let hundredths = (f64::from(self.sureness()) * 100.0).round_ties_even() as u16;
        write!(f, " ({}.{:02})", hundredths / 100, hundredths % 100)
    }
}

impl Guess {
    /// Returns the charset.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Returns how probable it is that the text reads as it was meant: from 0, nothing is known, to
    /// 1.
    pub fn sureness(&self) -> f32 {
        f32::from(self.per_mille) / 1000.0
    }

    /// Returns whether text may be rewritten by it.
    #[doc(hidden)]
    pub fn is_sure(self) -> bool {
        self.sure
    }

    /// Returns whether text may be shown as it reads it: hints that need not outlast normalising
    /// count too.
    #[doc(hidden)]
    pub fn is_probable(self) -> bool {
        self.sure || self.per_mille >= SURE
    }

    /// What text is read in about which nothing is known.
    #[doc(hidden)]
    pub const WITHOUT_EVIDENCE: Self =
        Self { charset: Charset::WINDOWS_1252, per_mille: 0, sure: false };

    /// Returns the certain guess of a charset that the octets indicate by themselves.
    #[doc(hidden)]
    pub fn certain(charset: Charset) -> Self {
        Self { charset, per_mille: 1000, sure: true }
    }
}

/// The evidence for the charset of a message's unlabelled text: the significant octets, and hints
/// around them. Hints choose between candidates; except for labels they do not make a guess surer
/// than it has to be, because not all of them outlast normalising.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    significant: Vec<u8>,
    labels: Vec<Charset>,
    languages: Vec<&'static str>,
}

/// How many significant octets of a message are enough.
const ENOUGH: usize = 16 * 1024;

impl Evidence {
    /// Adds a value of a header, or a piece of one.
    pub fn add(&mut self, octets: &[u8]) {
        if !self.is_enough() {
            significant::append(octets, &mut self.significant);
        }
    }

    /// Adds a text.
    pub fn add_text(&mut self, octets: &[u8]) {
        if !self.is_enough() && !Self::is_no_text(octets) {
            significant::append_text(octets, &mut self.significant);
        }
    }

    /// Returns whether a text contains any significant octets.
    pub fn is_in(octets: &[u8]) -> bool {
        !Self::is_no_text(octets) && significant::are_in_text(octets)
    }

    /// Returns whether octets above 7F are no text in any charset, but for one that they show by
    /// themselves.
    pub fn is_no_text(octets: &[u8]) -> bool {
        !octets.is_ascii() && significant::are_no_text(octets)
    }

    /// Returns whether a text was made of such octets.
    pub fn was_no_text(text: &str) -> bool {
        !text.is_ascii() && significant::was_no_text(text)
    }

    /// Returns whether more octets would be ignored.
    pub fn is_enough(&self) -> bool {
        self.significant.len() >= ENOUGH
    }

    /// Returns whether there are no significant octets.
    pub(crate) fn is_empty(&self) -> bool {
        self.significant.is_empty()
    }

    /// Returns the best guess, if there are significant octets.
    pub fn guess(&self) -> Option<Guess> {
        (!self.is_empty()).then(|| self.best_guess())
    }

    fn best_guess(&self) -> Guess {
        if !self.has_letter_of_filler() && significant::are_fillers(&self.significant) {
            return Guess::WITHOUT_EVIDENCE;
        }

        let significant = significant::not_repeated(&self.significant);
        let counted = Counted::of(&significant);
        let mut scored = candidates::scored(&significant, &counted, HOPELESS, |one| {
            self.bonus(one.charset, one.language)
        });
        let alone = self.best(&scored, &counted);
        let is_western = || alone.per_mille <= CHANCE && significant::are_in_english(&significant);
        if is_western()
            || !alone.sure && self.labels.is_empty() && significant::are_signs_alone(&significant)
        {
            return Guess { charset: Charset::WINDOWS_1252, per_mille: SURE, sure: true };
        }
        if self.has_no_hints() {
            return alone;
        }
        for one in &mut scored {
            one.score += one.bonus;
        }
        let hinted = self.best(&scored, &counted);
        Guess { sure: alone.sure || self.has_label(hinted.charset), ..hinted }
    }

    /// Returns the best guess, and after it the other charsets with their shares of the
    /// probability, the most probable first; those of less than a hundredth are left out.
    pub(crate) fn guesses(&self) -> Vec<Guess> {
        let best = self.guess().unwrap_or(Guess::WITHOUT_EVIDENCE);
        let significant = significant::not_repeated(&self.significant);
        let counted = Counted::of(&significant);
        let scored = candidates::scored(&significant, &counted, HOPELESS, |_| 0.0);
        let top = scored.iter().map(|one| one.score).fold(f64::MIN, f64::max);
        let mut all = share(NO_TEXT + counted.noise(), top);
        let mut shares: Vec<(Charset, f64)> = Vec::new();
        for one in &scored {
            let (charset, share) = (one.candidate.charset, share(one.score, top));
            all += share;
            match shares.iter_mut().find(|(known, _)| *known == charset) {
                Some((_, sum)) => *sum += share,
                None => shares.push((charset, share)),
            }
        }
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let guess = |(charset, share): (Charset, f64)| {
            let per_mille = (1000.0 * share / all).min(999.0) as u16;
            Guess { charset, per_mille, sure: per_mille >= SURE }
        };
        let others = shares.into_iter().filter(|(charset, _)| *charset != best.charset).map(guess);
        std::iter::once(best).chain(others.filter(|guess| guess.per_mille >= 10)).collect()
    }

    /// Returns the most probable candidate, with its share of the total probability; candidates
    /// that read alike are taken together.
    fn best(&self, scored: &[Scored], counted: &Counted) -> Guess {
        let best = scored.iter().max_by(|a, b| a.score.total_cmp(&b.score)).expect("candidates");
        let (top, best) = (best.score, best.candidate);
        let (mut all, mut alike) = (share(NO_TEXT + counted.noise(), top), 0.0);
        // Candidates of one charset are adjacent.
        let mut compared = (best.charset, true);
        for one in scored.iter().filter(|one| one.score > top - HOPELESS) {
            let candidate = one.candidate;
            if compared.0 != candidate.charset {
                compared =
                    (candidate.charset, best.reads_alike(candidate, &self.significant, counted));
            }
            let share = share(one.score, top);
            all += share;
            alike += if compared.1 { share } else { 0.0 };
        }
        // Only what octets indicate by themselves is certain.
        let per_mille = (1000.0 * alike / all).min(999.0) as u16;
        Guess { charset: best.charset, per_mille, sure: per_mille >= SURE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(octets: &[u8]) -> Guess {
        let mut evidence = Evidence::default();
        evidence.add(octets);
        evidence.guess().unwrap_or(Guess::WITHOUT_EVIDENCE)
    }

    #[test]
    fn letters_tell_charsets_apart() {
        for (label, text) in [
            ("windows-1252", "Schöne Grüße"),
            ("windows-1252", "naïve"),
            ("windows-1252", "Wir können nächste Woche für die Prüfung"),
            ("windows-1252", "don’t “quote” me — please"),
            ("iso-8859-2", "Małgorzata Wiśniewska"),
            ("windows-1250", "Příští týden bude schůzka"),
            ("windows-1251", "Привет"),
            ("koi8-r", "Привет, как дела"),
            ("windows-1254", "Teşekkür ederiz, görüşmek üzere"),
            ("iso-8859-7", "Καλημέρα σας"),
            ("windows-1255", "שלום לכולם"),
            ("windows-1256", "السلام عليكم"),
            ("gb18030", "您好，谢谢"),
            ("big5", "您好，謝謝"),
            ("euc-kr", "안녕하세요"),
            ("shift_jis", "お世話になっております"),
            ("euc-jp", "お世話になっております"),
            ("euc-tw", "明天我們都要到城裡去買幾本新書，然後回家吃晚飯"),
            ("johab", "내일 우리는 모두 시내에 가서 새 책을 살 것입니다"),
            ("windows-874", "สวัสดีครับ"),
            ("windows-1252", "·¸¸·´¯`·¸¸·´¯`"),
            ("windows-1252", "(¯`·.¸ Sale ¸.·´¯)"),
            ("windows-1252", "°º¤ø,¸¸,ø¤º°`°º¤ø,¸¸"),
            ("iso-8859-2", "Kozłowski"),
            ("iso-8859-2", "Jabłoński"),
            ("windows-1252", "Muñoz"),
            ("big5", "±10% 23℃ –"),
            ("big5", "林雅婷"),
            // Capitals, which are small letters of another script in another charset.
            ("windows-1253", "ΠΡΟΣΚΛΗΣΗ ΣΕ ΓΕΝΙΚΗ ΣΥΝΕΛΕΥΣΗ"),
            ("iso-8859-7", "ΑΝΑΚΟΙΝΩΣΗ ΓΙΑ ΤΟΥΣ ΜΑΘΗΤΕΣ"),
            ("koi8-r", "ПРИГЛАШЕНИЕ НА СОБРАНИЕ"),
            ("windows-1251", "ПРИГЛАШЕНИЕ НА СОБРАНИЕ"),
            ("iso-8859-2", "RÓŻNE"),
            // Languages that were read as their neighbours.
            ("windows-1251", "Сустрэча прызначана на заўтра"),
            ("windows-1251", "Маргааш хурал болох тул ирээрэй"),
            ("koi8-t", "Фардо ҳамаи мо ба шаҳр меравем"),
            ("ptcp154", "Ертең барлығымыз қалаға барамыз"),
            ("georgian-ps", "ხვალ ყველანი ქალაქში წავალთ"),
            ("viscii", "Ngày mai chúng tôi sẽ đến thành phố mới"),
            ("tcvn", "Ngày mai chúng tôi sẽ đến thành phố mới"),
            ("windows-1257", "Rytoj visi važiuosime į miestą"),
            ("ibm855", "Завтра мы все поедем в город"),
            ("windows-1257", "Vakar pirkau gražią žalią kėdę"),
            ("windows-1257", "Rīt rādīšu tev jaunās kurpes"),
            ("windows-1250", "Zajtra prídem neskôr, keďže pršalo"),
            ("windows-1250", "Jučer smo išli kući pješice"),
            ("ISO-8859-2", "Naročili smo češnje in pečen krompir"),
            // A sign stands beside letters only on its side: no dagger begins a word.
            ("ibm850", "från båda håll på åtta år"),
            // Letters that somebody types as a test.
            ("windows-1254", "ğüşiöç"),
            ("windows-1250", "ěščřžýáíé"),
            ("windows-1250", "ęóąśłżźćń"),
            ("windows-1257", "ąčęėįšųūž"),
            ("iso-8859-2", "öüóőúéáűí"),
            ("windows-1252", "áéíóúñ"),
            ("windows-1252", "åäö ÅÄÖ"),
        ] {
            let charset = Charset::for_label(label).expect("known");
            let octets = charset.encode(text).expect("encodable");
            let guess = guess(&octets);
            assert_eq!(guess.charset.decode(&octets).text(), text, "{label} as {guess:?}");
            assert!(guess.sure, "{text} is {guess:?}");
        }
    }

    #[test]
    fn what_says_nothing_is_not_sure() {
        for octets in [
            &b""[..],
            b"plain",
            b"\x81\x8D\x9D\xFF\x90\x81",
            b"\x04\xC2\x9E\x1B\xF3\xFE\x8F\xAA\x99",
            b"caf\xFF \xFF\xFF x\xFF\xFF\xFF",
        ] {
            assert!(!guess(octets).sure, "{octets:02X?}: {:?}", guess(octets));
        }
    }

    /// Text in a charset that is no candidate is not sure to be in another one.
    #[test]
    fn what_is_no_candidate_is_none_of_them() {
        for (label, text) in [
            (
                "armscii-8",
                "Վաղը բոլորս քաղաք կգնանք, այնտեղ նոր գրքեր կգնենք, իսկ հետո տուն կվերադառնանք",
            ),
            ("tscii", "நாளை நாங்கள் எல்லோரும் நகரத்துக்குப் போய் புதிய புத்தகங்கள் வாங்குவோம்"),
        ] {
            let charset = Charset::for_label(label).expect("known");
            let octets = charset.encode(text).expect("encodable");
            assert!(!guess(&octets).sure, "{label}: {:?}", guess(&octets));
        }
    }

    /// Scripts are not mixed in words.
    #[test]
    fn no_word_is_half_in_another_script() {
        for word in [&b"Kov\xE1\xF8"[..], b"Koz\xB3owski", b"Ko\xB3odziej", b"W\xF3jcik"] {
            let name = guess(word).charset.name();
            assert!(
                !matches!(name, "Big5" | "GBK" | "EUC-KR" | "ISO-8859-8"),
                "{word:02X?} as {name}"
            );
            let is_hebrew = name == "windows-1255" && guess(word).sure;
            assert!(!is_hebrew, "{word:02X?} as {name}");
        }
    }

    /// Two signs that are also a rare character of East Asia.
    #[test]
    fn a_few_signs_are_not_surely_korean() {
        let guess = guess(b"rev \xB2\xB7\xB3\xB7\xB9 (second draft)");
        assert!(guess.charset.name() != "EUC-KR" || !guess.sure, "{guess:?}");
    }

    #[test]
    fn ff_is_no_blank_of_dos() {
        for octets in
            [&b"A\xFFB\xFFC\xFFD"[..], b"\xFF\xFFTotal\xFF\xFF", b"R\xFFE\xFFP\xFFO\xFFR\xFFT"]
        {
            let name = guess(octets).charset.name();
            assert!(!name.starts_with("IBM"), "{octets:02X?} as {name}");
        }
    }

    #[test]
    fn ff_alone_is_no_letter() {
        for octets in [&b"Total \xFF here"[..], b"\xFF", b"one \xFF two \xFF\xFF three \xFF"] {
            assert!(!guess(octets).sure, "{octets:02X?}: {:?}", guess(octets));
        }
        let russian = guess(b"\xFF \xE7\xED\xE0\xFE"); // "я знаю"
        assert!(russian.charset.name() == "windows-1251" && russian.sure, "{russian:?}");
    }

    /// Words that are too short to tell are never as good as certain, whatever their letters.
    #[test]
    fn few_letters_are_not_nearly_certain() {
        for (label, word) in
            [("windows-1257", "gerbėją"), ("windows-1257", "mėtą"), ("windows-1250", "vacă")]
        {
            let charset = Charset::for_label(label).expect("known");
            let octets = charset.encode(word).expect("encodable");
            let guess = guess(&octets);
            let is_right = guess.charset.decode(&octets).text() == word;
            assert!(is_right || guess.sureness() < 0.9, "{word}: {guess:?}");
        }
    }

    /// English with typographic apostrophes is not a language of old Macs, in which they are `í`.
    #[test]
    fn apostrophes_before_s_and_t_are_apostrophes() {
        let text = b"now\x92s it\x92s can\x92t Glasgow\x92s doesn\x92t that\x92s Prison\x92s";
        let guess = guess(text);
        assert!(guess.charset == Charset::WINDOWS_1252 && guess.sure, "{guess:?}");
    }

    /// Two contractions with the apostrophe of windows-1252, whatever else is there.
    #[test]
    fn english_with_smart_quotes_is_western() {
        let template =
            b"It isn\x92t \x81\x8d\x9d safe: we\x92ve locked \x93your\x94 account \x90\x81\x8f";
        let guess = guess(template);
        assert!(guess.charset == Charset::WINDOWS_1252 && guess.sure, "{guess:?}");
    }

    #[test]
    fn octets_that_are_no_text_are_not_guessed_about() {
        let octets: Vec<u8> = (0..=255).cycle().take(1024).collect();
        assert!(Evidence::is_no_text(&octets) && !Evidence::is_in(&octets));
        assert!(Evidence::is_no_text(b"%PDF-1.4\r\n%\xE2\xE3\xCF\xD3\r\n1 0 obj\r\n"));
        assert!(
            !Evidence::is_no_text(b"\x1A\x01\x02\x03") && !Evidence::is_no_text(b"caf\xE9\x1A")
        );
    }

    #[test]
    fn blanks_and_punctuation_say_nothing() {
        let text = b"Sch\xF6ne Gr\xFC\xDFe";
        for other in
            [&b"\r\n Sch\xF6ne \"Gr\xFC\xDFe\"...\t"[..], b"(Gr\xFC\xDFe), 12 Sch\xF6ne; from me"]
        {
            assert_eq!(guess(text), guess(other));
        }
    }

    #[test]
    fn hints_choose_but_do_not_make_sure() {
        let mut evidence = Evidence::default();
        evidence.add(b"\xE6\xEF");
        let alone = evidence.guess().expect("a guess");
        evidence.add_language("ru");
        let hinted = evidence.guess().expect("a guess");
        assert_eq!(hinted.sure, alone.sure);
        evidence.add_label(Charset::for_label("koi8-r").expect("known"));
        let labelled = evidence.guess().expect("a guess");
        assert!(labelled.charset.name() == "KOI8-R" && labelled.sure, "{labelled:?}");
    }
}
