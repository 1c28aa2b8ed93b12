//! `charset list`.

use std::io::{self, Write};

use serde::Serialize;
use sevenbit::Charset;

use crate::args::List;
use crate::exit::Failure;
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

/// Prints every charset.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(args: &List) -> Result<(), Failure> {
    print(
        |out| if args.json { objects(out) } else { Charset::all().try_for_each(|charset| row(out, charset)) },
    )
}

fn objects(out: &mut dyn Write) -> io::Result<()> {
    json::write_line(out, &Charset::all().map(Object::from).collect::<Vec<_>>())
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
