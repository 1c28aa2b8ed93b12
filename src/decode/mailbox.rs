//! The mailboxes of an address field (RFC 5322, 3.4): names as text, addresses never decoded (rules H3, H6).

use super::phrase::{comment_text, phrase_text};
use super::{RawText, raw_text};
use crate::Span;
use crate::issue::Tally;
use crate::syntax::address::{Node, Role, TokenKind, nodes, tokens};

/// Display names and addr-specs in order, groups flattened. A name without an address is kept with an empty
/// addr-spec; without a display name the comment behind the address serves, as it did before RFC 822.
pub(crate) fn mailboxes(value: &[u8], raw: &RawText) -> Vec<(String, String)> {
    let nodes = nodes(value);
    let separates = |n: &Node| matches!(n.role, Role::Comma | Role::GroupOpen | Role::GroupClose);
    let mut found = Vec::new();
    let mut from = 0;
    for at in 0..=nodes.len() {
        let Some(separator) = nodes.get(at).filter(|n| separates(n)).or((at == nodes.len()).then_some(&END))
        else {
            continue;
        };
        if separator.role != Role::GroupOpen {
            found.extend(mailbox(value, &nodes[from..at], *raw));
        }
        from = at + 1;
    }
    found
}

/// The addr-spec in a stretch with or without angle brackets: route, comments and white space taken out,
/// quotes kept, nothing decoded.
pub(crate) fn addr_spec(stretch: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(stretch.len());
    for token in tokens(stretch) {
        let octets = &stretch[token.span.start..token.span.end];
        match token.kind {
            TokenKind::Space | TokenKind::Comment | TokenKind::Special(b'<' | b'>') => {}
            TokenKind::Special(b':') if is_route(&out) => out.clear(),
            TokenKind::Quoted | TokenKind::Literal => {
                out.extend(octets.iter().filter(|o| !matches!(o, b'\r' | b'\n')));
            }
            _ => out.extend_from_slice(octets),
        }
    }
    out
}

const END: Node = Node { role: Role::Comma, span: Span::new(0, 0) };

/// `obs-route = obs-domain-list ":"`, and that begins with `@` (or with commas before it).
fn is_route(before: &[u8]) -> bool {
    before.iter().find(|&&o| o != b',') == Some(&b'@')
}

fn mailbox(value: &[u8], nodes: &[Node], raw: RawText) -> Option<(String, String)> {
    let mut tally = Tally::default();
    let mut name = String::new();
    let mut comment = None;
    let mut address: Option<String> = None;
    for node in nodes {
        match node.role {
            Role::Phrase => {
                let text = phrase_text(value, node.span, raw, &mut tally);
                if !name.is_empty() {
                    name.push(' ');
                }
                name.push_str(&text);
            }
            Role::Comment => comment = Some(node.span),
            Role::Angle | Role::Bare if address.is_none() => {
                let spec = addr_spec(&value[node.span.start..node.span.end]);
                address = Some(raw_text(&spec, node.span, raw, &mut tally).into_owned());
            }
            _ => {}
        }
    }
    if name.is_empty() && address.as_ref().is_some_and(|a| !a.is_empty()) {
        name = comment.map(|span| comment_text(value, span, raw, &mut tally)).unwrap_or_default();
    }
    (address.is_some() || !name.is_empty()).then(|| (name.trim().to_owned(), address.unwrap_or_default()))
}
