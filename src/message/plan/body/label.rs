//! Charset labels: how far one is trusted (rule B7), and which one is given to unlabelled octets
//! that stay (rule B6).

use super::facts::Body;
use crate::charset::{Evidence, Guess, Label, UNKNOWN_8BIT, markup};
use crate::codec::utf8;
use crate::facts::evidence::guess_for_text;
use crate::facts::line_ends::lf_as_crlf;
use crate::message::plan::verdict::Verdict;
use crate::report::Tally;
use crate::transfer::TransferEncoding;
use crate::{Charset, Code, DecodeFault, Detail, Spelling};

/// Reads the label of a text: one that cannot be true of `content` says nothing.
pub(super) fn believed(body: &Body<'_, '_>, content: &[u8]) -> Label {
    match Label::read(body.label()) {
        Label::Unknown if utf8::shows_itself(content) => Label::Nothing,
        Label::Known(charset, _) if charset.is_belied_by_text(content) => Label::Nothing,
        label => label,
    }
}

/// Returns whether the label of a text says something that is not believed.
fn is_belied(body: &Body<'_, '_>, believed: Label) -> bool {
    believed == Label::Nothing && Label::read(body.label()) != Label::Nothing
}

/// Reports a label that is spelt oddly or cannot be true.
pub(super) fn report(body: &Body<'_, '_>, believed: Label, verdict: &mut Verdict) {
    let label = body.label();
    if let Label::Known(charset, Spelling::Repaired) = believed {
        verdict.edits.charset.get_or_insert(charset.name());
        verdict.report(Code::CharsetLabelRepaired, format!("{label}: {}", charset.name()));
    }
    if is_belied(body, believed) {
        verdict.report(Code::CharsetLabelLies, label.to_owned());
    }
}

/// Returns whether the octets of a text that is not encoded are cut into other lines than the text
/// itself, by its label or by what it shows itself to be.
pub(super) fn octet_lines_differ(body: &Body<'_, '_>) -> bool {
    body.octet_lines_differ() || body.may_be_wide() && is_wide_unlabelled(body, body.octets())
}

/// Returns whether the text in `content` shows itself to be in UTF-16 or UTF-32 and has no label,
/// or one that cannot be true: no octet of it ends a line.
pub(super) fn is_wide_unlabelled(body: &Body<'_, '_>, content: &[u8]) -> bool {
    !content.is_ascii()
        && markup::may_be_wide(content)
        && believed(body, content) == Label::Nothing
        && markup::shown_by(content, body.media_type).is_some_and(Charset::is_wide)
}

/// Labels 8-bit text without a label in transport: utf-8 if it is that, the charset it is guessed
/// to be in if that is asked for and sure, otherwise unknown-8bit.
pub(super) fn label_raw_text(body: &Body<'_, '_>, content: &[u8], verdict: &mut Verdict) {
    if content.is_ascii() {
        return;
    }
    let label = believed(body, content);
    report(body, label, verdict);
    let (guess, unguessed) = match label {
        Label::Known(..) => return,
        _ if is_utf8(content) => (None, "utf-8"),
        _ => (sure_guess(body, content), UNKNOWN_8BIT),
    };
    if label == Label::Unknown && guess.is_none() {
        return;
    }
    let name = guess.map_or(unguessed, |guess| guess.charset().name());
    if body.content.charset_label() == Some(name)
        || name == UNKNOWN_8BIT && is_unlabelled_data(body, content)
    {
        return;
    }
    verdict.edits.charset = Some(name);
    let detail = match guess {
        Some(guess) => Detail::Guess(guess),
        None if name == UNKNOWN_8BIT => UNKNOWN_8BIT.into(),
        None => Detail::Charset(Charset::UTF_8),
    };
    verdict.report(Code::CharsetGuessed, detail);
    if guess.is_some_and(|guess| !is_text_in(guess.charset(), content, body)) {
        verdict.report(Code::Decode(DecodeFault::UndecodableText), name);
    }
}

/// Returns the charset that labels text that keeps its octets and its lines: what the text says
/// itself, or a guess if that is asked for.
fn sure_guess(body: &Body<'_, '_>, content: &[u8]) -> Option<Guess> {
    let guess = if body.policy().guesses_labels {
        guess_for_body(body, content)
    } else {
        Guess::certain(markup::shown_by(content, body.media_type)?)
    };
    (guess.is_sure() && guess.charset().has_line_ends()).then_some(guess)
}

/// Returns the charset that a text seems to be in whose label says nothing, cannot be true, or is
/// unknown. Text under an unknown label is no evidence for anything else, and nothing else for it.
/// Under the label of a charset that is known and not read nothing is guessed: it may be in that.
pub(super) fn guess_for_body(body: &Body<'_, '_>, content: &[u8]) -> Guess {
    match believed(body, content) {
        Label::Unknown if Charset::for_label_lenient(body.label()).is_some() => {
            Guess::WITHOUT_EVIDENCE
        }
        Label::Unknown => markup::guess(content, body.media_type),
        _ => guess_for_text(body.ctx.tree, body.index, content, body.media_type),
    }
}

/// Returns whether an archive reads text without a label as guessed. If the guess is not sure, or
/// the text is ill-formed in it, the octets stay, labelled with what is known.
pub(super) fn can_be_read_as(
    guess: Guess,
    content: &[u8],
    body: &Body<'_, '_>,
    verdict: &mut Verdict,
) -> bool {
    let name = if guess.is_sure() { guess.charset().name() } else { UNKNOWN_8BIT };
    if !guess.is_sure() && is_unlabelled_data(body, content) {
        return false;
    }
    if !guess.is_sure() {
        verdict.report(Code::CharsetGuessed, UNKNOWN_8BIT);
    } else if !is_text_in(guess.charset(), content, body) {
        verdict.report(Code::CharsetGuessed, guess);
        verdict.report(Code::Decode(DecodeFault::UndecodableText), name);
    } else {
        verdict.report(Code::CharsetGuessed, guess);
        return true;
    }
    let is_replaced = body.policy().replaces && guess.is_sure();
    if !is_replaced && body.content.charset_label() != Some(name) {
        verdict.edits.charset = Some(name);
    }
    is_replaced
}

/// Returns whether a text can be read in a charset without loss.
fn is_text_in(charset: Charset, content: &[u8], body: &Body<'_, '_>) -> bool {
    markup::read_lossless(content, charset, markup::MarkupKind::of(body.media_type)).is_some()
}

/// Returns whether it has no label, and its octets are not text in any charset: then a label would
/// be made up.
fn is_unlabelled_data(body: &Body<'_, '_>, content: &[u8]) -> bool {
    body.label().is_empty() && Evidence::is_no_text(content) && Charset::shown_by(content).is_none()
}

/// Labels a text file in an archive. Unless it is markup, only the label says what its octets mean.
/// If that is missing or cannot be true, it is set to what they seem to be; for text that is not
/// plain only UTF-8 is known for sure. Markup may declare it itself, but not against a label: one
/// that cannot be true is removed. The octets stay.
pub(super) fn label_text_file(body: &Body<'_, '_>, verdict: &mut Verdict) {
    if !body.policy().rewrites || !body.media_type.starts_with("text/") {
        return;
    }
    // The charset of a property says nothing about the file.
    let is_whole = |kind: &markup::MarkupKind| *kind != markup::MarkupKind::ContentLines;
    let markup = markup::MarkupKind::of(body.media_type).filter(is_whole);
    if markup.is_some() && body.label().is_empty() {
        return;
    }
    let mut content = body.decoded(&mut Tally::default());
    if body.content.has_identity_encoding()
        && body.encoding() != TransferEncoding::Binary
        && body.is_stored_with_lf()
        && !octet_lines_differ(body)
    {
        // The charset that the octets seem to be in must not depend on how their lines were stored.
        content = lf_as_crlf(content);
    }
    if is_no_text(&content) {
        return;
    }
    let label = believed(body, &content);
    match markup {
        Some(_) if is_belied(body, label) => {}
        None if label == Label::Nothing
            && (body.media_type == "text/plain" || is_utf8(&content)) => {}
        _ => return,
    }
    let guess = markup::guess(&content, body.media_type);
    let charset = guess.charset();
    if guess.is_sure() && charset.has_line_ends() && charset.decode_lossless(&content).is_some() {
        report(body, label, verdict);
        verdict.edits.charset = Some(charset.name());
        verdict.report(Code::CharsetGuessed, guess);
    }
}

/// Returns whether a charset label could say nothing about `content`: it is US-ASCII, or contains
/// octets that are not text.
fn is_no_text(content: &[u8]) -> bool {
    let control =
        |octet: &u8| *octet < b' ' && !matches!(octet, b'\t' | b'\n' | 0x0c | b'\r' | 0x1b);
    content.is_ascii() || content.iter().any(control)
}

fn is_utf8(content: &[u8]) -> bool {
    utf8::validate(content).is_some()
}
