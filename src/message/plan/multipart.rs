//! Structure (rules B8, B9, B11, G6): preambles, delimiters, epilogues, encoded composites.

use std::cmp::Reverse;
use std::ops::Range;

use super::Planner;
use super::dkim::Change;
use super::zones::Zone;
use crate::message::fields::HeaderEnd;
use crate::message::line_ends::without_line_end;
use crate::message::splice::{Place, Replacement, Splice};
use crate::message::tree::{Inner, Multipart};
use crate::transfer::{LineEnds, has_bare_line_end};
use crate::{Code, Rule};

impl Planner<'_, '_> {
    /// Plans what a multipart holds besides its parts.
    pub(super) fn plan_multipart(&mut self, index: usize, multipart: &Multipart) {
        self.plan_composite_encoding(index, &multipart.inner);
        let source = multipart.inner.decoded.unwrap_or(self.entity(index).source);
        let first = multipart.delimiters.first().map_or(multipart.end, |line| line.span.start);
        if !self.tree.sources[source].has_safe_lines(multipart.preamble.clone()) {
            self.drop_text(index, source, multipart.preamble.start..first, Code::PreambleDropped);
        }
        self.report_strays(index, source, multipart.preamble.clone());
        self.plan_delimiters(index, source, multipart);
        match &multipart.epilogue {
            Some(epilogue) if !self.tree.sources[source].has_safe_lines(epilogue.clone()) => {
                self.drop_text(index, source, epilogue.clone(), Code::EpilogueDropped);
            }
            Some(_) => {}
            None => self.close(index, source, multipart),
        }
    }

    /// Delimiter lines: the boundary's new name, and no white space behind it, which some readers take for
    /// part of it.
    fn plan_delimiters(&mut self, index: usize, source: usize, multipart: &Multipart) {
        let renamed = self.decided[index].edits.boundary.clone();
        for line in &multipart.delimiters {
            let boundary = line.span.start + 2..line.span.start + 2 + multipart.boundary.len();
            let dashes = self.tree.sources[source].octets[boundary.end..].starts_with(b"--");
            let mark = boundary.end + if line.close && dashes { 2 } else { 0 };
            if line.close && !dashes {
                self.report(index, Code::CloseDelimiterAdded, self.entity(index).body.clone(), "");
                let with = Replacement::Octets(b"--".into());
                self.replace(index, source, mark..mark, with, Rule::G6, "close delimiter made one");
            }
            if let Some(renamed) = &renamed {
                let with = Replacement::Octets(renamed.clone().into_bytes().into());
                self.replace(index, source, boundary, with, Rule::G6, "boundary renamed");
            }
            let octets = &self.tree.sources[source].octets;
            let padding = mark..mark + without_line_end(&octets[mark..line.span.end]).len();
            if !padding.is_empty() {
                let part = self.tree.section(index);
                self.report_in(source, part, Code::DelimiterPadded, padding.clone(), "");
                self.replace(
                    index,
                    source,
                    padding,
                    Replacement::Octets(b"".into()),
                    Rule::G6,
                    "delimiter made plain",
                );
            }
        }
    }

    /// Reports stray line ends, which are mended while copying.
    fn report_strays(&mut self, index: usize, source: usize, range: Range<usize>) {
        let of = &self.tree.sources[source];
        let may_be = self.line_ends == LineEnds::Crlf && source == 0 && of.has_strays();
        if may_be && has_bare_line_end(&of.octets[range.clone()]) {
            self.report(index, Code::BareLineEnd, range, "");
        }
    }

    /// Puts in the close delimiter that was missing.
    fn close(&mut self, index: usize, source: usize, multipart: &Multipart) {
        let renamed = self.decided[index].edits.boundary.clone().map(String::into_bytes);
        let boundary = renamed.as_ref().unwrap_or(&multipart.boundary);
        let end = multipart.end;
        let mut line = b"\r\n--".to_vec();
        line.extend_from_slice(boundary);
        line.extend_from_slice(b"--");
        // The line end of an outer delimiter ends this line; there is none at the end of the input, and none
        // where that delimiter follows a header at once.
        if !matches!(self.tree.sources[source].octets.get(end), Some(b'\r' | b'\n')) {
            line.extend_from_slice(b"\r\n");
        }
        self.report(index, Code::CloseDelimiterAdded, self.entity(index).body.clone(), "");
        self.splices[source].push(Splice {
            span: end..end,
            with: Replacement::Octets(line.into()),
            rule: Rule::G6,
            reason: "close delimiter added",
            entity: index,
            place: Place::End(Reverse(index)),
        });
    }

    fn drop_text(&mut self, index: usize, source: usize, range: Range<usize>, code: Code) {
        let text = &self.tree.sources[source].octets[range.clone()];
        let shown = String::from_utf8_lossy(&text[..text.len().min(80)]).trim().to_owned();
        let part = self.tree.section(index);
        self.report_in(source, part, code, range.clone(), shown);
        self.replace(
            index,
            source,
            range,
            Replacement::Octets(b"".into()),
            Rule::B8,
            "unsafe text around parts dropped",
        );
    }

    /// Plans a message in a message: it is 7bit, and an encoded one is decoded.
    pub(super) fn plan_message(&mut self, index: usize) {
        let entity = self.entity(index);
        if let Some(inner) = entity.inner() {
            self.plan_composite_encoding(index, inner);
        }
        let global = entity.content.media_type() == "message/global" && !self.body(index).is_ascii();
        if global && self.decided[index].zone == Zone::Free {
            self.decided[index].edits.media_type = Some("message/rfc822");
            self.report(index, Code::GlobalDowngraded, entity.body.clone(), "message/rfc822");
        }
    }

    /// Rules B11 and G6: no encoding on a composite.
    fn plan_composite_encoding(&mut self, index: usize, inner: &Inner) {
        let entity = self.entity(index);
        match inner.decoded {
            None => self.plan_identity_label(index),
            Some(source) => {
                let body = entity.body.clone();
                self.decided[index].edits.encoding = Some(crate::transfer::TransferEncoding::SevenBit);
                self.report(index, Code::CompositeEncoded, body.clone(), entity.content.encoding.name());
                let with = Replacement::Source(source);
                self.replace(index, entity.source, body, with, Rule::B11, "encoded composite decoded");
            }
        }
    }

    /// Rule G4: the empty line behind a header section.
    pub(super) fn plan_header_end(&mut self, index: usize) {
        let entity = self.entity(index);
        self.report_strays(index, entity.source, entity.start..entity.section.fields_end);
        let at = entity.section.fields_end;
        let source = self.source(index);
        if entity.section.end == HeaderEnd::EmptyLine {
            let line = at..entity.section.body;
            if without_line_end(&source[line.clone()]).is_empty() {
                return;
            }
            // Lines that end in CR CR LF.
            self.note_header_end(index);
            self.report_header(index, Code::BareLineEnd, line.clone(), "");
            return self.splice(index, line, b"\r\n".as_slice(), Rule::B10, "empty line made plain");
        }
        if source.is_empty() && entity.parent.is_none() {
            return;
        }
        if entity.section.end == HeaderEnd::Text {
            self.note_header_end(index);
        }
        self.report_header(index, Code::HeaderNotEnded, at..at, "");
        self.splice(index, at..at, b"\r\n".as_slice(), Rule::G4, "empty line added after the header");
    }

    /// Signatures over a header that ends elsewhere than every verifier thinks it does no longer verify.
    fn note_header_end(&mut self, index: usize) {
        if self.may_break_seals(index) {
            self.changes.push(Change { stray: true, ..Change::default() });
        }
    }
}
