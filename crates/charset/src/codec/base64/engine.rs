//! Whole blocks in the MIME alphabet, at vector speed, through the `base64` crate.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
type Fastest = base64::engine::Simd;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
type Fastest = base64::engine::GeneralPurpose;

/// Picks its instruction set once, on first use. It neither writes nor reads padding, which is
/// handled here.
static ENGINE: LazyLock<Fastest> = LazyLock::new(|| {
    let config = GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone);
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    return Fastest::standard(config);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    return Fastest::new(&base64::alphabet::STANDARD, config);
});

/// Encodes without padding; returns the number of symbols, which `out` must have room for.
pub(crate) fn encode_block(octets: &[u8], out: &mut [u8]) -> usize {
    ENGINE.encode_slice(octets, out).expect("callers give four symbols for each three octets begun")
}

/// Decodes symbols without padding and line ends; `None` if an octet is not a symbol or the
/// leftover bits are not zero. `out` must have room for three octets for every four symbols,
/// rounded up.
pub(crate) fn decode_block(symbols: &[u8], out: &mut [u8]) -> Option<usize> {
    ENGINE.decode_slice(symbols, out).ok()
}
