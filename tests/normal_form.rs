//! docs/normal-form.md: its budget, an example for each rule in docs/examples.md, before and after, from the goldens, and the
//! codes of reports in docs/codes.md, from the library.
//!
//! `SEVENBIT_BLESS=1 cargo test --test normal_form` writes these pages again; read them before they are kept.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sevenbit::Code;

/// The budget of CONTRIBUTING.md: words of the page, words of a rule, lines of `src/message` without its tests. The goal for lines is 10,000; the number is lowered with every change that makes room, and never raised.
const MOST_WORDS: usize = 3_000;
const MOST_WORDS_OF_A_RULE: usize = 200;
const MOST_LINES: usize = 12_000;
/// How many lines of an example are shown, before and after.
const MOST_LINES_OF_AN_EXAMPLE: usize = 14;

/// The message in `corpus/mail` that shows a rule, and the profile.
const EXAMPLES: [(&str, &str, &str); 35] = [
    ("G1", "g1-nul-in-body", "archive"),
    ("G2", "g2-bare-line-end-in-header", "transport"),
    ("G3", "g3-word-over-75", "archive"),
    ("G4", "g4-eight-bit-in-a-field-name", "transport"),
    ("G5", "g5-mime-version-missing", "transport"),
    ("G6", "g6-close-delimiter-missing", "transport"),
    ("G7", "g7-everything-at-once", "archive"),
    ("G8", "g8-odd-but-legal", "archive"),
    ("G9", "g9-trailing-space-and-no-line-end", "transport"),
    ("G10", "g10-fields-in-order", "archive"),
    ("G11", "g11-many-repairs", "transport"),
    ("G12", "g12-arc", "archive"),
    ("G13", "g13-unclosed-everything", "archive"),
    ("H1", "h1-field-without-a-colon", "transport"),
    ("H2", "h2-raw-text-in-phrases", "archive"),
    ("H3", "h3-words-split-inside-a-character", "archive"),
    ("H4", "h4-spaces-between-words", "archive"),
    ("H5", "h5-controls-in-words", "archive"),
    ("H6", "h6-senders-that-are-no-grammar", "transport"),
    ("H7", "h7-code-units-cut-short", "archive"),
    ("H8", "h8-local-part-in-a-group", "archive"),
    ("H9", "h9-ids-in-words", "transport"),
    ("H10", "h10-content-type-twice", "transport"),
    ("H11", "h11-long-comment-and-group", "archive"),
    ("B1", "b1-unknown-encoding", "transport"),
    ("B2", "b2-base64-that-is-text", "transport"),
    ("B3", "b3-mostly-ascii", "archive"),
    ("B4", "b4-from-and-dot-lines", "archive"),
    ("B5", "b5-meta-with-character-references", "archive"),
    ("B6", "b6-markup-under-a-label-that-lies", "archive"),
    ("B7", "b7-guess-short-shift-jis", "archive"),
    ("B8", "b8-no-parts", "transport"),
    ("B9", "b9-digest-without-types", "transport"),
    ("B10", "b10-stored-with-lf-and-binary", "archive"),
    ("B11", "b11-multipart-in-base64", "archive"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/normal-form.md")).expect("the page")
}

/// Returns the rules of the page, each with its number: a line that begins with `- **G1`, and those indented below it.
fn rules(page: &str) -> Vec<(String, String)> {
    let mut rules: Vec<(String, String)> = Vec::new();
    for line in page.lines() {
        let number = line.strip_prefix("- **").and_then(|rest| rest.split([' ', '*']).next());
        match (number, rules.last_mut()) {
            (Some(number), _) => rules.push((number.to_owned(), line.to_owned())),
            (None, Some((_, text))) if line.starts_with("  ") => text.push_str(line),
            _ => {}
        }
    }
    rules
}

#[test]
fn the_rules_can_be_held_in_mind() {
    let page = page();
    let words = |text: &str| text.split_whitespace().count();
    assert!(words(&page) <= MOST_WORDS, "{} words", words(&page));
    for (number, rule) in rules(&page) {
        assert!(words(&rule) <= MOST_WORDS_OF_A_RULE, "{number}: {} words", words(&rule));
    }
    let lines = lines_of(&root().join("src/message"));
    assert!(lines <= MOST_LINES, "{lines} lines");
    assert!(MOST_LINES - lines < 300, "{lines} lines: lower the budget");
}

/// Returns the lines of the Rust files in a folder, without those of tests.
fn lines_of(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let lines = |path: PathBuf| match path.file_stem().is_some_and(|stem| stem == "tests") {
        true => 0,
        false if path.is_dir() => lines_of(&path),
        false => {
            let text = fs::read_to_string(&path).expect("source");
            text.lines().take_while(|line| *line != "#[cfg(test)]").count()
        }
    };
    entries.map(lines).sum()
}

#[test]
fn every_rule_has_an_example() {
    let page = page();
    let numbers: Vec<String> = rules(&page).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, EXAMPLES.map(|(number, ..)| number));
    let mut examples = "# An example for each rule\n\nThe lines of a message that change, before and after, by \
        [rule](normal-form.md). `cargo test --test normal_form` takes them from `corpus/`, where the whole messages \
        are. Octets that are no UTF-8 are shown as `\\xE9`.\n"
        .to_owned();
    for (number, name, profile) in EXAMPLES {
        let read = |path: PathBuf| shown(&fs::read(path).expect("a message of the corpus"));
        let before = read(root().join(format!("corpus/mail/{name}.eml")));
        let after = read(root().join(format!("corpus/expected/{profile}/{name}.eml")));
        let (before, after) = changed(&before, &after);
        assert!(!after.is_empty(), "{number}: nothing changes in {name}");
        let _ = write!(
            examples,
            "\n## {number}\n`{name}`, {profile}:\n```text\n{before}```\n```text\n{after}```\n"
        );
    }
    is_page("docs/examples.md", &examples);
}

#[test]
fn every_code_is_listed() {
    let mut codes = "# The codes of reports\n\nWhat a report can say, in the order of the library's `Code::ALL`. A *loss* is what could \
        not be carried, a *repair* what was mended, a *note* what was only seen. Reports, `--check`, the filters' log and counters, and \
        `on` in their configuration use these words.\n\n| code | severity | [rule](normal-form.md) | means |\n|---|---|---|---|\n"
        .to_owned();
    for code in Code::ALL {
        let (severity, rule, means) = (code.severity(), code.rule(), code.summary());
        let _ = writeln!(codes, "| `{}` | {severity} | {rule} | {means} |", code.as_str());
    }
    is_page("docs/codes.md", &codes);
}

/// Whether a page that is made from something else is as it would be made.
fn is_page(name: &str, made: &str) {
    let path = root().join(name);
    if std::env::var_os("SEVENBIT_BLESS").is_some() {
        fs::write(path, made).expect("the page written");
    } else {
        let found = fs::read_to_string(path).unwrap_or_default();
        assert!(found == made, "{name} differs: SEVENBIT_BLESS=1 writes it again");
    }
}

/// Returns the lines of a message as text, without octets that a page cannot show.
fn shown(message: &[u8]) -> Vec<String> {
    let mut text = String::new();
    for chunk in message.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|octet| text.push_str(&format!("\\x{octet:02X}")));
    }
    let escaped = |c: char| match c {
        '\t' => c.to_string(),
        '\r' => "\\r".to_owned(),
        c if c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c) => c.escape_default().to_string(),
        c => c.to_string(),
    };
    text.replace("\r\n", "\n").split('\n').map(|line| line.chars().map(escaped).collect()).collect()
}

/// Returns the lines that are not the same at the beginning or the end of both.
fn changed(before: &[String], after: &[String]) -> (String, String) {
    let start = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    let (before, after) = (&before[start..], &after[start..]);
    let end =
        before.iter().rev().zip(after.iter().rev()).take_while(|(before, after)| before == after).count();
    let cut = |lines: &[String]| -> String {
        let lines = &lines[..lines.len() - end];
        let more = if lines.len() > MOST_LINES_OF_AN_EXAMPLE { "[...]\n" } else { "" };
        let shown = lines.iter().take(MOST_LINES_OF_AN_EXAMPLE);
        shown
            .map(|line| format!("{}\n", line.chars().take(200).collect::<String>()))
            .chain([more.to_owned()])
            .collect()
    };
    (cut(before), cut(after))
}
