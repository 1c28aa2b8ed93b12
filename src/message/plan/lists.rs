//! Recipients in several fields of one name are one list (rule H10, archive): six readers of ten take them for that, the
//! others show those of the first field alone, or of the last.

use std::cmp::Reverse;

use super::Planner;
use super::repeated::may_repeat;
use super::zones::Zone;
use crate::ascii::trim_fws;
use crate::message::fields::{Field, Shape, with_folds};
use crate::message::header::{Fate, FieldRules};
use crate::message::line_ends::{ended, to_crlf};
use crate::message::tag::Tag;
use crate::{Code, Issue, Rule, Span};

/// What becomes of a field whose list is one with that of another field.
#[derive(Debug)]
pub(super) enum Joined {
    /// It holds all of them, and is to be written like this.
    List(Vec<u8>),
    /// It goes.
    Gone,
}

impl<'p> Planner<'p, '_> {
    /// The fields of a header section that are one list with others, by their indices in the tree, the last one first.
    pub(super) fn joined(&mut self, index: usize, rules: &FieldRules) -> Vec<(usize, Joined)> {
        let mut joined = Vec::new();
        let source = self.source(index);
        let several = || may_repeat(self.tree.fields_of(self.entity(index)), Tag::is_recipients);
        if !self.archive() || self.decided[index].zone != Zone::Free || !several() {
            return joined;
        }
        for fields in self.repeated_lists(index) {
            let Some((list, issues)) = one_of(source, &fields, rules) else { continue };
            let mut what = Joined::List(list);
            for ((at, field), issues) in fields.into_iter().zip(issues) {
                self.take_header_issues(index, field.span.start, issues);
                if matches!(what, Joined::Gone) {
                    let detail = format!("{}: joined with the first", field.tag.name().unwrap_or_default());
                    self.report_header(index, Code::DuplicateField, field.span.clone(), detail);
                }
                joined.push((at, std::mem::replace(&mut what, Joined::Gone)));
            }
        }
        joined.sort_unstable_by_key(|&(at, _)| Reverse(at));
        joined
    }

    /// Writes a field with the list of all, or takes it out where another one holds its list.
    pub(super) fn plan_joined(&mut self, index: usize, field: &Field, joined: Joined, rules: &FieldRules) {
        match joined {
            Joined::List(list) => self.write_field(index, field, list, rules, Rule::H10),
            Joined::Gone => {
                self.note_change(index, field, b"");
                let span = field.span.clone();
                self.splice(index, span, b"".as_slice(), Rule::H10, "recipients joined with the first");
            }
        }
    }

    /// Fields of recipients that share a name, of which there are several, each with its index in the tree.
    fn repeated_lists(&self, index: usize) -> Vec<Vec<(usize, &'p Field)>> {
        let entity = self.entity(index);
        let most = entity.start.saturating_add(self.options.limits.header_octets);
        let mut lists: Vec<Vec<(usize, &'p Field)>> = Vec::new();
        for (at, field) in entity.fields.clone().zip(self.tree.fields_of(entity)) {
            let is_list = field.tag.is_recipients() && field.span.start <= most;
            if !is_list || !matches!(field.shape, Shape::Field | Shape::LostFold) {
                continue;
            }
            match lists.iter_mut().find(|list| list[0].1.tag == field.tag) {
                Some(list) => list.push((at, field)),
                None => lists.push(vec![(at, field)]),
            }
        }
        lists.retain(|list| list.len() > 1);
        lists
    }
}

/// One field of several: what each of them says, made whole by itself, so that none reaches into the next; and what was
/// wrong with each. Nothing if one of them has to go under another name.
fn one_of(
    source: &[u8],
    fields: &[(usize, &Field)],
    rules: &FieldRules,
) -> Option<(Vec<u8>, Vec<Vec<Issue>>)> {
    let name = fields[0].1.name(source);
    let mut list = [name, b":"].concat();
    let mut empty = true;
    let mut told = Vec::with_capacity(fields.len());
    for (_, field) in fields {
        let raw = with_folds(&source[field.span.clone()]);
        let mut issues = Vec::new();
        let whole = match rules.apply(&raw, &mut issues) {
            Fate::Keep => ended(to_crlf(&raw)),
            Fate::Write(made) => made,
        };
        let (written, value) = whole.split_at(whole.iter().position(|&octet| octet == b':')?);
        if !trim_fws(written).eq_ignore_ascii_case(name) {
            return None;
        }
        let field = Span::new(0, field.span.len());
        told.push(issues.into_iter().map(|issue| issue.at(field)).collect());
        let value = value[1..].trim_ascii();
        let value = value.strip_suffix(b",").unwrap_or(value);
        if !value.is_empty() {
            list.extend_from_slice(if empty { b" " } else { b",\r\n " });
            list.extend_from_slice(value);
            empty = false;
        }
    }
    list.extend_from_slice(b"\r\n");
    Some((list, told))
}
