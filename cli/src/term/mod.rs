//! Everything that a person sees: colours, messages, numbers in words, progress, and the only way
//! for text of unknown origin to a terminal.

mod console;
mod numbers;
mod progress;
mod safe;
pub mod style;
mod wrap;

pub use console::Console;
pub use numbers::{grouped, plural, rate, seconds, size};
pub use progress::Progress;
pub use safe::{safe_line, safe_text, unsafe_char};
pub use wrap::{COLUMNS, columns, rows};
