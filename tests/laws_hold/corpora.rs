//! Every message of the real-mail corpora beside the project, if they are there: safe, idempotent,
//! borrowed when clean, view kept, no panic (laws 1 and 4 to 7).

use std::fs;
use std::path::{Path, PathBuf};

use crate::laws::{self, PROFILES};

/// Where real mail is, if there is any. Test data only; never part of the package.
fn corpora() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    folder.is_dir().then_some(folder)
}

/// Calls `visit` with a name and the octets of every message.
fn each_message(folder: &Path, visit: &mut impl FnMut(&str, &[u8])) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.display().to_string();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => each_message(&path, visit),
            Some("eml") => visit(&name, &fs::read(&path).expect("a file")),
            Some("mbox") => each_of_mbox(&name, &fs::read(&path).expect("a file"), visit),
            Some("tar") => each_of_tar(&path, visit),
            _ => {}
        }
    }
}

fn each_of_mbox(name: &str, mbox: &[u8], visit: &mut impl FnMut(&str, &[u8])) {
    let starts: Vec<usize> = (0..mbox.len())
        .filter(|&at| mbox[at..].starts_with(b"From ") && (at == 0 || mbox[at - 1] == b'\n'))
        .chain([mbox.len()])
        .collect();
    for (number, pair) in starts.windows(2).enumerate() {
        visit(&format!("{name}:{}", number + 1), &mbox[pair[0]..pair[1]]);
    }
}

fn each_of_tar(path: &Path, visit: &mut impl FnMut(&str, &[u8])) {
    let mut archive = tar::Archive::new(fs::File::open(path).expect("a file"));
    for entry in archive.entries().expect("a tar file") {
        let mut entry = entry.expect("an entry");
        if entry.header().entry_type().is_file() {
            let name = format!("{}:{}", path.display(), entry.path().expect("a path").display());
            let mut octets = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut octets).expect("its octets");
            visit(&name, &octets);
        }
    }
}

#[test]
fn every_real_message_keeps_the_laws() {
    let Some(folder) = corpora() else {
        eprintln!("no corpora beside the project: nothing to walk");
        return;
    };
    let mut messages = 0;
    let mut broken = Vec::new();
    each_message(&folder, &mut |name, octets| {
        messages += 1;
        let mut note = |law: &str, result: Result<(), String>| {
            if let Err(why) = result {
                broken.push(format!("{name}: {law}: {why}"));
            }
        };
        note("spans", laws::spans_lie_in_the_input(octets));
        note("displayed", laws::addresses::mailboxes_are_displayed_as_written(octets));
        for profile in PROFILES {
            note("safe", laws::output_is_safe(octets, profile));
            note("twice", laws::normalizing_twice_is_once(octets, profile));
            note("borrowed", laws::normal_form_is_borrowed(octets, profile));
            note("view", laws::view_is_kept(octets, profile));
            note("addresses", laws::addresses::addresses_are_kept(octets, profile));
            note("ways", laws::every_way_gives_the_same(octets, profile));
            note(
                "changes",
                laws::changes::header_changes_and_body_are_the_message(octets, profile),
            );
        }
    });
    println!("{messages} messages walked, {} broken laws", broken.len());
    assert!(messages > 10_000, "only {messages} messages found");
    assert!(
        broken.is_empty(),
        "{} broken laws, the first:\n{}",
        broken.len(),
        broken[..broken.len().min(20)].join("\n")
    );
}
