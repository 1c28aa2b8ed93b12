//! Names of files in parameters (rule H7) that readers may take for others.

use crate::decode::Parameter;
use crate::syntax::parameter::{ParameterToken, names_file};

/// Returns whether a parameter is the name of a file that readers may take for another: one in
/// single quotes, in an encoded-word, or in a charset that few readers know in this place.
pub(super) fn is_ambiguous(
    value: &[u8],
    parts: &[&ParameterToken],
    parameter: &Parameter<'_>,
) -> bool {
    let octets = |part: &ParameterToken| &value[part.value.start..part.value.end];
    let is_odd = |part: &&ParameterToken| {
        if part.extended {
            part.section.unwrap_or(0) == 0 && !has_common_label(octets(part))
        } else {
            parameter.text.starts_with('\'')
        }
    };
    names_file(parameter.name.as_bytes()) && (parameter.holds_word || parts.iter().any(is_odd))
}

/// Returns whether an extended value is in a charset that all readers know.
fn has_common_label(value: &[u8]) -> bool {
    let label = value.split(|&octet| octet == b'\'').next().unwrap_or_default();
    [&b"utf-8"[..], b"us-ascii", b"iso-8859-1"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(label))
}

/// Returns whether two file names are of files of one kind. A plain name of another kind is not a
/// fallback.
pub(super) fn has_extension_of(plain: &[u8], name: &str) -> bool {
    let extension = |name: &[u8]| {
        name.iter().rposition(|&octet| octet == b'.').map(|dot| name[dot..].to_ascii_lowercase())
    };
    extension(plain) == extension(name.as_bytes())
}
