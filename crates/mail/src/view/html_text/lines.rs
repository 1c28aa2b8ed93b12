//! Lines of text as they are laid out.

use super::Start;
use super::element::{Element, ElementKind};

/// How deep quotations and lists are shown.
const MAX_DEPTH: usize = 20;

/// The most line ends in a row, unless they are preformatted and not quoted: two empty lines.
const MOST_BREAKS: usize = 3;

/// The text between two cells on one line.
const BETWEEN_CELLS: &str = " | ";

/// Text that becomes lines. White space, line ends and what stands before a line are written only
/// once text follows them.
#[derive(Default)]
pub(super) struct Lines {
    out: String,
    /// How many line ends there are before the next text.
    breaks: usize,
    /// Whether white space is before the next text.
    space: bool,
    /// Whether another cell of the row is before the next text.
    cell: bool,
    /// How deep the next text is quoted, and how deep the lines between it and the last one are.
    quoted: usize,
    quoted_between: usize,
    /// The numbers of the items to come in the lists that are open; `None` without numbers.
    lists: Vec<Option<usize>>,
    /// The marker before the next line, if it begins an item.
    marker: Option<String>,
    preformatted: usize,
    /// Whether the next text is the first of a preformatted element, where a line end counts for
    /// nothing.
    begins_preformatted: bool,
    link: Option<Link>,
}

struct Link {
    address: String,
    /// Where its text begins, once there is any.
    start: Option<usize>,
}

impl Lines {
    pub(super) fn with_capacity(octets: usize) -> Self {
        Self { out: String::with_capacity(octets), ..Self::default() }
    }

    /// Returns the text, the last line with its line end.
    pub(super) fn finish(mut self) -> String {
        self.close_link();
        self.out.truncate(self.out.trim_end().len());
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    pub(super) fn start(&mut self, element: Element, Start { href, alt, first, .. }: &Start) {
        self.break_lines(self.breaks_of(element));
        self.begins_preformatted = false;
        match element.kind {
            ElementKind::Break => self.line_break(),
            ElementKind::Rule => self.rule(),
            ElementKind::Image if !alt.trim().is_empty() => {
                self.text("[");
                self.text(alt.trim());
                self.text("]");
            }
            ElementKind::Link => {
                self.close_link();
                self.link = leads(href).then(|| Link { address: href.clone(), start: None });
            }
            ElementKind::Quotation => self.quoted += 1,
            ElementKind::Preformatted => {
                (self.preformatted, self.begins_preformatted) = (self.preformatted + 1, true)
            }
            ElementKind::List => self.lists.push(None),
            ElementKind::NumberedList => self.lists.push(Some(first.unwrap_or(1))),
            ElementKind::Item => {
                if let (Some(Some(next)), Some(number)) = (self.lists.last_mut(), first) {
                    *next = *number;
                }
                self.marker = Some(self.next_marker());
            }
            ElementKind::Row => self.cell = false,
            ElementKind::Cell => self.cell = self.breaks == 0 && !self.out.is_empty(),
            ElementKind::Plain | ElementKind::Code | ElementKind::Image | ElementKind::Input => {}
        }
    }

    pub(super) fn end(&mut self, element: Element) {
        match element.kind {
            ElementKind::Link => self.close_link(),
            ElementKind::Quotation => self.quoted = self.quoted.saturating_sub(1),
            ElementKind::Preformatted => self.preformatted = self.preformatted.saturating_sub(1),
            ElementKind::List | ElementKind::NumberedList => _ = self.lists.pop(),
            ElementKind::Item => self.marker = None,
            // `</br>` is read as `<br>`.
            ElementKind::Break => self.line_break(),
            _ => {}
        }
        self.break_lines(self.breaks_of(element));
    }

    /// Returns the line ends around an element: around a list that is in no other there is an empty
    /// line.
    fn breaks_of(&self, element: Element) -> usize {
        match element.kind {
            ElementKind::List | ElementKind::NumberedList if self.lists.is_empty() => 2,
            _ => element.breaks,
        }
    }

    /// Takes text; runs of white space are one space, unless it is preformatted.
    pub(super) fn text(&mut self, text: &str) {
        if self.preformatted > 0 {
            return self.preformatted_text(text);
        }
        let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c');
        self.space |= text.starts_with(is_space);
        for word in text.split(is_space).filter(|word| !word.is_empty()) {
            if self.holds_place(word) {
                continue;
            }
            self.begin();
            push_word(&mut self.out, word);
            self.space = true;
        }
        self.space &= text.ends_with(is_space) || text.is_empty();
    }

    /// Takes spaces that do not break at the start of a line or a cell: they only keep it from
    /// being closed up. A line of them is an empty line. Among them, senders put characters that
    /// are not shown, so that a list of messages shows no more than their first words.
    fn holds_place(&mut self, word: &str) -> bool {
        let is_first = self.breaks > 0 || self.cell || self.out.is_empty();
        let is_unseen = |c: char| {
            matches!(c, '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200c}' | '\u{2007}' | '\u{feff}')
        };
        if word.chars().all(|c| c == '\u{a0}' || is_unseen(c)) && word.contains(is_unseen) {
            return true;
        }
        let holds = is_first && word.chars().all(|c| c == '\u{a0}');
        if holds && self.breaks == 1 {
            self.line_break();
        }
        holds
    }

    fn preformatted_text(&mut self, mut text: &str) {
        if std::mem::take(&mut self.begins_preformatted) {
            text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
        }
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.line_break();
            }
            let line = line.trim_end_matches('\r');
            if !line.is_empty() {
                self.space = false;
                self.begin();
                push_word(&mut self.out, line);
            }
        }
    }

    /// Writes what is before text that follows.
    fn begin(&mut self) {
        let quoted = self.quoted.min(MAX_DEPTH);
        if self.breaks > 0 || self.out.is_empty() {
            let between = self.quoted_between.min(quoted);
            for at in 0..if self.out.is_empty() { 0 } else { self.breaks } {
                self.out.push('\n');
                if at + 1 < self.breaks {
                    self.out.extend(std::iter::repeat_n('>', between));
                }
            }
            self.out.extend(std::iter::repeat_n('>', quoted));
            self.out.push_str(if quoted > 0 { " " } else { "" });
            self.indent();
        } else if std::mem::take(&mut self.cell) {
            self.out.push_str(BETWEEN_CELLS);
        } else if self.space && !self.out.ends_with([' ', '[']) {
            self.out.push(' ');
        }
        (self.breaks, self.space, self.cell) = (0, false, false);
        self.quoted_between = quoted;
        if let Some(link) = &mut self.link {
            link.start.get_or_insert(self.out.len());
        }
    }

    fn indent(&mut self) {
        let depth = self.lists.len().min(MAX_DEPTH);
        let marker = self.marker.take();
        let indent = 2 * if marker.is_some() { depth.saturating_sub(1) } else { depth };
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(&marker.unwrap_or_default());
    }

    fn next_marker(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ => String::from("* "),
        }
    }

    fn break_lines(&mut self, breaks: usize) {
        if breaks > 0 {
            self.quoted_between = self.quoted_between.min(self.quoted);
            (self.breaks, self.space) = (self.breaks.max(breaks), false);
        }
    }

    /// Ends the line; if it is empty, it stays as an empty line.
    fn line_break(&mut self) {
        self.quoted_between = self.quoted_between.min(self.quoted);
        // In a quotation an empty line has its marks: many would be longer than what they are made
        // of.
        let most = if self.preformatted > 0 && self.quoted == 0 { usize::MAX } else { MOST_BREAKS };
        (self.breaks, self.space) = ((self.breaks + 1).min(most), false);
    }

    fn rule(&mut self) {
        self.text("---");
        self.break_lines(1);
    }

    /// Writes the address of a link after its text.
    fn close_link(&mut self) {
        let Some(Link { address, start: Some(start) }) = self.link.take() else { return };
        let said = self.out[start..].trim();
        let bare = |address: &str| {
            let rest = ["https://", "http://", "mailto:", "tel:"]
                .iter()
                .find_map(|scheme| address.strip_prefix(scheme));
            rest.unwrap_or(address).trim_end_matches('/').to_owned()
        };
        if !said.is_empty() && bare(said) != bare(&address) {
            self.out.push_str(" <");
            self.out.push_str(&address);
            self.out.push('>');
        }
    }
}

/// Writes a word with spaces that do not break as spaces.
fn push_word(out: &mut String, word: &str) {
    let mut pieces = word.split('\u{a0}');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        out.push(' ');
        out.push_str(piece);
    }
}

/// Returns whether an address leads anywhere outside the message.
fn leads(address: &str) -> bool {
    let schemes = ["http:", "https:", "mailto:", "ftp:", "tel:"];
    let is_one = |scheme: &&str| {
        address.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    };
    schemes.iter().any(is_one)
}
