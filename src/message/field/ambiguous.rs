//! Addresses that the grammar allows and that readers parse differently (rule H6): nothing is
//! changed, but a note is reported.

use super::draft::Draft;
use crate::decode::{comment_text, phrase_text};
use crate::report::Tally;
use crate::syntax::address::{AddressList, Entry, Mailbox, Piece, is_plain_spec, span_of};

/// Returns whether readers may find other addresses in a list than the grammar does. `of_one` means
/// that the field names one person.
pub(super) fn is_ambiguous(draft: &Draft<'_>, list: &AddressList<'_>, of_one: bool) -> bool {
    let is_group = |entry: &Entry| matches!(entry, Entry::Group(_));
    of_one && list.entries.iter().any(is_group)
        || list.members().any(|entry| match entry {
            Entry::Text(_) => true,
            Entry::Mailbox(mailbox) => is_ambiguous_mailbox(draft, list, mailbox, of_one),
            _ => false,
        })
}

fn is_ambiguous_mailbox(
    draft: &Draft<'_>,
    list: &AddressList<'_>,
    mailbox: &Mailbox,
    of_one: bool,
) -> bool {
    let spec = list.spec(mailbox);
    let mut pieces = list.pieces(mailbox.before()).chain(list.pieces(mailbox.after()));
    !is_plain_spec(&spec) || pieces.any(|piece| imitates(draft, list, &piece, &spec, of_one))
}

/// Returns whether a name or a comment is or contains an address other than the mailbox's. Mailing
/// lists are often named so by those who write to them: for recipients, only text with brackets
/// counts.
fn imitates(
    draft: &Draft<'_>,
    list: &AddressList<'_>,
    piece: &Piece<'_>,
    spec: &[u8],
    of_one: bool,
) -> bool {
    let (raw, tally) = (draft.rules.raw_text(), &mut Tally::default());
    let span = match piece {
        Piece::Phrase(phrase) => span_of(phrase),
        Piece::Comment(span) => *span,
    };
    if memchr::memchr3(b'@', b'<', b'?', draft.octets(span)).is_none() {
        return false;
    }
    let text = match piece {
        Piece::Phrase(phrase) => phrase_text(list.value, phrase, raw, tally),
        Piece::Comment(span) => comment_text(list.value, *span, raw, tally),
    };
    let bare =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '<' | '>'));
    (text.contains('<') || of_one && text.contains('@'))
        && !bare.as_bytes().eq_ignore_ascii_case(spec)
}
