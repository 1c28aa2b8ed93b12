//! The charset that a message's first text is labelled with: what raw octets in its headers may be in.

use super::tree::{Entity, Kind, Tree};
use crate::Charset;

/// The charset of the first labelled text of the message that entity `index` belongs to; none where that is US-ASCII.
/// Looked up once for all entities, however many ask.
pub(crate) fn first_text_charset(tree: &Tree<'_>, index: usize) -> Option<Charset> {
    tree.first_texts.get_or_init(|| look(&tree.entities)).get(index).copied().flatten()
}

fn look(entities: &[Entity]) -> Vec<Option<Charset>> {
    let messages = messages(entities);
    let mut found: Vec<Option<Charset>> = vec![None; entities.len()];
    for (index, entity) in entities.iter().enumerate() {
        let label = entity.content.charset_label().filter(|_| entity.is_leaf());
        let charset = label.filter(|_| entity.content.top_type() == "text").and_then(Charset::for_label);
        let mut message = charset.map(|_| messages[index]);
        // What is first in a message inside is first for the ones around it, unless they had one before.
        while let Some(around) = message.filter(|&around| found[around].is_none()) {
            found[around] = charset;
            message = entities[around].parent.map(|parent| messages[parent]);
        }
    }
    messages.iter().map(|&message| found[message].filter(|&charset| charset != Charset::US_ASCII)).collect()
}

/// For each entity, the one that is the message it belongs to.
fn messages(entities: &[Entity]) -> Vec<usize> {
    let mut messages = Vec::with_capacity(entities.len());
    for (index, entity) in entities.iter().enumerate() {
        let inside = entity.parent.filter(|&parent| !matches!(entities[parent].kind, Kind::Message(_)));
        messages.push(inside.map_or(index, |parent| messages[parent]));
    }
    messages
}
