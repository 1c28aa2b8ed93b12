//! Recipients in several fields of one name form one list (rule H10): six readers out of ten treat
//! them so, the others show only those of the first field, or of the last.

use std::cmp::Reverse;

use super::repeated::alike;
use super::ruling::Ruling;
use super::section::Header;
use crate::message::field::{Field, RawField, Row, Shape, judge_joined, with_folds};
use crate::message::plan::verdict::Verdict;
use crate::{Code, Issue, Rule};

/// Rules about the fields of a header section whose lists are joined, by their indices in the tree,
/// the last one first: the first of them holds the joined list. A list too long to be joined even
/// to a copy of itself is outdone.
pub(super) fn join(
    header: &Header<'_, '_, '_>,
    outdone: &mut Vec<usize>,
    verdict: &mut Verdict,
) -> Vec<(usize, Ruling)> {
    let mut joined = Vec::new();
    if !header.ctx.is_free(header.index) || !header.repeated.any(Row::is_recipients) {
        return joined;
    }
    let is_asked =
        |at, field: &Field| field.row.is_recipients() && outdone.binary_search(&at).is_err();
    let lists: Vec<_> = alike(header, is_asked).collect();
    for mut fields in lists {
        let written = one_of(header, &fields).or_else(|| {
            let rest: Vec<_> =
                fields.extract_if(.., |&mut f| one_of(header, &[f, f]).is_none()).collect();
            outdone.extend(rest[usize::from(fields.is_empty())..].iter().map(|(at, _)| at));
            if fields.len() > 1 { one_of(header, &fields) } else { None }
        });
        let Some((list, found)) = written else { continue };
        found.into_iter().for_each(|issue| verdict.in_header.push(issue));
        joined.push((fields[0].0, Ruling::written(list, Rule::H10)));
        for &(at, field) in &fields[1..] {
            let detail = format!("{}: joined with the first", field.row.name);
            let dropped = Ruling::written(Vec::new(), Rule::H10);
            joined.push((at, dropped.reporting(Code::DuplicateField, field, detail)));
        }
    }
    joined.sort_unstable_by_key(|&(at, _)| Reverse(at));
    outdone.sort_unstable();
    joined
}

/// Joins fields into one list; returns it with what was wrong with each.
fn one_of(
    header: &Header<'_, '_, '_>,
    fields: &[(usize, &Field)],
) -> Option<(Vec<u8>, Vec<Issue>)> {
    let source = header.octets();
    let restored = |field: &Field| {
        (field.shape == Shape::LostFold).then(|| with_folds(&source[field.span.clone()]))
    };
    let restored: Vec<_> = fields.iter().map(|(_, field)| restored(field)).collect();
    let raws = fields.iter().zip(&restored).map(|((_, field), restored)| {
        restored.as_deref().map_or_else(|| RawField::found(field, source), RawField::split)
    });
    let (list, issues) = judge_joined(&raws.collect::<Vec<_>>(), &header.rules)?;
    let found = fields.iter().zip(issues).flat_map(|((_, field), issues)| {
        let span = field.span.clone().into();
        issues.into_iter().map(move |issue| issue.at(span))
    });
    Some((list, found.collect()))
}
