//! Prints an address list, one entry after another, each by the grammar.

use super::super::addr_spec;
use super::super::comment::write_comment;
use super::super::draft::Draft;
use super::super::phrase::{
    quote_lone_atom, write_phrase, write_phrase_joined, write_text_as_phrase,
};
use super::repair::name_in_comment;
use crate::Code;
use crate::ascii::are_printable_or_fws;
use crate::encode::{Item, Level, Octets, Space, Token as Written};
use crate::syntax::address::{
    AddressList, Entry, Mailbox, NOBODY, Piece, Token, TokenKind, Words, name,
};
use crate::syntax::lexical::unquote;
use crate::syntax::value;

/// Adds the entries of a list to those that the draft already has. It stops where the field is too
/// long to be output.
pub(super) fn print(draft: &mut Draft<'_>, list: &AddressList<'_>) {
    let mut needs_comma = !draft.items.is_empty();
    for entry in &list.entries {
        if draft.exceeds_header_limit() {
            return;
        }
        if needs_comma && !matches!(entry, Entry::End(_)) {
            push_separator(draft, b",");
        }
        print_entry(draft, list, entry);
        needs_comma = !matches!(entry, Entry::Group(_));
        if needs_comma {
            draft.lay_out_settled();
        }
    }
}

fn print_entry(draft: &mut Draft<'_>, list: &AddressList<'_>, entry: &Entry) {
    let first_item = draft.items.len();
    match entry {
        Entry::Mailbox(mailbox) => print_mailbox(draft, list, mailbox),
        Entry::Group(name) => {
            print_pieces(draft, list, *name, write_after_space);
            print_empty_name_if_none(draft, first_item);
            push_separator(draft, b":");
        }
        Entry::End(after) => {
            push_separator(draft, b";");
            return print_comments(draft, list, *after);
        }
        Entry::Text(words) => {
            print_pieces(draft, list, *words, write_after_space);
            if draft.items.len() == first_item {
                print_empty_name_if_none(draft, first_item);
            }
            quote_lone_atom(&mut draft.items, first_item);
        }
        Entry::EmptyGroup(words) => print_empty_group(draft, list, *words),
        Entry::Unwritable(mailbox) => {
            print_in_name(draft, list, mailbox, Code::AddressUnreadable, b":;".as_slice());
        }
        Entry::NotAscii(mailbox) => {
            let nobody = Octets::joined([b"<", NOBODY.as_bytes(), b">"]);
            print_in_name(draft, list, mailbox, Code::AddressNotAscii, nobody);
        }
    }

    // The best place to fold is before an entry.
    if let Some(item) = draft.items.get_mut(first_item) {
        item.level = Level::Unit;
    }
}

/// `mailbox = ([display-name] [CFWS] "<" addr-spec ">" [CFWS]) / addr-spec`
fn print_mailbox(draft: &mut Draft<'_>, list: &AddressList<'_>, mailbox: &Mailbox) {
    let comment = name_in_comment(list, mailbox, &draft.rules, draft.field.row.names_people());
    if let Some(comment) = comment {
        draft.repair(Code::AddressListRepaired, list.span(mailbox.all));
        write_text_as_phrase(draft, &unquote(draft.octets(comment)), comment);
    } else {
        let has_name_after_address = list.names(mailbox.after()).next().is_some();
        print_name(draft, list, mailbox, has_name_after_address);
    }

    let (spec, octets) = (list.spec(mailbox), list.octets(mailbox.address));
    report_comments(draft, list, mailbox.address);
    if !are_printable_or_fws(octets) {
        let code = match list.own_spec(mailbox) {
            _ if are_printable_or_fws(&value::blanked(octets)) => Code::ControlReplaced,
            Some(_) => Code::DomainToAscii,
            None => Code::RawHeaderText,
        };
        draft.tally.note(code, list.span(mailbox.address));
    }

    let in_brackets = comment.is_some() || list.takes_brackets(mailbox);
    let spec =
        if in_brackets { Octets::joined([b"<", &spec, b">"]) } else { Octets::copied(&spec) };
    draft.token(Space::ONE, spec);
    if comment.is_none() {
        print_comments(draft, list, mailbox.after());
    }
}

/// Prints the words before and after the address of a mailbox as its name. `joins` means that those
/// before it get a new neighbour, and are written again for that.
fn print_name(draft: &mut Draft<'_>, list: &AddressList<'_>, mailbox: &Mailbox, joins: bool) {
    if let Some((octets, span)) = list.name_as_text(mailbox) {
        return write_text_as_phrase(draft, octets, span);
    }
    print_pieces(draft, list, mailbox.before(), |draft, phrase| match name(phrase) {
        [] => {}
        name if joins => write_phrase_joined(draft, name),
        name => write_after_space(draft, name),
    });
    for name in list.names(mailbox.after()) {
        write_phrase_joined(draft, name);
    }
}

/// Prints words as the name of a group without members.
fn print_empty_group(draft: &mut Draft<'_>, list: &AddressList<'_>, words: Words) {
    let (first_item, octets, span) = (draft.items.len(), list.octets(words), list.span(words));
    draft.report(Code::AddressUnreadable, span, || String::from_utf8_lossy(octets).into_owned());
    if list.holds_odd_token(words) {
        write_text_as_phrase(draft, octets, span);
    } else {
        print_pieces(draft, list, words, write_phrase_joined);
    }
    print_empty_name_if_none(draft, first_item);
    draft.token(Space::ONE, b":;".as_slice());
}

/// Prints an addr-spec as text, after the name of its mailbox. `end` makes a group or a mailbox of
/// that name.
fn print_in_name<'a>(
    draft: &mut Draft<'a>,
    list: &AddressList<'_>,
    mailbox: &Mailbox,
    code: Code,
    end: impl Into<Octets<'a>>,
) {
    print_name(draft, list, mailbox, true);
    report_comments(draft, list, mailbox.address);
    let (spec, span) = (list.spec(mailbox), list.span(mailbox.address));
    let text = addr_spec::text_of(draft, &spec, span);
    draft.report(code, span, || String::from_utf8_lossy(&text.octets).into_owned());
    draft.items.push(Item::new(Space::ONE, Written::Encode(Box::new(text))));
    draft.token(Space::ONE, end);
    print_comments(draft, list, mailbox.after());
}

/// Prints phrases, each by `write`, and comments, in their order.
fn print_pieces<'a>(
    draft: &mut Draft<'a>,
    list: &AddressList<'_>,
    words: Words,
    write: impl Fn(&mut Draft<'a>, &[Token]),
) {
    for piece in list.pieces(words) {
        match piece {
            Piece::Phrase(phrase) => write(draft, phrase),
            Piece::Comment(span) => write_comment(draft, span, Space::ONE),
        }
    }
}

fn print_comments(draft: &mut Draft<'_>, list: &AddressList<'_>, words: Words) {
    print_pieces(draft, list, words, |_, _| {});
}

fn write_after_space(draft: &mut Draft<'_>, phrase: &[Token]) {
    write_phrase(draft, phrase, Space::ONE);
}

/// Prints an empty name if nothing but comments was printed from `first_item` on.
fn print_empty_name_if_none(draft: &mut Draft<'_>, first_item: usize) {
    if draft.items[first_item..].iter().all(|item| item.level == Level::Comment) {
        draft.token(Space::ONE, b"\"\"".as_slice());
    }
}

/// Reports the comments in an addr-spec, which are left out: next to it they might be read as a
/// name.
fn report_comments(draft: &mut Draft<'_>, list: &AddressList<'_>, address: Words) {
    for comment in list.tokens(address).iter().filter(|token| token.kind == TokenKind::Comment) {
        let (span, text) = (comment.span(), draft.octets(comment.span()));
        draft.report(Code::CommentDropped, span, || String::from_utf8_lossy(text).into_owned());
    }
}

/// Adds a separator, without white space unless an encoded-word is before it.
fn push_separator(draft: &mut Draft<'_>, separator: &'static [u8]) {
    let follows_word = draft.items.last().is_none_or(Item::holds_word);
    draft.token(if follows_word { Space::ONE } else { Space::default() }, separator);
}
