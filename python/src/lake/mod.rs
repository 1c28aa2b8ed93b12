//! Archives as tables, for `sevenbit.lake` and, on top of it, Spark.

mod column;
mod row;
mod rows;
mod source;

pub use rows::{Rows, columns_of, quote_mbox};
