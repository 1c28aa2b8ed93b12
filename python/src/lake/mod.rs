//! Archives as tables, for `sevenbit.lake` and, on top of it, Spark.

mod column;
mod looks;
mod row;
mod rows;
mod source;

// The command's own, so that both find the same messages in a damaged tar file.
#[cfg_attr(not(test), expect(dead_code, reason = "Python unpacks files itself, and bounds messages instead"))]
#[path = "../../../src/bin/sevenbit/input/bounded.rs"]
mod bounded;
#[path = "../../../src/bin/sevenbit/input/members.rs"]
mod members;

pub use rows::{Rows, columns_of, quote_mbox};
