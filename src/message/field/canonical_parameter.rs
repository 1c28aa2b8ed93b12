//! Parameters that every reader reads alike (rule H7).

use crate::Span;
use crate::decode::Parameter;
use crate::syntax::parameter::{
    ParameterToken, Quoting, is_needlessly_quoted, names_file, seems_extended,
};

/// Returns whether a parameter is written as the RFCs say: sections in order, in UTF-8 or US-ASCII
/// (or an unknown charset), without encoded-words and controls.
pub(super) fn is_canonical(
    value: &[u8],
    parts: &[&ParameterToken],
    parameter: &Parameter<'_>,
) -> bool {
    let text = |span: Span| &value[span.start..span.end];
    let is_strict = |part: &&ParameterToken| {
        part.strict
            && (part.extended
                || !text(part.value).is_empty() && !is_needlessly_quoted(text(part.value)))
    };
    let in_order = parts.is_sorted_by_key(|part| part.span.start) && numbered(parts);
    let is_plain = !parameter.holds_word || parameter.name == "boundary";
    if !parts.iter().all(is_strict)
        || !in_order
        || !is_plain
        || parameter.text.chars().any(char::is_control)
    {
        return false;
    }
    if parts.iter().any(|part| part.extended) {
        return is_extended(parts, &text, parameter);
    }
    if parameter.name == "charset" {
        return parts.len() == 1
            && without_quotes(text(parts[0].value)) == parameter.text.as_bytes();
    }
    let seems_extended =
        |part: &ParameterToken| part.quoting == Quoting::Token && seems_extended(text(part.value));
    // A TAB is what is left of a fold, or a control.
    let is_odd = |part: &&ParameterToken| seems_extended(part) || text(part.value).contains(&b'\t');
    !names_file(parameter.name.as_bytes()) || !parts.iter().any(is_odd)
}

/// Returns a value without quotes around it.
pub(super) fn without_quotes(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value)
}

/// Returns whether sections are numbered `*0`, `*1`, `*2`..., or there is no number at all.
fn numbered(parts: &[&ParameterToken]) -> bool {
    parts.iter().enumerate().all(|(n, part)| match part.section {
        Some(section) => usize::try_from(section) == Ok(n),
        None => parts.len() == 1,
    })
}

/// `extended-value = [charset] "'" [language] "'" *(ext-octet / attribute-char)`, the label in the
/// first section.
fn is_extended<'v>(
    parts: &[&ParameterToken],
    text: &impl Fn(Span) -> &'v [u8],
    parameter: &Parameter<'_>,
) -> bool {
    let first = text(parts[0].value);
    let label = first.split(|&o| o == b'\'').next().unwrap_or_default();
    let ours = [&b"utf-8"[..], b"us-ascii"].iter().any(|name| label.eq_ignore_ascii_case(name));
    // Without a label that can be written it has another one, and must be given that.
    let keeps_label = parameter
        .undecoded
        .as_ref()
        .is_some_and(|(kept, _)| label.eq_ignore_ascii_case(kept.as_bytes()));
    let marks = first.iter().filter(|&&o| o == b'\'').count() == 2;
    let hex = |part: &&ParameterToken| !part.extended || escapes_fine(text(part.value));
    let whole = ours && !parameter.is_ill_formed || keeps_label;
    parts[0].extended && marks && whole && parts.iter().all(hex)
}

fn escapes_fine(octets: &[u8]) -> bool {
    let digit = |o: Option<&u8>| o.is_some_and(u8::is_ascii_hexdigit);
    memchr::memchr_iter(b'%', octets)
        .all(|at| digit(octets.get(at + 1)) && digit(octets.get(at + 2)))
}
