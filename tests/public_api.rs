//! The public items, as `docs/public-api.txt` lists them: a change of the API shows in that file's diff, and belongs in
//! CHANGELOG.md and the version.
//!
//! `SEVENBIT_BLESS=1 cargo test --test public_api` rewrites the list. It is read from `src/`, which rustfmt keeps in one
//! shape: an item is public if it has `pub`, and is in a public module or named by some `pub use`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use sevenbit::Code;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sources of the library.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true if path.ends_with("src/bin") || path.ends_with("tests") => {}
                true => folders.push(path),
                false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
                false => {}
            }
        }
    }
    found
}

/// The lines of a file that say something about its API: no comments, no tests.
fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("UTF-8");
    let begins_tests = |at: usize| text[at..].lines().nth(1).is_some_and(|line| line.ends_with('{'));
    let tests = text.match_indices("#[cfg(test)]\nmod ").map(|(at, _)| at).find(|&at| begins_tests(at));
    let code = &text[..tests.unwrap_or(text.len())];
    code.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect()
}

/// An item from its first line to its body, its end or its contents, on one line.
fn item(lines: &[String]) -> String {
    let is_use = lines[0].starts_with("pub use");
    let ends = |line: &String| line.ends_with(';') || !is_use && line.ends_with(['{', '}']);
    let last = lines.iter().position(ends).unwrap_or(0);
    let text = lines[..=last].iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    let text = text.replace("( ", "(").replace(", )", ")").replace("{ ", "{").replace(", }", "}");
    text.trim_end_matches(['{', ';']).trim_end().to_owned()
}

/// The name of a type, from `impl<'a> Plan<'a>`, `Plan<'_>` or `crate::Plan`.
fn type_name(text: &str) -> &str {
    let name = text.split(['<', ' ']).next().unwrap_or_default();
    name.rsplit("::").next().unwrap_or_default()
}

/// `impl<'a, R: Read> Trait for Type<R> where ...` as trait, if there is one, and type.
fn implementation(header: &str) -> Option<(Option<&str>, &str)> {
    let rest = header.strip_prefix("impl")?;
    let rest = match rest.starts_with('<') {
        true => {
            let mut depth = 0;
            let end = rest.find(|c| {
                depth += i32::from(c == '<') - i32::from(c == '>');
                depth == 0
            })?;
            &rest[end + 1..]
        }
        false => rest,
    };
    let rest = rest.trim_start();
    Some(rest.split_once(" for ").map_or((None, rest), |(of, kind)| (Some(of), kind)))
}

/// The public items of a file; `names` are those of public types and functions. In a public module, whose name is given,
/// all items are public.
fn items(lines: &[String], names: &BTreeSet<String>, module: Option<&str>) -> Vec<String> {
    let types: BTreeSet<&str> = match module {
        Some(_) => {
            lines.iter().filter_map(|line| type_of(line)).chain(names.iter().map(String::as_str)).collect()
        }
        None => names.iter().map(String::as_str).collect(),
    };
    let mut found = Vec::new();
    let mut attributes: Vec<&str> = Vec::new();
    let mut owner = None;
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        if text.starts_with("#[") {
            attributes.push(text);
            continue;
        }
        let top = !line.starts_with(' ');
        let tags: String = iter::once("")
            .chain(attributes.drain(..).filter(|text| is_visible(text)))
            .collect::<Vec<_>>()
            .join(" ");
        if let Some((of, kind)) = implementation(text).filter(|_| top) {
            let name = type_name(kind).to_owned();
            owner = types.contains(name.as_str()).then_some(name);
            if let (Some(of), Some(owner)) = (of, &owner) {
                found.push(format!("{owner}: {of}"));
            }
        } else if let Some(name) = type_of(text).filter(|name| top && types.contains(name)) {
            found.push(format!("{}{tags}", item(&lines[at..])));
            let contents = lines[at + 1..].iter().take_while(|line| {
                line.starts_with("    ") && line.ends_with('{') == line.starts_with("    pub fn")
            });
            let is_part = |line: &&str| {
                !line.starts_with("#[") && (text.starts_with("pub enum") || line.starts_with("pub "))
            };
            let contents =
                contents.filter(|line| !line.starts_with("     ")).map(|line| line.trim()).filter(is_part);
            found.extend(contents.map(|part| format!("{name}: {}", part.trim_end_matches(','))));
            owner = None;
        } else if text.starts_with("pub ") && (top || line.starts_with("    pub ")) {
            match &owner {
                Some(owner) if !top => found.push(format!("{owner}: {}{tags}", item(&lines[at..]))),
                None if top && type_of(text).is_none() && !text.starts_with("pub use") => match module {
                    Some(module) => found.push(format!("{module}: {}{tags}", item(&lines[at..]))),
                    None if names.contains(named(text)) => {
                        found.push(format!("{}{tags}", item(&lines[at..])))
                    }
                    None => {}
                },
                _ => {}
            }
        } else if top && text == "}" {
            owner = None;
        }
    }
    found
}

/// Whether an attribute is visible to users.
fn is_visible(attribute: &str) -> bool {
    ["#[derive", "#[non_exhaustive", "#[must_use", "#[deprecated"]
        .iter()
        .any(|visible| attribute.starts_with(visible))
}

/// The name of the public type that begins on a line.
fn type_of(text: &str) -> Option<&str> {
    let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
    let rest = kinds.iter().find_map(|kind| text.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric()).next()
}

/// The name of a function, constant or module.
fn named(text: &str) -> &str {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.find(|word| !["pub", "const", "static", "fn", "mod"].contains(word)).unwrap_or_default()
}

/// The names that `pub use` exports.
fn given(lines: &[String]) -> impl Iterator<Item = String> {
    let uses = (0..lines.len()).filter(|&at| lines[at].starts_with("pub use"));
    let words = uses.flat_map(|at| {
        let text = item(&lines[at..]);
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned);
        words.collect::<Vec<_>>()
    });
    words.filter(|word| !["", "pub", "use", "self"].contains(&word.as_str()))
}

/// The name of a module, if it is public.
fn public_module<'p>(path: &'p Path, modules: &BTreeSet<String>) -> Option<&'p str> {
    let stem = |path: &'p Path| path.file_stem().and_then(|stem| stem.to_str());
    let name = if path.ends_with("mod.rs") { stem(path.parent()?) } else { stem(path) };
    name.filter(|name| modules.contains(*name) || *name == "lib")
}

#[test]
fn the_public_items_are_those_of_the_list() {
    let files: Vec<(PathBuf, Vec<String>)> =
        sources().into_iter().map(|path| (path.clone(), lines(&path))).collect();
    let library = lines(&root().join("src/lib.rs"));
    let names: BTreeSet<String> =
        files.iter().flat_map(|(_, lines)| given(lines)).chain(["Code".to_owned()]).collect();
    let declared =
        library.iter().filter(|line| line.starts_with("pub mod ")).map(|line| named(line).to_owned());
    let modules = declared.chain(given(&library)).collect();
    let of_file =
        |(path, lines): &(PathBuf, Vec<String>)| items(lines, &names, public_module(path, &modules));
    let mut found: BTreeSet<String> = files.iter().flat_map(of_file).collect();
    let code = |code: &Code| format!("Code: {} {} {}", code.as_str(), code.severity(), code.rule());
    found.extend(Code::ALL.iter().map(code));
    let found: String = found.into_iter().map(|item| item + "\n").collect();
    let path = root().join("docs/public-api.txt");
    if std::env::var_os("SEVENBIT_BLESS").is_some() {
        fs::write(&path, found).expect("the list written");
        return;
    }
    let listed = fs::read_to_string(&path).expect("docs/public-api.txt");
    let (listed, found): (BTreeSet<&str>, BTreeSet<&str>) =
        (listed.lines().collect(), found.lines().collect());
    let gone: Vec<_> = listed.difference(&found).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(
        gone.is_empty() && new.is_empty(),
        "gone: {gone:#?}\nnew: {new:#?}\nSEVENBIT_BLESS=1 lists them anew"
    );
}

#[test]
fn the_reader_sees_what_there_is() {
    let text = "#[derive(Clone)]\n#[non_exhaustive]\npub enum A<'a> {\n    #[default]\n    One,\n    Two(u8),\n}\n\nimpl<'a> A<'a> {\n    \
        pub fn long(\n        &self,\n        other: u8,\n    ) -> u8 {\n        0\n    }\n\n    pub(crate) fn inner(&self) {}\n    fn own(&self) {}\n}\n\n\
        impl<T: Into<u8>> From<T> for A<'_> {\n    fn from(_: T) -> Self {}\n}\n\npub struct B {\n    /// ...\n    pub field: u8,\n    own: u8,\n}\n\nimpl C {\n    pub fn not(&self) {}\n}\n";
    let lines: Vec<String> =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect();
    let found = items(&lines, &["A".to_owned(), "B".to_owned()].into(), None);
    assert_eq!(
        found,
        [
            "pub enum A<'a> #[derive(Clone)] #[non_exhaustive]",
            "A: One",
            "A: Two(u8)",
            "A: pub fn long(&self, other: u8) -> u8",
            "A: From<T>",
            "pub struct B",
            "B: pub field: u8",
        ]
    );
}
