//! Fields that may occur only once, but occur again (rule H10).
//!
//! For Content- fields the first counts: the body was read by it. For others the one that says
//! something does.

use std::collections::BTreeMap;

use super::ruling::Ruling;
use super::section::Header;
use crate::Rule;
use crate::decode::{RawText, mailboxes, text};
use crate::message::field::{DUPLICATE, Field, FieldKind, Repeat, Shape, with_folds};
use crate::syntax::address::{is_plain_spec, list};
use crate::syntax::{date_time, message_id, value};

/// The fields of one name, each with its index in the tree.
pub(super) type Alike<'p> = Vec<(usize, &'p Field)>;

/// Returns the fields of each name that occurs more than once, among those that are asked for.
pub(super) fn alike<'p>(
    header: &Header<'_, 'p, '_>,
    is_asked: impl Fn(usize, &Field) -> bool,
) -> impl Iterator<Item = Alike<'p>> {
    let mut names: BTreeMap<String, Alike<'p>> = BTreeMap::new();
    for (at, field) in header.numbered_fields().filter(|(at, field)| is_asked(*at, field)) {
        names.entry(field.lower_name(header.octets())).or_default().push((at, field));
    }
    names.into_values().filter(|fields| fields.len() > 1)
}

/// Returns the fields that are outdone by another one of their name, by their indices in the tree,
/// in order. Of those that may occur only once, one stays; of lists of recipients, those that say
/// something.
pub(super) fn outdone(header: &Header<'_, '_, '_>) -> Vec<usize> {
    if !header.repeated.any(|_| true) {
        return Vec::new();
    }
    let repeated = alike(header, |_, field| field.row.repeat != Repeat::Freely);
    let mut found: Vec<usize> = repeated.flat_map(|fields| outdone_of(header, &fields)).collect();
    found.sort_unstable();
    found
}

/// Returns the outdone fields of one name.
fn outdone_of(header: &Header<'_, '_, '_>, fields: &[(usize, &Field)]) -> Vec<usize> {
    let ranks: Vec<(Rank, usize)> =
        fields.iter().map(|&(at, field)| (rank(header, at, field), at)).collect();
    let &(best, kept) = ranks.iter().rev().max_by_key(|(rank, _)| *rank).expect("two at least");
    let is_list = fields[0].1.row.is_recipients();
    let stays = |rank: Rank, at| at == kept || is_list && rank == best;
    ranks.into_iter().filter(|(rank, at)| !stays(*rank, *at)).map(|(_, at)| at).collect()
}

/// Returns whether a superseded field gives another sender than a field of its name does: a reader
/// that takes the first and one that takes the last show different ones.
pub(super) fn names_another_sender(header: &Header<'_, '_, '_>, at: usize, field: &Field) -> bool {
    if !field.row.names_sender() {
        return false;
    }
    let octets = header.octets();
    let addresses = |field: &Field| {
        let mailboxes = mailboxes(field.value_of(octets), &RawText::Unknown).into_iter();
        let addresses = mailboxes.map(|(_, address)| address.to_lowercase());
        addresses.filter(|address| !address.is_empty()).collect::<Vec<_>>()
    };

    let own = addresses(field);
    let mut others =
        header.numbered_fields().filter(|(other, of)| *other != at && of.row == field.row);
    !own.is_empty() && others.any(|(_, other)| ![&own[..], &[]].contains(&&*addresses(other)))
}

/// How much a field is worth compared with another one of its name; the greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Most readers do not see it: it has white space before its colon, a byte order mark or a
    /// blank before its name, or says nothing.
    Unseen(u8),
    /// How clearly it says something.
    Seen(u8),
}

fn rank(header: &Header<'_, '_, '_>, at: usize, field: &Field) -> Rank {
    let octets = header.octets();
    let value = field.value_of(octets);
    let says = match field.row.kind {
        // The body was read by the first one.
        _ if field.row.is_content() => return Rank::Seen(0),
        // All lists that say something stay.
        FieldKind::AddressList if field.row.is_recipients() => rank_of_addresses(value).min(1),
        FieldKind::AddressList => rank_of_addresses(value),
        _ if field.row.name == "date" => {
            date_time::read(value).map_or(0, |date| 1 + u8::from(!date.is_guess))
        }
        _ if field.row.name == "message-id" => rank_of_id(value),
        _ => u8::from(!text(value, &RawText::Unknown).text().trim().is_empty()),
    };
    let is_unseen = field.is_spaced() || is_behind_mark(header, at) || says == 0;
    if is_unseen { Rank::Unseen(says) } else { Rank::Seen(says) }
}

/// Returns whether a byte order mark or a blank comes before the name of a field, the first one: to
/// most readers that is another name, or text.
fn is_behind_mark(header: &Header<'_, '_, '_>, at: usize) -> bool {
    let before = at.checked_sub(header.entity.fields.start + 1);
    before.is_some_and(|before| matches!(header.fields()[before].shape, Shape::Mark | Shape::Blank))
}

fn rank_of_addresses(value: &[u8]) -> u8 {
    let mailboxes = mailboxes(value, &RawText::Unknown);
    let any = |is: fn(&str) -> bool| mailboxes.iter().any(|(_, address)| is(address));
    if !any(|address| !address.is_empty()) {
        0
    } else if !any(|address| address.contains('@')) {
        1
    } else if any(|address| !is_plain_spec(address.as_bytes())) {
        2
    } else if list(value).is_broken {
        // `list@example.org  Thu Aug 22 17:45:54 2002`
        3
    } else {
        4
    }
}

/// `12345` is worth less than a bare `a@b`, and that less than `<a@b>`.
fn rank_of_id(octets: &[u8]) -> u8 {
    let octets = value::trim(octets);
    let ids = message_id::list(octets);
    let is_whole = octets.starts_with(b"<")
        && octets.ends_with(b">")
        && octets.iter().all(u8::is_ascii_graphic);
    match &ids[..] {
        _ if octets.is_empty() => 0,
        [id] if is_whole && id.contains(&b'@') => 3,
        [id, ..] if id.contains(&b'@') => 2,
        _ => 1,
    }
}

/// Writes the field under a name that marks it as a duplicate.
pub(super) fn rename(header: &Header<'_, '_, '_>, field: &Field) -> Ruling {
    let octets = header.octets();
    let raw = [DUPLICATE, field.name(octets), b":", field.value_of(octets)].concat();
    let raw = if field.shape == Shape::LostFold { with_folds(&raw) } else { raw };
    Ruling::rewritten(header, field, &raw, Rule::H10)
}
