//! The configuration file of a filter, in TOML: options by their names without the dashes, and rules.
//!
//! ```toml
//! listen = ["inet:127.0.0.1:8895"]
//! on = { "bare-line-end" = "reject" }
//!
//! [[rule]]
//! client = "192.0.2.0/24"
//! skip = true
//! ```

use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::Path;

use sevenbit::Normalizer;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What rules may say of how messages are treated, beside the library's options.
const OF_RULES: [&str; 9] =
    ["header-report", "on-error", "on-too-large", "max-output", "on", "only", "carries", "dry-run", "skip"];

/// The tests of a rule, each with the messages that pass it.
pub const TESTS_OF_RULES: [(&str, &str); 5] = [
    ("client", "Networks: the client's address is in one of them."),
    ("from", "Addresses or domains, or .domain for those below it: the envelope's sender is one of them."),
    ("to", "The same for recipients: each of them is one of these."),
    (
        "direction",
        "authenticated (the client has logged in), local, in (every recipient is in a local-domain) or out.",
    ),
    ("listener", "Where the message came in, as listen says it."),
];

/// Switches that can be turned off again.
const SWITCHES: [&str; 2] = ["dry-run", "skip"];

/// What is wrong, and in which line.
pub type Wrong = (Option<usize>, String);

/// The file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Its options.
    pub options: Vec<Setting>,
    /// Its rules, in order.
    pub rules: Vec<RuleTable>,
}

/// An option, as a word of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its line, from 1.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// The word.
    pub word: OsString,
}

/// A rule: when it matches, and the options that it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleTable {
    /// Its name.
    pub name: Option<String>,
    /// The line where it begins.
    pub line: usize,
    /// What has to be so: the name of a test, with its values.
    pub tests: Vec<(usize, String, Vec<String>)>,
    /// The options.
    pub options: Vec<Setting>,
}

/// Options about messages that no rule sets. `rule` stands for all rules.
const OF_MESSAGES: [&str; 6] =
    ["max-message", "max-depth", "max-parts", "max-header", "local-domain", "rule"];

/// Whether the option of that name is about messages: it is read again by a running filter.
pub fn is_of_messages(name: &str) -> bool {
    is_of_rules(name) || OF_MESSAGES.contains(&name)
}

impl RuleTable {
    /// All that it says, wherever it stands in the file.
    pub fn described(&self) -> String {
        let tests: Vec<_> = self.tests.iter().map(|(_, name, values)| (name, values)).collect();
        let options: Vec<_> = self.options.iter().map(|option| &option.word).collect();
        format!("{:?} {tests:?} {options:?}", self.name)
    }
}

/// Reads the file.
///
/// # Errors
/// It cannot be read, or is not TOML of this form.
pub fn read(path: &Path) -> Result<Config, Wrong> {
    parse(&fs::read_to_string(path).map_err(|error| (None, error.to_string()))?)
}

fn parse(text: &str) -> Result<Config, Wrong> {
    let line = |span: Range<usize>| {
        1 + text.as_bytes()[..span.start.min(text.len())].iter().filter(|&&octet| octet == b'\n').count()
    };
    let table = DeTable::parse(text).map_err(|error| (error.span().map(line), error.message().to_owned()))?;
    let mut config = Config::default();
    for (key, value) in in_order(table.get_ref()) {
        let number = line(key.span());
        match (&**key.get_ref(), value.get_ref()) {
            ("rule", DeValue::Array(rules)) => {
                for rule in rules.iter() {
                    let DeValue::Table(table) = rule.get_ref() else {
                        return Err((Some(number), "expected [[rule]]".to_owned()));
                    };
                    config.rules.push(rule_of(table, line(rule.span()), &line)?);
                }
            }
            ("rule", _) => return Err((Some(number), "expected [[rule]]".to_owned())),
            (name, value) => config.options.extend(settings(name, value, number)?),
        }
    }
    Ok(config)
}

fn rule_of(
    table: &DeTable<'_>,
    begin: usize,
    line: &impl Fn(Range<usize>) -> usize,
) -> Result<RuleTable, Wrong> {
    let mut rule = RuleTable { line: begin, ..RuleTable::default() };
    for (key, value) in in_order(table) {
        let number = line(key.span());
        let texts = || {
            values(value.get_ref()).ok_or_else(|| (Some(number), "expected a text, or several".to_owned()))
        };
        match &**key.get_ref() {
            "name" => rule.name = texts()?.pop(),
            name if TESTS_OF_RULES.iter().any(|(test, _)| *test == name) => {
                rule.tests.push((number, name.to_owned(), texts()?));
            }
            name if is_of_rules(name) => rule.options.extend(settings(name, value.get_ref(), number)?),
            name => return Err((Some(number), format!("a rule has no `{name}`"))),
        }
    }
    Ok(rule)
}

/// Whether a rule may set the option of that name.
pub fn is_of_rules(name: &str) -> bool {
    OF_RULES.contains(&name) || Normalizer::OPTIONS.iter().any(|option| option.name == name)
}

/// The entries in the order of the file.
fn in_order<'t, 'i>(
    table: &'t DeTable<'i>,
) -> Vec<(&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// An option as words of the command line: one for each of its values.
fn settings(name: &str, value: &DeValue<'_>, line: usize) -> Result<Vec<Setting>, Wrong> {
    let words = match value {
        DeValue::Boolean(true) => vec![format!("--{name}")],
        DeValue::Boolean(false) if SWITCHES.contains(&name) => vec![format!("--{name}=false")],
        DeValue::Boolean(false) => Vec::new(),
        DeValue::Table(table) => {
            let pair = |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                Some(format!("--{name}={}={}", key.get_ref(), text(value.get_ref())?))
            };
            let pairs: Option<Vec<String>> = in_order(table).into_iter().map(pair).collect();
            pairs.ok_or_else(|| (Some(line), format!("expected `{name} = {{ \"name\" = \"value\" }}`")))?
        }
        value => {
            let values = values(value).ok_or_else(|| {
                (Some(line), "expected a text, a number, true or false, or several".to_owned())
            })?;
            values.into_iter().map(|value| format!("--{name}={value}")).collect()
        }
    };
    Ok(words.into_iter().map(|word| Setting { line, name: name.to_owned(), word: word.into() }).collect())
}

/// A text or number, or several.
fn values(value: &DeValue<'_>) -> Option<Vec<String>> {
    match value {
        DeValue::Array(array) => array.iter().map(|value| text(value.get_ref())).collect(),
        value => text(value).map(|text| vec![text]),
    }
}

fn text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.as_str().replace('_', "")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_words_of_the_command_line() {
        let text = "# how\nprofile = 'archive'\nmax-message = 10_000\nlisten = [\"a:1\",\n  \"b:2\"]\ni-know = true\n\
            dry-run = false\non = { refolded = 'tag', \"bare-line-end\" = 'reject' }\n";
        let config = parse(text).expect("a file");
        let words: Vec<(usize, &str)> =
            config.options.iter().map(|option| (option.line, option.word.to_str().expect("text"))).collect();
        let expected = [
            (2, "--profile=archive"),
            (3, "--max-message=10000"),
            (4, "--listen=a:1"),
            (4, "--listen=b:2"),
            (6, "--i-know"),
            (7, "--dry-run=false"),
            (8, "--on=refolded=tag"),
            (8, "--on=bare-line-end=reject"),
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn rules_are_in_order() {
        let text = "[[rule]]\nname = 'lists'\nclient = ['192.0.2.0/24', '::1']\nskip = true\n\n[[rule]]\nfrom = 'example.org'\nprofile = 'archive'\n";
        let [first, second] = &parse(text).expect("a file").rules[..] else { panic!("two rules") };
        assert_eq!((first.name.as_deref(), first.line, second.line), (Some("lists"), 1, 6));
        assert_eq!(
            first.tests,
            [(3, "client".to_owned(), vec!["192.0.2.0/24".to_owned(), "::1".to_owned()])]
        );
        assert_eq!((second.options[0].line, second.options[0].name.as_str()), (8, "profile"));
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        for (text, line) in [
            ("a = 1\nprofile archive\n", 2),
            ("\nprofile = 1979-05-27\n", 2),
            ("rule = 1\n", 1),
            ("[[rule]]\nlisten = 'a:1'\n", 2),
            ("[[rule]]\nclient = 1.5\n", 2),
            ("on = { a = [] }\n", 1),
        ] {
            assert_eq!(parse(text).expect_err(text).0, Some(line), "{text}");
        }
    }
}
