//! Which messages belong together (Zawinski, "Message Threading", 1997; RFC 5256).

use std::borrow::Cow;
use std::collections::HashSet;

use super::part::Part;

/// Words that mark an answer or a forwarded message at the start of a subject, in lower case: what
/// the mail programs of a language write. Each is followed by a colon.
const MARKS: &[&str] = &[
    "re",
    "fw",
    "fwd",
    "aw",
    "wg",
    "sv",
    "vs",
    "vl",
    "vb",
    "antw",
    "antwort",
    "antwoord",
    "svar",
    "doorst",
    "betr",
    "r",
    "rif",
    "i",
    "res",
    "enc",
    "rv",
    "tr",
    "réf",
    "rép",
    "réponse",
    "respuesta",
    "risposta",
    "odp",
    "pd",
    "ynt",
    "ilt",
    "i̇lt",
    "vá",
    "tovább",
    "hvl",
    "atb",
    "bls",
    "trs",
    "απ",
    "σχετ",
    "πρθ",
    "отв",
    "ответ",
    "на",
    "перенаправлено",
    "השב",
    "תשובה",
    "הועבר",
    "رد",
    "إعادة توجيه",
    "回复",
    "回覆",
    "答复",
    "转发",
    "轉寄",
    "返信",
    "転送",
    "답장",
    "회신",
    "전달",
];

/// Returns the subject without what was put around it when it was answered or forwarded (RFC 5256,
/// 2.1).
///
/// - `Re:`, `Fwd:`, `Aw:`, `回复：` and their like are left out, counted (`Re[2]:`, `Re^2:`) or not,
///   as often as they are there, and so is `(fwd)` at the end.
/// - White space is one space wherever it is.
/// - Words in brackets at the start, as lists put them there, are left out, unless nothing else is
///   there; of `[Fwd: x]` the x stays.
///
/// ```
/// use sevenbit::base_subject;
///
/// assert_eq!(base_subject("Re: AW: [pets] Re[2]:  Cats and\tdogs (fwd)"), "Cats and dogs");
/// assert_eq!(base_subject("[pets]"), "[pets]");
/// ```
pub fn base_subject(subject: &str) -> String {
    let text = subject.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut base = &*text;
    loop {
        let rest = without_mark(without_wrap(without_end(base)));
        if rest.len() == base.len() {
            return rest.to_owned();
        }
        base = rest;
    }
}

/// Returns a text without `(fwd)` at its end.
fn without_end(text: &str) -> &str {
    const END: &str = "(fwd)";
    let start = text.len().saturating_sub(END.len());
    match text.get(start..) {
        Some(end) if end.eq_ignore_ascii_case(END) => text[..start].trim_end(),
        _ => text,
    }
}

/// `subj-fwd = "[fwd:" subject "]"`: returns what is between, or the text if it is none.
fn without_wrap(text: &str) -> &str {
    const START: &str = "[fwd:";
    let is_wrapped = text.get(..START.len()).is_some_and(|start| start.eq_ignore_ascii_case(START));
    let inner = if is_wrapped { text.strip_suffix(']') } else { None };
    inner.and_then(|inner| inner.get(START.len()..)).map_or(text, str::trim)
}

/// Returns a text without one mark at its start, or without words in brackets there.
fn without_mark(text: &str) -> &str {
    if let Some((_, after)) = text.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        return if after.is_empty() { text } else { after.trim_start() };
    }
    // The colon of East Asia is another character.
    let Some((mark, after)) = text.split_once([':', '：']) else { return text };
    if mark.len() > 32 {
        return text;
    }
    let counted =
        mark.trim_end().trim_end_matches(|c: char| c.is_ascii_digit() || "[]()^*.".contains(c));
    let is_mark = MARKS.contains(&&*counted.trim().to_lowercase());
    if is_mark { after.trim_start() } else { text }
}

impl<'m> Part<'m> {
    pub(super) fn ancestors(&self) -> Vec<Cow<'m, str>> {
        let mut ids = self.ids("references");
        // Words after the first id of In-Reply-To are seldom ids, and never say which of them began
        // the thread.
        ids.extend(self.ids("in-reply-to").into_iter().next());
        // A message that says that it answers itself would begin a circle.
        let own = self.ids("message-id").into_iter().next();
        let mut known: HashSet<Cow<'_, str>> = own.into_iter().collect();
        ids.retain(|id| known.insert(id.clone()));
        ids
    }

    pub(super) fn thread_key(&self) -> Option<String> {
        let root = self
            .ancestors()
            .into_iter()
            .next()
            .or_else(|| self.ids("message-id").into_iter().next());
        root.map(|id| format!("<{id}>")).or_else(|| {
            let subject = base_subject(&self.header("subject")?).to_lowercase();
            Some(subject).filter(|subject| !subject.is_empty())
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Message;

    #[test]
    fn marks_are_taken_off() {
        for (subject, base) in [
            ("cats", "cats"),
            ("Re: cats", "cats"),
            ("RE : cats", "cats"),
            ("Aw: WG: Antw: SV: Rif: Réf: Odp: Ynt: Vá: cats", "cats"),
            ("Re[12]: Re(2): Re^3: cats", "cats"),
            ("Antwort: Svar: Réf. : Odp.: cats", "cats"),
            ("回复：转发: 猫", "猫"),
            ("Ответ: кошки", "кошки"),
            ("[pets] Re: [pets][x] cats", "cats"),
            ("[pets] cats", "cats"),
            ("Re: [pets]", "[pets]"),
            ("Re: cats (fwd) (FWD)", "cats"),
            ("[Fwd: Re: cats]", "cats"),
            ("Re: [FWD: [pets] Aw: cats and dogs] (fwd)", "cats and dogs"),
            ("[Fwd: cats] and dogs", "and dogs"),
            ("[Fwd:]", ""),
            ("Re:", ""),
            ("", ""),
            ("Ref: 4711", "Ref: 4711"),
            ("Remember: cats", "Remember: cats"),
            ("Regarding the re: cats", "Regarding the re: cats"),
            ("[open: cats", "[open: cats"),
        ] {
            assert_eq!(base_subject(subject), base, "{subject}");
        }
    }

    #[test]
    fn threads_are_known_by_their_first_message() {
        for (header, key) in [
            ("Message-ID: <a@b>", Some("<a@b>")),
            ("Message-ID: <c@d>\r\nIn-Reply-To: <a@b>", Some("<a@b>")),
            (
                "Message-ID: <e@f>\r\nIn-Reply-To: <c@d>\r\nReferences: <a@\r\n b> <c@d>",
                Some("<a@b>"),
            ),
            ("Message-ID: <a@b>\r\nReferences: <a@b>", Some("<a@b>")),
            ("Subject: Re: Cats", Some("cats")),
            ("Subject: Re:", None),
        ] {
            assert_eq!(
                Message::parse(format!("{header}\r\n\r\n").as_bytes()).thread_key().as_deref(),
                key,
                "{header}"
            );
        }
    }

    #[test]
    fn ancestors_are_known() {
        for (header, ids) in [
            ("References: <a@b> <c@d> <a@b>\r\nIn-Reply-To: <c@d>", &["a@b", "c@d"][..]),
            ("In-Reply-To: <a@b> <c@d>", &["a@b"]),
            ("References: <a@b>\r\nIn-Reply-To: <c@d>", &["a@b", "c@d"]),
            ("Message-ID: <c@d>\r\nReferences: <a@b> <c@d>", &["a@b"]),
            ("In-Reply-To: Message from Ada <ada@example.org> of \"3 Mar\" <a@b>", &["a@b"]),
            ("In-Reply-To: Your message from ada@example.org", &[]),
        ] {
            let mail = format!("{header}\r\n\r\n");
            assert_eq!(Message::parse(mail.as_bytes()).ancestors(), ids, "{header}");
        }
    }

    proptest! {
        #[test]
        fn a_base_has_no_marks(subject in "(Re|Aw|Fwd|\\[Fwd:|[\\[\\]:： ()2]|\\PC|\\(fwd\\)){0,20}") {
            let base = base_subject(&subject);
            prop_assert_eq!(base_subject(&base), base);
        }
    }
}
