//! Numbers as people read them.

use std::time::Duration;

/// The ending of a noun after a number: `1 message`, `2 messages`.
pub fn plural(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// `12,345,678`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `512 B`, `1.2 kB`, `34.5 MB`.
pub fn size(octets: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if octets < 1000 {
        return format!("{octets} B");
    }
    let mut value = octets as f64 / 1000.0;
    let mut unit = 0;
    // 999.95 would be shown as 1000.0.
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// Returns how many per second these are in that time.
pub fn rate(many: u64, time: Duration) -> u64 {
    (many as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// `0.02 s`, `12.3 s`, `4 min 05 s`, `3 h 20 min`.
pub fn seconds(time: Duration) -> String {
    let whole = time.as_secs();
    match whole {
        0 => format!("{:.2} s", time.as_secs_f64()),
        1..=59 => format!("{:.1} s", time.as_secs_f64()),
        60..=3599 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_groups_of_three() {
        for (number, said) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), said);
        }
    }

    #[test]
    fn sizes_have_the_unit_that_fits() {
        for (octets, said) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (999_999, "1.0 MB"),
            (34_540_000, "34.5 MB"),
        ] {
            assert_eq!(size(octets), said);
        }
        assert!(size(u64::MAX).ends_with(" TB"));
    }

    #[test]
    fn times_are_as_exact_as_they_matter() {
        for (millis, said) in [
            (20, "0.02 s"),
            (12_340, "12.3 s"),
            (245_000, "4 min 05 s"),
            (12_000_000, "3 h 20 min"),
        ] {
            assert_eq!(seconds(Duration::from_millis(millis)), said);
        }
    }
}
