//! What documents and JavaScript say of the answers that are one word, and of options, from the
//! library's tables of them.
//!
//! `SEVENBIT_BLESS=1 cargo test --test pages words` writes their blocks again.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sevenbit::{Message, Normalizer};

/// The lines before and after a block, in pages and in TypeScript.
const MARKDOWN: [&str; 2] =
    ["<!-- words: made from crates/mail/src/view/words.rs -->", "<!-- end of words -->"];
const TYPESCRIPT: [&str; 2] =
    ["// words: made from crates/mail/src/view/words.rs", "// end of words"];
const OPTIONS: [&str; 2] = ["// options: made from src/message/options.rs", "// end of options"];

#[test]
fn every_word_is_a_key_of_the_command() {
    let mut keys = String::from("| key | meaning |\n|---|---|\n");
    for word in Message::WORDS {
        let _ = writeln!(keys, "| `{}` | {} |", word.name, word.summary);
    }
    is_block("docs/cli.md", MARKDOWN, &format!("\n{keys}\n"));
}

#[test]
fn every_word_has_a_name_in_each_language() {
    let mut names = String::from(
        "| answer | Rust | Python | C, the command | JavaScript |\n|---|---|---|---|---|\n",
    );
    for word in Message::WORDS {
        let (name, js_name) = (word.name, in_javascript(word.name));
        let _ = writeln!(
            names,
            "| {} | `m.{name}()` | `m.{name}` | `{name}` | `d.{js_name}` |",
            word.summary
        );
    }
    is_block("docs/view.md", MARKDOWN, &format!("\n{names}\n"));
}

#[test]
fn every_word_has_a_type_in_javascript() {
    let mut types = String::from(
        "/** The answers that are one word of a header field. */\ninterface Words {\n",
    );
    let mut keys = String::from("/** The keys of `inspect --json` for them. */\nconst WORDS = {\n");
    for word in Message::WORDS {
        let name = in_javascript(word.name);
        let _ = writeln!(types, "  /** {} */\n  {name}?: string;", word.summary);
        let _ = writeln!(keys, "  {name}: \"{}\",", word.name);
    }
    is_block("js/lib/details.ts", TYPESCRIPT, &format!("{types}}}\n\n{keys}}} as const;\n"));
}

#[test]
fn every_option_has_a_type_in_javascript() {
    let mut types = String::from(
        "/** The options that are a word; the first one is the default. */\ninterface Words {\n",
    );
    let mut words = String::from("const WORDS = {\n");
    for option in Normalizer::OPTIONS {
        let name = in_javascript(&option.name.replace('-', "_"));
        let mut known: Vec<_> = option.values.iter().collect();
        known.sort_by_key(|value| value.word != option.default);

        let _ = writeln!(types, "  /**\n   * {}\n   *", option.summary);
        for value in &known {
            let _ = writeln!(types, "   * - `{}`: {}", value.word, value.summary);
        }
        let known: Vec<_> = known.iter().map(|value| format!("\"{}\"", value.word)).collect();
        let _ = writeln!(types, "   */\n  {name}?: {};", known.join(" | "));
        let _ = writeln!(words, "  {name}: [{}],", known.join(", "));
    }
    is_block("js/lib/options.ts", OPTIONS, &format!("{types}}}\n\n{words}}};\n"));
}

/// Returns a name as JavaScript has it: `auto_submitted` as `autoSubmitted`.
fn in_javascript(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
}

/// Whether the lines between two lines of a file are as they would be made.
fn is_block(file: &str, [start, end]: [&str; 2], made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).expect("a file");

    let (before, rest) = text.split_once(&format!("\n{start}\n")).expect("the start of the block");
    let (found, after) = rest.split_once(&format!("{end}\n")).expect("the end of the block");
    if found == made {
        return;
    }

    assert!(
        std::env::var_os("SEVENBIT_BLESS").is_some(),
        "{file}, {start} differs: SEVENBIT_BLESS=1 writes it again"
    );
    fs::write(path, format!("{before}\n{start}\n{made}{end}\n{after}")).expect("the file written");
}
