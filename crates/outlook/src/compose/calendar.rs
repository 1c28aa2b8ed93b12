//! Appointments and meetings as iCalendar (RFC 5545, MS-OXCICAL).

use super::Source;
use super::address::{self, Address};
use super::header;
use super::mime::Part;
use super::time;
use crate::model::{Guid, Value};
use crate::tags;

const APPOINTMENT: Guid = Guid::of_outlook(0x0006_2002);
const COMMON: Guid = Guid::of_outlook(0x0006_2008);

/// `{6ED8DA90-450B-101B-98DA-00AA003F1305}`
const MEETING: Guid = Guid([
    0x90, 0xda, 0xd8, 0x6e, 0x0b, 0x45, 0x1b, 0x10, 0x98, 0xda, 0, 0xaa, 0, 0x3f, 0x13, 0x05,
]);

/// The numbers of the properties of an appointment.
mod numbers {
    pub(super) const BUSY: u32 = 0x8205;
    pub(super) const LOCATION: u32 = 0x8208;
    pub(super) const START: u32 = 0x820d;
    pub(super) const END: u32 = 0x820e;
    pub(super) const IS_WHOLE_DAY: u32 = 0x8215;
    pub(super) const RECURRENCE: u32 = 0x8216;
    pub(super) const REMINDER_MINUTES: u32 = 0x8501;
    pub(super) const HAS_REMINDER: u32 = 0x8503;
    pub(super) const GLOBAL_ID: u32 = 0x0003;
}

/// Hundreds of nanoseconds.
const MINUTE: u64 = 60 * 10_000_000;

/// Returns the calendar of an appointment or a meeting.
pub(super) fn part(source: &Source<'_>) -> Option<Part> {
    let method = if source.is_a("IPM.SCHEDULE.MEETING.REQUEST") {
        "REQUEST"
    } else if source.is_a("IPM.SCHEDULE.MEETING.CANCELED") {
        "CANCEL"
    } else if source.is_a("IPM.SCHEDULE.MEETING.RESP") {
        "REPLY"
    } else if source.is_a("IPM.APPOINTMENT") || source.is_a("IPM.OLE.CLASS") {
        "PUBLISH"
    } else {
        return None;
    };

    let calendar = calendar(source, method)?;
    Some(Part::text(&format!("calendar; method={method}"), &calendar))
}

fn calendar(source: &Source<'_>, method: &str) -> Option<String> {
    let properties = &source.message.properties;
    let number = |number| properties.numbered(APPOINTMENT, number);
    let time = |value: Option<&Value>| match value {
        Some(Value::Time(time)) => Some(*time),
        _ => None,
    };
    let start = time(number(numbers::START))?;
    let end = time(number(numbers::END)).filter(|end| *end >= start);
    let is_whole_day = number(numbers::IS_WHOLE_DAY) == Some(&Value::Boolean(true));

    let mut lines = Lines::default();
    lines.add("BEGIN", "VCALENDAR");
    lines.add("PRODID", "-//sevenbit//outlook//EN");
    lines.add("VERSION", "2.0");
    lines.add("METHOD", method);
    lines.add("BEGIN", "VEVENT");
    lines.add("UID", &uid(source));
    let changed = properties.time(tags::LAST_MODIFICATION_TIME).and_then(time::stamp);
    lines.add("DTSTAMP", &changed.or_else(|| time::stamp(start)).unwrap_or_default());

    for (name, moment) in [("DTSTART", Some(start)), ("DTEND", end)] {
        let Some(moment) = moment else { continue };
        if is_whole_day {
            lines.add(&format!("{name};VALUE=DATE"), &local_day(moment)?);
        } else {
            lines.add(name, &time::stamp(moment)?);
        }
    }
    if let Some(Value::Binary(recurrence)) = number(numbers::RECURRENCE) {
        add_recurrence(recurrence, start, is_whole_day, &mut lines);
    }

    lines.add_text("SUMMARY", header::subject(source));
    lines.add_text(
        "LOCATION",
        number(numbers::LOCATION).and_then(|value| source.characters.text_of(value)),
    );
    lines.add_text("DESCRIPTION", source.text(tags::BODY));
    add_people(source, &mut lines);
    let busy = number(numbers::BUSY).and_then(Value::integer);
    lines.add("TRANSP", if busy == Some(0) { "TRANSPARENT" } else { "OPAQUE" });

    if properties.numbered(COMMON, numbers::HAS_REMINDER) == Some(&Value::Boolean(true))
        && let Some(minutes) =
            properties.numbered(COMMON, numbers::REMINDER_MINUTES).and_then(Value::integer)
        && (0..1_000_000).contains(&minutes)
    {
        lines.add("BEGIN", "VALARM");
        lines.add("ACTION", "DISPLAY");
        lines.add("DESCRIPTION", "Reminder");
        lines.add("TRIGGER", &format!("-PT{minutes}M"));
        lines.add("END", "VALARM");
    }
    lines.add("END", "VEVENT");
    lines.add("END", "VCALENDAR");
    Some(lines.out)
}

/// Returns the day of a local midnight, which is given in UTC, of a zone less than half a day away.
fn local_day(midnight: u64) -> Option<String> {
    time::day(midnight.checked_add(12 * 60 * MINUTE)?)
}

/// Returns the id of a meeting, which those who were invited share.
fn uid(source: &Source<'_>) -> String {
    match source.message.properties.numbered(MEETING, numbers::GLOBAL_ID) {
        Some(Value::Binary(id)) => id.iter().map(|octet| format!("{octet:02X}")).collect(),
        _ => {
            let created = source.message.properties.time(tags::CREATION_TIME).unwrap_or(0);
            format!("{created:x}@outlook.invalid")
        }
    }
}

fn add_people(source: &Source<'_>, lines: &mut Lines) {
    let organizer =
        Address::of(&source.message.properties, &address::REPRESENTED, &source.characters);
    let recipients = header::recipients(source);
    if !recipients.is_empty() {
        lines.add_person("ORGANIZER", organizer.as_ref());
    }
    for (kind, person) in &recipients {
        let name = match kind {
            1 => "ATTENDEE;ROLE=REQ-PARTICIPANT",
            2 => "ATTENDEE;ROLE=OPT-PARTICIPANT",
            _ => "ATTENDEE;CUTYPE=RESOURCE;ROLE=NON-PARTICIPANT",
        };
        lines.add_person(name, Some(person));
    }
}

/// ```text
/// recurrence = versions frequency pattern calendar first period sliding [details] end count first-day
///              deleted-count *deleted changed-count *changed start-date end-date       ; MS-OXOCAL, 2.2.1.44.1
/// ```
fn add_recurrence(octets: &[u8], start: u64, is_whole_day: bool, lines: &mut Lines) {
    let Some(recurrence) = Recurrence::read(octets) else { return };
    lines.add("RRULE", &recurrence.rule);
    for days in recurrence.left_out {
        let moment = start.saturating_add(u64::from(days) * 24 * 60 * MINUTE);
        if is_whole_day {
            lines.add("EXDATE;VALUE=DATE", &local_day(moment).unwrap_or_default());
        } else {
            lines.add("EXDATE", &time::stamp(moment).unwrap_or_default());
        }
    }
}

struct Recurrence {
    rule: String,
    /// The days after the first one that are left out.
    left_out: Vec<u32>,
}

impl Recurrence {
    fn read(octets: &[u8]) -> Option<Self> {
        const DAYS: [&str; 7] = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
        const MINUTES_OF_A_DAY: u32 = 24 * 60;
        let short = |at: usize| Some(u16::from_le_bytes(*octets.get(at..)?.first_chunk()?));
        let (frequency, pattern) = (short(4)?, short(6)?);
        let mut numbers =
            octets.get(14..)?.as_chunks::<4>().0.iter().map(|number| u32::from_le_bytes(*number));
        let (period, _sliding) = (numbers.next()?, numbers.next()?);
        let days_of = |mask: u32| {
            let days: Vec<_> =
                (0..7).filter(|day| mask >> day & 1 == 1).map(|day| DAYS[day]).collect();
            days.join(",")
        };

        let mut rule = String::new();
        let mut interval = period;
        match frequency {
            0x200a => {
                rule.push_str("FREQ=DAILY");
                interval = period / MINUTES_OF_A_DAY;
            }
            0x200b => rule.push_str("FREQ=WEEKLY"),
            0x200c => rule.push_str("FREQ=MONTHLY"),
            0x200d => {
                rule.push_str("FREQ=YEARLY");
                interval = period / 12;
            }
            _ => return None,
        }
        // Every weekday is daily with a pattern of weeks.
        if pattern == 1 && frequency == 0x200a {
            rule = "FREQ=WEEKLY".to_owned();
            interval = 1;
        }
        match pattern {
            0 => {}
            1 => rule.push_str(&format!(";BYDAY={}", days_of(numbers.next()?))),
            2 | 4 => {
                let day = numbers.next()?;
                if frequency == 0x200c {
                    let day = if day == 31 { "-1".to_owned() } else { day.to_string() };
                    rule.push_str(&format!(";BYMONTHDAY={day}"));
                }
            }
            3 => {
                let (mask, which) = (numbers.next()?, numbers.next()?);
                let which = if which == 5 { -1 } else { i64::from(which) };
                rule.push_str(&format!(";BYDAY={};BYSETPOS={which}", days_of(mask)));
            }
            _ => return None,
        }
        if interval > 1 {
            rule.push_str(&format!(";INTERVAL={interval}"));
        }

        let (end, count, _first_day) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let mut list = || {
            let count = numbers.next()? as usize;
            Some(numbers.by_ref().take(count.min(octets.len() / 4)).collect::<Vec<_>>())
        };
        let (deleted, changed) = (list()?, list()?);
        let (first, last) = (numbers.next()?, numbers.next()?);
        match end {
            0x2022 => rule.push_str(&format!(";COUNT={count}")),
            0x2021 => {
                let until = time::day(u64::from(last) * MINUTE)?;
                rule.push_str(&format!(";UNTIL={until}T235959Z"));
            }
            _ => {}
        }
        let left_out = deleted
            .into_iter()
            .filter(|day| !changed.contains(day))
            .filter_map(|day| Some(day.checked_sub(first)? / MINUTES_OF_A_DAY))
            .take(1000)
            .collect();
        Some(Self { rule, left_out })
    }
}

/// The lines of a calendar or a card, folded (RFC 5545, 3.1; RFC 6350, 3.2).
#[derive(Default)]
pub(super) struct Lines {
    pub(super) out: String,
}

impl Lines {
    /// Adds a line.
    pub(super) fn add(&mut self, name: &str, value: &str) {
        const MAX_LINE: usize = 74;
        let mut length = 0;
        for char in name.chars().chain([':']).chain(value.chars()) {
            if char.is_control() && char != '\t' {
                continue;
            }
            if length + char.len_utf8() > MAX_LINE {
                self.out.push_str("\r\n ");
                length = 1;
            }
            self.out.push(char);
            length += char.len_utf8();
        }
        self.out.push_str("\r\n");
    }

    /// Adds a line of text, if there is one.
    pub(super) fn add_text(&mut self, name: &str, text: Option<String>) {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            self.add(name, &escaped(&text));
        }
    }

    fn add_person(&mut self, name: &str, person: Option<&Address>) {
        let Some(Address { name: common_name, mailbox: Some(mailbox) }) = person else { return };
        let common_name =
            common_name.as_ref().map(|name| format!(";CN=\"{}\"", name.replace('"', "'")));
        self.add(
            &format!("{name}{}", common_name.unwrap_or_default()),
            &format!("mailto:{mailbox}"),
        );
    }
}

/// Returns a text as a value of the type TEXT.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.replace("\r\n", "\n").trim_end().chars() {
        match char {
            '\\' | ';' | ',' => out.extend(['\\', char]),
            '\n' | '\r' => out.push_str("\\n"),
            _ => out.push(char),
        }
    }
    out
}
