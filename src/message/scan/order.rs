//! Document order: entities in decoded content are scanned after all others, but come before what follows it.

use crate::message::tree::{DelimiterLike, Tree};

/// Puts the entities of `tree` into document order.
pub(super) fn put_in_order(tree: &mut Tree<'_>) {
    if tree.sources.len() == 1 {
        return; // they are already
    }
    let mut places = vec![0; tree.entities.len()];
    let mut next = vec![0];
    let mut count = 0;
    while let Some(index) = next.pop() {
        places[index] = count;
        count += 1;
        next.extend(tree.children(index).iter().rev());
    }
    debug_assert_eq!(count, places.len(), "an entity outside the tree");
    let mut placed: Vec<_> = places.iter().copied().zip(std::mem::take(&mut tree.entities)).collect();
    placed.sort_unstable_by_key(|(place, _)| *place);
    tree.entities.extend(placed.into_iter().map(|(_, entity)| entity));
    for entity in &mut tree.entities {
        entity.parent = entity.parent.map(|parent| places[parent]);
        let children = entity.inner_mut().map(|inner| &mut inner.children);
        children.into_iter().flatten().for_each(|child| *child = places[*child]);
    }
    for source in &mut tree.sources {
        source.of = source.of.map(|entity| places[entity]);
    }
    tree.delimiter_like = std::mem::take(&mut tree.delimiter_like)
        .into_iter()
        .map(|DelimiterLike { multipart, leaf }| DelimiterLike {
            multipart: places[multipart],
            leaf: leaf.map(|leaf| places[leaf]),
        })
        .collect();
}

#[cfg(test)]
mod tests {
    use crate::Message;

    #[test]
    fn decoded_parts_come_before_what_follows_them() {
        let mail = b"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\
            Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: base64\r\n\r\n\
            LS1iDQoNCm9uZQ0KLS1iDQoNCnR3bw0KLS1iLS0NCg==\r\n\
            --a\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
            Subject: three\r\n\r\nthree\r\n\
            --a\r\n\r\nfour\r\n--a--\r\n";
        let message = Message::parse(mail);
        let paths: Vec<_> = message.parts().map(|part| part.path()).collect();
        assert_eq!(paths, ["", "1", "1.1", "1.2", "2", "2.1", "3"]);
        let texts: Vec<_> = message.leaves().filter_map(|part| part.text()).collect();
        assert_eq!(texts, ["one", "two", "three", "four"]);
        for part in message.parts() {
            assert!(part.children().all(|child| child.parent().is_some_and(|of| of.path() == part.path())));
        }
    }
}
