//! Which file of `src/` depends on which: by the paths that it names, and by the methods that it calls of a type whose
//! `impl` is split over several files.
//!
//! The files are read as text, which is enough for formatted code: definitions and `use` begin in the first column,
//! methods in the fifth. A path is followed through modules, `use` and `pub use` to the file that defines its target.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file and its contents.
pub struct File {
    /// Relative to `src/`.
    pub path: PathBuf,
    /// Its place in its crate.
    module: Module,
    /// Code without comments, tests and `use`.
    body: String,
    /// Names that it defines.
    defined: BTreeSet<String>,
    /// Names from elsewhere, by the path that leads to them.
    aliases: BTreeMap<String, Module>,
    /// Those of the aliases that are only re-exported.
    handed_on: BTreeSet<String>,
}

/// The path of a module or an item, the name of its crate first.
pub type Module = Vec<String>;

/// The files of all crates, and the edges between them.
pub struct Graph {
    pub files: Vec<File>,
    by_module: BTreeMap<Module, usize>,
    /// The files that each depends on.
    edges: Vec<BTreeSet<usize>>,
}

impl Graph {
    /// Reads the files, given by their paths and their code.
    pub fn new(sources: &[(PathBuf, String)]) -> Self {
        let files: Vec<File> = sources.iter().map(|(path, code)| File::new(path, code)).collect();
        let by_module = files.iter().enumerate().map(|(at, file)| (file.module.clone(), at)).collect();
        let mut graph = Self { files, by_module, edges: Vec::new() };
        graph.edges = (0..graph.files.len()).map(|at| graph.named_by(at)).collect();
        for (from, to) in graph.calls() {
            graph.edges[from].insert(to);
        }
        graph
    }

    /// All edges.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.edges.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to)))
    }

    /// The files that a file names.
    fn named_by(&self, at: usize) -> BTreeSet<usize> {
        let file = &self.files[at];
        let used = file.aliases.iter().filter(|(name, _)| {
            !file.handed_on.contains(*name) || words(&file.body).any(|word| word == name.as_str())
        });
        let imported = used.map(|(_, path)| path.clone());
        let inline = paths(&file.body).filter_map(|path| self.absolute(at, &path));
        let homes = imported.chain(inline).filter_map(|path| self.home(&path, 0));
        homes.filter(|home| *home != at).collect()
    }

    /// A path in a file, from the root of its crate on; nothing if it leads to another crate.
    fn absolute(&self, at: usize, path: &[String]) -> Option<Module> {
        let file = &self.files[at];
        if let Some(path) = file.resolve(path) {
            return Some(path);
        }
        let child: Module = [&file.module[..], &path[..1]].concat();
        let start = match file.aliases.get(&path[0]) {
            Some(alias) => alias.clone(),
            None if self.by_module.contains_key(&child) => child,
            None => return None,
        };
        Some([&start[..], &path[1..]].concat())
    }

    /// The file that defines the target of a path; nothing for a module as such.
    fn home(&self, path: &[String], depth: usize) -> Option<usize> {
        let known = (1..=path.len()).rev().find(|length| self.by_module.contains_key(&path[..*length]))?;
        let at = self.by_module[&path[..known]];
        let name = path.get(known)?;
        let file = &self.files[at];
        match file.aliases.get(name) {
            Some(alias) if depth < 10 && !file.defined.contains(name) => self.home(alias, depth + 1),
            _ => file.defined.contains(name).then_some(at),
        }
    }

    /// Files whose `impl` of a type calls methods that an `impl` of the same type in another file defines.
    fn calls(&self) -> Vec<(usize, usize)> {
        let mut blocks: BTreeMap<(usize, &str), Vec<(usize, &str)>> = BTreeMap::new();
        for (at, file) in self.files.iter().enumerate() {
            for (name, block) in impls(&file.body) {
                let home = self.absolute(at, &[name.to_owned()]).and_then(|path| self.home(&path, 0));
                let home = if file.defined.contains(name) { Some(at) } else { home };
                blocks.entry((home.unwrap_or(at), name)).or_default().push((at, block));
            }
        }
        let mut calls = Vec::new();
        for blocks in blocks.values() {
            for (to, method) in blocks.iter().flat_map(|(at, block)| methods(block).map(|name| (*at, name))) {
                let called = [format!("self.{method}("), format!("Self::{method}(")];
                let from = blocks.iter().filter(|(at, block)| {
                    *at != to && called.iter().any(|call| block.contains(call.as_str()))
                });
                // If it has a method of that name itself, it calls that.
                let has_own = |at: &usize| {
                    blocks.iter().any(|(other, block)| other == at && methods(block).any(|own| own == method))
                };
                calls.extend(from.map(|(at, _)| *at).filter(|at| !has_own(at)).map(|at| (at, to)));
            }
        }
        calls
    }

    /// The sets of more than one file that all depend on one another.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        let reach: Vec<BTreeSet<usize>> = (0..self.files.len()).map(|at| self.reached_from(at)).collect();
        let mut circles = Vec::new();
        for (at, reached) in reach.iter().enumerate() {
            let circle: Vec<usize> =
                reached.iter().copied().filter(|other| reach[*other].contains(&at)).collect();
            if circle.len() > 1 && circle[0] == at {
                circles.push(circle);
            }
        }
        circles
    }

    fn reached_from(&self, at: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut next = vec![at];
        while let Some(at) = next.pop() {
            next.extend(self.edges[at].iter().filter(|to| reached.insert(**to)));
        }
        reached
    }
}

impl File {
    fn new(path: &Path, code: &str) -> Self {
        let module = module(path);
        let (uses, body) = without_uses(code);
        let mut file = Self {
            path: path.to_owned(),
            module,
            defined: defined(&body).collect(),
            body,
            aliases: BTreeMap::new(),
            handed_on: BTreeSet::new(),
        };
        for (is_public, tree) in uses {
            for (path, alias) in branches(&tree) {
                let path = file.resolve(&path).unwrap_or_else(|| [&file.module[..], &path].concat());
                if is_public {
                    file.handed_on.insert(alias.clone());
                }
                file.aliases.insert(alias, path);
            }
        }
        file
    }

    /// Resolves a path that begins with `crate`, `self` or `super`, from the root on.
    fn resolve(&self, path: &[String]) -> Option<Module> {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let start = match path[0].as_str() {
            "crate" => return Some([&self.module[..1], &path[1..]].concat()),
            "self" => return Some([&self.module[..], &path[1..]].concat()),
            _ => self.module.len().checked_sub(supers).filter(|_| supers > 0)?,
        };
        Some([&self.module[..start], &path[supers..]].concat())
    }
}

/// The module of a file: `bin/NAME` is a crate of its own.
fn module(path: &Path) -> Module {
    let mut parts: Module =
        path.iter().map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
    let root = if parts[0] == "bin" { parts.drain(..2).next_back() } else { None };
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts.insert(0, root.unwrap_or_else(|| "lib".to_owned()));
    parts
}

/// The trees of all `use`, with whether they are public, and the code without them.
fn without_uses(code: &str) -> (Vec<(bool, String)>, String) {
    let (mut uses, mut body) = (Vec::new(), String::new());
    let mut tree: Option<(bool, String)> = None;
    for line in code.lines() {
        let begun =
            line.split_once("use ").filter(|(before, _)| before.is_empty() || before.starts_with("pub"));
        match (&mut tree, begun) {
            (Some((_, tree)), _) => tree.push_str(line.trim()),
            (None, Some((before, rest))) => tree = Some((!before.is_empty(), rest.to_owned())),
            (None, None) => body.extend([line, "\n"]),
        }
        if line.ends_with(';') {
            uses.extend(tree.take());
        }
    }
    (uses, body)
}

/// The paths of a tree as in `a::{b, c as d}`, and the names that they get.
fn branches(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim().trim_end_matches(';').trim_end_matches(',');
    let Some((before, list)) = tree.split_once('{') else {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path: Vec<String> = path.split("::").map(|part| part.trim().to_owned()).collect();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let alias = if alias.is_empty() { path[path.len() - 1].clone() } else { alias.trim().to_owned() };
        return vec![(path, alias)];
    };
    let list = list.strip_suffix('}').unwrap_or(list);
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let branch = list[start..at].trim();
                start = at + 1;
                if !branch.is_empty() {
                    found.extend(branches(&format!("{before}{branch}")));
                }
            }
            _ => {}
        }
    }
    found
}

/// The names that code defines in the first column.
fn defined(body: &str) -> impl Iterator<Item = String> {
    const KINDS: [&str; 8] = ["fn", "struct", "enum", "trait", "const", "static", "type", "union"];
    body.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| {
        let mut words = line.split([' ', '(', '<', ':', '{', ';', '=']).filter(|word| !word.is_empty());
        let mut word = words.next()?;
        while matches!(word, "pub" | "super)" | "crate)" | "async" | "unsafe")
            || word == "const" && line.contains("const fn")
        {
            word = words.next()?;
        }
        KINDS.contains(&word).then(|| words.next().map(str::to_owned))?
    })
}

/// The words of code.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The paths in code that have more than one part.
fn paths(code: &str) -> impl Iterator<Item = Vec<String>> {
    let runs = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    runs.filter(|run| run.contains("::"))
        .map(|run| run.split("::").map(|part| part.trim_matches(':').to_owned()).collect::<Vec<_>>())
        .filter(|path| path.iter().all(|part| !part.is_empty() && !part.contains(':')))
}

/// The types of code that have `impl` blocks, of traits too, and the blocks.
fn impls(body: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let starts = body.match_indices("\nimpl").map(|(at, _)| at + 1);
    for start in starts.chain(body.starts_with("impl").then_some(0)) {
        let block = &body[start..];
        let block = &block[..block.find("\n}").unwrap_or(block.len())];
        let head = block.split('{').next().unwrap_or_default();
        let named = head.split(" for ").last().unwrap_or_default();
        // After the generics of `impl<...>` itself, if no trait comes before.
        let named = if head.contains(" for ") { named } else { after_generics(&named["impl".len()..]) };
        let name = words(named).next().unwrap_or_default();
        found.push((name, block));
    }
    found
}

/// Skips `<...>` at the beginning.
fn after_generics(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    text
}

/// The methods that an `impl` block defines.
fn methods(block: &str) -> impl Iterator<Item = &str> {
    block.lines().filter(|line| line.starts_with("    ") && !line.starts_with("     ")).filter_map(|line| {
        let (before, after) = line.trim_start().split_once("fn ")?;
        let is_method = before.is_empty() || before.starts_with("pub") || before.starts_with("const");
        is_method.then(|| words(after).next())?
    })
}

#[test]
fn a_type_whose_impl_is_split_is_seen() {
    let source = |path: &str, code: &str| (PathBuf::from(path), code.to_owned());
    let graph = Graph::new(&[
        source("lib.rs", "mod a;\npub use a::A;\n"),
        source("a/mod.rs", "mod b;\nmod c;\npub struct A;\nimpl A {\n    fn one(&self) { self.two() }\n}\n"),
        source("a/b.rs", "use super::A;\nimpl<'a> A {\n    fn two(&self) { self.three() }\n}\n"),
        source(
            "a/c.rs",
            "use crate::A;\nimpl A {\n    fn three(&self) { self.one(); self.own() }\n    fn own(&self) {}\n}\n",
        ),
    ]);
    assert_eq!(graph.circles(), [vec![1, 2, 3]]);
    let edges = |at: usize| graph.edges[at].iter().copied().collect::<Vec<_>>();
    assert_eq!((edges(0), edges(1), edges(2), edges(3)), (vec![], vec![2], vec![1, 3], vec![1]));
}

#[test]
fn paths_are_followed_to_where_things_are_defined() {
    let source = |path: &str, code: &str| (PathBuf::from(path), code.to_owned());
    let graph = Graph::new(&[
        source("bin/x/main.rs", "mod a;\nmod b;\nuse std::io;\n"),
        source("bin/x/a/mod.rs", "mod c;\nmod d;\npub use c::{C, D as E};\n"),
        source("bin/x/a/c.rs", "pub struct C;\npub(super) enum D {}\n"),
        source("bin/x/a/d.rs", "pub const fn d() { super::c::C; }\n"),
        source("bin/x/b.rs", "use crate::a::{self, E};\nfn b() { a::C::new(); io::x() }\n"),
    ]);
    let edges = |at: usize| graph.edges[at].iter().copied().collect::<Vec<_>>();
    assert_eq!((edges(0), edges(1), edges(3), edges(4)), (vec![], vec![], vec![2], vec![2]));
    assert!(graph.circles().is_empty());
}
