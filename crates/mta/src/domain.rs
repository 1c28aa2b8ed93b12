//! Internationalised domains of addresses in A-labels (RFC 5890), so that servers without SMTPUTF8
//! take the addresses.

use sevenbit::{Normalizer, Profile};

/// The domain in A-labels and lower case; `None` if it is all ASCII, or if a label has no A-label.
///
/// The library writes A-labels only where it writes a field (rule H8). So the domain is put into a
/// field, and taken out of the normal form of that.
pub fn to_ascii(domain: &str) -> Option<String> {
    let is_label = |octet: u8| octet.is_ascii_alphanumeric() || b"-_.".contains(&octet);
    if domain.is_ascii() || !domain.bytes().all(|octet| is_label(octet) || octet > 0x7F) {
        return None;
    }
    let field = format!("To: <x@{domain}>\r\n\r\n");
    let normal =
        Normalizer::new().profile(Profile::Transport).normalize(field.as_bytes()).into_octets();
    let (_, address) = std::str::from_utf8(&normal).ok()?.split_once("<x@")?;
    let written = address.trim_end().strip_suffix('>')?;
    written.bytes().all(is_label).then(|| written.to_owned())
}

/// An address, a domain, or `.domain`, in lower case and with its domain in A-labels, so that two
/// spellings of one address are the same text.
pub fn comparable(address: &str) -> String {
    let address = address.to_lowercase();
    let begin =
        address.rfind('@').map_or_else(|| usize::from(address.starts_with('.')), |at| at + 1);
    let (before, domain) = address.split_at(begin);
    to_ascii(domain).map_or_else(|| address.clone(), |domain| format!("{before}{domain}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_written_as_in_messages() {
        assert_eq!(to_ascii("B\u{FC}cher.example").as_deref(), Some("xn--bcher-kva.example"));
        let long = format!("{}\u{E9}.example", "label.".repeat(30));
        assert!(to_ascii(&long).is_some_and(|written| written.len() > 180 && written.is_ascii()));
        for none in
            ["example.org", "\u{1D41A}.example", "a\u{E9} b.example", "\u{E9}>,<b@c", "\u{E9}\r\n"]
        {
            assert_eq!(to_ascii(none), None, "{none}");
        }
        assert_eq!(comparable("Ada@B\u{FC}cher.example"), "ada@xn--bcher-kva.example");
        assert_eq!(comparable("b\u{FC}cher.example"), "xn--bcher-kva.example");
        assert_eq!(comparable(".b\u{FC}cher.example"), ".xn--bcher-kva.example");
        assert_eq!(comparable("Ada@example.org"), "ada@example.org");
    }
}
