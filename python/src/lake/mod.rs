//! Archives as tables, for `sevenbit.lake` and, on top of it, Spark.

mod column;
mod looks;
mod row;
mod rows;
mod source;

// The command's own, so that both find the same messages in a damaged file.
use sevenbit_store::{members, packed};

pub use rows::{Rows, columns_of, quote_mbox};
