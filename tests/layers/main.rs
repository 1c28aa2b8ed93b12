//! The layers of the project, checked by reading `src/`: who may import whom, who owns which crate, and no
//! file over 400 lines without a reason at its head.

mod graph;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use graph::Graph;

/// Modules of the library from the top row down; a module imports only from rows below its own.
const ROWS: [&[&str]; 9] = [
    &["view"],
    &["message", "mbox"],
    &["decode", "encode"],
    &["charset", "transfer", "syntax"],
    &["codec"],
    &["decoded"],
    &["error"],
    &["ascii", "issue", "lengths"],
    &["few", "words"],
];

/// Names re-exported at the root, and the module of each.
const ROOT_NAMES: [(&str, &str); 13] = [
    ("Charset", "charset"),
    ("Decoded", "decoded"),
    ("Error", "error"),
    ("Few", "few"),
    ("Issue", "issue"),
    ("Code", "issue"),
    ("DecodeFault", "issue"),
    ("ErrorKind", "error"),
    ("ParseError", "words"),
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

/// The part of a source file that is not its tests, without comments.
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

fn graph() -> Graph {
    let is_test = |path: &Path| path.iter().any(|name| name == "tests" || name == "tests.rs");
    let sources = sources().into_iter().filter(|(path, _)| !is_test(path));
    let code: Vec<_> = sources.map(|(path, text)| (path, code(&text))).collect();
    Graph::new(&code)
}

/// The files of a folder and its folders depend on one another in one order: by what they name, and by the methods that
/// they call of a type whose `impl` is split. The folder's own `mod.rs` is beside them: any of them may use its types.
#[test]
fn there_are_no_cycles_inside_a_folder() {
    let graph = graph();
    let folders: BTreeSet<&Path> =
        graph.files.iter().flat_map(|file| file.path.ancestors().skip(1)).collect();
    let mut wrong = Vec::new();
    for folder in folders.into_iter().filter(|folder| !folder.as_os_str().is_empty() && *folder != "bin") {
        let sibling = |at: usize| -> Option<String> {
            let relative = graph.files[at].path.strip_prefix(folder).ok()?;
            let name = relative.iter().next()?.to_string_lossy();
            let is_own = relative.iter().count() == 1 && matches!(&*name, "mod.rs" | "main.rs");
            (!is_own).then(|| name.trim_end_matches(".rs").to_owned())
        };
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in graph.edges() {
            if let (Some(from), Some(to)) = (sibling(from), sibling(to))
                && from != to
            {
                edges.entry(from).or_default().insert(to);
            }
        }
        let in_circle = edges.keys().filter(|name| reaches(&edges, name, name)).cloned().collect::<Vec<_>>();
        if !in_circle.is_empty() {
            wrong.push(format!("src/{}: {} stand on one another", folder.display(), in_circle.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn reaches(edges: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(at) = next.pop() {
        for found in edges.get(at).into_iter().flatten() {
            if found == to {
                return true;
            }
            if seen.insert(found) {
                next.push(found);
            }
        }
    }
    false
}

/// A few files may need one another, such as a folder's `mod.rs` and its contents; at most three.
#[test]
fn circles_are_small() {
    let graph = graph();
    let mut wrong = Vec::new();
    for circle in graph.circles().iter().filter(|circle| circle.len() > 3) {
        let paths: Vec<&Path> = circle.iter().map(|at| graph.files[*at].path.as_path()).collect();
        wrong.push(format!("{} files stand on one another: {paths:?}", paths.len()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn crates_are_named_only_by_their_owners() {
    let owners = [
        ("nom", "syntax"),
        ("encoding_rs", "charset"),
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
