//! Addr-specs (rule H8): octet for octet where 7 bits carry them, the domain in A-labels where that helps.

use std::borrow::Cow;

use super::FieldRules;
use super::draft::{Draft, Pass};
use super::phrase::fits;
use crate::ascii::is_fws;
use crate::decode::{RawCharset, addr_spec, raw_text, raw_text_in};
use crate::encode::{Octets, Place, Run};
use crate::issue::Tally;
use crate::syntax::address::{Role, Token, TokenKind};
use crate::{Code, Span};

/// What becomes of an addr-spec.
#[derive(Debug)]
pub(super) enum Spec<'v> {
    /// It stays, with what stands around it in the brackets.
    Keep,
    /// It is written like this, without the white space and comments in it, as an angle or bare.
    Write(Cow<'v, [u8]>, Role),
    /// It is folded behind the `@`, to keep what looks like an encoded-word off a long line.
    Fold(Vec<u8>, Vec<u8>, Role),
    /// 7 bits cannot carry it.
    Beyond,
}

impl FieldRules {
    /// What becomes of the addr-spec that `address` holds.
    pub(super) fn spec<'v>(
        &self,
        value: &'v [u8],
        address: &[Token],
        span: Span,
        draft: &mut Draft<'_>,
    ) -> Spec<'v> {
        let octets = &value[span.start..span.end];
        let role = if octets.first() == Some(&b'<') { Role::Angle } else { Role::Bare };
        if draft.pass == Pass::Write && address.iter().any(is_stray) {
            return Spec::Beyond;
        }
        let open = role == Role::Angle && octets.last() != Some(&b'>') && draft.pass == Pass::Write;
        let fits_here = draft.pass == Pass::Look || fits(octets);
        if octets.iter().all(|&o| is_fws(o) || is_plain(o)) && fits_here && !open {
            return Spec::Keep;
        }
        let spec = addr_spec(value, address);
        if spec.iter().all(|&o| is_plain(o)) && fits(&spec) {
            if address.iter().any(|token| token.kind == TokenKind::Comment) {
                draft.tally.note(Code::RawHeaderText, span);
            }
            return Spec::Write(spec, role);
        }
        match self.ascii_domain(&spec, span) {
            Some(spec) if fits(&spec) => {
                draft.tally.note(Code::DomainToAscii, span);
                Spec::Write(spec.into(), role)
            }
            _ => folded(&spec, role).unwrap_or(Spec::Beyond),
        }
    }

    /// An addr-spec as text for encoded-words.
    pub(super) fn address_text<'a>(&self, spec: &[u8], span: Span, tally: &mut Tally) -> Run<'a> {
        let raw = self.raw_text();
        let (label, octets) = match raw.charset(spec) {
            RawCharset::Unknown => {
                let visible = |&o: &u8| if o.is_ascii_control() { b'?' } else { o };
                (Some(Octets::from(b"unknown-8bit")), spec.iter().map(visible).collect::<Vec<u8>>())
            }
            _ => (None, raw_text(spec, span, raw, tally).into_owned().into_bytes()),
        };
        Run { label, octets: octets.into(), place: Place::Phrase }
    }

    /// An addr-spec with its domain in A-labels (UTS 46, non-transitional), if that is all it needs.
    fn ascii_domain(&self, spec: &[u8], span: Span) -> Option<Vec<u8>> {
        let at = spec.iter().rposition(|&o| o == b'@')?;
        let (local, domain) = (&spec[..at], &spec[at + 1..]);
        let local_fine = !local.is_empty() && local.iter().all(|&o| is_plain(o));
        if !local_fine || domain.is_ascii() {
            return None;
        }
        let domain = self.domain_text(domain, span)?;
        let labels = idna::domain_to_ascii_cow(domain.as_bytes(), idna::AsciiDenyList::EMPTY).ok()?;
        let host = |o: u8| o.is_ascii_alphanumeric() || matches!(o, b'-' | b'.' | b'_');
        (!labels.is_empty() && labels.bytes().all(host)).then(|| [local, b"@", labels.as_bytes()].concat())
    }

    /// A domain as text, if its charset is known.
    fn domain_text<'d>(&self, domain: &'d [u8], span: Span) -> Option<Cow<'d, str>> {
        match std::str::from_utf8(domain) {
            // Most are: nothing in it is folded, and no escapes speak of another charset.
            Ok(text) if !domain.iter().any(u8::is_ascii_control) => Some(Cow::Borrowed(text)),
            _ => {
                let charset = self.raw_text().charset(domain);
                let known = charset != RawCharset::Unknown;
                known.then(|| raw_text_in(domain, span, charset, &mut Tally::default()))
            }
        }
    }
}

fn folded(spec: &[u8], role: Role) -> Option<Spec<'static>> {
    let (local, domain) = spec.split_at(spec.iter().rposition(|&o| o == b'@')? + 1);
    let plain = spec.iter().all(|&o| is_plain(o)) && !domain.is_empty() && fits(local) && fits(domain);
    plain.then(|| Spec::Fold(local.to_vec(), domain.to_vec(), role))
}

/// Whether a token of an addr-spec is an opener without its closer, or the like: beside what is written anew
/// it might be read otherwise.
fn is_stray(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Special(b'(' | b')' | b'"' | b'[' | b']' | b'\\'))
}

fn is_plain(octet: u8) -> bool {
    matches!(octet, b' '..=b'~')
}
