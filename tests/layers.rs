//! The layers of the house, held by reading `src/`: who may import whom, who owns which crate, and no
//! file over 400 lines without a reason at its head.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules of the library from the top row down; a module imports only from rows below its own.
const ROWS: [&[&str]; 7] = [
    &["message"],
    &["decode", "encode"],
    &["charset", "transfer", "syntax"],
    &["codec"],
    &["decoded"],
    &["error"],
    &["ascii", "issue"],
];

/// Names re-exported at the root, and the module each lives in.
const ROOT_NAMES: [(&str, &str); 9] = [
    ("Charset", "charset"),
    ("Decoded", "decoded"),
    ("Error", "error"),
    ("Issue", "issue"),
    ("Code", "issue"),
    ("Severity", "issue"),
    ("Rule", "issue"),
    ("Span", "issue"),
    ("Profile", "message"),
];

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("UTF-8");
                found.push((path.strip_prefix(&root).expect("below src").to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

fn module_of(path: &Path) -> String {
    let first = path.components().next().expect("a component").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// The part of a source file that is not its tests, comments left out.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn row(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

/// The library modules that a file names as `crate::...`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        if let Some(list) = after.strip_prefix('{') {
            let list = &list[..list.find('}').unwrap_or(list.len())];
            found.extend(
                list.split(',').map(|name| name.trim().split("::").next().unwrap_or_default().to_owned()),
            );
        } else {
            let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
            found.insert(after[..end].to_owned());
        }
    }
    let home = |name: String| {
        ROOT_NAMES.iter().find(|(known, _)| *known == name).map_or(name, |(_, home)| (*home).to_owned())
    };
    found.into_iter().map(home).filter(|name| row(name).is_some()).collect()
}

#[test]
fn modules_import_only_from_rows_below() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let module = module_of(&path);
        let Some(own) = row(&module) else { continue };
        for import in imports(&code(&text)) {
            if import != module && row(&import).is_some_and(|other| other <= own) {
                wrong.push(format!("{} ({module}) imports {import}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_no_cycles_inside_a_folder() {
    let mut edges: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for (path, text) in sources() {
        let parts: Vec<String> =
            path.iter().map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
        let [folder @ .., file] = parts.as_slice() else { continue };
        if folder.is_empty() || folder[0] == "bin" || file == "mod" {
            continue;
        }
        let code = code(&text);
        let key = (folder.join("/"), file.clone());
        for after in code.split("super::").skip(1) {
            let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
            edges.entry(key.clone()).or_default().insert(after[..end].to_owned());
        }
    }
    for (folder, file) in edges.keys() {
        let mut seen = BTreeSet::new();
        let mut next = vec![file.clone()];
        while let Some(at) = next.pop() {
            for to in edges.get(&(folder.clone(), at)).into_iter().flatten() {
                assert!(to != file, "src/{folder}/{file}.rs imports itself through its siblings");
                if seen.insert(to.clone()) {
                    next.push(to.clone());
                }
            }
        }
    }
}

#[test]
fn crates_are_named_only_by_their_owners() {
    let owners = [
        ("nom", "syntax"),
        ("encoding_rs", "charset"),
        ("chardetng", "charset"),
        ("base64", "codec"),
        ("simdutf8", "codec"),
        ("fearless_simd", "codec"),
    ];
    for (path, text) in sources() {
        let module = module_of(&path);
        let code = code(&text);
        for (name, owner) in owners {
            let used = code.contains(&format!("use {name}::"))
                || code.contains(&format!(" {name}::")) && name != "base64";
            assert!(
                !used || module == owner,
                "{} names the crate {name}, which {owner}/ owns",
                path.display()
            );
        }
    }
}

#[test]
fn the_command_sees_only_the_public_interface() {
    for (path, text) in sources() {
        if path.starts_with("bin") {
            assert!(!text.contains("#[path"), "{} reaches around the public interface", path.display());
        }
    }
}

#[test]
fn long_files_say_why() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        let reason = text.lines().take(20).any(|line| line.starts_with("//! Over 400 lines:"));
        assert!(
            lines <= 400 || reason,
            "{}: {lines} lines, and no `//! Over 400 lines:` at its head",
            path.display()
        );
    }
}
