//! Code pages of Windows by their numbers, as files of Outlook name charsets.

use std::borrow::Cow;

use super::Charset;

impl Charset {
    /// Returns the charset that Windows gives that number, if it can be read.
    #[doc(hidden)]
    pub fn of_code_page(code_page: u32) -> Option<Self> {
        Self::for_label(&label(code_page)?).filter(|charset| charset.is_decodable())
    }
}

/// Returns the label of the charset of a code page; `None` for 0, which stands for none.
fn label(code_page: u32) -> Option<Cow<'static, str>> {
    Some(match code_page {
        0 => return None,
        65_001 => "utf-8".into(),
        65_000 => "utf-7".into(),
        20_127 => "us-ascii".into(),
        1200 => "utf-16le".into(),
        1201 => "utf-16be".into(),
        10_000 => "macintosh".into(),
        20_866 => "koi8-r".into(),
        21_866 => "koi8-u".into(),
        20_932 | 51_932 => "euc-jp".into(),
        50_220..=50_222 => "iso-2022-jp".into(),
        50_225 => "iso-2022-kr".into(),
        50_227 => "iso-2022-cn".into(),
        51_936 => "gb2312".into(),
        51_949 => "euc-kr".into(),
        51_950 => "big5".into(),
        52_936 => "hz-gb-2312".into(),
        54_936 => "gb18030".into(),
        38_598 => "iso-8859-8-i".into(),
        1361 => "johab".into(),
        28_591..=28_606 => format!("iso-8859-{}", code_page - 28_590).into(),
        number => format!("cp{number}").into(),
    })
}

/// Returns the code page of a font by the number of its character set (RTF 1.9, `\fcharset`);
/// `None` for those that have none of their own.
#[doc(hidden)]
pub fn of_font(character_set: i32) -> Option<u32> {
    Some(match character_set {
        // Symbols are single octets, whatever the text around.
        0 | 2 => 1252,
        77 => 10_000,
        128 => 932,
        129 => 949,
        130 => 1361,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of docs/charsets.md has each code page that is no label, and the charset that it
    /// names.
    #[test]
    fn code_pages_are_as_documented() {
        let page = include_str!("../../../../docs/charsets.md");
        let table = page.split("## Code pages of Outlook").nth(1).expect("a section");
        let mut count = 0;
        for row in table.lines().skip_while(|line| !line.starts_with("|---")).skip(1) {
            let Some((numbers, names)) = row.trim_matches(['|', ' ']).split_once(" | ") else {
                break;
            };
            let names: Vec<&str> = names.split([',', ' ']).filter(|name| name.len() > 2).collect();
            for (at, number) in numbers
                .split(|c: char| !c.is_ascii_digit())
                .filter(|number| !number.is_empty())
                .enumerate()
            {
                let number: u32 = number.parse().expect("a number");
                let charset = Charset::of_code_page(number);
                let named = Charset::for_label(names[at.min(names.len() - 1)]);
                assert_eq!(charset, named, "{number}");
                count += 1;
            }
        }
        assert!(count > 20, "{count}");
    }
}
