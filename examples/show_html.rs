//! Prints the HTML of a message as a web page may show it: pictures from the message itself,
//! everything that could act or report taken out by `ammonia`.
//!
//! `cargo run --example show_html < message.eml > message.html`

use std::collections::HashSet;
use std::io::{self, Read, Write};

use sevenbit::Message;

fn main() -> io::Result<()> {
    let mut octets = Vec::new();
    io::stdin().read_to_end(&mut octets)?;
    let message = Message::parse(&octets);
    // The page serves the parts of the message under addresses of its own.
    let html = message.html(|id| Some(format!("/parts/{id}")));
    io::stdout().write_all(safe(&html.unwrap_or_default()).as_bytes())
}

/// What may be shown: no scripts, styles or forms, and no pictures that somebody else serves.
fn safe(html: &str) -> String {
    ammonia::Builder::default()
        .url_schemes(HashSet::from(["https", "http", "mailto"]))
        .url_relative(ammonia::UrlRelative::PassThrough)
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("img", "src") if !value.starts_with("/parts/") => None,
            _ => Some(value.into()),
        })
        .clean(html)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_act_is_gone() {
        let mail = b"Content-Type: text/html\r\n\r\n<p onclick=x()>hi<script>x()</script>\
            <img src=\"cid:cat@example.org\"><img src=\"https://example.org/who-looks.gif\">\
            <a href=\"javascript:x()\">a</a>";
        let html = Message::parse(mail).html(|id| Some(format!("/parts/{id}"))).unwrap();
        let safe = safe(&html);
        assert!(safe.contains("<img src=\"/parts/cat@example.org\">"), "{safe}");
        for bad in ["onclick", "script", "who-looks"] {
            assert!(!safe.contains(bad), "{bad}: {safe}");
        }
    }
}
