//! The laws of the project, each one function: shared by the property tests, the corpus walk and
//! fuzzing. They judge by the public interface and by their own reading of the octets, never by the
//! code under test.
//!
//! 1. Decoding never panics, and every span is within the input.
//! 2. Cutting the input into chunks does not change the result.
//! 3. Encoded text decodes to the same text, for every text that the target can represent.
//! 4. The output is 7-bit safe (rules G1 to G6).
//! 5. Normalising twice gives the same octets as normalising once.
//! 6. A message in normal form comes back borrowed.
//! 7. The view (header text, mailboxes, tree, text, octets, file names) of the output is that of
//!    the input. No addr-spec is written that did not stand there, and none is removed that most
//!    readers found (`addresses`).
//! 8. Work is linear: twice the input is at most twice (and a bit) the instructions, on every
//!    hostile shape. This one is `benches/linear.rs`.
#![allow(dead_code, reason = "each test binary uses some of the laws")]

pub mod addresses;
pub mod answers;
pub mod changes;
pub mod charset;
mod chooser;
pub mod combinations;
pub mod guessed;
pub mod header;
pub mod options;
pub mod safe;
mod shown;
pub mod targets;
pub mod trees;
pub mod values;
pub mod view;

use std::io::Cursor;

use options::Options;
use sevenbit::{Charset, Code, Issue, Message, Normalizer, Profile};

pub const PROFILES: [Profile; 2] = [Profile::Transport, Profile::Archive];

/// Law 1: decoding never panics, and every span is within the input.
pub fn spans_lie_in_the_input(octets: &[u8]) -> Result<(), String> {
    let check = |issues: &[sevenbit::Issue], what: &str| match issues
        .iter()
        .find(|issue| issue.span().start > issue.span().end || issue.span().end > octets.len())
    {
        Some(issue) => Err(format!("{what}: span outside the {} octets: {issue}", octets.len())),
        None => Ok(()),
    };
    check(sevenbit::decode_header(octets).issues(), "decode_header")?;
    check(sevenbit::mailbox_name::decode(octets).issues(), "mailbox_name")?;
    for label in
        ["utf-8", "utf-7", "utf-16", "iso-2022-jp", "iso-2022-kr", "hz-gb-2312", "gb18030", "big5"]
    {
        if let Some(charset) = Charset::for_label(label) {
            check(charset.decode(octets).issues(), label)?;
        }
    }
    for profile in PROFILES {
        check(Normalizer::new().profile(profile).plan(octets).report().issues(), "plan")?;
    }
    for part in Message::parse(octets).parts() {
        check(&part.issues(), "view")?;
    }
    Ok(())
}

/// Law 4: the output is 7-bit safe (G1 to G4).
pub fn output_is_safe(octets: &[u8], by: impl Into<Options>) -> Result<(), String> {
    let by = by.into();
    let output = by.normalizer.normalize(octets);
    if output.report().is_refused() {
        return Ok(()); // it passes as it was
    }
    safe::why_not(output.octets()).map_or(Ok(()), |why| Err(format!("{}: {why}", by.name)))
}

/// Law 5: twice is once (G7).
pub fn normalizing_twice_is_once(octets: &[u8], by: impl Into<Options>) -> Result<(), String> {
    let by = by.into();
    let normalizer = &by.normalizer;
    let once = normalizer.normalize(octets);
    let twice = normalizer.normalize(once.octets());
    if once.octets() == twice.octets() {
        return Ok(());
    }
    let at = once.octets().iter().zip(twice.octets()).take_while(|(a, b)| a == b).count();
    let around = |octets: &[u8]| {
        String::from_utf8_lossy(
            &octets[at.saturating_sub(60).min(octets.len())..octets.len().min(at + 60)],
        )
        .into_owned()
    };
    Err(format!(
        "{}: not idempotent at octet {at}: {:?} became {:?} for {:?}",
        by.name,
        around(once.octets()),
        around(twice.octets()),
        twice.report().issues().iter().map(ToString::to_string).collect::<Vec<_>>()
    ))
}

/// Law 6: a message in normal form comes back borrowed and identical (G8).
pub fn normal_form_is_borrowed(octets: &[u8], by: impl Into<Options>) -> Result<(), String> {
    let by = by.into();
    let normalizer = &by.normalizer;
    let whole = normalizer.normalize(octets);
    if whole.report().is_refused() {
        return Ok(());
    }
    let once = whole.into_octets();
    let plan = normalizer.plan(&once);
    match plan.octets() {
        std::borrow::Cow::Borrowed(same)
            if !plan.report().is_changed() && std::ptr::eq(same, &raw const *once) =>
        {
            Ok(())
        }
        _ => Err(format!("{}: normal form not borrowed: {:?}", by.name, plan.edits().next())),
    }
}

/// Law 7: the view of the output is the view of the input, except for what was reported.
pub fn view_is_kept(octets: &[u8], by: impl Into<Options>) -> Result<(), String> {
    let by = by.into();
    let output = by.normalizer.normalize(octets);
    if output.report().is_refused() {
        return Ok(()); // it passes as it was
    }
    view::compare(octets, &output, by.limits).map_err(|why| format!("{}: {why}", by.name))
}

/// Planning, writing to a writer and reading from a reader or a file give the same octets; a plan
/// knows the labels of the view.
pub fn every_way_gives_the_same(octets: &[u8], by: impl Into<Options>) -> Result<(), String> {
    let by = by.into();
    let normalizer = &by.normalizer;
    let whole = normalizer.normalize(octets);
    let mut written = Vec::new();
    let plan = normalizer.plan(octets);
    plan.write_to(&mut written).map_err(|error| error.to_string())?;
    let view = Message::parse_with(octets, by.limits);
    // Parts that stay closed in transport (rules B1, B8, B11, G12) have no labels there; a view
    // opens them. An archive opens articles, which a view does not (rule B9). A plan may read less
    // of a header than its limit, so that its output fits.
    let closed = [
        Code::AmbiguousSignedContent,
        Code::ContentAppeared,
        Code::EncodedPartOpaque,
        Code::EncodingIgnored,
        Code::HeaderTooLarge,
        Code::ObsoleteType,
    ];
    // With the parts of articles a message may have more than are read (rule G13), which a view
    // does not count.
    let is_whole = |issue: &Issue| issue.part() == "1" && issue.span().end == octets.len();
    let is_closed = |issue: &Issue| {
        closed.contains(&issue.code()) || issue.code() == Code::PartOpaque && is_whole(issue)
    };
    let is_open = !plan.report().issues().iter().any(is_closed);
    if is_open && !plan.charset_labels().eq(view.leaves().filter_map(|part| part.charset_label())) {
        return Err(format!("{}: plan and view differ in charset labels", by.name));
    }
    let mut stored = Vec::new();
    plan.write_lf_to(&mut stored).map_err(|error| error.to_string())?;
    // A file labelled binary keeps its CR LF (rule B10).
    let is_binary = |part: sevenbit::Part<'_>| part.transfer_encoding() == "binary";
    let opened = Message::parse_with(&written, by.limits);
    let keeps_some = || opened.parts().any(is_binary) && with_lf(&stored) == with_lf(&written);
    if stored != with_lf(&written) && !keeps_some() {
        return Err(format!("{}: written with LF it differs in more than line ends", by.name));
    }
    let mut read = Vec::new();
    normalizer.normalize_reader(octets, &mut read).map_err(|error| error.to_string())?;
    let mut from_file = Vec::new();
    let report = normalizer.normalize_file(Cursor::new(octets), &mut from_file);
    let report = report.map_err(|error| error.to_string())?;
    if [&written, &read, &from_file].into_iter().any(|octets| whole.octets() != octets) {
        return Err(format!("{}: slice, writer, reader and file differ", by.name));
    }
    if report != *whole.report() {
        return Err(format!("{}: slice and file differ in their reports", by.name));
    }
    Ok(())
}

/// LF for each CR LF, octet by octet.
fn with_lf(octets: &[u8]) -> Vec<u8> {
    let ends_line = |at: usize| octets[at] == b'\r' && octets.get(at + 1) == Some(&b'\n');
    (0..octets.len()).filter(|at| !ends_line(*at)).map(|at| octets[at]).collect()
}

/// Those that hold for any octets and any options.
pub fn every_law_by(octets: &[u8], by: &Options) -> Result<(), String> {
    output_is_safe(octets, by)?;
    normalizing_twice_is_once(octets, by)?;
    normal_form_is_borrowed(octets, by)?;
    every_way_gives_the_same(octets, by)?;
    changes::header_changes_and_body_are_the_message(octets, by)
}

/// All of them that hold for any octets at all.
pub fn every_law(octets: &[u8]) -> Result<(), String> {
    spans_lie_in_the_input(octets)?;
    for profile in PROFILES {
        output_is_safe(octets, profile)?;
        normalizing_twice_is_once(octets, profile)?;
        normal_form_is_borrowed(octets, profile)?;
        every_way_gives_the_same(octets, profile)?;
        changes::header_changes_and_body_are_the_message(octets, profile)?;
    }
    guessed::guessing_is_safe(octets)
}
