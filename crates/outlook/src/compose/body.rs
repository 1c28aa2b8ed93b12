//! The bodies of a message: plain text, HTML, RTF, as alternatives of each other.

use std::collections::HashSet;

use memchr::memmem;

use super::Source;
use super::calendar;
use super::mime::Part;
use crate::model::Value;
use crate::rtf::Rtf;
use crate::tags;

pub(super) struct Bodies {
    text: Option<String>,
    html: Option<Html>,
    /// The RTF, if it is more than the text, and not HTML.
    has_rtf: bool,
    /// The ids and places that the HTML names, in lower case.
    cited: HashSet<String>,
}

enum Html {
    Text(String),
    Octets { charset: &'static str, octets: Vec<u8> },
}

impl Bodies {
    pub(super) fn of(source: &Source<'_>) -> Self {
        let rtf =
            source.rtf.as_deref().map(|rtf| Rtf::read(rtf, &source.characters)).unwrap_or_default();
        let text = source.text(tags::BODY);
        let has_rtf = rtf.html.is_none() && rtf.text.is_some() && !rtf.is_of_text;

        let html = html(source).or(rtf.html.map(Html::Text));
        let cited = match &html {
            Some(Html::Text(html)) => cited_in(html.as_bytes()),
            Some(Html::Octets { octets, .. }) => cited_in(octets),
            None => HashSet::new(),
        };
        Self { text: text.or(rtf.text), html, has_rtf, cited }
    }

    /// Returns the bodies, with a text if there is none.
    pub(super) fn or_text(mut self, text: Option<String>) -> Self {
        if self.html.is_none() {
            self.text = self.text.or(text);
        }
        self
    }

    /// Returns whether the HTML shows what has one of these names.
    pub(super) fn shows(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.cited.contains(name))
    }

    /// Returns the RTF as a file, if it has what no other body has.
    pub(super) fn rtf_file(&self, source: &Source<'_>) -> Option<Part> {
        if !self.has_rtf || self.html.is_some() {
            return None;
        }
        let rtf = source.rtf.as_deref()?;
        let mut part = Part::octets("application/rtf", rtf);
        part.add("Content-Disposition", "attachment; filename=\"message.rtf\"");
        Some(part)
    }

    /// Returns the bodies as one part, with what the HTML shows.
    pub(super) fn into_part(self, source: &Source<'_>, shown: Vec<Part>) -> Part {
        let mut alternatives: Vec<Part> =
            self.text.iter().map(|text| Part::text("plain", text)).collect();
        alternatives.extend(self.html.map(|html| match html {
            Html::Text(html) => Part::text("html", &html),
            Html::Octets { charset, octets } => {
                Part::octets(&format!("text/html; charset={charset}"), &octets)
            }
        }));
        alternatives.extend(calendar::part(source));

        let body = if alternatives.len() > 1 {
            Part::multipart("alternative", alternatives)
        } else {
            alternatives.pop().unwrap_or_else(|| Part::text("plain", ""))
        };
        if shown.is_empty() {
            return body;
        }
        Part::multipart("related", [body].into_iter().chain(shown).collect())
    }
}

/// Returns the HTML that a message keeps as such.
fn html(source: &Source<'_>) -> Option<Html> {
    let properties = &source.message.properties;
    match properties.get(tags::BODY_HTML)? {
        Value::Binary(octets) if octets.trim_ascii().is_empty() => None,
        Value::Binary(octets) => {
            let octets = without_nuls(octets);
            let charset = source.characters.charset_of_html(&octets, properties);
            if charset != "UTF-8" {
                return Some(Html::Octets { charset, octets });
            }
            let text =
                String::from_utf8_lossy(octets.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&octets))
                    .into_owned();
            Some(Html::Text(text))
        }
        value => {
            source.characters.text_of(value).filter(|html| !html.trim().is_empty()).map(Html::Text)
        }
    }
}

/// Returns octets without the NULs that end them, unless they are part of characters of two octets.
fn without_nuls(octets: &[u8]) -> Vec<u8> {
    let is_wide = octets.starts_with(b"\xff\xfe") || octets.starts_with(b"\xfe\xff");
    let nuls = octets.iter().rev().take_while(|octet| **octet == 0).count();
    octets[..octets.len() - if is_wide { 0 } else { nuls }].to_vec()
}

/// Returns what `cid:`, `src=` and `background=` name, in lower case.
fn cited_in(html: &[u8]) -> HashSet<String> {
    const BEFORE: [&[u8]; 3] = [b"cid:", b"src=", b"background="];
    const MAX: usize = 1024;
    let html = html.to_ascii_lowercase();
    let mut cited = HashSet::new();
    for before in BEFORE {
        for at in memmem::find_iter(&html, before) {
            let value = &html[at + before.len()..];
            let value = &value[..value.len().min(MAX)];
            let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value);
            let length = value.iter().take_while(|octet| !b"\"'> )\r\n\t".contains(octet)).count();
            cited.insert(String::from_utf8_lossy(&value[..length]).into_owned());
        }
    }
    cited
}
