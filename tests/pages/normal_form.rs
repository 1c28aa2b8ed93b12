//! docs/normal-form.md: the example below each rule, before and after, as the library makes it; an
//! example for each rule in docs/examples.md, from the goldens; and the codes of reports in
//! docs/codes.md, from the library.
//!
//! `SEVENBIT_BLESS=1 cargo test --test pages` writes these pages again; read them before they are
//! kept.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sevenbit::{Code, Normalizer, Profile};
use similar::TextDiff;

/// How many rows of an example are shown.
const MOST_ROWS_OF_AN_EXAMPLE: usize = 30;

/// The message in `corpus/mail` that shows a rule, the profile, and what is to be seen.
const EXAMPLES: [(&str, &str, &str, &str); 35] = [
    ("G1", "g1-nul-in-body", "archive", "A NUL is not 7-bit safe; in quoted-printable it is."),
    (
        "G2",
        "g2-bare-line-end-in-header",
        "transport",
        "A CR alone, in which some readers see the end of the field.",
    ),
    ("G3", "g3-word-over-75", "archive", "An encoded-word may have 75 characters."),
    (
        "G4",
        "g4-eight-bit-in-a-field-name",
        "transport",
        "A name of a field has only printable US-ASCII.",
    ),
    (
        "G5",
        "g5-mime-version-missing",
        "transport",
        "Without `MIME-Version` readers need not look at the type.",
    ),
    (
        "G6",
        "g6-boundary-doubled-semicolon",
        "transport",
        "Readers disagree about a boundary behind something malformed: another one takes its place, in the delimiters too.",
    ),
    (
        "G7",
        "g7-everything-at-once",
        "archive",
        "Hardly a line is right; the output, normalised again, stays as it is.",
    ),
    (
        "G8",
        "g8-odd-but-legal",
        "archive",
        "Only what readers take in different ways changes: the comment in the type. The odd name of the field is legal.",
    ),
    (
        "G9",
        "g9-trailing-space-and-no-line-end",
        "transport",
        "White space at the ends of lines is content.",
    ),
    ("G10", "g10-fields-in-order", "archive", "Fields that nobody knows, and their order, stay."),
    (
        "G11",
        "g11-many-repairs",
        "transport",
        "The report (`corpus/expected/transport/g11-many-repairs.report`) has a line for each of them.",
    ),
    (
        "G12",
        "g12-dkim-over-what-changes",
        "archive",
        "The signature covers the subject, and is `dkim-broken`; the field stays.",
    ),
    (
        "G13",
        "g13-unclosed-everything",
        "archive",
        "Nothing that opens is closed: each ends with its field.",
    ),
    (
        "H1",
        "h1-stray-line-below-a-subject",
        "transport",
        "A line that is no field, with fields below it, becomes a field of its own.",
    ),
    (
        "H2",
        "h2-raw-text-in-phrases",
        "archive",
        "Only words that need it are encoded in a phrase and in a comment, never in an address.",
    ),
    (
        "H3",
        "h3-words-split-inside-a-character",
        "archive",
        "Two encoded-words have half a character each: they are read together.",
    ),
    (
        "H4",
        "h4-spaces-between-words",
        "archive",
        "Spaces between encoded-words are no text: what is text stands inside of one.",
    ),
    (
        "H5",
        "h5-controls-in-words",
        "archive",
        "NUL is removed, other controls become spaces: no terminal obeys them.",
    ),
    (
        "H6",
        "h6-broken-lists",
        "transport",
        "Ten readers find seven different lists here; in the output all find the same.",
    ),
    (
        "H7",
        "h7-code-units-cut-short",
        "archive",
        "A file name in UTF-16, in which line ends become a space.",
    ),
    (
        "H8",
        "h8-internationalised-domain",
        "archive",
        "Domains are written in A-labels, which every server reads.",
    ),
    (
        "H9",
        "h9-ids-in-words",
        "transport",
        "An id in an encoded-word that is too long to stay: it is decoded.",
    ),
    (
        "H10",
        "h10-singletons-twice",
        "transport",
        "Of two fields that may stand there once, the first counts if it says something.",
    ),
    (
        "H11",
        "h11-long-comment-and-group",
        "archive",
        "Lines are folded where the grammar has white space: between words, comments and members.",
    ),
    (
        "B1",
        "b1-unknown-encoding",
        "transport",
        "No reader of mail knows `x-yenc`, whose octets above 7F are not 7-bit safe.",
    ),
    (
        "B2",
        "b2-base64-oddities",
        "archive",
        "Characters outside the alphabet, missing padding, padding in the middle, text behind the end.",
    ),
    (
        "B3",
        "b3-mostly-ascii",
        "archive",
        "Few octets are above 7F: quoted-printable is shorter than base64.",
    ),
    (
        "B4",
        "b4-from-and-dot-lines",
        "archive",
        "Lines that programs on the way would change are escaped.",
    ),
    (
        "B5",
        "b5-meta-with-character-references",
        "archive",
        "The charset in the markup follows the label.",
    ),
    (
        "B6",
        "b6-markup-under-a-label-that-lies",
        "archive",
        "A file keeps its octets; only a false label is corrected.",
    ),
    (
        "B7",
        "b7-guess-short-shift-jis",
        "archive",
        "No label: the charset is a guess, sure enough to be written in UTF-8.",
    ),
    ("B8", "b8-no-parts", "transport", "A multipart has at least one part."),
    (
        "B9",
        "b9-digest-without-types",
        "transport",
        "In a digest a part is a message by default, which not all readers know.",
    ),
    (
        "B10",
        "b10-stray-line-ends",
        "archive",
        "In text a CR or LF alone becomes a line end; in a file it is data, and base64 keeps it.",
    ),
    (
        "B11",
        "b11-multipart-in-base64",
        "archive",
        "Few readers look for parts inside of base64: the body is decoded, and its parts are normalised.",
    ),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/normal-form.md")).expect("the page")
}

/// Returns the numbers of the page's rules, each from a heading such as `### G1 octets`.
fn rule_numbers(page: &str) -> Vec<String> {
    let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
    headings.filter_map(|heading| heading.split(' ').next()).map(str::to_owned).collect()
}

/// Returns a link to a rule from another page of the folder:
/// `[B7](normal-form.md#b7-charset-labels)`.
fn link_to(number: &str, page: &str) -> String {
    let heading = page.lines().find_map(|line| {
        line.strip_prefix("### ").filter(|rest| rest.split(' ').next() == Some(number))
    });
    let Some(heading) = heading else { return number.to_owned() };
    let letters = heading.to_lowercase();
    let anchor: String =
        letters.chars().filter(|&c| c.is_alphanumeric() || " -".contains(c)).collect();
    format!("[{number}](normal-form.md#{})", anchor.replace(' ', "-"))
}

/// The lines of an example in the page: the first says the profile, the second begins the block,
/// the last ends it.
#[test]
fn every_rule_has_an_example_below_it() {
    let page = page();
    let mut made = String::new();
    for section in page.split_inclusive("\n### ") {
        let Some((text, rest)) = section.split_once("\nExample, ") else {
            assert!(
                !rule_numbers(&format!("### {section}")).iter().any(|number| is_rule(number)),
                "{section}"
            );
            made.push_str(section);
            continue;
        };
        let (title, block) = rest.split_once("\n\n```diff\n").expect("a block");
        let (block, after) = block.split_once("```\n").expect("the end of a block");
        let profile =
            if title.starts_with("archive") { Profile::Archive } else { Profile::Transport };
        let _ = write!(
            made,
            "{text}\nExample, {title}\n\n```diff\n{}```\n{after}",
            example(profile, block)
        );
    }
    is_page("docs/normal-form.md", &made);
}

fn is_rule(number: &str) -> bool {
    number.len() > 1
        && number.starts_with(['G', 'H', 'B'])
        && number[1..].bytes().all(|octet| octet.is_ascii_digit())
}

/// Returns the block of an example as it should be, from the lines in it that are before.
fn example(profile: Profile, block: &str) -> String {
    let lines = block.lines().filter(|line| !line.starts_with('+'));
    let lines: Vec<Vec<u8>> =
        lines.map(|line| octets_of(line.get(1..).unwrap_or_default())).collect();
    let is_header = !lines.iter().any(Vec::is_empty);
    let mut before = lines.join(&b"\r\n"[..]);
    before.extend_from_slice(if is_header { b"\r\n\r\n" } else { b"\r\n" });

    let normalizer = Normalizer::new().profile(profile);
    let after = normalizer.normalize(&before).into_octets();
    assert!(before != *after, "nothing changes: {block}");
    assert_eq!(normalizer.normalize(&after).into_octets(), after, "{block}");

    let text = |octets: &[u8]| {
        let ends_in: &[u8] = if is_header { b"\r\n\r\n" } else { b"\r\n" };
        let octets = octets.strip_suffix(ends_in).expect("a line end");
        let lines = octets.to_vec();
        lines_of(&lines).map(|line| text_of(line) + "\n").collect::<String>()
    };
    let (before, after) = (text(&before), text(&after));
    let compared = TextDiff::from_lines(&before, &after);
    let rows =
        compared.iter_all_changes().map(|change| format!("{}{}", change.tag(), change.value()));
    // An editor takes away the blank of an empty line that stays.
    rows.map(|row| if row == " \n" { "\n".to_owned() } else { row }).collect()
}

fn lines_of(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(octets);
    std::iter::from_fn(move || {
        let octets = rest?;
        let end = octets.windows(2).position(|pair| pair == b"\r\n");
        rest = end.map(|end| &octets[end + 2..]);
        Some(&octets[..end.unwrap_or(octets.len())])
    })
}

/// Returns a line of a message as the page has it.
fn text_of(line: &[u8]) -> String {
    let mut text = String::new();
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\r' => text.push_str("\\r"),
                '\n' => text.push_str("\\n"),
                '\0'..='\x1F' | '\x7F' => {
                    let _ = write!(text, "\\x{:02X}", u32::from(c));
                }
                c => text.push(c),
            }
        }
        for octet in chunk.invalid() {
            let _ = write!(text, "\\x{octet:02X}");
        }
    }
    match text.strip_suffix(' ') {
        Some(kept) => format!("{kept}\\x20"),
        None => text,
    }
}

/// Returns the octets of a line of the page, the reverse of [`text_of`].
fn octets_of(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut pieces = text.split('\\');
    octets.extend_from_slice(pieces.next().unwrap_or_default().as_bytes());
    for piece in pieces {
        let (octet, rest) = match piece.as_bytes() {
            [b'r', ..] => (b'\r', &piece[1..]),
            [b'n', ..] => (b'\n', &piece[1..]),
            [b'x', ..] => (u8::from_str_radix(&piece[1..3], 16).expect("an octet"), &piece[3..]),
            _ => (b'\\', piece),
        };
        octets.push(octet);
        octets.extend_from_slice(rest.as_bytes());
    }
    octets
}

#[test]
fn every_rule_has_an_example() {
    let page = page();
    assert_eq!(rule_numbers(&page), EXAMPLES.map(|(number, ..)| number));
    let mut examples = "# An example for each rule\n\nA message before and after, by [rule](normal-form.md): lines with `-` become those \
        with `+`, the others stay. `cargo test --test pages` takes them from `corpus/`, where the whole messages are. \
        Octets that are no UTF-8, and controls, are \
        escaped (`\\xE9`, `\\r`), spaces and tabs at the end of a line are `␣` and `⇥`; `...` is left out.\n"
        .to_owned();
    for (number, name, profile, seen) in EXAMPLES {
        let read = |path: PathBuf| shown(&fs::read(path).expect("a message of the corpus"));
        let before = read(root().join(format!("corpus/mail/{name}.eml")));
        let after = read(root().join(format!("corpus/expected/{profile}/{name}.eml")));
        assert!(before != after, "{number}: nothing changes in {name}");
        let compared = compared(&before, &after);
        let rule = link_to(number, &page);
        let _ = write!(
            examples,
            "\n## {number}\n\n{seen} (rule {rule}; `{name}`, {profile})\n\n```diff\n{compared}```\n"
        );
    }
    is_page("docs/examples.md", &examples);
}

#[test]
fn every_code_is_listed() {
    let page = page();
    let mut codes = "# The codes of reports\n\nWhat a report can say, in the order of the library's `Code::ALL`. A *loss* is what could \
        not be carried, a *repair* what was mended, a *note* the rest. Reports, `--check`, the filters' log and counters, and \
        `on` in their configuration use these words.\n\n| code | severity | [rule](normal-form.md) | means |\n|---|---|---|---|\n"
        .to_owned();
    for code in Code::ALL {
        let (severity, means) = (code.severity(), code.summary());
        let rule = link_to(&code.rule().to_string(), &page);
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
        c if c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c) => {
            c.escape_default().to_string()
        }
        c => c.to_string(),
    };
    let line = |line: &str| {
        let kept = line.trim_end_matches([' ', '\t']);
        let blanks = line[kept.len()..].chars().map(|c| if c == ' ' { '␣' } else { '⇥' });
        kept.chars().map(escaped).chain([blanks.collect()]).collect()
    };
    text.replace("\r\n", "\n").split('\n').map(line).collect()
}

/// Returns the lines of both messages that differ, with those around them.
fn compared(before: &[String], after: &[String]) -> String {
    let (before, after) = (before.join("\n"), after.join("\n"));
    let differ = TextDiff::from_lines(&before, &after);
    let lines = differ.unified_diff().context_radius(2).to_string();
    let rows = lines.lines().skip(1).filter(|line| !line.starts_with("\\ No newline"));
    let shorter = |row: &str| {
        if row.starts_with("@@") { "...".to_owned() } else { row.chars().take(200).collect() }
    };
    let rows: Vec<String> = rows.map(shorter).collect();
    let more = if rows.len() > MOST_ROWS_OF_AN_EXAMPLE { "...\n" } else { "" };
    let shown = rows.iter().take(MOST_ROWS_OF_AN_EXAMPLE);
    shown.map(|row| format!("{}\n", row.trim_end())).chain([more.to_owned()]).collect()
}
