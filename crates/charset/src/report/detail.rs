//! The charsets and codes that details of issues name, for programs: the words are for people.

use crate::{Charset, Code, Issue};

impl Issue {
    /// Returns the charset that was guessed, of a [`Code::CharsetGuessed`]; of others `None`.
    ///
    /// ```
    /// let done = sevenbit::normalize("Subject: Привет, как дела?\r\n\r\n".as_bytes());
    /// assert!(done.report().issues().iter().all(|issue| issue.charset().is_none()));
    /// let koi8 = sevenbit::Charset::for_label("koi8-r").unwrap();
    /// let raw = [b"Subject: ", &*koi8.encode("Привет, как дела?").unwrap(), b"\r\n\r\n"].concat();
    /// let done = sevenbit::normalize(&raw);
    /// assert_eq!(done.report().issues().iter().find_map(|issue| issue.charset()), Some(koi8));
    /// ```
    pub fn charset(&self) -> Option<Charset> {
        let mut words =
            self.detail().split([' ', ',', ':', '(']).filter(|_| self.code() == Code::CharsetGuessed);
        words.find_map(|word| Charset::for_label(word).filter(|charset| charset.is_decodable()))
    }

    /// Returns what readers interpret in different ways in signed content that stays as it is, of a
    /// [`Code::AmbiguousSignedContent`]; of others none.
    pub fn related(&self) -> impl Iterator<Item = Code> + '_ {
        let words = self.detail().split(", ").filter(|_| self.code() == Code::AmbiguousSignedContent);
        words.filter_map(|word| word.parse().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_readers_differ_about_is_named() {
        let issue = |code, detail| Issue::from_parts(code, crate::Span::new(0, 1), "1", detail);
        let signed = issue(Code::AmbiguousSignedContent, "header-not-ended, boundary-missing");
        assert_eq!(signed.related().collect::<Vec<_>>(), [Code::HeaderNotEnded, Code::BoundaryMissing]);
        assert_eq!(issue(Code::CharsetUnknown, "koi8-r").charset(), None);
        let unknown = issue(Code::CharsetGuessed, "unknown-8bit (2 times)");
        assert_eq!(unknown.charset(), None);
        let guessed = issue(Code::CharsetGuessed, "windows-1252 (0.93)");
        assert_eq!(guessed.charset(), Some(Charset::WINDOWS_1252));
        assert_eq!(guessed.related().count(), 0);
    }
}
