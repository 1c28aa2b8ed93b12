//! Facts about the body of a leaf that rules may ask for. Each is determined once, when it is asked
//! for, and how much had to be known is recorded: a message in which the middles of attachments are
//! left out can be judged if nothing asked what they decode to.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::Range;

use memchr::memchr_iter;

use crate::Charset;
use crate::ascii::trim_fws;
use crate::codec::crlf_to_lf::with_lf;
use crate::codec::quoted_printable::{self, LineStarts};
use crate::facts::content::Content;
use crate::facts::line_ends::lines;
use crate::message::plan::boundaries::starts_to_avoid;
use crate::message::plan::context::Context;
use crate::message::policy::{Policy, Zone};

use crate::facts::tree::{Entity, Kind, Leaf};
use crate::report::Tally;
use crate::transfer::{LineEnds, Survey, TransferEncoding, decode, has_bare_line_end};

/// The basis of a verdict about a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::message) enum Basis {
    /// Its header alone.
    #[default]
    Header,
    /// A survey of its octets, line by line: which kinds there are, how long its lines are, whether
    /// each is valid in its transfer encoding. Lines of whole base64 quads among others like them
    /// do not change any of it.
    Survey,
    /// The meaning of its octets.
    Content,
}

/// The body of a leaf.
pub(super) struct Body<'c, 'a> {
    pub(super) ctx: &'c Context<'c, 'a>,
    pub(super) index: usize,
    pub(super) entity: &'c Entity,
    pub(super) content: &'c Content,
    /// The media type that it is judged as.
    pub(super) media_type: &'c str,
    basis: Cell<Basis>,
    survey: OnceCell<Survey>,
    starts_to_avoid: OnceCell<LineStarts>,
}

impl<'c, 'a> Body<'c, 'a> {
    pub(super) fn new(ctx: &'c Context<'c, 'a>, index: usize) -> Self {
        let entity = ctx.entity(index);
        // The scanner may have decoded what was to be a multipart or a message.
        let meant_as_leaf =
            matches!(entity.kind, Kind::Leaf(Leaf::Simple)) && !entity.content.is_typed_by_octets;
        Self {
            ctx,
            index,
            entity,
            content: &entity.content,
            media_type: entity.content.media_type(),
            basis: Cell::new(if meant_as_leaf { Basis::Header } else { Basis::Content }),
            survey: OnceCell::new(),
            starts_to_avoid: OnceCell::new(),
        }
    }

    /// Returns this body, to be judged as `text/plain`.
    pub(super) fn as_plain_text(&self) -> Self {
        Self { media_type: "text/plain", ..Self::new(self.ctx, self.index) }
    }

    /// Returns what had to be known so far.
    pub(super) fn basis(&self) -> Basis {
        self.basis.get()
    }

    /// Returns where it is in its source.
    pub(super) fn range(&self) -> Range<usize> {
        self.entity.body.clone()
    }

    /// Returns whether it is not looked into, so that its octets are what it holds.
    pub(super) fn is_too_long(&self) -> bool {
        matches!(self.entity.kind, Kind::Leaf(Leaf::TooLong))
    }

    pub(super) fn encoding(&self) -> TransferEncoding {
        if self.is_too_long() { TransferEncoding::Binary } else { self.content.encoding }
    }

    pub(super) fn policy(&self) -> &Policy {
        self.ctx.policy(self.index)
    }

    /// Returns whether it is neither signed nor encrypted.
    pub(super) fn is_free(&self) -> bool {
        self.ctx.is_free(self.index)
    }

    /// Returns whether it is signed and cannot stay.
    pub(super) fn is_signed(&self) -> bool {
        self.ctx.zone(self.index) == Zone::Signed
    }

    /// Returns whether its lines end with LF alone.
    pub(super) fn is_stored_with_lf(&self) -> bool {
        self.ctx.source(self.index).line_ends != LineEnds::Crlf
    }

    /// Returns the charset label, empty if there is none.
    pub(super) fn label(&self) -> &'c str {
        self.content.charset_label().unwrap_or_default()
    }

    /// Returns whether its octets, not encoded, are cut into other lines than its text: in UTF-16,
    /// for example.
    pub(super) fn octet_lines_differ(&self) -> bool {
        self.charset().is_some_and(|charset| {
            !charset.has_line_ends()
                || charset.is_stateful()
                    && self.survey().bare_cr
                    && differ_in_lines(self.octets(), charset)
        })
    }

    /// Returns whether its octets, not encoded, may be in UTF-16 or UTF-32.
    pub(super) fn may_be_wide(&self) -> bool {
        self.survey().nul || self.raw().first().is_some_and(|&first| first >= 0xFE)
    }

    /// Returns whether its decoded octets are cut into other lines than its text.
    pub(super) fn octet_lines_differ_in(&self, content: &[u8]) -> bool {
        self.charset().is_some_and(|charset| differ_in_lines(content, charset))
    }

    /// Returns the charset it is labelled with.
    fn charset(&self) -> Option<Charset> {
        self.content
            .charset_label()
            .and_then(Charset::for_label_lenient)
            .map(|(charset, _)| charset)
    }

    /// Returns a survey of its octets, with the line ends of its source.
    pub(super) fn survey(&self) -> Survey {
        self.surveyed();
        *self.survey.get_or_init(|| self.ctx.survey(self.index, self.range()))
    }

    /// Returns whether its lines are 7-bit safe; line ends are mended while copying.
    pub(super) fn has_safe_lines(&self) -> bool {
        match self.survey() {
            Survey { bare_lf: true, .. } => {
                self.ctx.source(self.index).has_safe_lines(self.range())
            }
            survey => survey.has_safe_lines(),
        }
    }

    /// Returns whether it contains a CR that does not end a line: for readers that take it for
    /// data, it is data.
    pub(super) fn has_bare_cr(&self) -> bool {
        self.ctx.source(self.index).has_bare_line_ends() && self.survey().bare_cr
    }

    /// Returns whether it contains a CR or LF that is not half of a CR LF.
    pub(super) fn has_bare_line_end(&self) -> bool {
        self.surveyed().ctx.source(self.index).has_bare_line_ends() && has_bare_line_end(self.raw())
    }

    /// Returns whether it is quoted-printable with line ends of which only half is encoded.
    pub(super) fn has_half_encoded_line_ends(&self) -> bool {
        self.encoding() == TransferEncoding::QuotedPrintable
            && quoted_printable::has_half_encoded_line_ends(self.surveyed().raw())
    }

    /// Returns whether it is quoted-printable with a CR alone that would end a line if it were
    /// written, but is data to the charset.
    pub(super) fn has_cr_as_data(&self) -> bool {
        self.encoding() == TransferEncoding::QuotedPrintable
            && self.survey().bare_cr
            && self.octet_lines_differ_in(&self.decoded(&mut Tally::default()))
    }

    /// Returns whether it is exactly in its transfer encoding.
    pub(super) fn is_well_encoded(&self) -> bool {
        self.encoding().is_clean(self.surveyed().raw())
    }

    /// Returns whether every reader decodes it alike.
    pub(super) fn is_read_alike(&self) -> bool {
        self.encoding().is_unambiguous(self.surveyed().raw())
    }

    pub(super) fn is_ascii(&self) -> bool {
        self.surveyed().ctx.source(self.index).is_ascii(self.range())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entity.body.is_empty()
    }

    /// Returns whether a newline that is added on the way must stay outside of it: it ends the
    /// message, in base64.
    pub(super) fn is_closed(&self) -> bool {
        self.encoding() == TransferEncoding::Base64
            && self.entity.body.end == self.ctx.octets(self.index).len()
            && self.ctx.multiparts_around(self.index).next().is_none()
    }

    /// Returns whether it contains only white space.
    pub(super) fn is_blank(&self) -> bool {
        trim_fws(self.surveyed().raw()).is_empty()
    }

    /// Returns what its lines must not begin with if it is rewritten.
    pub(super) fn starts_to_avoid(&self) -> &LineStarts {
        self.starts_to_avoid.get_or_init(|| starts_to_avoid(self.ctx, self.index))
    }

    /// Returns its octets as they are, for rewriting them.
    pub(super) fn octets(&self) -> &'c [u8] {
        self.basis.set(Basis::Content);
        self.raw()
    }

    /// Returns its octets without the transfer encoding.
    pub(super) fn decoded(&self, tally: &mut Tally) -> Cow<'c, [u8]> {
        decode(self.encoding(), self.octets(), tally)
    }

    /// Returns its octets with the line ends that they are given: UTF-16 without a label is guessed
    /// from what a later run will see.
    pub(super) fn as_it_will_be<'o>(&self, octets: Cow<'o, [u8]>) -> Cow<'o, [u8]> {
        if self.content.has_identity_encoding() && self.may_be_wide() {
            lines(octets)
        } else {
            octets
        }
    }

    fn raw(&self) -> &'c [u8] {
        self.ctx.body(self.index)
    }

    fn surveyed(&self) -> &Self {
        self.basis.set(self.basis.get().max(Basis::Survey));
        self
    }
}

/// Returns whether octets and the text in them differ in lines: CR LF is not a line end in the
/// charset, such as UTF-16, or shifts that are no text come between a CR and an LF, which end one
/// line of the text.
fn differ_in_lines(octets: &[u8], charset: Charset) -> bool {
    let text = |octets: &[u8]| with_lf(charset.read(octets).into_text()).into_owned();
    let is_bare = |at: usize| octets.get(at + 1).is_some_and(|&next| next != b'\n');
    !charset.has_line_ends()
        || charset.is_stateful()
            && memchr_iter(b'\r', octets).any(is_bare)
            && text(octets) != text(&lines(Cow::Borrowed(octets)))
}
