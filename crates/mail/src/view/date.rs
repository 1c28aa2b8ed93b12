//! When a message was written.

use std::fmt;
use std::str::FromStr;

use crate::ParseError;
use crate::syntax::date_time::{DateTime, Reading, read};

/// A date in mail: a moment, and how far the sender's clock was ahead of UTC.
///
/// Reads the forms of RFC 5322 (3.3), the obsolete ones (4.3: years of two and three digits, names
/// of zones, comments), and what mailers have written besides: full month names, no zone, `AM` and
/// `PM`, the order of C's `ctime`. Any other form is read as the clients of people read it, and
/// [says so](Self::is_guess): `10.11.2012 08:09`, `GMT+2`, `CEST`, the year `0102`, words where the
/// zone should be. Its `Display` is RFC 3339.
///
/// ```
/// let message = sevenbit::Message::parse(b"Date: Fri, 21 Nov 97 09:55:06 -0600\r\n\r\n");
/// let date = message.date().unwrap();
/// assert_eq!(date.timestamp(), 880_127_706);
/// assert_eq!(date.offset(), Some(-360));
/// assert_eq!(date.to_string(), "1997-11-21T09:55:06-06:00");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    at: DateTime,
    is_guess: bool,
}

impl Date {
    /// Reads the value of a field; `None` if it is not a date, or not one in the calendar.
    pub fn read(value: &[u8]) -> Option<Self> {
        let Reading { at, is_guess } = read(value)?;
        Some(Self { at, is_guess })
    }

    /// Returns whether the day, the year or the zone is a guess: the value has none of the forms of
    /// RFC 5322, or of mailers, that leave no doubt.
    ///
    /// ```
    /// let date = |value: &str| sevenbit::Date::read(value.as_bytes()).unwrap();
    /// let (sure, guess) = (date("3 Mar 2025 10:00 +0200"), date("3 Mar 2025 10:00 CEST"));
    /// assert_eq!((sure.timestamp(), sure.is_guess()), (guess.timestamp(), false));
    /// assert!(guess.is_guess());
    /// ```
    pub fn is_guess(&self) -> bool {
        self.is_guess
    }

    /// Returns the seconds since 1970-01-01 00:00 UTC, leap seconds not counted. A time in an
    /// unknown zone is taken for UTC.
    pub fn timestamp(&self) -> i64 {
        let DateTime { hour, minute, second, offset, .. } = self.at;
        let minutes = i64::from(hour) * 60 + i64::from(minute) - i64::from(offset.unwrap_or(0));
        self.days() * 86_400 + minutes * 60 + i64::from(second)
    }

    /// Returns how many minutes the clock was ahead of UTC; `None` if that is not known (`-0000`,
    /// RFC 5322, 3.3; letters and unknown names, 4.3).
    pub fn offset(&self) -> Option<i16> {
        self.at.offset
    }

    /// Returns the days from 1970-01-01 to the date, in the Gregorian calendar.
    fn days(&self) -> i64 {
        let DateTime { year, month, day, .. } = self.at;
        // Count years from March: the leap day is then the last.
        let (year, month) = match month {
            1 | 2 => (i64::from(year) - 1, i64::from(month) + 9),
            _ => (i64::from(year), i64::from(month) - 3),
        };
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        // The five months from March have 153 days, and so have those from August.
        let before_month = (153 * month + 2) / 5;
        const TO_1970: i64 = 719_469;
        year * 365 + leap_days + before_month + i64::from(day) - TO_1970
    }
}

impl FromStr for Date {
    type Err = ParseError;

    /// Reads the value of a Date field, as [`Date::read`] does.
    fn from_str(value: &str) -> Result<Self, ParseError> {
        Self::read(value.as_bytes()).ok_or_else(|| ParseError::new(value, "date", &[]))
    }
}

impl fmt::Display for Date {
    /// As in RFC 3339; `-00:00` (section 4.3) for an unknown zone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DateTime { year, month, day, hour, minute, second, offset } = self.at;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        let sign = if offset.is_none_or(|offset| offset < 0) { '-' } else { '+' };
        let minutes = offset.unwrap_or(0).abs();
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every day from 1600 to 2400, counted one by one.
    #[test]
    fn days_are_counted() {
        let mut expected = Date::read(b"1 Jan 1600 00:00 GMT").expect("a date").days();
        assert_eq!(expected, -135_140);
        for year in 1600..2400 {
            for month in
                ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            {
                for day in 1..=31 {
                    let text = format!("{day} {month} {year} 00:00 GMT");
                    let Some(date) = Date::read(text.as_bytes()) else { continue };
                    assert_eq!(date.days(), expected, "{text}");
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn timestamps_are_right() {
        for (text, timestamp, display) in [
            ("1 Jan 1970 00:00:00 +0000", 0, "1970-01-01T00:00:00+00:00"),
            ("1 Jan 1970 01:30:00 +0130", 0, "1970-01-01T01:30:00+01:30"),
            ("31 Dec 1969 23:59:59 -0000", -1, "1969-12-31T23:59:59-00:00"),
            ("9 Sep 2001 01:46:40 UT", 1_000_000_000, "2001-09-09T01:46:40+00:00"),
        ] {
            let date = Date::read(text.as_bytes()).expect(text);
            assert_eq!((date.timestamp(), &*date.to_string()), (timestamp, display), "{text}");
        }
    }

    #[test]
    fn guesses_are_marked() {
        for (text, display, is_guess) in [
            ("31 Dec 2016 23:59:60 +0000", "2016-12-31T23:59:60+00:00", false),
            ("3 Mar 2025 10:00 (CEST)", "2025-03-03T10:00:00-00:00", false),
            ("3 Mar 2025 10:00 -0000", "2025-03-03T10:00:00-00:00", false),
            ("3 Mar 2025 10:00 CEST", "2025-03-03T10:00:00+02:00", true),
            ("3 Mar 2025 10:00 GMT+2", "2025-03-03T10:00:00+02:00", true),
            ("Mon Mar  3 10:00:00 CEST 2025", "2025-03-03T10:00:00+02:00", true),
            ("Mon Mar  3 10:00:00 CET 2025", "2025-03-03T10:00:00+01:00", true),
            ("Mon Mar  3 10:00:00 MET 2025", "2025-03-03T10:00:00+01:00", true),
            ("Mon Mar  3 10:00:00 MEST 2025", "2025-03-03T10:00:00+02:00", true),
            ("Mon Mar  3 10:00:00 BST 2025", "2025-03-03T10:00:00+01:00", true),
            ("Mon Mar  3 10:00:00 EST 2025", "2025-03-03T10:00:00-05:00", false),
            ("Mon Mar  3 10:00:00 2025", "2025-03-03T10:00:00-00:00", false),
            ("3 Mar 2025 10:00 GMT+02:00", "2025-03-03T10:00:00+02:00", false),
            ("3 Mar 2025 10:00 Eastern Daylight Time", "2025-03-03T10:00:00-00:00", true),
            ("3 Mar 2025 10:00 GMT Standard Time", "2025-03-03T10:00:00+00:00", true),
            ("3 Mar 2025 10:00 Europe/Berlin", "2025-03-03T10:00:00-00:00", true),
            ("3 Mar 2025 10:00 GDT", "2025-03-03T10:00:00-00:00", true),
            ("3 Mar 2025 10:00 A", "2025-03-03T10:00:00-00:00", false),
            ("3 Mar 2025 10:00 01800", "2025-03-03T10:00:00-00:00", true),
            ("3 Mar 2025 10:00:t +0100", "2025-03-03T10:00:00-00:00", true),
            ("Mi, 5 Mai 2010 10:00:00 +0200", "2010-05-05T10:00:00+02:00", true),
            ("3 Mar 2025 10:00 +9999", "2025-03-03T10:00:00-00:00", true),
            ("3 Mar 2025 10:00 -2400", "2025-03-03T10:00:00-00:00", true),
            ("3 Mar 0102 10:00 GMT", "2002-03-03T10:00:00+00:00", true),
            ("3 Mar 2025 10.00.30 +0100", "2025-03-03T10:00:30+01:00", true),
        ] {
            let date = Date::read(text.as_bytes()).expect(text);
            assert_eq!((&*date.to_string(), date.is_guess()), (display, is_guess), "{text}");
        }
    }
}
