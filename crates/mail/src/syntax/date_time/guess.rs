//! Dates that are not written as RFC 5322 says, read as the clients of people read them.
//!
//! A value is a heap of words here, each of which says by its form what it is:
//! 1. Times with dots, `10.11.12`, as some locales write them, and with fractions of a second.
//! 2. Dates in numbers. `03.04.2025` begins with the day, `2025-04-03` with the year; `04/03/2025`
//!    begins with the month, unless that cannot be.
//! 3. Years that count from 1900 (`102`, `0102`), and those of programs that put `19` before such a
//!    year (`19102`).
//! 4. Names of zones that RFC 5322 does not have, as most clients take them; hours alone, `GMT+2`,
//!    `+2`.
//! 5. A date without a time of day is the midnight that it begins with.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::{DateTime, month_of};
use crate::Charset;
use crate::syntax::comment::comment;

/// Returns the date and time that the words of `value` say, if they say one in the calendar.
pub(super) fn guessed(value: &[u8]) -> Option<DateTime> {
    let words = words(value);
    let mut found = DateWords::default();
    for word in &words {
        if found.take(word).is_break() {
            break;
        }
    }
    found.settle()
}

/// Returns whether words are left in the rest of a value, besides comments.
pub(super) fn is_more(rest: &[u8]) -> bool {
    !words(rest).is_empty()
}

/// Returns whether a value gives a zone that is not known: in numbers that none can have (`+9999`,
/// where `-0000` only says that it is unknown), or by a name (`GDT`) that is no military letter.
pub(super) fn has_unread_zone(value: &[u8]) -> bool {
    let is_name =
        |word: &str| word.len() > 1 && word.bytes().all(|octet| octet.is_ascii_alphabetic());
    let is_of_time = |word: &str| matches!(&*word.to_ascii_uppercase(), "AM" | "PM");
    let is_number = |word: &str| {
        word.strip_prefix(['+', '-'])
            .is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_zero = |word: &str| !word.contains(|c: char| matches!(c, '1'..='9'));
    let words = words(value);
    words.last().is_some_and(|word| is_name(word) && !is_of_time(word))
        || words
            .iter()
            .any(|word| is_number(word) && !is_zero(word) && offset(word).flatten().is_none())
}

/// Returns the words of a value, comments left out; those that are not UTF-8 in ISO-8859-1, where
/// names of months and days need more than US-ASCII. No date has many.
fn words(value: &[u8]) -> Vec<Cow<'_, str>> {
    const MOST: usize = 16;
    let (mut words, mut rest) = (Vec::new(), value);
    while words.len() < MOST {
        let is_apart =
            |octet: &u8| octet.is_ascii_whitespace() || matches!(octet, b',' | b';' | b'"');
        let start = rest.iter().position(|octet| !is_apart(octet)).unwrap_or(rest.len());
        rest = &rest[start..];
        match rest.first() {
            None => break,
            Some(b'(') => match comment(rest) {
                Ok((after, _)) => rest = after,
                Err(_) => break,
            },
            Some(_) => {
                let end = rest
                    .iter()
                    .position(|octet| is_apart(octet) || *octet == b'(')
                    .unwrap_or(rest.len());
                words.push(text_of(&rest[..end]));
                rest = &rest[end..];
            }
        }
    }
    words
}

/// Returns a word with a hyphen for each minus sign or dash, as word processors put them before a
/// zone.
fn text_of(word: &[u8]) -> Cow<'_, str> {
    const DASHES: [char; 3] = ['\u{2212}', '\u{2011}', '\u{2013}'];
    match std::str::from_utf8(word) {
        Ok(text) if text.contains(DASHES) => Cow::Owned(text.replace(DASHES, "-")),
        Ok(text) => Cow::Borrowed(text),
        Err(_) => word.iter().map(|&octet| char::from(octet)).collect(),
    }
}

/// The parts of a date found in the words read so far.
#[derive(Default)]
struct DateWords {
    day: Option<u16>,
    month: Option<u8>,
    /// Whether the month was named before the day was: `mar` may be Tuesday there.
    is_month_first: bool,
    /// A number after the day, if no month was named before it: the month of `27 6 2001`.
    second: Option<u8>,
    year: Option<u16>,
    time: Option<[u8; 3]>,
    offset: Option<i16>,
    /// Whether a zone was read; that may be `-0000`.
    is_zoned: bool,
    /// Three numbers with dots between them: a time, if the date is written elsewhere.
    dotted: Option<[u16; 3]>,
}

impl DateWords {
    /// Takes a word; nothing after a zone counts, but the year of `ctime` with a zone before it.
    fn take(&mut self, word: &str) -> ControlFlow<()> {
        if self.is_zoned {
            self.year = Some(word).filter(|word| word.len() == 4).and_then(year);
            return ControlFlow::Break(());
        }
        if self.takes_time(word) || self.takes_dotted_time(word) || self.takes_numbers(word) {
            return ControlFlow::Continue(());
        }
        match offset(word).or_else(|| self.unsigned_offset(word)) {
            Some(offset) if self.time.is_some() || self.dotted.is_some() => {
                (self.offset, self.is_zoned) = (offset, true);
                let is_complete = self.year.is_some() || self.dotted.is_some();
                return if is_complete {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                };
            }
            _ if word.contains('-') && word.contains(|c: char| c.is_ascii_alphabetic()) => {
                word.split('-').for_each(|piece| self.takes_word(piece));
            }
            _ => self.takes_word(word),
        }
        ControlFlow::Continue(())
    }

    fn takes_word(&mut self, word: &str) {
        if let Some(month) = month_named(word) {
            if self.month.is_none() || self.is_month_first && self.day.is_some() {
                (self.month, self.is_month_first) = (Some(month), self.day.is_none());
            }
        } else if let (Some([hour, ..]), "AM" | "PM") =
            (&mut self.time, &*word.to_ascii_uppercase())
        {
            let is_afternoon = word.starts_with(['P', 'p']);
            *hour = if *hour < 13 { *hour % 12 + 12 * u8::from(is_afternoon) } else { *hour };
        } else if let Some(number) = number(word, 5) {
            match self.day {
                // `029`, as a program wrote that adds a zero to any day.
                None if word.len() <= 2 || word.len() == 3 && word.starts_with('0') => {
                    self.day = Some(number)
                }
                Some(_)
                    if self.month.is_none()
                        && self.second.is_none()
                        && (1..=12).contains(&number) =>
                {
                    self.second = u8::try_from(number).ok();
                }
                _ => self.year = self.year.or_else(|| year(word)),
            }
        }
    }

    /// `hour ":" minute [ ":" second [ "." fraction ] ] [ zone ]`
    fn takes_time(&mut self, word: &str) -> bool {
        let (date, time) = match word.split_once('T') {
            Some((date, time)) if self.time.is_none() && date.contains('-') => (date, time),
            _ => ("", word),
        };
        let end = time
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.')))
            .unwrap_or(time.len());
        let (clock, zone) = time.split_at(end);
        let whole = clock.split_once('.').map_or(clock, |(whole, _)| whole);
        let mut numbers =
            whole.split(':').map(|piece| number(piece, 2).and_then(|n| u8::try_from(n).ok()));
        let (Some(Some(hour)), Some(Some(minute))) = (numbers.next(), numbers.next()) else {
            return false;
        };
        let Some(second) = numbers.next().unwrap_or(Some(0)) else { return false };
        if self.time.is_some() || !(date.is_empty() || self.takes_numbers(date)) {
            return false;
        }
        self.time = Some([hour, minute, second]);
        match offset(zone) {
            Some(offset) => self.offset = offset,
            None => self.takes_word(zone),
        }
        true
    }

    /// Reads the zone of `10:00:00 0200`, which lacks its sign; a year would be before it.
    fn unsigned_offset(&self, word: &str) -> Option<Option<i16>> {
        let is_last = self.day.is_some() && self.year.is_some() && self.time.is_some();
        let is_zone = word.len() == 4
            && word <= "1400"
            && ["00", "15", "30", "45"].iter().any(|end| word.ends_with(end));
        (is_last && is_zone)
            .then(|| number(word, 4))
            .flatten()
            .and_then(|_| offset(&format!("+{word}")))
    }

    /// `12.34`, if the day and the year were read before.
    fn takes_dotted_time(&mut self, word: &str) -> bool {
        let is_awaited = self.day.is_some() && self.year.is_some() && self.time.is_none();
        let Some((hour, minute)) =
            word.split_once('.').filter(|(_, minute)| is_awaited && minute.len() == 2)
        else {
            return false;
        };
        let small = |digits| number(digits, 2).and_then(|number| u8::try_from(number).ok());
        let (Some(hour), Some(minute)) = (small(hour), small(minute)) else { return false };
        self.time = Some([hour, minute, 0]);
        true
    }

    /// Three numbers with separators between them, or eight digits.
    fn takes_numbers(&mut self, word: &str) -> bool {
        let three = |separator: char| -> Option<[&str; 3]> {
            let pieces: Vec<&str> = word.split(separator).collect();
            pieces
                .try_into()
                .ok()
                .filter(|pieces: &[&str; 3]| pieces.iter().all(|piece| number(piece, 4).is_some()))
        };
        let pieces = if word.len() == 8 && word.bytes().all(|octet| octet.is_ascii_digit()) {
            Some((['-'; 1], [&word[..4], &word[4..6], &word[6..]]))
        } else {
            ['-', '/', '.'].into_iter().find_map(|separator| Some(([separator], three(separator)?)))
        };
        let Some(([separator], pieces)) = pieces else { return false };
        let [first, second, third] = pieces.map(|piece| number(piece, 4).unwrap_or_default());
        if separator == '.' && pieces.iter().all(|piece| piece.len() <= 2) {
            self.dotted = self.dotted.or(Some([first, second, third]));
            return true;
        }
        let (day, month, last) = match separator {
            _ if pieces[0].len() == 4 => (third, second, pieces[0]),
            '/' if first <= 12 => (second, first, pieces[2]),
            _ => (first, second, pieces[2]),
        };
        self.set(day, month, last)
    }

    fn set(&mut self, day: u16, month: u16, of_year: &str) -> bool {
        let month = u8::try_from(month).ok().filter(|month| (1..=12).contains(month));
        if self.day.is_some() || month.is_none() {
            return false;
        }
        (self.day, self.month, self.year) = (Some(day), month, year(of_year));
        true
    }

    fn settle(mut self) -> Option<DateTime> {
        if let Some(dotted @ [day, month, last]) = self.dotted {
            match self.time {
                None if self.day.is_some() => self.time = Some(dotted.map(|number| number as u8)),
                _ => _ = self.set(day, month, &format!("{last:02}")),
            }
        }
        // `10 11 Nov` has no year; `27 6 2001` has no name of a month.
        let (month, year) = match (self.month, self.second) {
            (Some(month), Some(second)) => {
                (Some(month), self.year.or_else(|| year(&format!("{second:02}"))))
            }
            (month, second) => (month.or(second), self.year),
        };
        let [hour, minute, second] = self.time.unwrap_or_default();
        let day = u8::try_from(self.day?).ok()?;
        let found =
            DateTime { year: year?, month: month?, day, hour, minute, second, offset: self.offset };
        found.is_in_range().then_some(found)
    }
}

/// Returns the month that a word names.
fn month_named(word: &str) -> Option<u8> {
    month_of(word.as_bytes()).or_else(|| month_elsewhere(word)).or_else(|| month_counted(word))
}

/// Returns the month that a word counts in Chinese, Japanese or Korean: `八月`, `8月`, `8월`; also in
/// one of their charsets.
fn month_counted(word: &str) -> Option<u8> {
    const CHARSETS: [&str; 4] = ["gbk", "big5", "euc-kr", "shift_jis"];
    if word.is_ascii() {
        return None;
    }
    let octets: Option<Vec<u8>> = word.chars().map(|c| u8::try_from(c).ok()).collect();
    let Some(octets) = octets else { return counted(word) };
    CHARSETS.iter().find_map(|label| {
        let text = Charset::for_label(label)?.decode_lossless(&octets)?;
        counted(&text)
    })
}

/// Returns the month of a numeral or a number before the character for month.
fn counted(word: &str) -> Option<u8> {
    const NUMERALS: &str = "一二三四五六七八九十";
    let count = word.strip_suffix(['月', '월'])?;
    let (tens, ones) = match count.strip_prefix('十') {
        Some("") | None => (0, count),
        Some(ones) => (10, ones),
    };
    let one = '一'.len_utf8();
    let numeral = if ones.len() == one { NUMERALS.find(ones) } else { None };
    let numeral = numeral.map(|at| tens + at / one + 1);
    let month = numeral.or_else(|| number(count, 2).map(usize::from))?;
    u8::try_from(month).ok().filter(|month| (1..=12).contains(month))
}

/// Returns the month that a word begins like in German, Dutch, the Nordic languages, French,
/// Spanish, Portuguese or Italian, where English has none that begins so.
fn month_elsewhere(word: &str) -> Option<u8> {
    const NAMES: [(&str, u8); 27] = [
        ("jän", 1),
        ("mai", 5),
        ("maj", 5),
        ("okt", 10),
        ("dez", 12),
        ("mrz", 3),
        ("mär", 3),
        ("fév", 2),
        ("avr", 4),
        ("juin", 6),
        ("juil", 7),
        ("aoû", 8),
        ("déc", 12),
        ("ene", 1),
        ("abr", 4),
        ("ago", 8),
        ("dic", 12),
        ("gen", 1),
        ("mag", 5),
        ("giu", 6),
        ("lug", 7),
        ("ott", 10),
        ("fev", 2),
        ("set", 9),
        ("out", 10),
        ("mrt", 3),
        ("mei", 5),
    ];
    let word = word.to_lowercase();
    NAMES.iter().find(|(name, _)| word.starts_with(name)).map(|(_, month)| *month)
}

/// Returns the value of one to `most` digits.
fn number(digits: &str, most: usize) -> Option<u16> {
    let is_number =
        (1..=most).contains(&digits.len()) && digits.bytes().all(|octet| octet.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// Returns the year that some digits mean.
fn year(digits: &str) -> Option<u16> {
    match (number(digits, 5)?, digits.len()) {
        (year @ 0..50, 2) => Some(year + 2000),
        (year @ 0..1000, 2..=4) => Some(year + 1900),
        (year @ 1900..=9999, 4) => Some(year),
        (year @ 19_100..=19_199, 5) => Some(year - 19_000 + 1900),
        _ => None,
    }
}

/// Returns the zone that a word names, by one of the usual names, a number, or both: minutes ahead
/// of UTC, or `None` for `-0000`.
fn offset(word: &str) -> Option<Option<i16>> {
    let sign = word.find(['+', '-']).unwrap_or(word.len());
    let (name, number) = word.split_at(sign);
    let known = zone_of(&name.to_ascii_uppercase());
    if number.is_empty() {
        return known.map(Some);
    }
    if !name.is_empty() && known != Some(0) {
        return None;
    }
    let digits: String = number[1..].chars().filter(|c| *c != ':').collect();
    let value = i16::try_from(self::number(&digits, 4)?).ok()?;
    let minutes = if digits.len() <= 2 { value * 60 } else { value / 100 * 60 + value % 100 };
    Some(match (number.starts_with('-'), minutes) {
        (true, 0) | (_, 1440..) => None,
        (true, minutes) => Some(-minutes),
        (false, minutes) => Some(minutes),
    })
}

/// Returns the minutes by which the zone of that name is ahead of UTC. Where a name is used for
/// several, the one of those who write most mail counts.
fn zone_of(name: &str) -> Option<i16> {
    Some(match name {
        "UT" | "UTC" | "GMT" | "Z" | "WET" => 0,
        "BST" | "CET" | "MET" | "MEZ" | "WEST" => 60,
        "CEST" | "MEST" | "MESZ" | "EET" | "SAST" => 120,
        "EEST" | "MSK" => 180,
        "MSD" => 240,
        "IST" => 330,
        "ICT" | "WIB" => 420,
        "HKT" | "SGT" | "AWST" | "PHT" => 480,
        "JST" | "KST" => 540,
        "ACST" => 570,
        "AEST" => 600,
        "ACDT" => 630,
        "AEDT" => 660,
        "NZST" => 720,
        "NZDT" => 780,
        "NDT" => -150,
        "BRT" | "ART" | "ADT" => -180,
        "NST" => -210,
        "AST" | "EDT" => -240,
        "EST" | "CDT" => -300,
        "CST" | "MDT" => -360,
        "MST" | "PDT" => -420,
        "PST" | "AKDT" => -480,
        "AKST" => -540,
        "HST" => -600,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<String> {
        let DateTime { year, month, day, hour, minute, second, offset } = guessed(text.as_bytes())?;
        Some(format!("{year}-{month}-{day} {hour}:{minute}:{second} {offset:?}"))
    }

    #[test]
    fn dates_are_read_as_people_read_them() {
        for (text, expected) in [
            ("Tue, 029 Apr 2019 23:34:45 +0000", "2019-4-29 23:34:45 Some(0)"),
            ("星期二, 27 八月 2002 01:50:37 -0700", "2002-8-27 1:50:37 Some(-420)"),
            ("27 十二月 2002 01:50:37 -0700", "2002-12-27 1:50:37 Some(-420)"),
            ("27 十月 2002 01:50:37 -0700", "2002-10-27 1:50:37 Some(-420)"),
            ("27 8월 2002 01:50:37 +0900", "2002-8-27 1:50:37 Some(540)"),
            ("Sat, 10 Nov 2012 10.11.12 +0100", "2012-11-10 10:11:12 Some(60)"),
            ("10.11.12 08:09", "2012-11-10 8:9:0 None"),
            ("10.11.2012 08:09:10 CET", "2012-11-10 8:9:10 Some(60)"),
            ("10.11.12", "2012-11-10 0:0:0 None"),
            ("2012-11-10T08:09:10.123Z", "2012-11-10 8:9:10 Some(0)"),
            ("2012-11-10T08:09:10+01:00", "2012-11-10 8:9:10 Some(60)"),
            ("2012-11-10 08:09:10 -0500", "2012-11-10 8:9:10 Some(-300)"),
            ("20121110 08:09", "2012-11-10 8:9:0 None"),
            ("11/10/2012 08:09:10 PM", "2012-11-10 20:9:10 None"),
            ("13/11/2012 08:09:10PM", "2012-11-13 20:9:10 None"),
            ("10-Nov-0102 08:09:10 GMT", "2002-11-10 8:9:10 Some(0)"),
            ("10 Nov 0097 08:09:10", "1997-11-10 8:9:10 None"),
            ("Sun, 10 Nov 19102 08:09:10 EST", "2002-11-10 8:9:10 Some(-300)"),
            ("10 Nov 2012 08:09:10 CEST", "2012-11-10 8:9:10 Some(120)"),
            ("10 Nov 2012 08:09:10 GMT+2", "2012-11-10 8:9:10 Some(120)"),
            ("10 Nov 2012 08:09:10 UTC-03:30 (x)", "2012-11-10 8:9:10 Some(-210)"),
            ("10 Nov 2012 08:09:10 +2", "2012-11-10 8:9:10 Some(120)"),
            ("Sat Nov 10 08:09:10 CEST 2012", "2012-11-10 8:9:10 Some(120)"),
            ("Nov 10 08:09 MEST 2012 x", "2012-11-10 8:9:0 Some(120)"),
            ("10 Nov 2012 08:09:10 +9999", "2012-11-10 8:9:10 None"),
            ("10 Nov 2012", "2012-11-10 0:0:0 None"),
            ("Nov 10, 2012 12:09 AM", "2012-11-10 0:9:0 None"),
            ("lör, 22 maj 1999 10:11:12 +0200", "1999-5-22 10:11:12 Some(120)"),
            ("mar, 3 ago 2013 10:11:12 -0300", "2013-8-3 10:11:12 Some(-180)"),
            ("Mi, 30 Jän 2013 10:11:12 +0100", "2013-1-30 10:11:12 Some(60)"),
            ("seg, 3 jun 2013 10:11:12 \u{2212}0300", "2013-6-3 10:11:12 Some(-180)"),
            ("x, 27 6 2001 15:23:36", "2001-6-27 15:23:36 None"),
            ("5 10 Nov 08:09", "2010-11-5 8:9:0 None"),
            ("Sat, 10 Nov 2012 12.34 +0100", "2012-11-10 12:34:0 Some(60)"),
            ("Sat, 10 Nov 2012 10:11:12 0200", "2012-11-10 10:11:12 Some(120)"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "today",
            "30 Feb 2012",
            "10 Nov 1400",
            "12.12.12.12",
            "1 2 3",
            "10 Nov 2012 25:00:00",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_octets_are_taken(octets in prop::collection::vec(prop::sample::select(&b"Nov 13 T2025:.-/+()PM\xff"[..]), 0..60)) {
            let _ = guessed(&octets);
        }
    }
}
