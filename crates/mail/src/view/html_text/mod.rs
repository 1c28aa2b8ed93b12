//! HTML as text: paragraphs, lists, quotes, tables and links, as a person reads them.
//!
//! The tokens are found by `html5gum` as browsers find them. No tree is built of them: mail is not
//! written so that one could be relied on, and without one no nesting can exhaust the stack, and
//! time stays linear. Nothing is executed, and nothing loaded.

mod element;
mod lines;

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use self::element::{Element, ElementKind};
use self::lines::Lines;

/// Returns the text of an HTML document. What its author hid with `display: none` or `hidden` is
/// left out, unless the hidden element never ends.
///
/// - Links have their address after them, in angle brackets, unless it is what they say.
/// - Images are their alternative text in square brackets.
/// - Quotations have `> ` before each line, items of lists `* ` or their number; cells of a row
///   have ` | ` between them, unless they are on lines of their own.
pub(super) fn html_text(html: &str) -> String {
    let (text, is_whole) = read(html, Hidden::LeftOut);
    if is_whole { text } else { read(html, Hidden::Shown).0 }
}

/// The treatment of hidden elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hidden {
    LeftOut,
    Shown,
}

/// Returns the text, and whether every element that was left out had its end.
fn read(html: &str, hidden: Hidden) -> (String, bool) {
    let mut reader = Reader { hidden, ..Reader::new(html.len()) };
    let handle = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        reader.take(event);
        None
    };
    let mut emitter = CallbackEmitter::new(handle);
    emitter.naively_switch_states(true);
    // Reading from memory does not fail.
    let _ = Tokenizer::new_with_emitter(html, emitter).finish();
    (reader.lines.finish(), reader.left_out.is_none())
}

/// An attribute that matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attribute {
    Href,
    Alt,
    Style,
    Start,
    Other,
}

/// A start tag, as far as it was read.
#[derive(Default)]
struct Start {
    name: Vec<u8>,
    href: String,
    alt: String,
    /// The number of an item, or of the first one of a list.
    first: Option<usize>,
    is_hidden: bool,
}

/// An element whose content is left out: its name, and how many of that name are open.
struct LeftOut {
    name: Vec<u8>,
    open: usize,
}

struct Reader {
    hidden: Hidden,
    lines: Lines,
    start: Start,
    attribute: Attribute,
    left_out: Option<LeftOut>,
}

impl Reader {
    fn new(size: usize) -> Self {
        Self {
            hidden: Hidden::LeftOut,
            lines: Lines::with_capacity(size / 4),
            start: Start::default(),
            attribute: Attribute::Other,
            left_out: None,
        }
    }

    fn take(&mut self, event: CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.start.name.clear();
                self.start.name.extend_from_slice(name);
                self.start.href.clear();
                self.start.alt.clear();
                self.start.first = None;
                self.start.is_hidden = false;
                self.attribute = Attribute::Other;
            }
            CallbackEvent::AttributeName { name } => self.attribute = self.attribute_of(name),
            CallbackEvent::AttributeValue { value } => self.value(value),
            CallbackEvent::CloseStartTag { self_closing } => self.started(self_closing),
            CallbackEvent::EndTag { name } => self.ended(name),
            CallbackEvent::String { value } if self.left_out.is_none() => {
                self.lines.text(&String::from_utf8_lossy(value));
            }
            _ => {}
        }
    }

    fn attribute_of(&mut self, name: &[u8]) -> Attribute {
        self.start.is_hidden |= name == b"hidden";
        match name {
            b"href" => Attribute::Href,
            b"alt" => Attribute::Alt,
            b"style" => Attribute::Style,
            b"start" | b"value" => Attribute::Start,
            _ => Attribute::Other,
        }
    }

    fn value(&mut self, value: &[u8]) {
        match self.attribute {
            Attribute::Href => self.start.href.push_str(String::from_utf8_lossy(value).trim()),
            Attribute::Alt => self.start.alt.push_str(&String::from_utf8_lossy(value)),
            Attribute::Style => self.start.is_hidden |= hides(value),
            Attribute::Start => {
                self.start.first = String::from_utf8_lossy(value)
                    .trim()
                    .parse::<u32>()
                    .ok()
                    .map(|first| first as usize)
            }
            Attribute::Other => {}
        }
    }

    fn started(&mut self, self_closing: bool) {
        let name = &self.start.name[..];
        if let Some(left_out) = &mut self.left_out {
            left_out.open += usize::from(left_out.name == name);
            return;
        }
        let element = Element::of(name);
        let is_hidden = self.start.is_hidden && self.hidden == Hidden::LeftOut;
        if element.kind == ElementKind::Code || is_hidden && !element.is_void() {
            if !(self_closing && name == b"svg") {
                self.left_out = Some(LeftOut { name: name.to_vec(), open: 1 });
            }
        } else if !is_hidden {
            self.lines.start(element, &self.start);
        }
    }

    fn ended(&mut self, name: &[u8]) {
        match &mut self.left_out {
            Some(left_out) if left_out.name == name => {
                left_out.open -= 1;
                if left_out.open == 0 {
                    self.left_out = None;
                }
            }
            Some(_) => {}
            None => self.lines.end(Element::of(name)),
        }
    }
}

/// Returns whether a style hides its element.
fn hides(style: &[u8]) -> bool {
    let mut style = style.to_ascii_lowercase();
    style.retain(|octet| !octet.is_ascii_whitespace());
    [&b"display:none"[..], b"visibility:hidden"]
        .iter()
        .any(|hidden| memchr::memmem::find(&style, hidden).is_some())
}

#[cfg(test)]
mod tests;
