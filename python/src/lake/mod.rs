//! Archives as tables, for `sevenbit.lake` and, on top of it, Spark.

mod column;
mod looks;
mod row;
mod rows;
mod source;

// The command's own, so that both find the same messages in a damaged file.
#[path = "../../../cli/src/input/bounded.rs"]
mod bounded;
#[path = "../../../cli/src/input/members.rs"]
mod members;
#[allow(dead_code, reason = "the command also asks what a name says, and looks on")]
#[path = "../../../cli/src/input/packed.rs"]
mod packed;

pub use rows::{Rows, columns_of, quote_mbox};
