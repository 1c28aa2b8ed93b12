//! Internationalised addresses of delivery reports (RFC 6533, section 3; RFC 6857, 3.1.7; rule H8).

use super::draft::Draft;
use crate::Code;
use crate::encode::{MAX_TOKEN, Space};

/// Writes the value `utf-8; address` with its characters escaped (`\x{EB}`); returns false, and
/// writes nothing, if the value is of another type.
///
/// ```text
/// utf-8-type-addr     = "utf-8;" utf-8-enc-addr
/// utf-8-addr-xtext    = 1*(QCHAR / EmbeddedUnicodeChar)
/// EmbeddedUnicodeChar = %x5C.78 "{" HEXPOINT "}"
/// QCHAR               = %x21-2a / %x2c-3c / %x3e-5b / %x5d-7e
/// ```
pub(super) fn write_typed_address(draft: &mut Draft<'_>) -> bool {
    let value = std::str::from_utf8(draft.value()).unwrap_or_default();
    let Some((kind, address)) = value.split_once(';') else { return false };
    let (kind, address) = (kind.trim(), address.trim());
    let written = xtext(address);
    // An address that is too long does not fit on any line (rule G3).
    if !kind.eq_ignore_ascii_case("utf-8") || !(1..=MAX_TOKEN).contains(&written.len()) {
        return false;
    }
    draft.changed = true;
    draft.report(Code::AddressNotAscii, draft.field.span(), || address.to_owned());
    draft.token(Space::ONE, b"utf-8;".as_slice());
    draft.token(Space::ONE, written.into_bytes());
    true
}

/// Returns an address as `utf-8-addr-xtext`.
fn xtext(address: &str) -> String {
    let is_qchar = |c: char| c.is_ascii_graphic() && !matches!(c, '+' | '=' | '\\');
    let one =
        |c: char| if is_qchar(c) { c.to_string() } else { format!("\\x{{{:X}}}", u32::from(c)) };
    address.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embeds_what_is_no_qchar() {
        assert_eq!(xtext("zoë+1@example.org"), "zo\\x{EB}\\x{2B}1@example.org");
    }
}
