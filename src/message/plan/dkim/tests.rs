use proptest::prelude::*;

use super::*;
use crate::message::options::Options;
use crate::message::plan::plan;

/// The names of which any field changes, found one by one, with what [`OfName`] says of them.
fn one_by_one(
    fields: &[Field],
    source: &[u8],
    made: &[u8],
) -> HashMap<String, (Option<usize>, Option<usize>, bool)> {
    let mut written = Vec::new();
    let limits = Limits::new().with_header_octets(usize::MAX);
    find_fields(made, 0, true, &limits, &OpenBoundaries::default(), &mut written);
    let is = |field: &&Field| field.is_field() && !field.is_spaced();
    let of = |fields: &[Field], source: &[u8], name: &str| -> Vec<Vec<u8>> {
        let named = fields.iter().rev().filter(is).filter(|field| field.is(source, name));
        named.map(|field| source[field.span.clone()].to_vec()).collect()
    };
    let mut found = HashMap::new();
    for (field, octets) in
        fields.iter().map(|field| (field, source)).chain(written.iter().map(|field| (field, made)))
    {
        let name = field.lower_name(octets);
        let (old, new) = (of(fields, source, &name), of(&written, made, &name));
        let first = |canonical: fn(&[u8]) -> Vec<u8>| {
            let differs = |at: &usize| {
                old.get(*at).map(|field| canonical(field))
                    != new.get(*at).map(|field| canonical(field))
            };
            (0..old.len().max(new.len())).find(differs).map(|at| at + 1)
        };
        let spaced =
            fields.iter().any(|field| field.is_spaced() && field.lower_name(source) == name);
        if old != new && first(to_crlf).or(first(relaxed)).is_some() {
            found.insert(name, (first(to_crlf), first(relaxed), spaced));
        }
    }
    found
}

fn assert_alike(message: &[u8]) {
    let options = Options::default();
    let plan = plan(message, &options);
    let ctx = Context::new(&plan.tree, &options, Vec::new());
    let (source, fields, end) =
        (ctx.octets(0), plan.tree.fields_of(ctx.entity(0)), ctx.entity(0).section.fields_end);
    let Changes { splices, names, .. } = Changes::of(&ctx, &plan.splices);
    let (mut made, mut at) = (Vec::new(), 0);
    for splice in splices {
        let Replacement::Octets(new) = &splice.with else { continue };
        made.extend_from_slice(&source[at..splice.span.start]);
        made.extend_from_slice(new);
        at = splice.span.end;
    }
    made.extend_from_slice(&source[at..end]);
    let names = names.into_iter().map(|(name, of)| (name, (of.first[0], of.first[1], of.spaced)));
    assert_eq!(
        names.collect::<HashMap<_, _>>(),
        one_by_one(fields, source, &made),
        "{:?}",
        message.escape_ascii().to_string()
    );
}

proptest! {
    #[test]
    fn names_change_alike(
        fields in prop::collection::vec(
            r"(From|subject|SUBJECT|To|x-a|X-A|X-\(A\)|Content-Type|MIME-Version|MIME-Version) ?:( |text/plain|a@b|é|=\?utf-8\?q\?a\?=|1\.0|\r\n |\t){0,4}(\r\n|\r\n|\n|\r)|From a\r\n|no field\r\n| \r\n|",
            0..9,
        ),
        body in "(\r\n)?(a|é|\r\n){0,4}",
    ) {
        assert_alike((fields.concat() + &body).as_bytes());
    }
}
