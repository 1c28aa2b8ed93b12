//! The charset of text without a label: one guess for a message, from all of its unlabelled text
//! and from what surrounds it.
//!
//! The guess for a message that has been normalised is made again when that is done a second time,
//! and must change nothing. So the evidence for a guess either outlasts normalising or can only
//! have made the guess surer: where the guess is sure no text is left without a label, and where it
//! is not, all of that text is still there, octet for octet.

use std::borrow::Cow;

use super::field::Field;
use super::guesses::{Guesses, Labels};
use super::hints::{self, outlasts};
use super::line_ends::lines;
use super::tree::{Entity, Kind, Leaf, Tree};
use crate::Charset;
use crate::charset::{Evidence, Guess, Label, markup};
use crate::decode::{RawText, add_unlabelled, guess_of_value_beside, text};
use crate::report::Tally;
use crate::syntax::encoded_word::next_word;
use crate::transfer::decode;

/// The number of messages, nested or side by side, that have a guess of their own; all others share
/// one.
const ALONE: usize = 16;

/// Returns the guess for raw octets in the header of entity `index`; `None` without evidence.
/// Determined once for all entities, however many ask.
pub fn guess_for_header(tree: &Tree<'_>, index: usize) -> Option<Guess> {
    tree.guesses.get_or_init(|| guesses(tree)).of_entity(index)
}

/// Returns the guess by which raw octets of a field of entity `index` are shown. Those of fields
/// that do not outlast normalising are not evidence for anything else, but if there is no other
/// they are evidence for one another.
pub fn guess_for_view(tree: &Tree<'_>, index: usize, field: &Field) -> Option<Guess> {
    let guesses = tree.guesses.get_or_init(|| guesses(tree));
    let of_entity = guesses.of_entity(index);
    if of_entity.is_some() || outlasts(field, tree.source_of(&tree.entities[index])) {
        return of_entity;
    }
    guesses.of_the_rest
}

/// Returns the labels of other text in a message.
pub fn labels(tree: &Tree<'_>) -> Labels {
    tree.guesses.get_or_init(|| guesses(tree)).labels
}

/// Returns how the raw octets of a parameter are read, given the guess for the message and its
/// labels: by the guess if that is sure and they fit, else by themselves beside the labels. Words
/// of which one cannot be read stay, while others may get labels by a guess: they are read by
/// themselves.
pub fn raw_in_parameter(octets: &[u8], guess: Option<Guess>, labels: Labels) -> RawText {
    let of_message = guess.filter(|guess| guess.is_sure()).map(RawText::Guess);
    let told = of_message.filter(|raw| raw.reads(octets) && text(octets, raw).is_lossless());
    let labels = if next_word(octets, 0).is_some() { Labels::default() } else { labels };
    let beside = || guess_of_value_beside(octets, &labels.iter().collect::<Vec<_>>());
    told.unwrap_or_else(|| RawText::shown(beside()))
}

/// Returns the charset of `octets`, the text of leaf `index` without a label: the one they declare
/// themselves, or else the one the message seems to be in, if they are text at all.
pub fn guess_for_text(tree: &Tree<'_>, index: usize, octets: &[u8], media_type: &str) -> Guess {
    let shown = markup::shown_by(octets, media_type).map(Guess::certain);
    let label = tree.entities[index].content.charset_label().unwrap_or_default();
    let belies_label = || Label::read(label).charset()?.shown_by_pairs(octets);
    let of_message = || if Evidence::is_in(octets) { guess_for_header(tree, index) } else { None };
    shown
        .or_else(belies_label)
        .or_else(of_message)
        .unwrap_or_else(|| markup::guess(octets, media_type))
}

/// Returns the guesses from all evidence in a message.
pub fn guesses(tree: &Tree<'_>) -> Guesses {
    let (mut groups, mut evidence, mut rest) = (Vec::new(), Vec::new(), Evidence::default());
    for entity in &tree.entities {
        let group = match entity.parent {
            Some(parent) if !matches!(tree.entities[parent].kind, Kind::Message) => groups[parent],
            _ => {
                if evidence.len() <= ALONE {
                    evidence.push(Evidence::default());
                }
                evidence.len() - 1
            }
        };
        groups.push(group);
        gather(tree, entity, &mut evidence[group], &mut rest);
    }
    let hints = hints::of(tree);
    let guess = |mut evidence: Evidence| {
        evidence.add_hints_of(&hints);
        evidence.guess()
    };
    let of_groups = evidence.into_iter().map(guess).collect();
    Guesses { groups, of_groups, of_the_rest: guess(rest), labels: Labels::of(hints.labels()) }
}

/// Adds an entity's text without a label to `evidence`, and what does not outlast normalising to
/// `rest`.
fn gather(tree: &Tree<'_>, entity: &Entity, evidence: &mut Evidence, rest: &mut Evidence) {
    let source = tree.source_of(entity);
    let (content, fields) = (&entity.content, entity.fields.clone().zip(tree.fields_of(entity)));
    let is_read = |at| content.type_field == Some(at) || content.disposition_field == Some(at);
    for (_, field) in fields.filter(|(at, _)| !is_read(*at)) {
        let evidence = if outlasts(field, source) { &mut *evidence } else { &mut *rest };
        hints::word_pieces_of(field, source)
            .into_iter()
            .for_each(|piece| add_unlabelled(piece, evidence));
    }
    if evidence.is_enough() {
        return;
    }
    if let Some(text) = unlabelled_text(tree, entity) {
        evidence.add_text(&text);
        markup::hint(&text, media_type_of(entity), evidence);
    }
}

/// Returns the octets of a leaf of inline text that has no label, or one that cannot be true, and
/// that does not declare its charset itself. Signed text stays as it is and is no evidence.
fn unlabelled_text<'t>(tree: &'t Tree<'_>, entity: &'t Entity) -> Option<Cow<'t, [u8]>> {
    let content = &entity.content;
    let label = Label::read(content.charset_label().unwrap_or_default());
    if !is_written_as_text(entity)
        || tree.is_sealed(entity)
        || !label.charset().map_or(label == Label::Nothing, Charset::may_lie)
    {
        return None;
    }
    let octets = decode(content.encoding, tree.body_of(entity), &mut Tally::default());
    let is_wide = || Charset::shown_by(&octets).is_some_and(Charset::is_wide);
    let is_folded = content.has_identity_encoding() && markup::may_be_wide(&octets) && !is_wide();
    let octets = if is_folded { lines(octets) } else { octets };
    let is_true = label.charset().is_some_and(|charset| !charset.is_belied_by_text(&octets));
    let tells = || !is_true && markup::shown_by(&octets, media_type_of(entity)).is_none();
    (!octets.is_ascii() && tells()).then_some(octets)
}

/// Returns whether an entity is inline text once it is normalised: a multipart without its boundary
/// becomes one.
pub(super) fn is_written_as_text(entity: &Entity) -> bool {
    match entity.kind {
        Kind::Leaf(Leaf::Simple) => entity.content.is_inline_text(),
        Kind::Leaf(Leaf::NoBoundary) => !entity.content.is_file(),
        _ => false,
    }
}

fn media_type_of(entity: &Entity) -> &str {
    match entity.kind {
        Kind::Leaf(Leaf::NoBoundary) => "text/plain",
        _ => entity.content.media_type(),
    }
}

#[cfg(test)]
mod tests {
    use sevenbit::{Profile, normalize};

    use crate::Message;

    /// A header with much raw text is read alike whether it is shown or written.
    #[test]
    fn all_raw_text_of_a_message_is_in_one_charset() {
        let fields = b"Subject: \xC9\xD7\xC1\xCE \xF0\xC5\xD4\xD2\xCF\xD7\r\n".repeat(11);
        let message =
            [&b"To: \xE9 <a@example.org>\r\n"[..], &fields, b"\r\n\xF0\xD2\xC9\xD7\xC5\xD4\r\n"]
                .concat();
        let (before, out) = (Message::parse(&message), normalize(&message));
        let after = Message::parse(out.octets());
        for message in [&before, &after] {
            assert_eq!(message.subject().as_deref(), Some("иван Петров"));
            assert_eq!(message.mailboxes("to")[0].name(), "И");
            assert_eq!(message.root().text().as_deref(), Some("Привет\n"));
        }
    }

    /// The charset of a message says nothing about the message inside it.
    #[test]
    fn a_message_inside_is_guessed_about_by_itself() {
        let mail = b"Subject: Sch\xF6ne Gr\xFC\xDFe\r\nContent-Type: message/rfc822\r\n\r\n\
            Subject: \xC4\xFA\xBA\xC3\xA3\xAC\xD0\xBB\xD0\xBB\r\n\r\ntext\r\n";
        let message = Message::parse(mail);
        assert_eq!(message.subject().as_deref(), Some("Schöne Grüße"));
        assert_eq!(
            message.parts().nth(1).and_then(|part| part.header("subject")).as_deref(),
            Some("您好，谢谢")
        );
    }

    /// The surroundings of text decide where its letters do not.
    #[test]
    fn hosts_languages_and_labels_are_heard() {
        let subject = |header: &str| {
            let mail = [header.as_bytes(), b"Subject: \xE4\xE5\r\n\r\n"].concat();
            Message::parse(&mail).subject().map(std::borrow::Cow::into_owned)
        };
        assert_eq!(subject("From: a@example.ru\r\n").as_deref(), Some("де"));
        assert_eq!(subject("Content-Language: el\r\n").as_deref(), Some("δε"));
        assert_eq!(subject("To: =?iso-8859-1?Q?=E9?= <a@example.org>\r\n").as_deref(), Some("äå"));
    }

    /// Fields whose raw text is removed are evidence only for one another.
    #[test]
    fn raw_text_of_trace_fields_is_read_alike() {
        let received =
            b"Received: from \xC9 by b\r\nReceived: (\xC9\xD7\xC1\xCE \xF0\xC5\xD4\xD2\xCF\xD7) by b\r\n";
        let first = |header: &[u8]| {
            let mail = [header, received, b"\r\n"].concat();
            Message::parse(&mail).root().header("received").map(std::borrow::Cow::into_owned)
        };
        assert_eq!(first(b"").as_deref(), Some("from и by b"));
        assert_eq!(first(b"Subject: Sch\xF6ne Gr\xFC\xDFe\r\n").as_deref(), Some("from É by b"));
    }

    /// The beginning of a word in an addr-spec hides none that is read.
    #[test]
    fn unread_words_are_found_the_first_time() {
        let mail = b"From: Ada <ada@=?iso-8859-7?Q?exvil.example>,\r\n \
            =?unknown-8bit?Q?=EEAda?= <b@x.example>\r\n\r\n";
        let normalizer = sevenbit::Normalizer::new().profile(Profile::Archive);
        let once = normalizer.normalize(mail);
        assert_eq!(normalizer.normalize(once.octets()).octets(), once.octets());
    }

    /// Text whose charset is not sure stays, in both profiles, and stays the second time.
    #[test]
    fn what_cannot_be_guessed_stays() {
        let octets = b"\x04\xC2\x9E\xF3\xFE\x8F\xAA\x99\xC3\x90\xFF\x81";
        let mail = [&b"Subject: "[..], octets, b"\r\n\r\n", octets, b"\r\n"].concat();
        for profile in [Profile::Archive, Profile::Transport] {
            let normalizer = sevenbit::Normalizer::new().profile(profile);
            let once = normalizer.normalize(&mail);
            let text = String::from_utf8_lossy(once.octets());
            assert!(
                text.contains("=?unknown-8bit?") && text.contains("charset=unknown-8bit"),
                "{text}"
            );
            assert_eq!(normalizer.normalize(once.octets()).octets(), once.octets());
        }
    }
}
