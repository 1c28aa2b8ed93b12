//! The issues of one entity, as far as reading it shows them.

use super::part::Part;
use crate::ascii::is_fws;
use crate::facts::field::{Field, HeaderEnd, Shape};
use crate::report::Tally;
use crate::{Code, Issue, Span};

impl<'m> Part<'m> {
    /// Returns what is odd about this entity's header and content, with spans in the input: lines
    /// that are not fields, and what was met while text, transfer encoding and charset were
    /// decoded. What else a normal form would change says `MessageIssues` of the crate sevenbit.
    ///
    /// ```
    /// let message = sevenbit::Message::parse(b"Subject: caf\xe9\r\n\r\nna\xefve\r\n");
    /// let codes: Vec<_> = message.root().issues().iter().map(|issue| (issue.code().as_str(), issue.span().start)).collect();
    /// assert_eq!(codes, [("raw-header-text", 9), ("charset-guessed", 9), ("charset-guessed", 17)]);
    /// ```
    pub fn issues(&self) -> Vec<Issue> {
        let mut issues = self.header_issues();
        issues.extend(self.content_issues());
        issues
    }

    fn header_issues(&self) -> Vec<Issue> {
        let entity = self.entity();
        let mut issues: Vec<Issue> =
            self.tree.fields_of(entity).iter().flat_map(|field| self.field_issues(field)).collect();
        if entity.section.end != HeaderEnd::EmptyLine && !self.source().is_empty() {
            let end = entity.section.fields_end;
            issues.push(Issue::new(Code::HeaderNotEnded, Span::new(end, end)));
        }
        let part = self.header_path();
        issues.into_iter().map(|issue| self.in_message(issue).in_part(part.clone())).collect()
    }

    /// Returns what is odd about a field, with spans in its source.
    fn field_issues(&self, field: &Field) -> Vec<Issue> {
        let whole = Span::from(field.span.clone());
        let of_line = match field.shape {
            Shape::Field => None,
            Shape::LostFold => Some(Code::FoldRestored),
            Shape::Unparsed => Some(Code::UnparsedLine),
            Shape::FromLine => Some(Code::FromLineDropped),
            Shape::Mark => Some(Code::ByteOrderMarkDropped),
            Shape::PastLimit => Some(Code::HeaderTooLarge),
            Shape::Blank => Some(Code::LeadingSpaceDropped),
        };
        let mut issues: Vec<Issue> =
            of_line.map(|code| Issue::new(code, whole)).into_iter().collect();
        if field.is_field() {
            let value = field.value_of(self.source());
            let begins = field.value + value.iter().take_while(|&&octet| is_fws(octet)).count();
            let found = self.field_text(field).into_parts().1;
            issues.extend(found.into_iter().map(|issue| {
                let span = issue.span().shifted(begins);
                issue.at(span)
            }));
        }
        issues
    }

    fn content_issues(&self) -> Vec<Issue> {
        if !self.is_leaf() {
            return Vec::new();
        }
        let body = self.entity().body.clone();
        let mut tally = Tally::default();
        self.octets_noting(&mut tally);
        let of_body = tally.into_issues().into_iter().map(|issue| {
            // Content stored with LF was decoded with CR LF, which is longer.
            let span = issue.span().shifted(body.start);
            issue.at(Span::new(span.start.min(body.end), span.end.min(body.end)))
        });
        let of_text = self.decoded().map(|decoded| decoded.into_parts().1).unwrap_or_default();
        let of_text = of_text.into_iter().map(|issue| issue.at(Span::from(body.clone())));
        let path = self.path();
        of_body.chain(of_text).map(|issue| self.in_message(issue).in_part(path.clone())).collect()
    }

    /// Moves an issue from the entity's source to the message.
    fn in_message(&self, issue: Issue) -> Issue {
        let span = self.tree.span_in_message(self.entity().source, issue.span().into());
        issue.at(span.into())
    }
}

#[cfg(test)]
mod tests {
    use crate::Message;

    fn issues(mail: &[u8]) -> Vec<String> {
        let message = Message::parse(mail);
        let issues = message.parts().flat_map(|part| part.issues());
        issues
            .map(|issue| format!("{} {:?} {}", issue.part(), issue.span(), issue.code()))
            .collect()
    }

    /// The documentation promises it, but only the content used to be examined.
    #[test]
    fn the_header_is_looked_at() {
        let mail = b"From ada@example.org Mon Mar  3 10:00:00 2025\n\
            Subject: =?utf-8?Q?caf=E9?=\n\
            stray\n\
            Content-Type: multipart/mixed; boundary=b\n\n\
            --b\n\
            Content-Description: caf\xe9\n\n\
            na\xefve\n\
            --b--\n";
        let found = issues(mail);
        let codes: Vec<_> = found.iter().map(|issue| issue.as_str()).collect();
        assert_eq!(
            codes,
            [
                "0 Span { start: 0, end: 46 } from-line-dropped",
                "0 Span { start: 55, end: 73 } charset-label-lies",
                "0 Span { start: 55, end: 73 } raw-header-text",
                "0 Span { start: 55, end: 73 } charset-guessed",
                "0 Span { start: 74, end: 80 } unparsed-line",
                "1 Span { start: 148, end: 152 } raw-header-text",
                "1 Span { start: 148, end: 152 } charset-guessed",
                "1 Span { start: 154, end: 159 } charset-guessed",
            ]
        );
    }

    #[test]
    fn spans_in_what_had_to_be_decoded_are_those_of_its_body() {
        let mail =
            b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
            Subject: caf=E9\r\n\r\nbody\r\n";
        let span = "1.0 Span { start: 77, end: 102 }";
        assert_eq!(
            issues(mail),
            [format!("{span} raw-header-text"), format!("{span} charset-guessed")]
        );
    }
}
