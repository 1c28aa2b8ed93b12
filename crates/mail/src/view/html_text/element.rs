//! The effect of the elements of HTML on lines of text.

/// An element, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) kind: ElementKind,
    /// How many line ends there are at least before it and after it.
    pub(super) breaks: usize,
}

/// The effect of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    /// Nothing but its line ends.
    Plain,
    /// Not for readers: scripts, styles, the title of a window.
    Code,
    Break,
    Rule,
    Image,
    Input,
    Link,
    Quotation,
    List,
    NumberedList,
    Item,
    Row,
    Cell,
    Preformatted,
}

impl Element {
    pub(super) fn of(name: &[u8]) -> Self {
        use ElementKind::*;
        let (kind, breaks) = match name {
            b"a" => (Link, 0),
            b"br" => (Break, 0),
            b"img" => (Image, 0),
            b"input" | b"col" | b"wbr" | b"meta" | b"link" | b"base" => (Input, 0),
            b"td" | b"th" => (Cell, 0),
            b"tr" => (Row, 1),
            b"li" => (Item, 1),
            b"ul" | b"menu" | b"dir" => (List, 1),
            b"ol" => (NumberedList, 1),
            b"hr" => (Rule, 1),
            b"blockquote" => (Quotation, 2),
            b"pre" | b"listing" | b"xmp" | b"textarea" => (Preformatted, 2),
            b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"dl" | b"figure" => (Plain, 2),
            b"div" | b"table" | b"tbody" | b"thead" | b"tfoot" | b"caption" | b"dt" | b"dd"
            | b"address" | b"article" | b"aside" | b"section" | b"header" | b"footer" | b"main"
            | b"nav" | b"center" | b"form" | b"fieldset" | b"legend" | b"figcaption" | b"body"
            | b"html" | b"option" | b"optgroup" | b"select" | b"button" | b"details"
            | b"summary" => (Plain, 1),
            b"datalist" | b"script" | b"style" | b"title" | b"template" | b"iframe"
            | b"noframes" | b"noembed" | b"svg" => (Code, 0),
            _ => (Plain, 0),
        };
        Self { kind, breaks }
    }

    /// Returns whether it has no content, and no end tag.
    pub(super) fn is_void(self) -> bool {
        matches!(
            self.kind,
            ElementKind::Break | ElementKind::Rule | ElementKind::Image | ElementKind::Input
        )
    }
}
