//! Recipients in several fields of one name form one list (rule H10): six readers out of ten treat them so,
//! the others show only those of the first field, or of the last.

use std::cmp::Reverse;

use super::section::Header;
use crate::ascii::trim_fws;
use crate::message::field::{
    Field, FieldRules, RawField, Row, Shape, Verdict as FieldVerdict, holds_spec, judge, with_folds,
};
use crate::message::line_ends::{ended, to_crlf};
use crate::message::plan::findings::Findings;
use crate::{Code, Span};

/// What becomes of a field whose list is joined with that of another field.
#[derive(Debug)]
pub(super) enum Joined {
    /// It holds the joined list, and is to be written like this.
    List(Vec<u8>),
    /// Another field holds its list.
    Dropped,
}

/// Returns the fields of a header section whose lists are joined, by their indices in the tree, the last one
/// first.
pub(super) fn join(
    header: &Header<'_, '_, '_>,
    outdone: &[usize],
    findings: &mut Findings,
) -> Vec<(usize, Joined)> {
    let mut joined = Vec::new();
    let ctx = header.ctx;
    if !ctx.is_free(header.index) || !header.repeated.any(Row::is_recipients) {
        return joined;
    }
    for mut fields in repeated_lists(header, outdone) {
        let Some((list, found)) = one_of(header, &mut fields) else { continue };
        findings.absorb(found);
        let mut what = Joined::List(list);
        let detail = format!("{}: joined with the first", fields[0].1.row.name);
        for (at, field) in fields {
            if matches!(what, Joined::Dropped) {
                findings.header(Code::DuplicateField, field.span.clone(), detail.clone());
            }
            joined.push((at, std::mem::replace(&mut what, Joined::Dropped)));
        }
    }
    joined.sort_unstable_by_key(|&(at, _)| Reverse(at));
    joined
}

/// Returns the fields of recipients that share a name, if there are several, each with its index in the tree.
fn repeated_lists<'p>(header: &Header<'_, 'p, '_>, outdone: &[usize]) -> Vec<Vec<(usize, &'p Field)>> {
    let mut lists: Vec<Vec<(usize, &'p Field)>> = Vec::new();
    for (at, field) in header.numbered_fields() {
        if !field.row.is_recipients() || outdone.binary_search(&at).is_ok() {
            continue;
        }
        match lists.iter_mut().find(|list| list[0].1.row == field.row) {
            Some(list) => list.push((at, field)),
            None => lists.push(vec![(at, field)]),
        }
    }
    lists.retain(|list| list.len() > 1);
    lists
}

/// Joins fields into one list, leaving out those that cannot be in it because they are renamed (rule H9);
/// returns it with what is wrong with each, or `None` if fewer than two are left.
fn one_of<'p>(
    header: &Header<'_, 'p, '_>,
    fields: &mut Vec<(usize, &'p Field)>,
) -> Option<(Vec<u8>, Findings)> {
    while fields.len() > 1 {
        let mut found = Findings::new(header.entity);
        match list_of(header, fields, &mut found) {
            Ok(list) => return Some((list, found)),
            Err(renamed) => fields.retain(|(at, _)| renamed.binary_search(at).is_err()),
        }
    }
    None
}

/// Joins the values of several fields, each made complete by itself so that none reaches into the next; what
/// was wrong with each is added to `found`. If some are not written under their own name, returns those
/// instead.
fn list_of(
    header: &Header<'_, '_, '_>,
    fields: &[(usize, &Field)],
    found: &mut Findings,
) -> Result<Vec<u8>, Vec<usize>> {
    let source = header.octets();
    let name = fields[0].1.name(source);
    let restored = |field: &Field| with_folds(&source[field.span.clone()]);
    let restored: Vec<_> =
        fields.iter().map(|(_, field)| (field.shape == Shape::LostFold).then(|| restored(field))).collect();
    let raws = fields.iter().zip(&restored).map(|((at, field), restored)| {
        let raw = restored.as_deref().map_or_else(|| RawField::found(field, source), RawField::split);
        (*at, *field, raw)
    });
    let among_addresses = raws.clone().any(|(_, _, raw)| holds_spec(&raw));
    let rules = &FieldRules { among_addresses, ..header.rules };
    let (mut list, mut is_empty, mut renamed) = ([name, b":"].concat(), true, Vec::new());
    for (at, field, raw) in raws {
        let judged = judge(&raw, rules);
        let whole = match judged.verdict {
            FieldVerdict::Keep => ended(to_crlf(raw.octets())),
            FieldVerdict::Write(made) => made,
            FieldVerdict::Drop => Vec::new(),
        };
        let Some(value) = value_under(name, &whole) else {
            renamed.push(at);
            continue;
        };
        let span = Span::new(0, field.span.len());
        judged.issues.into_iter().for_each(|issue| found.header_issue(issue.at(span), field.span.start));
        if !value.is_empty() {
            list.extend_from_slice(if is_empty { b" " } else { b",\r\n " });
            list.extend_from_slice(value);
            is_empty = false;
        }
    }
    list.extend_from_slice(b"\r\n");
    if renamed.is_empty() { Ok(list) } else { Err(renamed) }
}

/// Returns the value of a field without what separates it from another one, if the field has that name.
fn value_under<'f>(name: &[u8], field: &'f [u8]) -> Option<&'f [u8]> {
    let (written, value) = field.split_at(field.iter().position(|&octet| octet == b':')?);
    let value = value[1..].trim_ascii();
    let value = value.strip_suffix(b",").unwrap_or(value);
    trim_fws(written).eq_ignore_ascii_case(name).then_some(value)
}
