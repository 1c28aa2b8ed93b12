//! Text whose octets have to stay: its meaning is in them, not in its characters.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

/// The beginning of a text with a cleartext signature.
static SIGNED: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new(b"-----BEGIN PGP SIGNED MESSAGE-----"));

static YENC: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"=ybegin "));

/// Returns whether 8-bit `octets` hold a file in yEnc: lines whose octets are not characters, whatever the
/// label says.
pub(crate) fn holds_yenc(octets: &[u8]) -> bool {
    let begins = |at: usize| at == 0 || octets[at - 1] == b'\n';
    !octets.is_ascii()
        && YENC
            .find(octets)
            .is_some_and(|at| begins(at) && memmem::find(&octets[at..], b"\n=yend ").is_some())
}

/// Returns whether `octets` hold a text with an OpenPGP cleartext signature (RFC 9580, 7).
pub(crate) fn is_cleartext_signed(octets: &[u8]) -> bool {
    SIGNED.find_iter(octets).any(|at| {
        (at == 0 || octets[at - 1] == b'\n')
            && octets.get(at + SIGNED.needle().len()).is_none_or(|o| b"\r\n \t".contains(o))
    })
}
