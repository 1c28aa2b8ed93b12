//! The few colours.

use anstyle::{AnsiColor, Style};
use sevenbit::Severity;

/// Names of things.
pub const STRONG: Style = Style::new().bold();
/// Less important text.
pub const FAINT: Style = Style::new().dimmed();
/// Labels of rows.
pub const LABEL: Style = AnsiColor::Cyan.on_default();
/// Failures.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Repairs.
pub const ODD: Style = AnsiColor::Yellow.on_default();

/// The colour of an issue.
pub const fn of(severity: Severity) -> Style {
    match severity {
        Severity::Note => FAINT,
        Severity::Repair => ODD,
        Severity::Loss => BAD,
        _ => ODD,
    }
}
