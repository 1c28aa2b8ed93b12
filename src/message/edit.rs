//! One edit of a plan, as users of the library see it.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use super::planned::Plan;
use super::splice::{Replacement, Splice};
use crate::transfer::counted;
use crate::{Rule, Span};

/// One edit of a [`Plan`]: which octets of the input are replaced, by what, under which rule, and
/// why.
///
/// ```
/// let plan = sevenbit::Normalizer::new().plan("Subject: \u{e9}\r\n\r\n".as_bytes());
/// let edit = plan.edits().next().unwrap();
/// assert_eq!(edit.span(), sevenbit::Span::new(0, 13));
/// assert_eq!(*edit.replacement(), *b"Subject: =?utf-8?B?w6k=?=\r\n");
/// ```
#[derive(Clone)]
pub struct Edit<'p> {
    plan: &'p Plan<'p>,
    splice: &'p Splice,
    span: Span,
}

impl<'a> Plan<'a> {
    /// Returns the edits, in order and disjoint: none if nothing changes. Line ends that are mended
    /// everywhere are not separate edits.
    pub fn edits(&self) -> impl Iterator<Item = Edit<'_>> {
        self.splices[0].list.iter().map(|splice| Edit {
            plan: self,
            splice,
            span: splice.span.clone().into(),
        })
    }
}

impl<'p> Edit<'p> {
    /// Returns the octets of the input that are replaced; empty for an insertion.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the octets that take their place, with CR LF line ends; empty for a deletion. Those
    /// of a body are generated at each call: [`write_replacement_to`](Self::write_replacement_to)
    /// needs no room for them.
    pub fn replacement(&self) -> Cow<'p, [u8]> {
        if let Replacement::Octets(octets) = &self.splice.with {
            return Cow::Borrowed(octets);
        }
        let mut made = Vec::new();
        self.write_replacement_to(&mut made).expect("writing to memory does not fail");
        Cow::Owned(made)
    }

    /// Writes the octets that take their place and returns their number.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write_replacement_to(&self, output: impl Write) -> io::Result<u64> {
        counted(output, |out| self.plan.spliced().write_replacement(self.splice, 0, out))
    }

    /// Returns the rule by which it is made.
    pub fn rule(&self) -> Rule {
        self.splice.rule
    }

    /// Returns the part it is in (IMAP section, `0` for the message's own header).
    pub fn part(&self) -> Cow<'static, str> {
        let tree = &self.plan.tree;
        let entity = self.splice.entity;
        if self.splice.span.start < tree.entities[entity].section.body {
            tree.header_section(entity)
        } else {
            tree.section(entity)
        }
    }

    /// Returns what is done, in a few words for people.
    pub fn reason(&self) -> &'static str {
        self.splice.reason
    }

    /// Returns this edit moved to `span`, for a message that is part of something larger.
    pub(super) fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }
}

impl fmt::Debug for Edit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit")
            .field("span", &self.span)
            .field("rule", &self.rule())
            .field("part", &self.part())
            .field("reason", &self.reason())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Normalizer, Planned, Signed};

    /// The message is stored with CR, which is read as LF.
    #[test]
    fn a_refused_plan_changes_nothing() {
        let mail = "Subject: caf\u{e9}\rMIME-Version: 1.0\rContent-Type: multipart/signed;\r\
            \tprotocol=\"application/pgp-signature\"; boundary=a\r\r--a\r\rcaf\u{e9}\r\
            --a\rContent-Type: application/pgp-signature\r\r-----BEGIN PGP SIGNATURE-----\r--a--\r";
        let mut plan = Normalizer::new().signed(Signed::Refuse).plan(mail.as_bytes());
        assert!(plan.report().is_refused() && !plan.report().is_changed());
        assert_eq!(plan.edits().count(), 0);
        let (mut out, mut stored) = (Vec::new(), Vec::new());
        Planned::write_to(&mut plan, &mut out).expect("memory");
        plan.write_lf_to(&mut stored).expect("memory");
        assert!(out == mail.as_bytes() && stored == mail.as_bytes());
    }
}
