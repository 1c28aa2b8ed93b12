//! Hints around unlabelled text: labels elsewhere in the message, languages, and the countries of
//! hosts.

use memchr::memchr_iter;

use super::Evidence;
use super::significant::FILLER;
use crate::Charset;

/// How much more probable a label elsewhere makes a charset, and a hint a language (as logarithms).
const LABEL: f64 = 5.0;
const LANGUAGE: f64 = 3.0;

/// How much more probable a label elsewhere makes a charset in which so few octets are nothing but
/// letters.
const LABEL_OF_FEW: f64 = 30.0;

/// How many octets above 7F are few: two characters of East Asia.
const FEW: usize = 4;

/// Countries in order, as the last labels of domains, with the languages that mail from there is
/// written in.
const COUNTRIES: &[(&str, &str)] = &[
    ("ar", "es"),
    ("at", "de"),
    ("ba", "hr sr"),
    ("be", "nl fr"),
    ("bg", "bg"),
    ("br", "pt"),
    ("by", "be ru"),
    ("ca", "fr"),
    ("cat", "ca"),
    ("ch", "de fr it"),
    ("cl", "es"),
    ("cn", "zh-Hans"),
    ("co", "es"),
    ("cz", "cs"),
    ("de", "de"),
    ("dk", "da"),
    ("ee", "et"),
    ("eg", "ar"),
    ("es", "es ca"),
    ("fi", "fi sv"),
    ("fr", "fr"),
    ("gr", "el"),
    ("hk", "zh-Hant"),
    ("hr", "hr"),
    ("hu", "hu"),
    ("ie", "ga en"),
    ("il", "he"),
    ("ir", "fa"),
    ("is", "is"),
    ("it", "it"),
    ("jp", "ja"),
    ("kr", "ko"),
    ("kz", "ru"),
    ("lt", "lt"),
    ("lv", "lv"),
    ("md", "ro ru"),
    ("mt", "mt"),
    ("mx", "es"),
    ("nl", "nl"),
    ("no", "no"),
    ("pe", "es"),
    ("pl", "pl"),
    ("pt", "pt"),
    ("ro", "ro"),
    ("rs", "sr hr"),
    ("ru", "ru"),
    ("sa", "ar"),
    ("se", "sv"),
    ("sg", "zh-Hans"),
    ("si", "sl"),
    ("sk", "sk"),
    ("su", "ru"),
    ("th", "th"),
    ("tr", "tr"),
    ("tw", "zh-Hant"),
    ("ua", "uk ru"),
    ("uk", "en"),
    ("vn", "vi"),
];

/// Mailers that are used for one language.
const MAILERS: [(&str, &str); 6] = [
    ("foxmail", "zh-Hans"),
    ("coremail", "zh-Hans"),
    ("becky!", "ja"),
    ("shuriken", "ja"),
    ("the bat!", "ru"),
    ("hanmail", "ko"),
];

impl Evidence {
    pub(super) fn has_no_hints(&self) -> bool {
        self.labels.is_empty() && self.languages.is_empty()
    }

    /// Adds a charset that something else in the message is labelled with.
    pub fn add_label(&mut self, charset: Charset) {
        if !self.has_heard(charset) {
            self.labels.push(charset);
        }
    }

    /// Returns the charsets that something else in the message is labelled with.
    pub fn labels(&self) -> &[Charset] {
        &self.labels
    }

    /// Returns whether a label would add nothing.
    pub fn has_heard(&self, charset: Charset) -> bool {
        let says_nothing =
            charset.is_seven_bit() || charset.is_stateful() || charset == Charset::UTF_8;
        says_nothing || !charset.is_decodable() || self.labels.contains(&charset)
    }

    /// Adds the hints of other evidence.
    pub fn add_hints_of(&mut self, other: &Self) {
        other.labels.iter().for_each(|label| self.add_label(*label));
        other.languages.iter().for_each(|language| self.put(language));
    }

    /// Adds a language by its tag (RFC 5646).
    pub fn add_language(&mut self, tag: &str) {
        let tag = tag.trim().to_ascii_lowercase();
        let (first, rest) = tag.split_once(['-', '_']).unwrap_or((&tag, ""));
        match (first, rest) {
            ("zh", "tw" | "hk" | "hant") => self.put("zh-Hant"),
            ("zh", _) => self.put("zh-Hans"),
            ("nb" | "nn", _) => self.put("no"),
            ("mk", _) => self.put("sr"),
            _ => {
                let known = COUNTRIES.iter().flat_map(|(_, languages)| languages.split(' '));
                if let Some(language) = known.chain(["eo", "sq"]).find(|known| *known == first) {
                    self.put(language);
                }
            }
        }
    }

    /// Adds the languages that a mailer is used for, by what it calls itself.
    pub fn add_mailer(&mut self, mailer: &str) {
        let mailer = mailer.to_ascii_lowercase();
        let known = MAILERS.iter().filter(|(name, _)| mailer.contains(name));
        known.for_each(|(_, language)| self.put(language));
    }

    /// Adds the last labels of what looks like domains, at which the message was written or passed
    /// on.
    pub fn add_hosts(&mut self, value: &[u8]) {
        let is_inside = |octet: &u8| octet.is_ascii_alphanumeric() || *octet == b'-';
        for dot in memchr_iter(b'.', value) {
            let rest = &value[dot + 1..];
            let end = rest.iter().position(|octet| !is_inside(octet)).unwrap_or(rest.len());
            if rest.get(end) != Some(&b'.')
                && let Ok(label) = std::str::from_utf8(&rest[..end])
            {
                self.add_top_level_domain(label);
            }
        }
    }

    fn add_top_level_domain(&mut self, domain: &str) {
        // No other label is as short.
        if !matches!(domain.len(), 2..=3) {
            return;
        }
        let domain = domain.to_ascii_lowercase();
        if let Ok(at) = COUNTRIES.binary_search_by_key(&domain.as_str(), |(country, _)| country) {
            COUNTRIES[at].1.split(' ').for_each(|language| self.put(language));
        }
    }

    fn put(&mut self, language: &'static str) {
        if !self.languages.contains(&language) {
            self.languages.push(language);
        }
    }

    /// Returns whether something else is labelled with a charset that is read alike.
    pub(super) fn has_label(&self, charset: Charset) -> bool {
        self.labels.iter().any(|&label| reads_alike(label, charset))
    }

    /// Returns whether something else is labelled with a charset of which FF, with which programs
    /// fill what is empty, is a letter that begins words: not `ÿ`.
    pub(super) fn has_letter_of_filler(&self) -> bool {
        let is_letter = |label: &Charset| {
            let text = label.decode_lossless(&[FILLER]);
            text.is_some_and(|text| text.chars().all(|c| c.is_alphabetic() && c != 'ÿ'))
        };
        self.labels.iter().any(is_letter)
    }

    /// Returns how much more probable the hints make a candidate.
    pub(super) fn bonus(&self, charset: Charset, language: &str) -> f64 {
        if self.has_no_hints() {
            return 0.0;
        }

        let label = if !self.has_label(charset) {
            0.0
        } else if self.are_few_letters(charset) {
            LABEL_OF_FEW
        } else {
            LABEL
        };
        label + if self.languages.contains(&language) { LANGUAGE } else { 0.0 }
    }

    /// Returns whether the octets are one or two letters of a charset. It says nothing that they
    /// are letters of a Western one: in that most octets are.
    fn are_few_letters(&self, charset: Charset) -> bool {
        let is_western = matches!(charset.name(), "windows-1252" | "ISO-8859-1" | "ISO-8859-15");
        let high = self.significant.iter().filter(|octet| !octet.is_ascii()).count();
        let are_letters = |text: &str| {
            text.chars().all(|c| c.is_ascii() || c.is_alphabetic())
                && !text.split(' ').any(mixes_scripts)
        };
        (1..=FEW).contains(&high)
            && !is_western
            && charset.decode_lossless(&self.significant).is_some_and(|text| are_letters(&text))
    }
}

/// Returns whether a word has Latin letters and others, as no word has that was meant so.
fn mixes_scripts(word: &str) -> bool {
    let is_latin = |c: char| matches!(c, '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}');
    let holds_ascii = word.contains(|c: char| c.is_ascii_alphabetic());
    holds_ascii && word.contains(|c: char| !c.is_ascii() && !is_latin(c))
}

/// Returns whether one label means the other among the candidates.
fn reads_alike(label: Charset, candidate: Charset) -> bool {
    let of_family = |name| match name {
        "ISO-8859-1" | "windows-1252" => "windows-1252",
        "ISO-8859-9" | "windows-1254" => "windows-1254",
        "ISO-8859-11" | "TIS-620" | "windows-874" => "windows-874",
        "GB2312" | "GBK" | "GB18030" => "GBK",
        "KS_C_5601-1987" | "EUC-KR" => "EUC-KR",
        "Shift_JIS" | "Windows-31J" => "Shift_JIS",
        "Big5" | "Big5-HKSCS" => "Big5",
        "ISO-8859-8" | "ISO-8859-8-I" => "ISO-8859-8",
        name => name,
    };
    of_family(label.name()) == of_family(candidate.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_are_letters_only_beside_a_label_that_has_one() {
        for (label, is_sure) in
            [("iso-8859-1", false), ("iso-8859-2", false), ("windows-1251", true)]
        {
            let mut evidence = Evidence::default();
            evidence.add(b"\xFF\xFF\xFF");
            evidence.add_label(Charset::for_label(label).expect("known"));
            let guess = evidence.guess().expect("a guess");
            assert_eq!(guess.is_sure(), is_sure, "{label}: {guess:?}");
        }
    }

    /// A label decides about few letters, but not against the word that they are in.
    #[test]
    fn a_label_does_not_mix_scripts_in_a_word() {
        let guess = |octets: &[u8]| {
            let mut evidence = Evidence::default();
            evidence.add(octets);
            evidence.add_label(Charset::for_label("koi8-r").expect("known"));
            evidence.guess().expect("a guess").charset().name()
        };
        assert_eq!(guess(b"YouTube-tj\xE4nst"), "windows-1252");
        assert_eq!(guess(b"\xE4\xC1"), "KOI8-R");
    }

    #[test]
    fn countries_are_found() {
        assert!(COUNTRIES.is_sorted_by_key(|(country, _)| *country));
        for (country, languages) in COUNTRIES {
            let mut evidence = Evidence::default();
            evidence.add_top_level_domain(&country.to_uppercase());
            assert_eq!(evidence.languages, languages.split(' ').collect::<Vec<_>>(), "{country}");
        }
    }
}
