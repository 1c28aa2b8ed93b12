//! Hints at the languages and charsets of a message's text, apart from the text itself.

use super::evidence::is_written_as_text;
use super::field::{Field, FieldKind, RowId, Shape, old_name};
use super::tree::{Entity, Tree};
use crate::Charset;
use crate::charset::{Evidence, Label};
use crate::decode::{RawText, Segment, is_text_in, segments};
use crate::report::Tally;
use crate::syntax::address::word_pieces;
use crate::transfer::decode;

/// Fields with the names of hosts that the message comes from.
const FROM_HOSTS: [&str; 6] =
    ["from", "sender", "reply-to", "return-path", "message-id", "received"];

/// How many fields of a header are considered.
const ENOUGH: usize = 1000;

/// Returns all hints in a message, but not those in an encoded multipart: hardly any reader opens
/// one, and transport closes it.
pub(super) fn of(tree: &Tree<'_>) -> Evidence {
    let mut hints = Evidence::default();
    let is_encoded = |entity: &Entity| entity.is_multipart() && entity.decoded.is_some();
    let mut are_inside = Vec::with_capacity(tree.entities.len());
    for entity in &tree.entities {
        let is_inside = entity
            .parent
            .is_some_and(|parent| are_inside[parent] || is_encoded(&tree.entities[parent]));
        are_inside.push(is_inside);
        if is_inside {
            continue;
        }
        let source = tree.source_of(entity);
        add_label(tree, entity, &mut hints);
        for field in tree.fields_of(entity).iter().take(ENOUGH) {
            add_field(field, source, &mut hints);
        }
    }
    hints
}

/// Adds the label of a text that is text in that charset: any other label cannot be true and is not
/// found again after normalising, or may be a guess that was written the last time. The labels of
/// files are not considered: they are generated where there are none.
fn add_label(tree: &Tree<'_>, entity: &Entity, hints: &mut Evidence) {
    let content = &entity.content;
    if !is_written_as_text(entity) {
        return;
    }
    let label = content.charset_label();
    if let Some(charset) = label.and_then(|label| Label::read(label).charset())
        && !hints.has_heard(charset)
    {
        let octets = decode(content.encoding, tree.body_of(entity), &mut Tally::default());
        if is_text_in(charset, &octets) && !charset.is_belied_by_text(&octets) {
            hints.add_label(charset);
        }
    }
}

/// Returns whether unread text of a field is found again after normalising. What has no place among
/// tokens is removed, or stands in a field of another name.
pub(super) fn outlasts(field: &Field, source: &[u8]) -> bool {
    let row = RowId::of(old_name(field.name(source)));
    field.shape != Shape::FromLine && row.kind != FieldKind::Opaque
}

/// Returns the pieces of a field's value in which encoded-words are read. Words torn by a list or
/// by a comment are written as text.
pub(super) fn word_pieces_of<'s>(field: &Field, source: &'s [u8]) -> Vec<&'s [u8]> {
    let value = field.value_of(source);
    let has_tokens = matches!(
        field.row.kind,
        FieldKind::AddressList | FieldKind::PhraseList | FieldKind::Opaque
    );
    if has_tokens && memchr::memmem::find(value, b"=?").is_some() {
        word_pieces(value)
    } else {
        vec![value]
    }
}

fn add_field(field: &Field, source: &[u8], hints: &mut Evidence) {
    let value = field.value_of(source);
    if outlasts(field, source) {
        word_pieces_of(field, source)
            .into_iter()
            .for_each(|piece| add_labels_of_words(piece, hints));
    }
    let is = |name: &str| field.is(source, name);
    if FROM_HOSTS.iter().any(|name| is(name)) {
        hints.add_hosts(value);
    } else if is("content-language") {
        String::from_utf8_lossy(value).split(',').for_each(|tag| hints.add_language(tag));
    } else if is("x-mailer") || is("user-agent") {
        hints.add_mailer(&String::from_utf8_lossy(value));
    }
}

/// Adds the labels of encoded-words that are text in that charset: any other may be a guess that
/// was written the last time. Text that only begins like a word may be written differently, and is
/// not evidence.
fn add_labels_of_words(value: &[u8], hints: &mut Evidence) {
    segments(value, |segment| {
        if let Segment::Words(words) = segment
            && let Some(charset) = Charset::for_octets(words.label())
            && !hints.has_heard(charset)
            && words.is_lossless(RawText::Unknown)
        {
            hints.add_label(charset);
        }
    });
}
