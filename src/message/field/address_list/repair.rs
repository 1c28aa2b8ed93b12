//! The repairs of an address list that reading it leaves (rules H6, H8): what cannot be written as
//! a mailbox. Each takes a list, or an entry, and returns it with what had to change.

use std::ops::Range;

use super::super::addr_spec;
use super::super::raw_field::RawField;
use super::super::rules::FieldRules;
use crate::Span;
use crate::ascii::is_printable;
use crate::decode::{comment_text, words_text};
use crate::encode::addr_spec_may_stay;
use crate::report::Tally;
use crate::syntax::address::{
    AddressList, Entry, Mailbox, MailboxKind, Piece, Token, TokenKind, Words, name,
};
use crate::syntax::encoded_word::holds_word;

/// The rules that repairs of an address list depend on.
pub(super) struct ListRules<'r> {
    of_field: &'r FieldRules,
    /// Whether the list has to follow the grammar.
    names_people: bool,
    /// Whether nothing but mailboxes may be among mailboxes.
    is_strict: bool,
}

impl<'r> ListRules<'r> {
    pub(super) fn of(field: &RawField<'_>, rules: &'r FieldRules, holds_spec: bool) -> Self {
        let names_people = field.row.names_people();
        Self {
            of_field: rules,
            names_people,
            is_strict: names_people && rules.policy.rewrites && holds_spec,
        }
    }
}

/// Returns the list with its entries repaired, in the memory they have.
pub(super) fn repaired<'v>(mut list: AddressList<'v>, rules: &ListRules<'_>) -> AddressList<'v> {
    let entries = std::mem::take(&mut list.entries);
    let repaired = |entry| {
        let entry = mapped(&mut list, entry, rules);
        list.is_broken |= matches!(entry, None | Some(Entry::EmptyGroup(_)));
        entry
    };
    list.entries = entries.into_iter().filter_map(repaired).collect();
    keep_out_of_names(&mut list, rules);
    lift(&mut list);
    list
}

/// `root, é@b` becomes `<root>, é@b <...>`: the mailbox gets brackets, and words before some are
/// part of a name. So does one that gets its name out of a comment.
fn keep_out_of_names(list: &mut AddressList<'_>, rules: &ListRules<'_>) {
    let is_named = |list: &AddressList<'_>, entry: &Entry| match entry {
        Entry::NotAscii(_) => true,
        Entry::Mailbox(mailbox) => {
            name_in_comment(list, mailbox, rules.of_field, rules.names_people).is_some()
        }
        _ => false,
    };
    if !list.entries.iter().any(|entry| is_named(list, entry)) {
        return;
    }
    for entry in std::mem::take(&mut list.entries) {
        if is_named(list, &entry) {
            set_apart_from_next(list);
        }
        list.entries.push(entry);
    }
}

/// Returns the comment that is to be written as the name of a mailbox without one,
/// `ada@example.org (Ada)`: the only one, after the address, with no address in it.
pub(super) fn name_in_comment(
    list: &AddressList<'_>,
    mailbox: &Mailbox,
    rules: &FieldRules,
    names_people: bool,
) -> Option<Span> {
    if !rules.policy.moves_names || !names_people || mailbox.kind != MailboxKind::Whole {
        return None;
    }
    let around = list.pieces(mailbox.before()).chain(list.pieces(mailbox.after()));
    let mut around = around.filter(|piece| match piece {
        Piece::Phrase(phrase) => !name(phrase).is_empty(),
        Piece::Comment(_) => true,
    });
    let (Some(Piece::Comment(comment)), None) = (around.next(), around.next()) else { return None };
    if comment.start < list.span(mailbox.address).start {
        return None;
    }

    let text = comment_text(list.value, comment, rules.raw_text(), &mut Tally::default());
    let names_somebody = text.chars().any(|c| c.is_alphanumeric() || !c.is_ascii())
        && !text.contains(['@', '<', '>']);
    names_somebody.then_some(comment)
}

/// `G: a@b, The Crew, d@e;` becomes `G: a@b;, The Crew :;, d@e`: groups do not nest.
fn lift(list: &mut AddressList<'_>) {
    if !(list.entries.iter().any(is_group) && list.entries.iter().any(is_end)) {
        return;
    }
    let entries = std::mem::take(&mut list.entries);
    let mut is_inside = false;
    for (at, entry) in entries.iter().enumerate() {
        if is_inside && is_group(entry) {
            list.entries.extend(entries[at..].iter().find(|entry| is_end(entry)));
            is_inside = false;
        } else if !is_inside && is_end(entry) {
            set_apart_from_next(list);
            continue;
        }
        is_inside = matches!(entry, Entry::Group(_)) || is_inside && !is_end(entry);
        list.entries.push(*entry);
    }
}

/// Returns an entry as it can be written; `None` if nothing of it is.
fn mapped(list: &mut AddressList<'_>, entry: Entry, rules: &ListRules<'_>) -> Option<Entry> {
    match entry {
        Entry::Text(words) if is_nothing(list, words, rules) => None,
        Entry::Text(words) if hides(list, words, rules) => Some(Entry::EmptyGroup(words)),
        Entry::Mailbox(mailbox) if mailbox.kind == MailboxKind::Empty && rules.is_strict => {
            Some(without_brackets(list, &mailbox))
        }
        Entry::Mailbox(mailbox) => Some(written(list, mailbox, rules)),
        entry => Some(entry),
    }
}

/// `""`, among mailboxes, is left out.
fn is_nothing(list: &AddressList<'_>, words: Words, rules: &ListRules<'_>) -> bool {
    let is_comment = |kind| kind == TokenKind::Comment;
    rules.is_strict
        && !list.says_something(words)
        && !list.tokens(words).iter().any(|token| is_comment(token.kind))
}

/// `The Crew` among mailboxes becomes `The Crew :;`: some readers take words for an address, and
/// some then give up the whole list. So does text with an `@` (`a@`), words that decode to some,
/// and text that has to be written in encoded-words, which may not be in place of a mailbox.
fn hides(list: &AddressList<'_>, words: Words, rules: &ListRules<'_>) -> bool {
    let octets = list.octets(words);
    list.says_something(words)
        && (rules.is_strict
            || list.tokens(words).iter().any(|token| is_of_address(list, token))
            || rules.names_people && !octets.is_ascii()
            || octets.contains(&b'?')
                && words_text(list, words, rules.of_field.raw_text()).contains('@'))
}

/// Returns whether a token, which is no comment, holds an `@` or opens brackets.
fn is_of_address(list: &AddressList<'_>, token: &Token) -> bool {
    match token.kind {
        TokenKind::Comment => false,
        TokenKind::Special(special) => matches!(special, b'@' | b'<'),
        _ => list.value[Range::from(token.span())].contains(&b'@'),
    }
}

/// `Ada <>` among mailboxes becomes `Ada :;`, and `<>` becomes `"<>" :;`.
fn without_brackets(list: &AddressList<'_>, mailbox: &Mailbox) -> Entry {
    let before = mailbox.before();
    Entry::EmptyGroup(if list.says_something(before) { before } else { mailbox.address })
}

/// `a@exämple.org` gets A-labels. What 7 bits cannot carry goes into the name of a mailbox that
/// nobody has (rule H8). An addr-spec that some readers decode goes into the name of a group:
/// `=?utf-8?q?eve=40evil.example=3e?=@bank.example`.
fn written(list: &mut AddressList<'_>, mut mailbox: Mailbox, rules: &ListRules<'_>) -> Entry {
    let spec = list.spec(&mailbox);
    if rules.names_people && holds_word(&spec) {
        list.is_broken = true;
        // One word is text with an `@` in it; beside anything else it stays as it is written.
        let is_one_word = spec.starts_with(b"=?") && spec.ends_with(b"?=");
        return if is_one_word {
            Entry::EmptyGroup(mailbox.all)
        } else {
            Entry::Unwritable(mailbox)
        };
    }
    if !addr_spec_may_stay(&spec) {
        match addr_spec::with_a_labels(&spec, list.span(mailbox.address), rules.of_field) {
            Some(labels) => list.set_spec(&mut mailbox, labels),
            None if mailbox.kind == MailboxKind::Whole
                && !spec.iter().all(|&octet| is_printable(octet)) =>
            {
                return Entry::NotAscii(mailbox);
            }
            None => return Entry::Unwritable(mailbox),
        }
    }
    Entry::Mailbox(mailbox)
}

/// Returns whether an entry is written as a group.
fn is_group(entry: &Entry) -> bool {
    matches!(entry, Entry::EmptyGroup(_) | Entry::Unwritable(_))
}

fn is_end(entry: &Entry) -> bool {
    matches!(entry, Entry::End(_))
}

/// `To: root` before `To: Ada <a@b>` becomes `<root>, Ada <a@b>`: words at the end of a list, or of
/// members that left a group, must not become part of a name in the next. Those that are not a
/// local part become `words :;`.
pub(super) fn set_apart_from_next(list: &mut AddressList<'_>) {
    let last = match list.entries.pop() {
        Some(Entry::Mailbox(mut mailbox)) if mailbox.kind == MailboxKind::Local => {
            let spec = list.spec(&mailbox).into_owned();
            list.set_spec(&mut mailbox, spec);
            Some(Entry::Mailbox(mailbox))
        }
        Some(Entry::Text(words)) if list.says_something(words) => Some(Entry::EmptyGroup(words)),
        last => last,
    };
    list.entries.extend(last);
}
