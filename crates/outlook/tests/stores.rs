//! The real stores beside the project, if they are there: what independent readers find in them.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::Path;

use sevenbit_outlook::{Store, Value, tags};

/// Returns a text as those readers gave it: white space joined, without the mark before a prefix.
fn clean(value: Option<&Value>) -> String {
    let Some(Value::Text(text)) = value else { return String::new() };
    let text = match text.strip_prefix('\u{1}') {
        Some(rest) => rest.chars().skip(1).collect(),
        None => text.clone(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn real_stores_have_what_other_readers_find() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/outlook");
    let Ok(expected) = fs::read_to_string(folder.join("expect.jsonl")) else {
        return println!("no corpora beside the project: nothing was read");
    };

    for line in expected.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = row["file"].as_str().unwrap();
        if !name.ends_with(".pst") && !name.ends_with(".ost") {
            continue;
        }
        let mut store = Store::open(File::open(folder.join(name)).unwrap()).unwrap();
        let mut found = Vec::new();
        for message in store.messages() {
            let folder = message.folder.to_string();
            let message = message.message.unwrap();
            assert_eq!(message.faults, [], "{name}");
            let body = clean(message.properties.get(tags::BODY));
            found.push((
                folder,
                clean(message.properties.get(tags::SUBJECT)),
                message.attachments.len(),
                body,
            ));
        }

        for mail in row["mail"].as_array().unwrap() {
            let text = |field: &str| mail[field].as_str().unwrap();
            let files = mail["files"].as_array().unwrap().len();
            let is_found = found.iter().any(|(folder, subject, attachments, body)| {
                (folder.as_str(), subject.as_str()) == (text("folder"), text("subject"))
                    && *attachments >= files
                    && body.contains(text("body").split(" > ").next().unwrap_or_default())
            });
            assert!(is_found, "{name}: {} {}", text("folder"), text("subject"));
        }
        assert!(store.damaged_folders().is_empty(), "{name}");
    }
}

/// The copies of each store that are damaged and read; `SEVENBIT_COPIES` asks for more.
const COPIES: u64 = 4;

/// Flips bits where a store has something, and reads what is left. Checksums do not keep changed
/// octets out, so that they need not be made right again.
#[test]
fn damaged_copies_of_real_stores_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/outlook");
    let copies = std::env::var("SEVENBIT_COPIES").ok().and_then(|copies| copies.parse().ok());
    for (name, sound) in [
        ("outlook-pst-rs/Empty.pst", 0),
        ("tika/testPST.pst", 7),
        ("tika/testPST_variousBodyTypes.pst", 4),
        ("pst-extractor/single-pdf.ost", 162),
    ] {
        let Ok(octets) = fs::read(folder.join(name)) else {
            return println!("no corpora beside the project: nothing was read");
        };
        let filled: Vec<usize> = (0..octets.len() / 64)
            .filter(|place| octets[place * 64..place * 64 + 64].iter().any(|octet| *octet != 0))
            .collect();

        let (mut read, mut random) = (0, 0x2545_f491_4f6c_dd1d_u64);
        let mut below = |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((random >> 33) % end as u64) as usize
        };
        let copies = copies.unwrap_or(COPIES);
        for _ in 0..copies {
            let mut damaged = octets.clone();
            for _ in 0..=below(60) {
                damaged[filled[below(filled.len())] * 64 + below(64)] ^= 1 << below(8);
            }
            if let Ok(mut store) = Store::open(Cursor::new(damaged)) {
                read += store.messages().filter(|found| found.message.is_ok()).count() as u64;
            }
        }
        println!("{name}: {read} of {} messages of {copies} copies are read", sound * copies);
        assert!(read * 2 >= sound * copies, "{name}: {read} of {}", sound * copies);
    }
}
