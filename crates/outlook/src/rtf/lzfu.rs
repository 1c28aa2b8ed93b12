//! Reading compressed RTF (MS-OXRTFCP), in which Outlook keeps the bodies of its messages. It is
//! never written.
//!
//! ```text
//! header  = compressed-size uncompressed-size type crc    ; 4 octets each, little-endian
//! content = *(control 8(literal / reference))             ; a bit of `control` for each, the lowest first
//! ```
//! A reference is 12 bits of a place in the dictionary of the last 4,096 octets, and 4 bits of a
//! length less 2; the place where the next octet is written ends the text. Sizes and the checksum
//! are not believed: what is there is read.

/// The beginning of the dictionary: words that are in every document.
const KNOWN: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \
    \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \
    \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

const HEADER: usize = 16;
const DICTIONARY: usize = 4096;
const COMPRESSED: &[u8] = b"LZFu";
const UNCOMPRESSED: &[u8] = b"MELA";

/// Returns the RTF in `octets`; `None` if they are not compressed RTF. It is at most eight times as
/// long: 8 times 17 octets for 17.
pub(crate) fn decompress(octets: &[u8]) -> Option<Vec<u8>> {
    let content = octets.get(HEADER..)?;
    let size = octets[4..8].iter().rev().fold(0, |size, &octet| size << 8 | usize::from(octet));
    match &octets[8..12] {
        COMPRESSED => Some(decompressed(content)),
        UNCOMPRESSED => Some(content[..size.min(content.len())].to_vec()),
        _ => None,
    }
}

fn decompressed(content: &[u8]) -> Vec<u8> {
    let mut dictionary = [b' '; DICTIONARY];
    dictionary[..KNOWN.len()].copy_from_slice(KNOWN);
    let mut at = KNOWN.len();
    let mut out = Vec::with_capacity(content.len() * 2);
    let mut push = |octet: u8, dictionary: &mut [u8; DICTIONARY], at: &mut usize| {
        out.push(octet);
        dictionary[*at] = octet;
        *at = (*at + 1) % DICTIONARY;
    };
    let mut octets = content.iter().copied();
    'content: while let Some(control) = octets.next() {
        for bit in 0..8 {
            let Some(first) = octets.next() else { break 'content };
            if control >> bit & 1 == 0 {
                push(first, &mut dictionary, &mut at);
                continue;
            }
            let Some(second) = octets.next() else { break 'content };
            let reference = usize::from(first) << 8 | usize::from(second);
            let (place, length) = (reference >> 4, (reference & 15) + 2);
            if place == at {
                break 'content;
            }
            for next in place..place + length {
                push(dictionary[next % DICTIONARY], &mut dictionary, &mut at);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// MS-OXRTFCP, 4.1.1 and 4.1.2, and a text that was not compressed.
    #[test]
    fn examples_of_the_specification_are_read() {
        let simple = [
            0x2d, 0, 0, 0, 0x2b, 0, 0, 0, 0x4c, 0x5a, 0x46, 0x75, 0xf1, 0xc5, 0xc7, 0xa7, 0x03,
            0x00, 0x0a, 0x00, 0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0a, 0xf3,
            0x20, 0x68, 0x65, 0x6c, 0x09, 0x00, 0x20, 0x62, 0x77, 0x05, 0xb0, 0x6c, 0x64, 0x7d,
            0x0a, 0x80, 0x0f, 0xa0,
        ];
        assert_eq!(
            decompress(&simple).as_deref(),
            Some(&b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"[..])
        );
        let crossing = [
            0x1a, 0, 0, 0, 0x1c, 0, 0, 0, 0x4c, 0x5a, 0x46, 0x75, 0xe2, 0xd4, 0x4b, 0x51, 0x41,
            0x00, 0x04, 0x20, 0x57, 0x58, 0x59, 0x5a, 0x0d, 0x6e, 0x7d, 0x01, 0x0e, 0xb0,
        ];
        assert_eq!(decompress(&crossing).as_deref(), Some(&b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"[..]));
        assert_eq!(
            decompress(b"\x10\0\0\0\x03\0\0\0MELA\0\0\0\0abcd").as_deref(),
            Some(&b"abc"[..])
        );
        assert_eq!(decompress(b"\x10\0\0\0\x03\0\0\0what\0\0\0\0abcd"), None);
    }

    proptest! {
        #[test]
        fn any_octets_are_read(octets in proptest::collection::vec(any::<u8>(), 0..300)) {
            let whole = [b"\0\0\0\0\0\0\0\0LZFu\0\0\0\0", &octets[..]].concat();
            prop_assert!(decompress(&whole).expect("its type").len() <= 8 * octets.len());
            let _ = decompress(&octets);
        }
    }
}
