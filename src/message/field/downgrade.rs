//! Fields that 7 bits cannot carry under their name (rule H9).

use super::draft::Draft;
use super::renamed::DOWNGRADED;
use super::text::write_whole_text;
use crate::{Code, Span};

/// Renames a field that 7 bits cannot carry, and writes its value as text in encoded-words (RFC 6857,
/// 3.1.10).
pub(super) fn rename(draft: &mut Draft<'_>) {
    let field = draft.field;
    let name = String::from_utf8_lossy(field.name()).into_owned();
    let span = Span::new(0, field.raw.len());
    draft.items.clear();
    draft.changed = true;
    draft.name = Some([DOWNGRADED, field.name()].concat());
    draft.report(Code::FieldDowngraded, span, || name);
    write_whole_text(draft);
}
