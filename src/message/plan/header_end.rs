//! The empty line after a header section (rule G4).

use super::context::Context;
use super::structure::report_bare_line_ends;
use super::verdict::Verdict;
use crate::facts::line_ends::without_line_end;
use crate::message::field::HeaderEnd;
use crate::{Code, Rule};

/// Returns whether some reader sees the header section of an entity end elsewhere, so that
/// signatures over it are broken for that reader.
pub(super) fn is_read_otherwise(ctx: &Context<'_, '_>, index: usize) -> bool {
    let section = &ctx.entity(index).section;
    match section.end {
        HeaderEnd::Text => true,
        HeaderEnd::EmptyLine => {
            !without_line_end(&ctx.octets(index)[section.fields_end..section.body]).is_empty()
        }
        HeaderEnd::EndOfEntity => false,
    }
}

/// Judges the line that ends the header section of an entity.
pub(super) fn judge(ctx: &Context<'_, '_>, verdict: &mut Verdict) {
    let index = verdict.entity;
    let entity = ctx.entity(index);
    let at = entity.section.fields_end;
    report_bare_line_ends(ctx.source(index), entity.start..at, verdict);
    if entity.section.end == HeaderEnd::EmptyLine {
        if is_read_otherwise(ctx, index) {
            // Lines that end in CR CR LF.
            let line = at..entity.section.body;
            verdict.report_header(Code::BareLineEnd, line.clone(), "");
            verdict.replace(line, b"\r\n".as_slice(), Rule::B10, "empty line made plain");
        } else {
            report_bare_line_ends(ctx.source(index), at..entity.section.body, verdict);
        }
    } else if entity.parent.is_some() || !ctx.octets(index).is_empty() {
        verdict.report_header(Code::HeaderNotEnded, at..at, "");
        verdict.replace(at..at, b"\r\n".as_slice(), Rule::G4, "empty line added after the header");
    }
}
