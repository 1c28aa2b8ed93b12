//! Archives as tables, for `sevenbit.lake` and, on top of it, Spark.

mod column;
mod index;
mod kind;
#[cfg_attr(not(feature = "outlook"), path = "no_outlook.rs")]
pub mod outlook;
mod row;
mod rows;
mod source;

pub use index::{cuts_in, index_of};
pub use outlook::messages_in;
pub use rows::{Rows, columns_of, cuts_of, quote_mbox};
