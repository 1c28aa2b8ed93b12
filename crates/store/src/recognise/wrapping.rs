//! Files that contain other files, packed or one after the other.

/// A file that has to be unpacked to see what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapping {
    /// gzip.
    Gz,
    /// Zstandard.
    Zst,
    /// bzip2.
    Bz2,
    /// xz.
    Xz,
    /// A ZIP archive.
    Zip,
    /// A tar file.
    Tar,
}

impl Wrapping {
    /// The wrapping in words: `a ZIP archive`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Gz => "a gzip file",
            Self::Zst => "a Zstandard file",
            Self::Bz2 => "a bzip2 file",
            Self::Xz => "an xz file",
            Self::Zip => "a ZIP archive",
            Self::Tar => "a tar file",
        }
    }
}

/// Returns the wrapping that a file of these first octets is.
pub(crate) fn of(first: &[u8]) -> Option<Wrapping> {
    match first {
        [0x1F, 0x8B, ..] => Some(Wrapping::Gz),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Wrapping::Zst),
        // A frame to be skipped, with which pzstd begins.
        [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Wrapping::Zst),
        // `BZh`, the size of its blocks, then the number pi or, if it is empty, its square root.
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..] => {
            Some(Wrapping::Bz2)
        }
        [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
            Some(Wrapping::Bz2)
        }
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Wrapping::Xz),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => {
            Some(Wrapping::Zip)
        }
        _ if is_tar(first) => Some(Wrapping::Tar),
        _ => None,
    }
}

/// Returns whether a file begins with a header of a tar file: it says so, or its check sum is
/// right.
fn is_tar(first: &[u8]) -> bool {
    const CHECK_SUM: std::ops::Range<usize> = 148..156;
    let Some(header) = first.get(..512) else { return false };
    if header[0] == 0 {
        return false;
    }
    if header[257..262] == *b"ustar" {
        return true;
    }

    let digits = header[CHECK_SUM].iter().skip_while(|octet| **octet == b' ');
    let digits: Vec<u8> = digits.take_while(|octet| octet.is_ascii_digit()).copied().collect();
    let stated = std::str::from_utf8(&digits).ok();
    let Some(stated) = stated.and_then(|digits| u32::from_str_radix(digits, 8).ok()) else {
        return false;
    };

    // The sum is taken with blanks in its own place.
    let others = header.iter().enumerate().filter(|(at, _)| !CHECK_SUM.contains(at));
    let sum: u32 = others.map(|(_, octet)| u32::from(*octet)).sum();
    stated == sum + 8 * u32::from(b' ')
}
