//! Recipients in several fields of one name are one list (rule H10, archive): six readers of ten take them for that, the
//! others show those of the first field alone, or of the last.

use std::collections::HashMap;

use super::Planner;
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
    /// The fields of a header section that are one list with others, by their indices in the tree.
    pub(super) fn joined(&mut self, index: usize, rules: &FieldRules) -> HashMap<usize, Joined> {
        let mut joined = HashMap::new();
        let source = self.source(index);
        let may_repeat = || has_several_lists(source, self.tree.fields_of(self.entity(index)));
        if !self.archive() || self.decided[index].zone != Zone::Free || !may_repeat() {
            return joined;
        }
        for fields in self.repeated_lists(index) {
            let Some((list, issues)) = one_of(source, &fields, rules) else { continue };
            let mut what = Joined::List(list);
            for ((at, field), issues) in fields.into_iter().zip(issues) {
                self.take_header_issues(index, field.span.start, issues);
                if matches!(what, Joined::Gone) {
                    let name = String::from_utf8_lossy(field.name(source)).to_ascii_lowercase();
                    let detail = format!("{name}: joined with the first");
                    self.report_header(index, Code::DuplicateField, field.span.clone(), detail);
                }
                joined.insert(at, std::mem::replace(&mut what, Joined::Gone));
            }
        }
        joined
    }

    /// Takes out a field of which another one has come to hold the list.
    pub(super) fn remove_joined(&mut self, index: usize, field: &Field) {
        self.note_change(index, field, b"");
        self.splice(
            index,
            field.span.clone(),
            b"".as_slice(),
            Rule::H10,
            "recipients joined with those of the first",
        );
    }

    /// Fields of recipients that share a name, of which there are several, each with its index in the tree.
    fn repeated_lists(&self, index: usize) -> Vec<Vec<(usize, &'p Field)>> {
        let entity = self.entity(index);
        let source = self.source(index);
        let most = entity.start.saturating_add(self.options.limits.header_octets);
        let mut lists: Vec<Vec<(usize, &'p Field)>> = Vec::new();
        for (at, field) in entity.fields.clone().zip(self.tree.fields_of(entity)) {
            let is_list = field.tag == Tag::Addresses && field.span.start <= most;
            if !is_list || !matches!(field.shape, Shape::Field | Shape::LostFold) {
                continue;
            }
            let named = |list: &&mut Vec<(usize, &Field)>| {
                list[0].1.name(source).eq_ignore_ascii_case(field.name(source))
            };
            match lists.iter_mut().find(named) {
                Some(list) => list.push((at, field)),
                None => lists.push(vec![(at, field)]),
            }
        }
        lists.retain(|list| list.len() > 1);
        lists
    }
}

/// Whether two fields of recipients share a name, in one look: To, Bcc and Reply-To differ in how long they are, and
/// Cc from To in its first letter.
fn has_several_lists(source: &[u8], fields: &[Field]) -> bool {
    let mut seen = 0_u16;
    fields.iter().filter(|field| field.tag == Tag::Addresses).any(|field| {
        let first = source[field.span.start] | 0x20;
        let bit = 1 << (field.name_len + if first == b'c' { 7 } else { 0 }).min(15);
        let again = seen & bit != 0;
        seen |= bit;
        again
    })
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
