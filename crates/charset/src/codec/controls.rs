//! Whether text contains control characters (Unicode's category Cc).

use super::scan;

/// Returns whether there is a control (Cc): of C0 or C1, or DEL.
pub fn has_control(text: &str) -> bool {
    has_control_of(text, |octet| octet < b' ')
}

/// Returns whether there is a control other than TAB.
pub fn has_control_but_tab(text: &str) -> bool {
    has_control_of(text, |octet| (octet < b' ') & (octet != b'\t'))
}

/// Returns whether there is a control of C0 for which `c0` holds, DEL, or a control of C1 (C2 80 to
/// C2 9F in UTF-8).
#[inline]
fn has_control_of(text: &str, c0: impl Fn(u8) -> bool) -> bool {
    let octets = text.as_bytes();
    scan::any(octets, |octet| c0(octet) | (octet == 0x7F) | (octet == 0xC2))
        && (scan::any(octets, |octet| c0(octet) | (octet == 0x7F))
            || scan::any_pair(octets, |octet, next| (octet == 0xC2) & (next < 0xA0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_those_of_unicode() {
        for c in '\0'..'\u{3000}' {
            for text in [format!("{c}"), format!("ab{c}"), format!("{:\u{bf}<30}{c}{:x<9}", "", "")]
            {
                assert_eq!(has_control(&text), c.is_control(), "{c:?}");
                assert_eq!(has_control_but_tab(&text), c.is_control() && c != '\t', "{c:?}");
            }
        }
    }
}
