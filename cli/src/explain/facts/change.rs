//! A change of a plan: what is removed, and what replaces it.

use std::io::{self, Write};

use serde::Serialize;
use sevenbit::Edit;

use super::octets::latin1;

/// A change as it is shown.
#[derive(Serialize)]
pub struct Change {
    part: String,
    rule: &'static str,
    reason: &'static str,
    /// The octets of the message that are removed.
    pub span: [usize; 2],
    /// The beginning of the octets that replace them.
    with: String,
    /// How many octets replace them.
    pub length: usize,
}

impl Change {
    pub fn of(edit: &Edit<'_>, shown: usize) -> Self {
        let mut beginning = Beginning { octets: Vec::new(), limit: shown };
        let length =
            edit.write_replacement_to(&mut beginning).expect("memory takes what it is given");
        let span = edit.span();
        Self {
            part: edit.part().into_owned(),
            rule: edit.rule().as_str(),
            reason: edit.reason(),
            span: [span.start, span.end],
            with: latin1(&beginning.octets),
            length: length as usize,
        }
    }
}

/// Keeps the beginning of what is written.
struct Beginning {
    octets: Vec<u8>,
    limit: usize,
}

impl Write for Beginning {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let room = self.limit.saturating_sub(self.octets.len());
        self.octets.extend_from_slice(&octets[..octets.len().min(room)]);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
