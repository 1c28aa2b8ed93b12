//! Content transfer encodings: which one, and to and from it.
