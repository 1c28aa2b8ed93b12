//! Archives as tables: what `sevenbit.lake` and, on top of it, Spark read.

mod column;
mod row;
mod rows;
mod source;

pub use rows::{Rows, columns_of, quote_mbox};
