//! Charsets: vectors and documents, labels, other programs, the laws of every codec, guesses.

mod detect;
mod docs;
mod documents;
mod labels;
mod laws;
mod peers;
#[path = "../laws/mod.rs"]
mod shared_laws;
mod vectors;
mod written;
