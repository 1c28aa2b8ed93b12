//! The real stores beside the project, if they are there: what independent readers find in them.

use std::fs::{self, File};
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
