//! Generated tables: facts, no code. `make.py` in this folder regenerates them.

pub(super) mod list;
pub(super) mod single;
pub(super) mod tscii;
