//! Dates, as far as mailboxes need them: `Date:` fields read, the date of a `From ` line written.

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

/// Seconds since 1970 of a date in a header field, `19 Nov 2026 10:00:00 +0100` with or without its
/// parts before and after, or of `2026-11-19`.
pub fn parse_date(text: &str) -> Option<i64> {
    let text = text.split('(').next()?.trim();
    if let Some(day) = iso_day(text) {
        return Some(day * 86_400);
    }
    let text = text.split_once(',').map_or(text, |(_, rest)| rest);
    let mut words = text.split_ascii_whitespace();
    let day: i64 = words.next()?.parse().ok()?;
    let name = words.next()?.get(..3)?;
    let month = (1..).zip(MONTHS).find(|(_, month)| month.eq_ignore_ascii_case(name))?.0;
    let year = full_year(words.next()?)?;
    let time = time(words.next()?)?;
    Some(days(year, month, day)? * 86_400 + time - words.next().and_then(zone).unwrap_or_default())
}

/// Seconds since 1970 of the date on a `From ` line, in UTC unless it has a numeric zone: `Thu Nov
/// 19 10:00:00 2026` with anything before and after.
pub fn postmark_date(line: &str) -> Option<i64> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_month = |word: &&str| MONTHS.iter().any(|month| month.eq_ignore_ascii_case(word));
    let at = words.iter().position(is_month)?;
    let rest = words.get(at + 2..)?;
    let year = rest
        .iter()
        .find(|word| word.len() == 4 && word.bytes().all(|octet| octet.is_ascii_digit()))?;
    let zone = rest.iter().find(|word| word.starts_with(['+', '-'])).unwrap_or(&"");
    parse_date(&format!("{} {} {year} {} {zone}", words[at + 1], words[at], rest[0]))
}

fn iso_day(text: &str) -> Option<i64> {
    let mut numbers = text.splitn(3, '-');
    let mut next = || numbers.next()?.parse::<i64>().ok();
    let (year, month, day) = (next()?, next()?, next()?);
    days(year, month, day)
}

/// RFC 5322, 4.3: two digits up to 49 mean this century.
fn full_year(word: &str) -> Option<i64> {
    let year: i64 = word.parse().ok()?;
    Some(match (word.len(), year) {
        (2, 0..=49) => year + 2000,
        (2 | 3, _) => year + 1900,
        _ => year,
    })
}

fn time(word: &str) -> Option<i64> {
    let mut seconds = 0;
    let mut parts = word.split(':');
    for (unit, limit) in [(3600, 24), (60, 60)] {
        let part: i64 = parts.next()?.parse().ok()?;
        seconds += (0..limit).contains(&part).then_some(part * unit)?;
    }
    let rest: i64 = parts.next().map_or(Some(0), |part| part.parse().ok())?;
    (0..=60).contains(&rest).then_some(seconds + rest)
}

fn zone(word: &str) -> Option<i64> {
    let sign = match word.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: i64 = word.get(1..5)?.parse().ok()?;
    Some(sign * (digits / 100 * 3600 + digits % 100 * 60))
}

/// Days from 1970-01-01; the calendar counted in years that begin in March, so that leap days come
/// last.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
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
    fn dates_of_fields() {
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 +0000", Some(0)),
            ("1 Jan 70 01:00 +0100 (CET)", Some(0)),
            ("Fri, 13 Feb 2009 18:31:30 -0500", Some(1_234_567_890)),
            ("29 Feb 2000 12:00:00 GMT", Some(951_825_600)),
            ("2026-11-19", Some(1_795_046_400)),
            ("yesterday", None),
            ("99 Jan 2000 12:00:00", None),
            ("1 Jan 2000 25:00:00", None),
            ("", None),
        ] {
            assert_eq!(parse_date(text), seconds, "{text}");
        }
    }

    #[test]
    fn dates_on_from_lines_are_read() {
        for (line, seconds) in [
            ("From a@example.org Fri Feb 13 23:31:30 2009", Some(1_234_567_890)),
            ("From a Fri Feb 13 18:31:30 EST 2009 -0500 remote from host", Some(1_234_567_890)),
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
