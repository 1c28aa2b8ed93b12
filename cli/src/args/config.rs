//! The configuration file of a filter, in TOML: options by their names without the dashes, and
//! rules.
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
use std::io;
use std::ops::Range;
use std::path::Path;

use sevenbit::Normalizer;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::exit::described;

/// What rules may say of how messages are treated, beside the library's options.
const OF_RULES: [&str; 10] = [
    "header-report",
    "on-error",
    "on-too-large",
    "max-output",
    "on",
    "reject-text",
    "only",
    "carries",
    "dry-run",
    "skip",
];

/// The tests of a rule, each with the messages that pass it.
pub const TESTS_OF_RULES: [(&str, &str); 10] = [
    ("client", "Networks: the client's address is in one of them."),
    (
        "from",
        "Addresses or domains, or .domain for those below it: the envelope's sender is one of them.",
    ),
    ("to", "The same for recipients: each of them is one of these."),
    (
        "direction",
        "authenticated (the client has logged in), local, in (every recipient is in a local-domain) or out.",
    ),
    ("listener", "Where the message came in, as listen says it."),
    (
        "header",
        "A table of field names, each with one text or several: for each name a field has one of these as its whole value, \
         decoded and unfolded. Case does not matter; * stands for any characters, and alone for any field of that name.",
    ),
    (
        "signature",
        "dkim or arc (the message has a DKIM-Signature, an ARC-Seal), none (it has neither).",
    ),
    (
        "authentication",
        "SERVER METHOD=RESULT, as in \"mx.example.org dkim=pass\": an Authentication-Results field of that server says so. That \
         server has to remove such fields of its name from mail that comes in.",
    ),
    ("larger-than", "The message has more octets than this: a number, or one with K, M or G."),
    ("smaller-than", "The message has fewer octets than this."),
];

/// The help on values that are read from a list in a file.
pub const LISTS: &str = "A value of a test, or of local-domain, may be @ and the absolute path of a file: each line of that is a \
    value; # begins a comment. The file is read with this one, and again with it. One without values matches nothing.";

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
    /// The tests, all of which have to pass.
    pub tests: Vec<Test>,
    /// The options.
    pub options: Vec<Setting>,
}

/// A test of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The line where it is.
    pub line: usize,
    /// The name.
    pub name: String,
    /// The header field that the test is about, if it is about one.
    pub field: Option<String>,
    /// The values, one of which has to be so.
    pub values: Vec<Value>,
}

/// A value of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The text.
    pub text: String,
    /// The file and line of a list that it is from.
    pub place: Option<String>,
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
        let texts =
            |test: &Test| test.values.iter().map(|value| value.text.clone()).collect::<Vec<_>>();
        let tests: Vec<_> =
            self.tests.iter().map(|test| (&test.name, &test.field, texts(test))).collect();
        let options: Vec<_> = self.options.iter().map(|option| &option.word).collect();
        format!("{:?} {tests:?} {options:?}", self.name)
    }
}

/// Reads the file of a filter, `milter` or `gateway`.
///
/// # Errors
/// It cannot be read, or is not TOML of this form.
pub fn read(path: &Path, filter: &str) -> Result<Config, Wrong> {
    let unread = |error: io::Error| {
        let reason = described(&error);
        if error.kind() == io::ErrorKind::NotFound {
            let example = format!("`sevenbit pages config {filter} > FILE` writes one");
            (None, format!("the file of --config cannot be read: {reason}; {example}"))
        } else {
            (None, format!("the file of --config cannot be read: {reason}"))
        }
    };
    parse(&fs::read_to_string(path).map_err(unread)?)
}

fn parse(text: &str) -> Result<Config, Wrong> {
    let line = |span: Range<usize>| {
        1 + text.as_bytes()[..span.start.min(text.len())]
            .iter()
            .filter(|&&octet| octet == b'\n')
            .count()
    };
    let table = DeTable::parse(text)
        .map_err(|error| (error.span().map(line), error.message().to_owned()))?;
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
        match &**key.get_ref() {
            "name" => rule.name = texts(value.get_ref(), number)?.pop(),
            "header" => {
                let DeValue::Table(fields) = value.get_ref() else {
                    let why = "expected `header = { \"NAME\" = \"text\" }`";
                    return Err((Some(number), why.to_owned()));
                };
                for (field, value) in in_order(fields) {
                    rule.tests.push(test_of(
                        "header",
                        Some(field.get_ref()),
                        value.get_ref(),
                        number,
                    )?);
                }
            }
            name if TESTS_OF_RULES.iter().any(|(test, _)| *test == name) => {
                rule.tests.push(test_of(name, None, value.get_ref(), number)?);
            }
            name if is_of_rules(name) => {
                rule.options.extend(settings(name, value.get_ref(), number)?)
            }
            name => return Err((Some(number), format!("a rule has no `{name}`"))),
        }
    }
    Ok(rule)
}

/// A test with its values, those of lists among them.
fn test_of(
    name: &str,
    field: Option<&str>,
    value: &DeValue<'_>,
    line: usize,
) -> Result<Test, Wrong> {
    let texts = texts(value, line)?;
    if texts.iter().all(String::is_empty) {
        let why = "expected a value: without it, every message would match";
        return Err((Some(line), why.to_owned()));
    }
    let mut values = Vec::new();
    for text in texts {
        values.extend(listed(text, line)?);
    }
    Ok(Test { line, name: name.to_owned(), field: field.map(ToOwned::to_owned), values })
}

/// The values that a text stands for: those of a file if it is `@` and a path.
fn listed(text: String, line: usize) -> Result<Vec<Value>, Wrong> {
    let Some(path) = text.strip_prefix('@').filter(|path| path.starts_with('/')) else {
        return Ok(vec![Value { text, place: None }]);
    };
    let list = fs::read_to_string(path)
        .map_err(|error| (Some(line), format!("{path}: {}", described(&error))))?;
    let mut values = Vec::new();
    for (entry, number) in list.trim_start_matches('\u{FEFF}').lines().zip(1..) {
        let text = without_comment(entry);
        if !text.is_empty() {
            values.push(Value {
                text: text.to_owned(),
                place: Some(format!("{path}, line {number}")),
            });
        }
    }
    Ok(values)
}

/// A line of a list up to the `#` that begins it, or that has white space before it.
fn without_comment(line: &str) -> &str {
    let is_comment = |at: &usize| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let end = line.match_indices('#').map(|(at, _)| at).find(is_comment).unwrap_or(line.len());
    line[..end].trim()
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
            let pair =
                |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                    Some(format!("--{name}={}={}", key.get_ref(), text(value.get_ref())?))
                };
            let pairs: Option<Vec<String>> = in_order(table).into_iter().map(pair).collect();
            pairs.ok_or_else(|| {
                (Some(line), format!("expected `{name} = {{ \"name\" = \"value\" }}`"))
            })?
        }
        value => {
            let values = values(value).ok_or_else(|| {
                (Some(line), "expected a text, a number, true or false, or several".to_owned())
            })?;
            let mut words = Vec::new();
            for value in values {
                let listed = if name == "local-domain" {
                    listed(value, line)?.into_iter().map(|value| value.text).collect()
                } else {
                    vec![value]
                };
                words.extend(listed.into_iter().map(|value| format!("--{name}={value}")));
            }
            words
        }
    };
    Ok(words
        .into_iter()
        .map(|word| Setting { line, name: name.to_owned(), word: word.into() })
        .collect())
}

fn texts(value: &DeValue<'_>, line: usize) -> Result<Vec<String>, Wrong> {
    values(value).ok_or_else(|| (Some(line), "expected a text, or several".to_owned()))
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
        let words: Vec<(usize, &str)> = config
            .options
            .iter()
            .map(|option| (option.line, option.word.to_str().expect("text")))
            .collect();
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
        let values =
            ["192.0.2.0/24", "::1"].map(|text| Value { text: text.to_owned(), place: None });
        let test =
            Test { line: 3, name: "client".to_owned(), field: None, values: values.to_vec() };
        assert_eq!(first.tests, [test]);
        assert_eq!((second.options[0].line, second.options[0].name.as_str()), (8, "profile"));
    }

    #[test]
    fn values_may_be_in_a_file() {
        let list = tempfile::NamedTempFile::new().expect("a file");
        let path = list.path().display();
        std::fs::write(
            list.path(),
            "\u{FEFF}# partners\r\nexample.org\r\n\n .example.com # all\na#b@example.net\n",
        )
        .expect("written");
        let text = format!(
            "local-domain = ['own.example', '@{path}']\n[[rule]]\nfrom = '@{path}'\nskip = true\n"
        );
        let config = parse(&text).expect("a file");
        let entries = ["example.org", ".example.com", "a#b@example.net"];
        let words: Vec<&str> =
            config.options.iter().filter_map(|option| option.word.to_str()).collect();
        let expected =
            ["own.example"].iter().chain(&entries).map(|entry| format!("--local-domain={entry}"));
        assert_eq!(words, expected.collect::<Vec<_>>());

        let values = &config.rules[0].tests[0].values;
        assert_eq!(values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>(), entries);
        assert_eq!(values[1].place, Some(format!("{path}, line 4")));
        std::fs::write(list.path(), "# none now\n").expect("written");
        assert!(parse(&text).expect("a file").rules[0].tests[0].values.is_empty());

        let missing = parse("\n[[rule]]\nto = '@/no/such/list'\n").expect_err("it is missing");
        assert!(missing.0 == Some(3) && missing.1.starts_with("/no/such/list: "), "{missing:?}");
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        for (text, line) in [
            ("a = 1\nprofile archive\n", 2),
            ("\nprofile = 1979-05-27\n", 2),
            ("rule = 1\n", 1),
            ("[[rule]]\nlisten = 'a:1'\n", 2),
            ("[[rule]]\nclient = 1.5\n", 2),
            ("[[rule]]\nskip = true\nfrom = []\n", 3),
            ("[[rule]]\nheader = 'Subject'\n", 2),
            ("[[rule]]\nheader = { Subject = '' }\n", 2),
            ("on = { a = [] }\n", 1),
        ] {
            assert_eq!(parse(text).expect_err(text).0, Some(line), "{text}");
        }
    }
}
