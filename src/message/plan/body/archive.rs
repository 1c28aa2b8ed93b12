//! Text in an archive (rules B5 and B7): decoded, and written as US-ASCII or UTF-8 unless it
//! already is.

use std::borrow::Cow;

use super::facts::Body;
use super::label;
use super::rewrite;
use crate::charset::{Label, markup};
use crate::codec::utf8;
use crate::facts::line_ends::lines;
use crate::message::plan::verdict::Verdict;
use crate::message::recode::{self, ReadAs, Target, utf7};
use crate::{Charset, Code, DecodeFault, Doubtful, Markup};

/// A text as it was decoded.
struct Reading<'c> {
    text: Cow<'c, str>,
    charset: Charset,
    /// Whether it may contain U+FFFD.
    lossy: bool,
    /// Whether a person has chosen the charset.
    is_chosen: bool,
}

/// Decides about a text with the octets `content`; `octets_fit` reports whether they may stay
/// encoded as they are.
pub(super) fn judge(
    body: &Body<'_, '_>,
    content: Cow<'_, [u8]>,
    octets_fit: impl Fn() -> bool,
    verdict: &mut Verdict,
) {
    let Some(Reading { text, charset, lossy, is_chosen }) = read(body, &content, verdict) else {
        if !octets_fit() {
            encode_unread(body, content, verdict);
        }
        return;
    };
    let mended = if is_chosen { None } else { mend(body, &content, charset, &text, verdict) };
    let mends = mended.is_some();
    let text = mended.map_or(text, Cow::Owned);
    if !mends && octets_fit() && is_right_in_utf7(body, &text, &content, lossy) {
        return;
    }
    let ascii = text.is_ascii();
    // A declaration in pure US-ASCII agrees with every charset it may name.
    let markup = if ascii { None } else { markup_of(body) };
    let relabelled = relabel(body, ascii, verdict);
    // Text that is borrowed is unchanged.
    let borrowed = matches!(text, Cow::Borrowed(_));
    let done = borrowed && markup.is_none() && octets_fit();
    let in_lines = if done { Cow::default() } else { text_lines(&text) };
    let same = borrowed || *in_lines == *lines(Cow::Borrowed(&content));
    if !same && !mends {
        verdict.report(Code::Transcoded, charset);
    } else if let Some(label) = relabelled {
        verdict.report(Code::CharsetRelabelled, label);
    }
    let declares = markup.filter(|&kind| markup::declares_another(&in_lines, kind));
    if same && declares.is_none() && octets_fit() {
        return;
    }
    let declared = declares.and_then(|kind| markup::declare_utf8(&text, kind));
    // How properties are read depends on their kind, too.
    let markup = declares.or(markup.filter(|kind| *kind == markup::MarkupKind::ContentLines));
    if declares.is_some() {
        verdict.report(Code::MarkupCharset, "utf-8");
    }
    let in_lines = declared.as_deref().map_or(in_lines, text_lines);
    rewrite::encode_text(body, verdict, ReadAs::Text { charset, markup, lossy, mends }, &in_lines);
}

/// Reports text that reads as mojibake; returns what is written in its place, if that is asked for.
fn mend(
    body: &Body<'_, '_>,
    content: &[u8],
    charset: Charset,
    text: &str,
    verdict: &mut Verdict,
) -> Option<String> {
    let doubtful = body.policy().doubtful;
    if doubtful == Doubtful::Keep {
        return None;
    }
    let mended = recode::mended(content, charset, text)?;
    if doubtful == Doubtful::Note {
        verdict.report(Code::LabelDoubtful, mended.detail());
        return None;
    }
    verdict.report(Code::TextRepaired, mended.detail());
    Some(mended.into_text().into_owned())
}

/// Returns whether text is already in UTF-7 as it would be written.
fn is_right_in_utf7(body: &Body<'_, '_>, text: &str, content: &[u8], lossy: bool) -> bool {
    if !body.label().eq_ignore_ascii_case("utf-7") || !body.content.has_identity_encoding() {
        return false;
    }
    let in_lines = text_lines(text);
    let read_as = ReadAs::Text { charset: Charset::UTF_7, markup: None, lossy, mends: false };
    !markup_of(body).is_some_and(|kind| markup::declares_another(&in_lines, kind))
        && rewrite::target_for_text(body, read_as, &in_lines) == Target::Utf7
        && *utf7(&in_lines) == *content
}

/// Writes text that is not decoded under its label.
fn encode_unread(body: &Body<'_, '_>, content: Cow<'_, [u8]>, verdict: &mut Verdict) {
    // Text that may be an unrecognised kind of UTF-16 would be recognised once a CR in it has
    // become CR LF.
    let identity = body.content.has_identity_encoding();
    let is_data =
        || if identity { label::octet_lines_differ(body) } else { markup::may_be_wide(&content) };
    if body.octet_lines_differ_in(&content) || is_data() {
        rewrite::encode(body, verdict, ReadAs::Data, Target::Base64);
    } else {
        rewrite::encode_text(body, verdict, ReadAs::Lines, &lines(content));
    }
}

/// Reads a text and reports what was wrong; `None` if octets and label stay.
fn read<'c>(body: &Body<'_, '_>, content: &'c [u8], verdict: &mut Verdict) -> Option<Reading<'c>> {
    if let Some(chosen) = read_as_chosen(body, content, verdict) {
        return Some(chosen);
    }
    let label = label::believed(body, content);
    label::report(body, label, verdict);
    let (charset, lossy) = match label {
        Label::Unknown => {
            verdict.report(Code::CharsetUnknown, body.label().to_owned());
            let guess = label::guess_for_body(body, content);
            let charset = guess.charset();
            if content.is_ascii() || !guess.is_sure() || charset.decode_lossless(content).is_none()
            {
                return None;
            }
            verdict.report(Code::CharsetGuessed, guess);
            (charset, true)
        }
        Label::Nothing if content.is_ascii() => (Charset::US_ASCII, false),
        Label::Nothing => {
            let guess = label::guess_for_body(body, content);
            if !label::can_be_read_as(guess, content, body, verdict) {
                return None;
            }
            (guess.charset(), true)
        }
        Label::Known(charset, _) => {
            if let Some(ordered) = charset.order_guessed(content) {
                verdict.report(Code::CharsetGuessed, ordered);
            }
            if let Some(text) = markup::read_lossless(content, charset, markup_of(body)) {
                return Some(Reading { text, charset, lossy: false, is_chosen: false });
            }
            verdict.report(Code::Decode(DecodeFault::UndecodableText), charset);
            if !body.policy().replaces {
                return None;
            }
            (charset, true)
        }
    };
    let text = markup::read_lossless(content, charset, markup_of(body));
    let text = text.unwrap_or_else(|| charset.read(content).into_text());
    Some(Reading { text, charset, lossy, is_chosen: false })
}

/// Reads a text in the charset that a person has chosen, if it is text in that. What is labelled
/// UTF-8, and is, stays.
fn read_as_chosen<'c>(
    body: &Body<'_, '_>,
    content: &'c [u8],
    verdict: &mut Verdict,
) -> Option<Reading<'c>> {
    let charset = body.policy().read_as?;
    let is_labelled = Charset::for_label(body.label()) == Some(Charset::UTF_8);
    if !charset.tells(content) || is_labelled && utf8::validate(content).is_some() {
        return None;
    }
    let text = markup::read_lossless(content, charset, markup_of(body))?;
    verdict.report(Code::TextRepaired, format!("read as {charset}"));
    Some(Reading { text, charset, lossy: false, is_chosen: true })
}

/// Makes the label say what the text now is; a right one keeps its spelling. Returns the new one,
/// if any.
fn relabel(body: &Body<'_, '_>, ascii: bool, verdict: &mut Verdict) -> Option<&'static str> {
    let label = body.content.charset_label();
    let is = |name: &str| label.is_some_and(|label| label.eq_ignore_ascii_case(name));
    let right = if ascii { label.is_none() || is("us-ascii") || is("utf-8") } else { is("utf-8") };
    if !right {
        let utf8 = label.and_then(Charset::for_label) == Some(Charset::UTF_8);
        verdict.edits.charset = Some(if ascii && !utf8 { "us-ascii" } else { "utf-8" });
    }
    verdict.edits.charset
}

/// Returns the kind of markup whose declarations are to be adjusted.
fn markup_of(body: &Body<'_, '_>) -> Option<markup::MarkupKind> {
    match body.ctx.options.markup {
        Markup::Rewrite => markup::MarkupKind::of(body.media_type),
        Markup::Keep => None,
    }
}

/// Returns text in UTF-8 with CR LF.
fn text_lines(text: &str) -> Cow<'_, [u8]> {
    lines(Cow::Borrowed(text.as_bytes()))
}
