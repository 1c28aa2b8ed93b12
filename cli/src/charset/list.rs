//! `charset list`.

use std::io::{self, Write};
use std::path::Path;

use glob::Pattern;
use serde::Serialize;
use sevenbit::Charset;

use crate::args::List;
use crate::exit::{Exit, Failure};
use crate::json;
use crate::output::print;

/// A charset as scripts see it.
#[derive(Serialize)]
struct Object {
    name: &'static str,
    aliases: &'static [&'static str],
    decodable: bool,
    encodable: bool,
}

impl From<Charset> for Object {
    fn from(charset: Charset) -> Self {
        let (decodable, encodable) = (charset.is_decodable(), charset.is_encodable());
        Self { name: charset.name(), aliases: charset.aliases(), decodable, encodable }
    }
}

/// Prints every charset that is asked for.
///
/// # Errors
/// No charset has such a name, or standard output cannot be written.
pub fn run(args: &List) -> Result<(), Failure> {
    let wanted = args.pattern.as_deref().map(wanted).transpose()?;
    let is_wanted =
        |charset: &Charset| wanted.as_ref().is_none_or(|pattern| has_name(*charset, pattern));
    let charsets: Vec<Charset> = Charset::all().filter(is_wanted).collect();
    if let (true, Some(pattern)) = (charsets.is_empty(), &args.pattern) {
        let reason = "no charset has such a name or label; `sevenbit charset list` has all of them";
        return Err(Failure::new(Exit::Work, Path::new(pattern), reason));
    }
    print(|out| {
        if args.json {
            json::write_line(out, &charsets.iter().copied().map(Object::from).collect::<Vec<_>>())
        } else {
            charsets.iter().try_for_each(|charset| row(out, *charset))
        }
    })
}

/// Reads a pattern; a word is a part of a name.
fn wanted(pattern: &str) -> Result<Pattern, Failure> {
    let has_wildcards = pattern.contains(['*', '?', '[']);
    let whole = if has_wildcards { pattern.to_owned() } else { format!("*{pattern}*") };
    let wrong = |error| Failure::usage(format!("`{pattern}` is no pattern: {error}"));
    Pattern::new(&whole.to_ascii_lowercase()).map_err(wrong)
}

fn has_name(charset: Charset, pattern: &Pattern) -> bool {
    let mut names = std::iter::once(charset.name()).chain(charset.aliases().iter().copied());
    names.any(|name| pattern.matches(&name.to_ascii_lowercase()))
}

/// `ISO-8859-1        latin1, l1, ...`, and what cannot be done with it.
fn row(out: &mut dyn Write, charset: Charset) -> io::Result<()> {
    let lacks = match (charset.is_decodable(), charset.is_encodable()) {
        (true, true) => String::new(),
        (true, false) => " (read only)".to_owned(),
        (false, _) => match charset.why_not_decodable() {
            Some(why) => format!(" (not decodable: {why})"),
            None => " (not decodable)".to_owned(),
        },
    };
    writeln!(out, "{:<28} {}{lacks}", charset.name(), charset.aliases().join(", "))
}
