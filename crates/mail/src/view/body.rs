//! Which parts of a message are its body, and which are attachments.

use super::part::Part;

/// How deep multiparts may be nested for their parts to be sorted; anything deeper is an
/// attachment.
const MAX_DEPTH: usize = 1_000;

/// Which parts of a message are to be shown one after the other, and which are attachments: what
/// JMAP calls `textBody`, `htmlBody` and `attachments` (RFC 8621, 4.1.4).
///
/// - Of a `multipart/alternative` (RFC 2046, 5.1.4) one side is shown: its HTML, or its plain text.
///   If it has only one of them, that is on both sides.
/// - Of a `multipart/related` (RFC 2387) the root is shown: the part that `start` names by its
///   Content-ID, or the first one. The others are attachments, whatever their disposition.
/// - Of any other multipart, parts in plain text, HTML, and images, audio and video are shown in
///   their order (RFC 2046, 5.1.3), unless their disposition is `attachment` (RFC 2183, 2.2), or
///   they are text with a file name after the first part.
/// - A message in the message is an attachment.
///
/// Images, audio and video are both shown and listed among the attachments if a reader of one of
/// the sides would not see them otherwise.
///
/// ```
/// let mail = b"Content-Type: multipart/alternative; boundary=b\r\n\r\n\
///     --b\r\n\r\nplain\r\n\
///     --b\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--b--\r\n";
/// let message = sevenbit::Message::parse(mail);
/// let body = message.body_parts();
/// assert_eq!(body.plain()[0].text().as_deref(), Some("plain"));
/// assert_eq!(body.html()[0].text().as_deref(), Some("<p>rich</p>"));
/// assert!(body.attachments().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct BodyParts<'m> {
    plain: Vec<Part<'m>>,
    html: Vec<Part<'m>>,
    attachments: Vec<Part<'m>>,
}

impl<'m> BodyParts<'m> {
    /// Returns the parts to show if plain text is preferred, including HTML that has no
    /// alternative.
    pub fn plain(&self) -> &[Part<'m>] {
        &self.plain
    }

    /// Returns the parts to show if HTML is preferred, including plain text that has no
    /// alternative.
    pub fn html(&self) -> &[Part<'m>] {
        &self.html
    }

    /// Returns the parts to offer as files.
    pub fn attachments(&self) -> &[Part<'m>] {
        &self.attachments
    }

    pub(super) fn of(root: Part<'m>) -> Self {
        let mut parts = Self::default();
        parts.sort(&[root], Around::NONE, Sides::BOTH);
        parts
    }

    /// Sorts the parts of one multipart.
    fn sort(&mut self, parts: &[Part<'m>], around: Around, mut sides: Sides) {
        let (plain, html) = (self.plain.len(), self.html.len());
        for (at, part) in parts.iter().enumerate() {
            if part.is_multipart() && part.depth() < MAX_DEPTH {
                self.sort_multipart(*part, around, sides);
            } else if !around.shows(at, part) {
                self.attachments.push(*part);
            } else if around.is_alternative {
                self.take_alternative(*part);
            } else {
                if around.in_alternative {
                    sides.plain &= part.media_type() != "text/html";
                    sides.html &= part.media_type() != "text/plain";
                }
                self.take(*part, sides);
            }
        }
        if around.is_alternative && sides.plain && sides.html {
            match (self.plain.len() > plain, self.html.len() > html) {
                (false, true) => self.plain.extend_from_slice(&self.html[html..]),
                (true, false) => self.html.extend_from_slice(&self.plain[plain..]),
                _ => {}
            }
        }
    }

    fn sort_multipart(&mut self, multipart: Part<'m>, around: Around, sides: Sides) {
        let parts: Vec<_> = multipart.children().collect();
        let is_alternative = multipart.media_type() == "multipart/alternative";
        let in_alternative = around.in_alternative || is_alternative;
        let root =
            (multipart.media_type() == "multipart/related").then(|| root_of(multipart, &parts));
        self.sort(&parts, Around { is_alternative, in_alternative, root }, sides);
    }

    /// Takes one of several alternatives: each is for one side.
    fn take_alternative(&mut self, part: Part<'m>) {
        match part.media_type() {
            "text/plain" => self.plain.push(part),
            "text/html" => self.html.push(part),
            _ => self.attachments.push(part),
        }
    }

    fn take(&mut self, part: Part<'m>, sides: Sides) {
        if sides.plain {
            self.plain.push(part);
        }
        if sides.html {
            self.html.push(part);
        }
        if is_media(&part) && !(sides.plain && sides.html) {
            self.attachments.push(part);
        }
    }
}

/// Which sides a part may be shown on.
#[derive(Clone, Copy)]
struct Sides {
    plain: bool,
    html: bool,
}

impl Sides {
    const BOTH: Self = Self { plain: true, html: true };
}

/// The surroundings of parts.
#[derive(Clone, Copy)]
struct Around {
    /// Whether they are alternatives.
    is_alternative: bool,
    /// Whether they, or a multipart around them, are alternatives.
    in_alternative: bool,
    /// In a `multipart/related`, which of them is the root.
    root: Option<usize>,
}

impl Around {
    const NONE: Self = Self { is_alternative: false, in_alternative: false, root: None };

    /// Returns whether the part at index `at` is shown with the message.
    fn shows(&self, at: usize, part: &Part<'_>) -> bool {
        let is_text = matches!(part.media_type(), "text/plain" | "text/html");
        let is_first = at == self.root.unwrap_or(0);
        part.is_leaf()
            && part.disposition() != Some("attachment")
            && (is_text || is_media(part))
            && (is_first || self.root.is_none() && (is_media(part) || part.filename().is_none()))
    }
}

/// Returns the root of a `multipart/related` (RFC 2387, 3.2): the part that `start` names,
/// otherwise the first.
fn root_of(related: Part<'_>, parts: &[Part<'_>]) -> usize {
    let Some(start) = related.parameter("start") else { return 0 };
    let start = start.trim().trim_start_matches('<').trim_end_matches('>');
    parts.iter().position(|part| part.content_id().is_some_and(|id| id == start)).unwrap_or(0)
}

/// Returns whether a part is an image, audio or video: something that a reader can show between
/// texts.
fn is_media(part: &Part<'_>) -> bool {
    ["image/", "audio/", "video/"].iter().any(|top| part.media_type().starts_with(top))
}

#[cfg(test)]
mod tests {
    use crate::Message;
    use crate::view::Part;

    /// Returns a part with the type and disposition `kind`, and the letter as its content.
    fn leaf(kind: &str, letter: &str) -> String {
        format!("Content-Type: {kind}\r\n\r\n{letter}")
    }

    /// Returns a multipart with these parts; `name` is its boundary.
    fn multipart(kind: &str, name: &str, parts: &[String]) -> String {
        let parts: String = parts.iter().map(|part| format!("--{name}\r\n{part}\r\n")).collect();
        format!("Content-Type: multipart/{kind}; boundary={name}\r\n\r\n{parts}--{name}--")
    }

    /// Returns the letters of what is shown as plain text, as HTML, and of the attachments.
    fn sorted(mail: &str) -> [String; 3] {
        let message = Message::parse(mail.as_bytes());
        let body = message.body_parts();
        let letters = |parts: &[Part<'_>]| -> String {
            let text = parts
                .iter()
                .map(|part| String::from_utf8_lossy(part.body_octets()).trim().to_owned());
            text.collect::<Vec<_>>().concat()
        };
        [letters(body.plain()), letters(body.html()), letters(body.attachments())]
    }

    #[test]
    fn the_example_of_rfc_8621_is_sorted_as_it_says() {
        let first_side = multipart(
            "mixed",
            "b3",
            &[leaf("text/plain", "B"), leaf("image/jpeg", "C"), leaf("text/plain", "D")],
        );
        let second_side =
            multipart("related", "b4", &[leaf("text/html", "E"), leaf("image/jpeg", "F")]);
        let inner = multipart(
            "mixed",
            "b1",
            &[
                multipart("alternative", "b2", &[first_side, second_side]),
                leaf("image/jpeg\r\nContent-Disposition: attachment", "G"),
                leaf("application/x-excel", "H"),
                "Content-Type: message/rfc822\r\n\r\nJ: J".to_owned(),
            ],
        );
        let mail =
            multipart("mixed", "b0", &[leaf("text/plain", "A"), inner, leaf("text/plain", "K")]);
        assert_eq!(sorted(&mail), ["ABCDK", "AEK", "CFGHJ: J"]);
    }

    #[test]
    fn what_has_one_form_is_on_both_sides() {
        let related = || {
            multipart("related", "r", &[leaf("text/html", "H"), leaf("image/png; name=i.png", "I")])
        };
        for (mail, expected) in [
            (leaf("text/html", "H"), ["H", "H", ""]),
            (leaf("application/pdf", "P"), ["", "", "P"]),
            (related(), ["H", "H", "I"]),
            (multipart("alternative", "a", &[leaf("text/plain", "P"), related()]), ["P", "H", "I"]),
            (multipart("alternative", "a", &[leaf("text/html", "H")]), ["H", "H", ""]),
            (
                multipart(
                    "alternative",
                    "a",
                    &[leaf("text/plain", "P"), leaf("text/calendar", "C")],
                ),
                ["P", "P", "C"],
            ),
            (
                multipart(
                    "mixed",
                    "m",
                    &[
                        leaf("text/plain", "P"),
                        leaf("text/plain; name=a.txt", "A"),
                        leaf("text/plain", "Q"),
                    ],
                ),
                ["PQ", "PQ", "A"],
            ),
            (multipart("mixed", "m", &[leaf("text/plain; name=a.txt", "A")]), ["A", "A", ""]),
        ] {
            assert_eq!(sorted(&mail), expected, "{mail}");
        }
    }

    #[test]
    fn the_root_of_related_parts_is_the_one_that_start_names() {
        let parts = [leaf("image/png", "I"), leaf("text/html\r\nContent-ID: <root@x>", "H")];
        for (start, expected) in [
            ("", ["I", "I", "H"]),
            ("; start=\"<root@x>\"", ["H", "H", "I"]),
            ("; start=none", ["I", "I", "H"]),
        ] {
            let mail = multipart(&format!("related{start}"), "r", &parts);
            assert_eq!(sorted(&mail), expected, "{start}");
        }
    }
}
