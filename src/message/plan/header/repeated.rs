//! Fields that may occur only once, but occur again (rule H10).
//!
//! For Content- fields the first counts: the body was read by it. For others the one that says something
//! does.

use std::borrow::Cow;
use std::collections::HashSet;

use super::ruling::Ruling;
use super::section::Header;
use crate::Rule;
use crate::ascii::trim_fws;
use crate::decode::{RawText, mailboxes};
use crate::message::field::{DUPLICATE, Field, Kind, Repeat, Row, RowId, Shape, with_folds};
use crate::syntax::address::is_plain_spec;
use crate::syntax::date_time::date_time;

/// The Content- fields seen so far, among those that may occur only once.
pub(super) struct Seen {
    rows: [bool; RowId::COUNT],
    /// In lower case, for those whose row covers several names.
    names: HashSet<String>,
}

impl Seen {
    /// Returns an empty set; `None` if no name can occur again, as in most headers.
    pub(super) fn of_repeated(header: &Header<'_, '_, '_>) -> Option<Self> {
        let is_once = |row: &Row| row.repeat == Repeat::Once && row.is_content();
        header.repeated.any(is_once).then(|| Self { rows: [false; RowId::COUNT], names: HashSet::new() })
    }

    /// Returns the name of the field, in lower case, if it may occur only once and one of that name came
    /// before.
    pub(super) fn again(&mut self, field: &Field, source: &[u8]) -> Option<Cow<'static, str>> {
        if field.row.repeat != Repeat::Once || !field.row.is_content() {
            return None;
        }
        if field.row.is_one_name() {
            let again = std::mem::replace(&mut self.rows[field.row.index()], true);
            return again.then_some(field.row.name.into());
        }
        let name = String::from_utf8_lossy(field.name(source)).to_ascii_lowercase();
        if self.names.contains(&name) {
            return Some(name.into());
        }
        self.names.insert(name);
        None
    }
}

/// Returns the fields that are outdone by another one of their name, by their indices in the tree, in order.
/// Of those that may occur only once, one stays; of lists of recipients, those that say something.
pub(super) fn outdone(header: &Header<'_, '_, '_>) -> Vec<usize> {
    let is_judged = |row: &Row| row.repeat != Repeat::Freely && !row.is_content();
    if !header.repeated.any(is_judged) {
        return Vec::new();
    }
    let mut rows: Vec<Vec<(usize, &Field)>> = vec![Vec::new(); RowId::COUNT];
    for (at, field) in header.numbered_fields() {
        if is_judged(&field.row) {
            rows[field.row.index()].push((at, field));
        }
    }
    let mut found: Vec<usize> = rows.iter().flat_map(|fields| outdone_of(header, fields)).collect();
    found.sort_unstable();
    found
}

/// Returns the outdone fields of one name.
fn outdone_of(header: &Header<'_, '_, '_>, fields: &[(usize, &Field)]) -> Vec<usize> {
    if fields.len() < 2 {
        return Vec::new();
    }
    let ranks: Vec<(Rank, usize)> = fields.iter().map(|(at, field)| (rank(header, field), *at)).collect();
    let &(best, kept) = ranks.iter().rev().max_by_key(|(rank, _)| *rank).expect("two at least");
    let is_list = fields[0].1.row.is_recipients();
    let stays = |rank: Rank, at| at == kept || is_list && rank == best;
    ranks.into_iter().filter(|(rank, at)| !stays(*rank, *at)).map(|(_, at)| at).collect()
}

/// How much a field is worth compared with another one of its name; the greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Whether most readers see it: not with white space before its colon, nor if it says nothing.
    is_seen: bool,
    /// How clearly it says something.
    says: u8,
}

fn rank(header: &Header<'_, '_, '_>, field: &Field) -> Rank {
    let octets = header.octets();
    let value = field.value_of(octets);
    let says = match field.row.kind {
        // All lists that say something stay.
        Kind::AddressList if field.row.is_recipients() => rank_of_addresses(value).min(1),
        Kind::AddressList => rank_of_addresses(value),
        _ if field.row.name == "date" => u8::from(date_time(value).is_ok()),
        _ => u8::from(!trim_fws(value).is_empty()),
    };
    Rank { is_seen: !field.is_spaced() && says > 0, says }
}

fn rank_of_addresses(value: &[u8]) -> u8 {
    let mailboxes = mailboxes(value, &RawText::Unknown);
    let any = |is: fn(&str) -> bool| mailboxes.iter().any(|(_, address)| is(address));
    let are_plain = mailboxes.iter().all(|(_, address)| is_plain_spec(address.as_bytes()));
    match () {
        () if !any(|address| !address.is_empty()) => 0,
        () if !any(|address| address.contains('@')) => 1,
        () if !are_plain => 2,
        () => 3,
    }
}

/// Writes the field under a name that marks it as a duplicate.
pub(super) fn rename(header: &Header<'_, '_, '_>, field: &Field) -> Ruling {
    let octets = header.octets();
    let raw = [DUPLICATE, field.name(octets), b":", field.value_of(octets)].concat();
    let raw = if field.shape == Shape::LostFold { with_folds(&raw) } else { raw };
    Ruling::rewritten(header, field, &raw, Rule::H10)
}
