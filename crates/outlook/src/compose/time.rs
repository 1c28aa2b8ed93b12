//! Times as text.

use time::{OffsetDateTime, UtcDateTime};

/// The seconds between 1601, where MAPI begins, and 1970.
const SECONDS_TO_1970: i64 = 11_644_473_600;

/// The time that MAPI gives as hundreds of nanoseconds since 1601; `None` for one that stands for
/// none.
fn of(time: u64) -> Option<UtcDateTime> {
    const YEARS: std::ops::Range<i32> = 1602..4500;
    let seconds = i64::try_from(time / 10_000_000).ok()? - SECONDS_TO_1970;
    let time = OffsetDateTime::from_unix_timestamp(seconds).ok()?.to_utc();
    YEARS.contains(&time.year()).then_some(time)
}

/// Returns a time as RFC 5322 has it.
pub(super) fn date(time: u64) -> Option<String> {
    let time = of(time)?;
    let weekday = &time.weekday().to_string()[..3];
    let month = &time.month().to_string()[..3];
    let (hour, minute, second) = time.as_hms();
    Some(format!(
        "{weekday}, {} {month} {:04} {hour:02}:{minute:02}:{second:02} +0000",
        time.day(),
        time.year()
    ))
}

/// Returns a time as iCalendar has it (RFC 5545, 3.3.5).
pub(super) fn stamp(time: u64) -> Option<String> {
    let day = day(time)?;
    let (hour, minute, second) = of(time)?.as_hms();
    Some(format!("{day}T{hour:02}{minute:02}{second:02}Z"))
}

/// Returns the day of a time.
pub(super) fn day(time: u64) -> Option<String> {
    let time = of(time)?;
    Some(format!("{:04}{:02}{:02}", time.year(), u8::from(time.month()), time.day()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written() {
        let time = 130_000_000_000_000_000;
        assert_eq!(date(time).as_deref(), Some("Fri, 14 Dec 2012 23:06:40 +0000"));
        assert_eq!(stamp(time).as_deref(), Some("20121214T230640Z"));
        assert_eq!(date(0), None);
        assert_eq!(date(u64::MAX), None);
    }
}
