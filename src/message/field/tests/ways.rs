//! The short way through the gate gives the same verdict as the long one, and what stays would be
//! written as it is.

use proptest::prelude::*;

use super::laws::{NAMES, boxes, config, field, profiles};
use super::*;
use crate::Limits;
use crate::decode::{ParameterTexts, RawText, Wanted};
use crate::facts::scan::scan;
use crate::facts::tree::Purpose;
use crate::message::field::judge::{judge_long, stands};
use crate::syntax::parameter::{FILE_OF_DISPOSITION, FILE_OF_TYPE};

/// Asserts that both ways give the same verdict about a field.
#[track_caller]
fn assert_ways_agree(raw: &RawField<'_>, rules: &FieldRules, edits: &ParameterEdits<'_>) {
    let (short_or_long, long) = (judge_edited(raw, rules, edits), judge_long(raw, rules, edits));
    assert_eq!(short_or_long, long, "{:?} {}", rules.policy, raw.raw.escape_ascii());
}

/// Values that are usually clean: what is found in mail, and small variations of it.
fn clean_value() -> impl Strategy<Value = String> {
    let word = "[!-~]{1,9}|[A-Za-z]{1,9}|[a-z]{2,5}@[a-z.]{2,9}|<[a-z.]{1,5}@[a-z]{1,5}>|\"[a-z, ;]{0,9}\"|\\([a-z ]{0,9}\\)|[,;:=]|x{880,1000}";
    let space = prop::sample::select(vec!["", " ", " ", "  ", "\t", "\r\n ", "\n\t"]);
    prop::collection::vec((word, space), 0..12)
        .prop_map(|pieces| pieces.into_iter().map(|(word, space)| word + space).collect())
}

/// Returns a field that stays, and what is written for it if only a space before its colon is
/// added: that must not say anything else, and must be kept.
fn kept_and_written(name: &str, value: &str, rules: &FieldRules) -> Option<(Vec<u8>, Vec<u8>)> {
    let raw = format!("{name}: {value}\r\n");
    if judge(&RawField::split(raw.as_bytes()), rules).verdict != FieldVerdict::Keep {
        return None;
    }
    let spaced = format!("{name} : {value}\r\n");
    let Judged { verdict: FieldVerdict::Write(written), issues } =
        judge(&RawField::split(spaced.as_bytes()), rules)
    else {
        panic!("kept: {spaced}")
    };
    // An address that does not fit on any line is kept in place, and reported where it cannot be
    // kept.
    let codes = [Code::AddressNotAscii, Code::AddressUnreadable, Code::FieldDowngraded];
    let is_none = |issue: &Issue| codes.contains(&issue.code());
    if issues.iter().any(is_none) {
        return None;
    }
    assert_eq!(
        judge(&RawField::split(&written), rules).verdict,
        FieldVerdict::Keep,
        "{}",
        written.escape_ascii()
    );
    Some((raw.into_bytes(), written))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_field_by_both_ways(raw in field(), rules in profiles()) {
        assert_ways_agree(&RawField::split(&raw.0), &rules, &ParameterEdits::NONE);
    }

    #[test]
    fn clean_fields_by_both_ways(
        name in prop::sample::select(NAMES),
        value in clean_value(),
        rules in profiles(),
    ) {
        let raw = format!("{name}: {value}\r\n");
        assert_ways_agree(&RawField::split(raw.as_bytes()), &rules, &ParameterEdits::NONE);
    }

    #[test]
    fn clean_parameters_by_both_ways(
        value in r#" ?(text/plain|a/b|inline)(;( |\r\n\t)?([a-z]{1,3}|Charset)=([a-z'.]{0,4}|us-ascii|"[a-z =?']{0,5}"|"b{60,300}")|[;*]| ){0,4}"#,
        name in prop::sample::select(vec!["Content-Type", "Content-Disposition"]),
        other in prop::option::of("text/[a-z]{1,4}|TEXT/plain"),
        set in prop::collection::btree_map("charset|[ab]", "us-ascii|[a-z ]{0,5}|é\"", 0..3),
        remove in "[abc]",
        rules in profiles(),
    ) {
        let raw = format!("{name}:{value}\r\n");
        let raw = RawField::split(raw.as_bytes());
        let set: Vec<_> = set.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let of_file = if name == "Content-Type" { FILE_OF_TYPE } else { FILE_OF_DISPOSITION };
        let read = ParameterTexts::read(raw.value(), of_file, Wanted::Deciding, RawText::in_value);
        for raw in [raw, raw.with_parameters(Some(&read))] {
            for edits in [
                ParameterEdits::NONE,
                ParameterEdits { value: other.as_deref(), set: &set, remove: &[] },
                ParameterEdits { value: other.as_deref(), set: &set, remove: &[&remove] },
            ] {
                assert_ways_agree(&raw, &rules, &edits);
            }
        }
    }

    #[test]
    fn writing_addresses_says_what_is_kept(
        name in prop::sample::select(vec!["To", "Return-Path"]),
        value in clean_value(),
        rules in profiles(),
    ) {
        if let Some((kept, written)) = kept_and_written(name, &value, &rules) {
            prop_assert_eq!(boxes(&kept, &rules), boxes(&written, &rules));
        }
    }

    #[test]
    fn writing_parameters_says_what_is_kept(
        value in r#"(text/plain|a/b|a/b \(c\))(;( |\r\n\t)?[ab](\*|\*[01]|\*[01]\*)?=([a-z']{0,3}|"[a-z ;'*]{0,5}"|(utf-8)?''[a-z]{0,2}%41))( |;|\(c\)){0,2}{0,3}"#,
        rules in profiles(),
    ) {
        if let Some((kept, written)) = kept_and_written("Content-Type", &value, &rules) {
            let read = |raw: &[u8]| {
                let value = RawField::split(raw).value();
                let texts = ParameterTexts::read(value, FILE_OF_TYPE, Wanted::All, RawText::in_value);
                [Some(texts.value()), texts.get("a"), texts.get("b")].map(|text| text.map(str::to_owned))
            };
            prop_assert_eq!(read(&kept), read(&written));
        }
    }

    /// A field found in a header is the field that its octets make by themselves.
    #[test]
    fn found_fields_are_what_they_read_as(fields in prop::collection::vec(field(), 1..4)) {
        let header = fields.iter().flat_map(|field| field.0.clone()).collect::<Vec<u8>>();
        for_each_field(&header, |found| {
            let split = RawField::split(found.raw);
            prop_assert_eq!(
                (found.name(), found.value(), found.value_start, found.row, found.lines),
                (split.name(), split.value(), split.value_start, split.row, split.lines)
            );
            Ok(())
        })?;
    }
}

/// Passes every field found in `message` to `give`.
fn for_each_field<E>(
    message: &[u8],
    mut give: impl FnMut(RawField<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let tree = scan(message, &Limits::default(), Purpose::View);
    for entity in &tree.entities {
        for field in tree.fields_of(entity).iter().filter(|field| field.is_field()) {
            let raw = RawField::found(field, tree.source_of(entity));
            if stands(field, tree.source_of(entity)) {
                let silent = Judged::silently(FieldVerdict::Keep);
                assert_eq!(
                    judge_long(&raw, &rules(Profile::Archive), &ParameterEdits::NONE),
                    silent
                );
            }
            give(raw)?;
        }
    }
    Ok(())
}

/// Every field of the messages of this project, and of real mail if there is any.
#[test]
fn mail_by_both_ways() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("corpus"), root.join("../shared/corpora/dev")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let message = std::fs::read(path).expect("a file");
            let Ok(()) = for_each_field::<std::convert::Infallible>(&message, |field| {
                for profile in [Profile::Transport, Profile::Archive] {
                    assert_ways_agree(&field, &rules(profile), &ParameterEdits::NONE);
                }
                count += 1;
                Ok(())
            });
        }
    }
    assert!(count > 1000, "{count} fields");
}
