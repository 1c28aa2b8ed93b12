//! The page: data, a style and a script, in one file that requests nothing.
//!
//! `page.js` is built from `js/page/` by `js/page/build.mjs`; `js/test.sh` fails if it is out of
//! date. Content of the message is either JSON inside a `<script>` of a data type, with `<`
//! escaped, or escaped text: none of it is markup.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use serde::Serialize;
use sevenbit::{NORMAL_FORM, Report};
use sha2::{Digest, Sha256};

use super::facts::Facts;
use super::facts::octets::latin1;
use crate::json;
use crate::place::shown;
use crate::term::safe_line;

/// The first line of every page.
pub const BEGIN: &str = "<!doctype html>";

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

/// The data for the script.
#[derive(Serialize)]
struct Held<'a> {
    facts: &'a Facts,
    /// A character U+0000 to U+00FF for each octet.
    message: String,
    rules: &'a str,
    /// Where octets of the message are left out: the first, and the one after the last.
    #[serde(rename = "leftOut", skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<[usize; 2]>,
}

/// A script that fills the gaps of the message, so that all other octets are at the offsets that
/// the facts name.
const FILL: &str = r#"const held = document.getElementById("held"), data = JSON.parse(held.textContent);
for (const [from, to] of data.leftOut) {
  const said = `[${to - from} octets are left out of this page]`.slice(0, to - from);
  data.message = data.message.slice(0, from) + said.padEnd(to - from) + data.message.slice(from);
}
held.textContent = JSON.stringify(data);
"#;

/// Writes the page of a message with the name `called`.
///
/// # Errors
/// Those of `out`.
pub fn write(
    out: &mut dyn Write,
    called: &Path,
    facts: &Facts,
    report: &Report,
    message: &[u8],
    gaps: &[Range<usize>],
) -> io::Result<()> {
    let mut held = Vec::new();
    let left_out = gaps.iter().map(|gap| [gap.start, gap.end]).collect();
    let message = outside_gaps(message, gaps);
    json::write_line(&mut held, &Held { facts, message, rules: NORMAL_FORM, left_out })?;
    let fill = if gaps.is_empty() { "" } else { FILL };
    let held = String::from_utf8_lossy(&held).replace('<', "\\u003c");
    let title = escaped(&shown(called));
    // Only elements with this number may run or style; the author of the message cannot know it.
    let nonce: String =
        Sha256::digest(&held).iter().take(16).map(|octet| format!("{octet:02x}")).collect();
    write!(
        out,
        "{BEGIN}\n\
         <html lang=\"en\">\n\
         <meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; \
         style-src 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; img-src blob: data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n\
         <style nonce=\"{nonce}\">\n{STYLE}</style>\n\
         <main>\n<sevenbit-message>\n"
    )?;
    without_script(out, &title, report)?;
    write!(
        out,
        "</sevenbit-message>\n</main>\n\
         <script type=\"application/json\" id=\"held\">{}</script>\n\
         <script nonce=\"{nonce}\">\n{{\n{fill}}}\n{SCRIPT}</script>\n\
         </html>\n",
        held.trim_end()
    )
}

/// Returns the message without its gaps, with a character for each octet.
fn outside_gaps(message: &[u8], gaps: &[Range<usize>]) -> String {
    let mut kept = String::new();
    let mut at = 0;
    for gap in gaps {
        kept.push_str(&latin1(&message[at..gap.start]));
        at = gap.end;
    }
    kept + &latin1(&message[at..])
}

/// Writes what is shown where scripts do not run: the issues.
fn without_script(out: &mut dyn Write, title: &str, report: &Report) -> io::Result<()> {
    writeln!(out, "<h1>{title}</h1>\n<ul>")?;
    for issue in report.issues() {
        writeln!(out, "<li>{}</li>", escaped(&issue.to_string()))?;
    }
    writeln!(out, "</ul>")
}

/// Returns text as HTML, without characters that could not be seen.
fn escaped(text: &str) -> String {
    safe_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
