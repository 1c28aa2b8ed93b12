//! Addresses that the grammar allows and that readers parse differently (rule H6): nothing is changed, but a
//! note is reported.

use super::draft::Draft;
use crate::decode::{comment_text, phrase_text};
use crate::issue::Tally;
use crate::syntax::address::{AddressList, Node, Role, addr_spec, is_plain_spec};

/// Returns whether readers may find other addresses in a list than the grammar does. `of_one` means that the
/// field names one person.
pub(super) fn is_ambiguous(draft: &Draft<'_>, list: &AddressList<'_>, of_one: bool) -> bool {
    let mut stretches = list.stretches();
    while let Some(stretch) = stretches.next() {
        let is_group = stretch.opens_group();
        if is_group && of_one {
            return true;
        }
        if !is_group && stretch.elements().any(|nodes| is_ambiguous_element(draft, list, nodes, of_one)) {
            return true;
        }
    }
    false
}

fn is_ambiguous_element(draft: &Draft<'_>, list: &AddressList<'_>, nodes: &[Node], of_one: bool) -> bool {
    let Some(address) = nodes.iter().find(|node| node.is_address()) else {
        return nodes.iter().any(|node| node.role == Role::Phrase);
    };
    let spec = addr_spec(draft.value(), list.tokens(address));
    !is_plain_spec(&spec) || nodes.iter().any(|node| imitates(draft, list, node, &spec, of_one))
}

/// Returns whether a name or a comment is or contains an address other than the mailbox's. Mailing lists are
/// often named so by those who write to them: for recipients, only text with brackets counts.
fn imitates(draft: &Draft<'_>, list: &AddressList<'_>, node: &Node, spec: &[u8], of_one: bool) -> bool {
    let octets = draft.octets(node.span);
    if memchr::memchr3(b'@', b'<', b'?', octets).is_none() {
        return false;
    }
    let (value, raw, tally) = (draft.value(), draft.rules.raw_text(), &mut Tally::default());
    let text = match node.role {
        Role::Phrase => phrase_text(value, list.tokens(node), raw, tally),
        Role::Comment => comment_text(value, node.span, raw, tally),
        _ => return false,
    };
    let bare = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '<' | '>'));
    (text.contains('<') || of_one && text.contains('@')) && !bare.as_bytes().eq_ignore_ascii_case(spec)
}
