//! Code pages of Windows by their numbers: their families, and those of locales.

/// Returns the ANSI code page of the family that a code page for the internet belongs to.
pub(crate) fn ansi(code_page: u32) -> u32 {
    match code_page {
        50_220..=50_222 | 20_932 | 51_932 => 932,
        51_936 | 52_936 | 54_936 | 50_227 | 10_008 => 936,
        50_225 | 51_949 | 20_949 => 949,
        51_950 | 10_002 => 950,
        20_127 | 28_591 | 28_605 | 10_000 => 1252,
        28_592 | 852 | 10_029 => 1250,
        20_866 | 21_866 | 28_595 | 866 | 10_007 => 1251,
        28_597 | 869 | 10_006 => 1253,
        28_599 | 857 | 10_081 => 1254,
        28_598 | 38_598 | 862 | 10_005 => 1255,
        28_596 | 708 | 720 | 10_004 => 1256,
        28_594 | 28_603 | 775 => 1257,
        28_601 => 874,
        other => other,
    }
}

/// Returns the ANSI code page of a locale ([MS-LCID]): the low ten bits are the language, the next
/// six the country.
pub(crate) fn of_locale(locale: u32) -> Option<u32> {
    // Scripts differ by country.
    match locale & 0xffff {
        0x0404 | 0x0c04 | 0x1404 | 0x7c04 => return Some(950),
        0x0804 | 0x1004 | 0x0004 => return Some(936),
        // Serbian and Bosnian in Cyrillic, Azeri and Uzbek in Cyrillic.
        0x0c1a | 0x1c1a | 0x281a | 0x301a | 0x201a | 0x082c | 0x0843 => return Some(1251),
        // The locales of Outlook that stand for no language.
        0x0000 | 0x007f | 0x0400 | 0x0800 | 0x0c00 | 0x1000 | 0x1400 | 0x2000 => return None,
        _ => {}
    }
    Some(match locale & 0x3ff {
        0x11 => 932,
        0x12 => 949,
        0x05 | 0x0e | 0x15 | 0x18 | 0x1a | 0x1b | 0x1c | 0x24 | 0x2e | 0x42 => 1250,
        0x02 | 0x19 | 0x22 | 0x23 | 0x28 | 0x2f | 0x3f | 0x40 | 0x44 | 0x50 | 0x6d | 0x85 => 1251,
        0x08 => 1253,
        0x1f | 0x2c | 0x43 => 1254,
        0x0d => 1255,
        0x01 | 0x20 | 0x29 | 0x59 | 0x5f | 0x80 | 0x8c => 1256,
        0x25..=0x27 => 1257,
        0x2a => 1258,
        0x1e => 874,
        // Languages without an ANSI code page: Hindi, Armenian, Georgian and others.
        0x2b
        | 0x37
        | 0x39
        | 0x45..=0x4f
        | 0x51
        | 0x53..=0x55
        | 0x57
        | 0x5b
        | 0x5e
        | 0x61
        | 0x63
        | 0x65 => {
            return None;
        }
        _ => 1252,
    })
}
