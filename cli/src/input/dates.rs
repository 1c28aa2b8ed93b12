//! The date of a `From ` line, read and written. Every other date is read by the library alone.

use sevenbit::Date;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

/// Returns seconds since 1970 of the date on a `From ` line, in UTC unless it names a zone: `Thu Nov
/// 19 10:00:00 2026` with anything before and after.
pub fn postmark_date(line: &str) -> Option<i64> {
    let is_month = |word: &str| MONTHS.iter().any(|month| month.eq_ignore_ascii_case(word));

    // The day of the week before the month says nothing new.
    let mut rest = line;
    loop {
        rest = rest.split_once(' ')?.1;
        if rest.split_ascii_whitespace().next().is_some_and(is_month) {
            return Date::read(rest.as_bytes()).map(|date| date.timestamp());
        }
    }
}

/// `Thu Nov 19 10:00:00 2026`, in UTC.
pub fn asctime(seconds: i64) -> String {
    let (day, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let name = DAYS[day.rem_euclid(7) as usize];
    let (year, month, of_month) = civil(day);
    let month = MONTHS[month as usize - 1];
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{name} {month} {of_month:2} {hour:02}:{minute:02}:{second:02} {year:04}")
}

/// Year, month and day of a number of days from 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + carry, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_on_from_lines_are_read() {
        for (line, seconds) in [
            ("From a@example.org Fri Feb 13 23:31:30 2009", Some(1_234_567_890)),
            ("From a Fri Feb 13 18:31:30 EST 2009 -0500 remote from host", Some(1_234_567_890)),
            ("From a Fri Feb 13 18:31:30 EST 2009", Some(1_234_567_890)),
            ("From feb@example.org Fri Feb 13 23:31:30 2009\n", Some(1_234_567_890)),
            ("From a Tue Feb 29 12:00 2000", Some(951_825_600)),
            ("From March on", None),
            ("From Nov", None),
        ] {
            assert_eq!(postmark_date(line), seconds, "{line}");
        }
    }

    #[test]
    fn dates_of_from_lines() {
        assert_eq!(asctime(0), "Thu Jan  1 00:00:00 1970");
        assert_eq!(asctime(1_234_567_890), "Fri Feb 13 23:31:30 2009");
        assert_eq!(asctime(951_825_600), "Tue Feb 29 12:00:00 2000");
        assert_eq!(asctime(-1), "Wed Dec 31 23:59:59 1969");
    }
}
