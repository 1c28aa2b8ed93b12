//! Dates in mail (RFC 5322, 3.3, with the obsolete forms of 4.3).

mod guess;

use std::fmt;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while_m_n, take_while1};
use nom::character::complete::one_of;
use nom::combinator::{map, opt, peek};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::comment::comment;
use super::lexical::{fail, opt_fws};
use super::value::blanked;

use guess::{guessed, has_unread_zone, is_more};

/// A date and a time of day as they are written, each part in its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateTime {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    /// Up to 60: a leap second.
    pub second: u8,
    /// Minutes that the time is ahead of UTC; `None` if that is not known.
    pub offset: Option<i16>,
}

/// The date that a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub at: DateTime,
    /// Whether the value has none of the forms of RFC 5322, or of mailers, that leave no doubt.
    pub is_guess: bool,
}

/// The first year of which RFC 5322 (3.3) knows.
const EARLIEST: u16 = 1900;

/// Returns the date that a value says, by the grammar or else as the clients of people read it;
/// `None` if it is not a date, or not one in the calendar. Views and rules ask nothing else.
pub fn read(value: &[u8]) -> Option<Reading> {
    let value = &blanked(value);
    let written = date_time(value).ok();
    match written {
        // Of `GMT+2` and `Eastern Daylight Time` the grammar takes the first word.
        Some((rest, at)) if at.year >= EARLIEST && at.offset.is_some() && !is_more(rest) => {
            Some(Reading { at, is_guess: false })
        }
        // All but the zone was said; a name or number that RFC 5322 does not have may say that.
        Some((rest, at)) if at.year >= EARLIEST => {
            let unzoned = |at: DateTime| DateTime { offset: None, ..at };
            let named = guessed(value).filter(|guess| unzoned(*guess) == unzoned(at));
            let zone = named.and_then(|guess| guess.offset);
            let is_guess = zone.is_some() || is_more(rest) || has_unread_zone(value);
            Some(Reading { at: DateTime { offset: zone.or(at.offset), ..at }, is_guess })
        }
        _ => guessed(value).or(written.map(|(_, at)| at)).map(|at| Reading { at, is_guess: true }),
    }
}

/// ```text
/// date-time   = [ day-of-week "," ] date time [CFWS]
/// date        = day month year
/// time        = hour ":" minute [ ":" second ] zone
/// ```
///
/// Deviations:
/// 1. The day of the week is not examined, nor whether a comma follows it: it says nothing that the
///    date does not.
/// 2. What follows the zone is not examined.
/// 3. The order of `ctime` and `asctime` (C), `Mon Mar 3 10:00:00 2025`, is also read, with a zone
///    before or after the year.
fn date_time(input: &[u8]) -> IResult<&[u8], DateTime> {
    let (input, _) = opt((word, opt(preceded(cfws, tag(&b","[..]))))).parse(input).map_or(
        (input, ()),
        |(rest, first)| {
            // The first word may be the month of a `ctime` without a day of the week.
            match first {
                Some((word, None)) if month_of(word).is_some() => (input, ()),
                _ => (rest, ()),
            }
        },
    );
    let (rest, date_time) = alt((date_first, month_first)).parse(input)?;
    if date_time.is_in_range() { Ok((rest, date_time)) } else { fail(input) }
}

/// `date time`
fn date_first(input: &[u8]) -> IResult<&[u8], DateTime> {
    let (input, (day, month, year)) =
        (number(1, 2), preceded(opt_hyphen, month), preceded(opt_hyphen, year)).parse(input)?;
    let (input, (hour, minute, second)) = time_of_day(input)?;
    let (input, offset) = zone(input)?;
    Ok((input, DateTime { year, month, day, hour, minute, second, offset }))
}

/// `month day time-of-day [zone] year [zone]`
fn month_first(input: &[u8]) -> IResult<&[u8], DateTime> {
    let (input, (month, day)) = (month, number(1, 2)).parse(input)?;
    let (input, (hour, minute, second)) = time_of_day(input)?;
    let (input, before) = opt(year).parse(input)?;
    let (input, offset) = zone(input)?;
    let (input, year) = match before {
        Some(year) => (input, year),
        None => year_of_four(input)?,
    };
    Ok((input, DateTime { year, month, day, hour, minute, second, offset }))
}

/// `03-Mar-2025`: the hyphens of RFC 850 and of IMAP.
fn opt_hyphen(input: &[u8]) -> IResult<&[u8], ()> {
    map(opt(preceded(cfws, tag(&b"-"[..]))), |_| ()).parse(input)
}

/// `month = "Jan" / "Feb" / ...`; only the first three letters count, in any case.
fn month(input: &[u8]) -> IResult<&[u8], u8> {
    let (rest, name) = word(input)?;
    month_of(name).map_or_else(|| fail(input), |month| Ok((rest, month)))
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn month_of(name: &[u8]) -> Option<u8> {
    let first = name.get(..3)?;
    let at = MONTHS.iter().position(|month| first.eq_ignore_ascii_case(month.as_bytes()))?;
    u8::try_from(at + 1).ok()
}

/// `year = 4*DIGIT`, and `obs-year = 2*DIGIT`: two digits mean 1950 to 2049, three count from 1900.
///
/// Deviations:
/// 1. No more than four digits are read.
fn year(input: &[u8]) -> IResult<&[u8], u16> {
    let (rest, digits) = digits(input, 2, 4)?;
    let year = value_of(digits);
    let year = match digits.len() {
        2 if year < 50 => year + 2000,
        2 | 3 => year + 1900,
        _ => year,
    };
    if rest.first().is_some_and(u8::is_ascii_digit) || rest.first() == Some(&b':') {
        fail(input)
    } else {
        Ok((rest, year))
    }
}

fn year_of_four(input: &[u8]) -> IResult<&[u8], u16> {
    map(|input| digits(input, 4, 4), value_of).parse(input)
}

/// `time-of-day = hour ":" minute [ ":" second ]`
///
/// Deviations:
/// 1. `AM` or `PM` may follow: hours up to 12 are then counted from midnight or from noon.
fn time_of_day(input: &[u8]) -> IResult<&[u8], (u8, u8, u8)> {
    let colon = || preceded(cfws, tag(&b":"[..]));
    let (input, (hour, _, minute)) = (number(1, 2), colon(), number(1, 2)).parse(input)?;
    let (input, second) = opt(preceded(colon(), number(1, 2))).parse(input)?;
    let (rest, half) = opt(word).parse(input)?;
    let half = half.unwrap_or_default().to_ascii_uppercase();
    let (input, hour) = match (half.as_slice(), hour) {
        (b"AM", 12) => (rest, 0),
        (b"PM", 1..12) => (rest, hour + 12),
        (b"AM" | b"PM", _) => (rest, hour),
        _ => (input, hour),
    };
    Ok((input, (hour, minute, second.unwrap_or(0))))
}

/// ```text
/// zone     = (FWS ( "+" / "-" ) 4DIGIT)
/// obs-zone = "UT" / "GMT" / "EST" / "EDT" / "CST" / "CDT" / "MST" / "MDT" / "PST" / "PDT" / 1ALPHA
/// ```
/// Minutes ahead of UTC; `None` for `-0000`, for the military letters (RFC 5322, 4.3: they were
/// used with either sign) and for names that RFC 5322 does not have.
///
/// Deviations:
/// 1. A zone may be missing.
/// 2. A name before a number, `GMT+0100`, is ignored.
/// 3. There may be a colon between hours and minutes, as in ISO 8601.
/// 4. Of two signs, `+-0500`, the second counts.
/// 5. A zone of a day or more, which the grammar allows, counts as unknown.
fn zone(input: &[u8]) -> IResult<&[u8], Option<i16>> {
    let (after_name, name) = opt(word).parse(input)?;
    if let Ok((rest, offset)) = numeric_zone(after_name) {
        return Ok((rest, offset));
    }
    let hours = match name.unwrap_or_default().to_ascii_uppercase().as_slice() {
        b"UT" | b"GMT" | b"UTC" | b"Z" => Some(0),
        b"EDT" => Some(-4),
        b"EST" | b"CDT" => Some(-5),
        b"CST" | b"MDT" => Some(-6),
        b"MST" | b"PDT" => Some(-7),
        b"PST" => Some(-8),
        _ => None,
    };
    Ok((after_name, hours.map(|hours: i16| hours * 60)))
}

fn numeric_zone(input: &[u8]) -> IResult<&[u8], Option<i16>> {
    let (rest, (sign, hours, _, minutes)) = (
        preceded((cfws, opt(terminated(tag(&b"+"[..]), peek(tag(&b"-"[..]))))), one_of("+-")),
        take_while_m_n(2, 2, |octet: u8| octet.is_ascii_digit()),
        opt(tag(&b":"[..])),
        take_while_m_n(2, 2, |octet: u8| octet.is_ascii_digit()),
    )
        .parse(input)?;
    let (hours, minutes) = (value_of(hours), value_of(minutes));
    if minutes > 59 {
        return fail(input);
    }
    let offset = i16::try_from(hours * 60 + minutes).unwrap_or(i16::MAX);
    Ok((
        rest,
        match (sign, offset) {
            ('-', 0) | (_, 1440..) => None,
            ('-', offset) => Some(-offset),
            (_, offset) => Some(offset),
        },
    ))
}

/// Parses a number of `min` to `max` digits, with white space and comments before it.
fn number(min: usize, max: usize) -> impl Fn(&[u8]) -> IResult<&[u8], u8> {
    move |input| {
        let (rest, digits) = digits(input, min, max)?;
        u8::try_from(value_of(digits)).map_or_else(|_| fail(input), |value| Ok((rest, value)))
    }
}

fn digits(input: &[u8], min: usize, max: usize) -> IResult<&[u8], &[u8]> {
    preceded(cfws, take_while_m_n(min, max, |octet: u8| octet.is_ascii_digit())).parse(input)
}

/// Returns the value of at most four digits.
fn value_of(digits: &[u8]) -> u16 {
    digits.iter().fold(0, |value, digit| value * 10 + u16::from(digit - b'0'))
}

/// Parses letters, with the full stop that some have after them, and white space and comments
/// before them.
fn word(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let (rest, word) =
        preceded(cfws, take_while1(|octet: u8| octet.is_ascii_alphabetic())).parse(input)?;
    Ok((rest.strip_prefix(b".").unwrap_or(rest), word))
}

/// `[CFWS]`
fn cfws(input: &[u8]) -> IResult<&[u8], ()> {
    let (mut rest, _) = opt_fws(input)?;
    while let Ok((after, _)) = comment(rest) {
        (rest, _) = opt_fws(after)?;
    }
    Ok((rest, ()))
}

impl DateTime {
    fn is_in_range(&self) -> bool {
        let leap = self.year.is_multiple_of(4)
            && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let days = match self.month {
            2 => 28 + u8::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        (1..=days).contains(&self.day) && self.hour < 24 && self.minute < 60 && self.second <= 60
    }
}

impl fmt::Display for DateTime {
    /// `date time` of RFC 5322, 3.3; `-0000` for an unknown zone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, hour, minute, second, offset } = self;
        let month = MONTHS[usize::from(*month) - 1];
        let sign = if offset.is_none_or(|offset| offset < 0) { '-' } else { '+' };
        let minutes = offset.unwrap_or(0).abs();
        write!(f, "{day} {month} {year:04} {hour:02}:{minute:02}:{second:02} ")?;
        write!(f, "{sign}{:02}{:02}", minutes / 60, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{date_time, *};

    fn read(text: &str) -> Option<DateTime> {
        date_time(text.as_bytes()).ok().map(|(_, date_time)| date_time)
    }

    const fn at(date: (u16, u8, u8), time: (u8, u8, u8), offset: Option<i16>) -> Option<DateTime> {
        let ((year, month, day), (hour, minute, second)) = (date, time);
        Some(DateTime { year, month, day, hour, minute, second, offset })
    }

    #[test]
    fn dates_of_the_rfcs_are_read() {
        // RFC 5322, appendices A.1.1, A.5 and A.6.2; 4.3.
        for (text, expected) in [
            ("Fri, 21 Nov 1997 09:55:06 -0600", at((1997, 11, 21), (9, 55, 6), Some(-360))),
            (
                "Thu,\r\n      13\r\n        Feb\r\n          1969\r\n      23:32\r\n               -0330 (Newfoundland Time)",
                at((1969, 2, 13), (23, 32, 0), Some(-210)),
            ),
            ("21 Nov 97 09:55:06 GMT", at((1997, 11, 21), (9, 55, 6), Some(0))),
            (
                "Fri, 21 Nov 1997 09(comment):   55  :  06 -0600",
                at((1997, 11, 21), (9, 55, 6), Some(-360)),
            ),
            ("1 Jan 49 00:00 EST", at((2049, 1, 1), (0, 0, 0), Some(-300))),
            ("1 Jan 50 00:00 PDT", at((1950, 1, 1), (0, 0, 0), Some(-420))),
            ("1 Jan 105 00:00 A", at((2005, 1, 1), (0, 0, 0), None)),
            ("1 Jan 2005 00:00 -0000", at((2005, 1, 1), (0, 0, 0), None)),
            ("31 Dec 2016 23:59:60 +0000", at((2016, 12, 31), (23, 59, 60), Some(0))),
            ("1 Jan 2005 00:00 -3000", at((2005, 1, 1), (0, 0, 0), None)),
            ("29 Feb 2000 00:00:00 +1400", at((2000, 2, 29), (0, 0, 0), Some(840))),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn dates_of_mailers_are_read() {
        for (text, expected) in [
            ("Mon Mar  3 10:00:00 2025", at((2025, 3, 3), (10, 0, 0), None)),
            ("Mon Mar  3 10:00:00 PST 2025", at((2025, 3, 3), (10, 0, 0), Some(-480))),
            ("Mar 3 10:00 2025 +0100", at((2025, 3, 3), (10, 0, 0), Some(60))),
            ("Monday, 03-Mar-25 10:00:00 GMT", at((2025, 3, 3), (10, 0, 0), Some(0))),
            ("Mon 3 March 2025 10:00:00 GMT+01:00", at((2025, 3, 3), (10, 0, 0), Some(60))),
            ("3 Mar 2025 10:00:00 +-0500", at((2025, 3, 3), (10, 0, 0), Some(-300))),
            ("3 Mar 2025 12:00:01 AM -0500", at((2025, 3, 3), (0, 0, 1), Some(-300))),
            ("3 Mar 2025 06:50 pm", at((2025, 3, 3), (18, 50, 0), None)),
            ("3 Mar 2025 10:00:00 CEST", at((2025, 3, 3), (10, 0, 0), None)),
            ("3 Mar 2025 10:00:00", at((2025, 3, 3), (10, 0, 0), None)),
            ("3 Mar 2025 10:00:00 +0200 and more", at((2025, 3, 3), (10, 0, 0), Some(120))),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "today",
            "Mon, 30 Feb 2025 10:00:00 +0000",
            "29 Feb 1900 10:00:00 +0000",
            "3 Mar 2025",
            "3 Mar 2025 24:00:00 +0000",
            "3 Mar 2025 10:60:00 +0000",
            "3 Mar 20255 10:00:00 +0000",
            "0 Mar 2025 10:00:00 +0000",
            "2025-03-03T10:00:00Z",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            (year, month, day) in (1900u16..=9999, 1u8..=12, 1u8..=28),
            (hour, minute, second) in (0u8..24, 0u8..60, 0u8..=60),
            offset in -1439i16..=1439,
        ) {
            const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
            let name = &MONTHS[usize::from(month - 1) * 3..][..3];
            let sign = if offset < 0 { '-' } else { '+' };
            let (hours, minutes) = (offset.abs() / 60, offset.abs() % 60);
            let text = format!("{day} {name} {year} {hour:02}:{minute:02}:{second:02} {sign}{hours:02}{minutes:02}");
            let expected = at((year, month, day), (hour, minute, second), Some(offset));
            prop_assert_eq!(read(&format!("Xxx, {text}")), expected);
            prop_assert_eq!(expected.map(|at| at.to_string()), Some(text));
        }

        #[test]
        fn any_octets_are_taken(octets in prop::collection::vec(prop::sample::select(&b"Mon, 3Mar 2025:0+-()\\\r\nGMT"[..]), 0..60)) {
            let _ = date_time(&octets);
        }
    }
}
