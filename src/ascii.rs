//! Octet classes that several layers share. Everything here is about US-ASCII.

/// Returns whether an octet is white space inside a header line (RFC 5234 WSP): space or TAB.
pub(crate) const fn is_wsp(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// Returns whether an octet is folding white space: WSP or a line end octet.
pub(crate) const fn is_fws(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns whether an octet is printable US-ASCII, including space.
#[inline]
pub(crate) const fn is_printable(octet: u8) -> bool {
    octet.wrapping_sub(b' ') < 0x5F
}

/// Returns whether octets are printable US-ASCII or folding white space.
pub(crate) fn are_printable_or_fws(octets: &[u8]) -> bool {
    octets.iter().all(|&octet| is_fws(octet) || is_printable(octet))
}

/// Returns how many runs of octets above 7F there are.
pub(crate) fn raw_runs(octets: &[u8]) -> usize {
    let begins = |pair: &[u8]| pair[0].is_ascii() && !pair[1].is_ascii();
    let first = usize::from(octets.first().is_some_and(|octet| !octet.is_ascii()));
    first + octets.windows(2).filter(|pair| begins(pair)).count()
}

/// Returns whether an octet may be in a `token`, RFC 2045 5.1.
pub(crate) const fn is_token(octet: u8) -> bool {
    TOKENS[octet as usize]
}

/// The octets of a token, as a table: it is consulted for every octet.
const TOKENS: [bool; 256] = {
    let mut tokens = [false; 256];
    let mut octet = 0;
    while octet < 0x80 {
        tokens[octet as usize] = may_be_in_token(octet);
        octet += 1;
    }
    tokens
};

const fn may_be_in_token(octet: u8) -> bool {
    octet.is_ascii_graphic()
        && !matches!(
            octet,
            b'(' | b')'
                | b'<'
                | b'>'
                | b'@'
                | b','
                | b';'
                | b':'
                | b'\\'
                | b'"'
                | b'/'
                | b'['
                | b']'
                | b'?'
                | b'='
        )
}

/// Returns `octets` without white space and line ends at either end.
pub(crate) fn trim_fws(octets: &[u8]) -> &[u8] {
    let start = octets.iter().position(|&o| !is_fws(o)).unwrap_or(octets.len());
    let end = octets.iter().rposition(|&o| !is_fws(o)).map_or(start, |at| at + 1);
    &octets[start..end]
}
