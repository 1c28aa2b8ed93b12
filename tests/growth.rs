//! Law 8 in short: twice the length takes about twice the processor time. `cargo bench --bench
//! linear` examines every hostile shape, and more closely; these are the ones that cost rules the
//! most work.

use std::hint::black_box;
use std::time::Duration;

use sevenbit::{Charset, Message, Normalizer, Profile};

#[path = "../benches/support/mod.rs"]
mod support;

use support::more_shapes::MORE;
use support::processor_time;
use support::shapes::{SHAPES, Shape};

const OCTETS: usize = 32 << 10;

/// Quadratic growth would be 4. The margin is for other programs.
const MAX_GROWTH: f64 = 3.0;

/// The least growth of this many tries counts.
const TRIES: usize = 6;

/// The time that runs of the shorter message add up to in each try.
const ENOUGH_TIME: Duration = Duration::from_millis(40);

const WORST: [&str; 28] = [
    "8-bit subjects, no two alike",
    "fields of 8-bit clauses",
    "words that their label belies",
    "fields of 8-bit message identifiers",
    "unlabelled pieces, no two alike",
    "8-bit messages in a message",
    "many 8-bit parts",
    "many 8-bit addresses",
    "8-bit domains",
    "8-bit keywords",
    "ends of words",
    "runs of =?",
    "open groups",
    "quotes without an end",
    "many boundaries",
    "boundaries renamed in parts",
    "digests in digests",
    "nested multiparts",
    "delivery reports of short fields",
    "percent sections out of order",
    "words of charsets in turn",
    "addresses in addresses",
    "escapes of ISO-2022 that never return",
    "escapes of ISO-2022 that return at once",
    "controls in a word of raw text",
    "parameters without semicolons",
    "dashes after CR",
    "soft line breaks that never end",
];

#[test]
fn hostile_messages_take_time_by_their_length() {
    let steep: Vec<_> = WORST.into_iter().flat_map(|name| steep_operations(named(name))).collect();
    assert!(steep.is_empty(), "{steep:#?}");
}

#[test]
fn ill_formed_text_takes_time_by_its_length() {
    for (label, octets) in [
        ("gb18030", &b"a\x81\xFF"[..]),
        ("shift_jis", b"\x81\x20a"),
        ("utf-8", b"\xE9\xE9a"),
        ("utf-16be", b"\xD8\x00\x00a"),
        ("iso-2022-jp", b"\x1b$B\xFF\x1b(B"),
        ("utf-7", b"+AB-\xE9"),
        ("big5-hkscs", b"\x80a"),
    ] {
        let charset = Charset::for_label(label).expect("known");
        // Enough that work done for each of them would show.
        let text = |length: usize| octets.repeat(32 * length / octets.len());
        let growth = growth(text, |text| charset.decode(text).text().len());
        assert!(growth < MAX_GROWTH, "{label}: {growth:.2}");
    }
}

fn named(name: &str) -> &'static Shape {
    SHAPES.iter().chain(MORE).find(|shape| shape.name == name).expect("a shape")
}

/// The operations that grow too much with messages of a shape.
fn steep_operations(shape: &Shape) -> Vec<String> {
    let judged = [
        ("transport", growth(shape.make, |message| normalized(message, Profile::Transport))),
        ("archive", growth(shape.make, |message| normalized(message, Profile::Archive))),
        ("view", growth(shape.make, view)),
    ];
    let steep = judged.into_iter().filter(|(_, growth)| *growth >= MAX_GROWTH);
    steep.map(|(name, growth)| format!("{}, {name}: {growth:.2}", shape.name)).collect()
}

fn normalized(message: &[u8], profile: Profile) -> usize {
    Normalizer::new().profile(profile).normalize(message).octets().len()
}

fn view(message: &[u8]) -> usize {
    let message = Message::parse(message);
    let headers = message
        .parts()
        .flat_map(|part| part.headers().map(|(_, text)| text.len()).collect::<Vec<_>>());
    let texts = message.leaves().map(|leaf| leaf.text().map_or(0, |text| text.len()));
    headers.sum::<usize>() + texts.sum::<usize>() + message.mailboxes("to").len()
}

/// The growth of the time from one length to twice that: the least of some tries.
fn growth(make: impl Fn(usize) -> Vec<u8>, run: impl Fn(&[u8]) -> usize) -> f64 {
    let (one, two) = (make(OCTETS), make(2 * OCTETS));
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        least = least.min(growth_once(&one, &two, &run));
        if least < MAX_GROWTH {
            break;
        }
    }
    least
}

/// The ratio of the times that `two` and `one` take. They run in turn, so that what slows this
/// machine down for a while slows both.
fn growth_once(one: &[u8], two: &[u8], run: impl Fn(&[u8]) -> usize) -> f64 {
    let (mut time_of_one, mut time_of_two) = (Duration::ZERO, Duration::ZERO);
    while time_of_one < ENOUGH_TIME {
        time_of_one += time(one, &run);
        time_of_two += time(two, &run);
    }
    time_of_two.as_secs_f64() / time_of_one.as_secs_f64()
}

/// The time of one run.
fn time(octets: &[u8], run: impl Fn(&[u8]) -> usize) -> Duration {
    let started = processor_time();
    black_box(run(octets));
    processor_time() - started
}
