//! What raw octets in a message's headers may be in: the charset that its first text is labelled with; or where there is
//! much raw text, what all of it seems to be in.

use super::tree::{Entity, Kind, Tree};
use crate::Charset;
use crate::decode::Fallback;

/// What raw octets in the header of entity `index` may be in. Looked up once for all entities, however many ask.
pub(crate) fn fallback(tree: &Tree<'_>, index: usize) -> Fallback {
    tree.fallbacks.get_or_init(|| find(tree)).get(index).copied().unwrap_or_default()
}

fn find(tree: &Tree<'_>) -> Vec<Fallback> {
    let values = tree.entities.iter().flat_map(|entity| {
        let source = tree.source_of(entity);
        tree.fields_of(entity).iter().map(move |field| &source[field.span.clone()])
    });
    let of_all = Fallback::of_values(values);
    first_texts(&tree.entities).into_iter().map(|labelled| Fallback { labelled, ..of_all }).collect()
}

/// For each entity, the charset of the first labelled text of the message that it belongs to; none where that is US-ASCII.
fn first_texts(entities: &[Entity]) -> Vec<Option<Charset>> {
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

#[cfg(test)]
mod tests {
    use crate::{Message, normalize};

    /// A header of much raw text is read alike where it is shown and where it is written; a message inside, too.
    #[test]
    fn all_raw_text_of_a_message_is_in_one_charset() {
        let fields = b"Subject: \xC9\xD7\xC1\xCE \xF0\xC5\xD4\xD2\xCF\xD7\r\n".repeat(110);
        let inner = b"Content-Type: message/rfc822\r\n\r\nSubject: \xC9\r\n\r\ntext\r\n";
        let message = [&b"To: \xE9 <a@example.org>\r\n"[..], &fields, inner].concat();
        let (before, out) = (Message::parse(&message), normalize(&message));
        let after = Message::parse(out.octets());
        for message in [&before, &after] {
            assert_eq!(message.subject().as_deref(), Some("иван Петров"));
            assert_eq!(message.mailboxes("to")[0].name(), "И");
            assert_eq!(message.parts().nth(1).and_then(|part| part.header("subject")).as_deref(), Some("и"));
        }
    }
}
