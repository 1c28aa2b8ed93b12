//! Recipients in several fields of one name form one list (rule H10): six readers out of ten treat them so,
//! the others show only those of the first field, or of the last.

use std::cmp::Reverse;

use super::section::Header;
use crate::message::field::{Field, RawField, Row, Shape, judge_joined, with_folds};
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
        let written = one_of(header, &fields).or_else(|| {
            // One with an addr-spec that fits on no line becomes another field, and leaves the others (rule H9).
            fields.retain(|&field| one_of(header, &[field]).is_some());
            if fields.len() > 1 { one_of(header, &fields) } else { None }
        });
        let Some((list, found)) = written else { continue };
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

/// Joins fields into one list; returns it with what was wrong with each.
fn one_of(header: &Header<'_, '_, '_>, fields: &[(usize, &Field)]) -> Option<(Vec<u8>, Findings)> {
    let source = header.octets();
    let restored =
        |field: &Field| (field.shape == Shape::LostFold).then(|| with_folds(&source[field.span.clone()]));
    let restored: Vec<_> = fields.iter().map(|(_, field)| restored(field)).collect();
    let raws = fields.iter().zip(&restored).map(|((_, field), restored)| {
        restored.as_deref().map_or_else(|| RawField::found(field, source), RawField::split)
    });
    let (list, issues) = judge_joined(&raws.collect::<Vec<_>>(), &header.rules)?;
    let mut found = Findings::new(header.entity);
    for ((_, field), issues) in fields.iter().zip(issues) {
        let span = Span::new(0, field.span.len());
        issues.into_iter().for_each(|issue| found.header_issue(issue.at(span), field.span.start));
    }
    Some((list, found))
}
