//! Output whose octets are counted.

use std::io::{self, Write};

use super::line_output::{LfOutput, LineOutput};

/// Counts the octets that are written through it.
#[derive(Debug)]
pub struct Counted<W> {
    output: W,
    octets: u64,
}

/// Returns the number of octets that `write` writes.
pub fn counted<W: Write>(
    output: W,
    write: impl FnOnce(&mut Counted<W>) -> io::Result<()>,
) -> io::Result<u64> {
    let mut counted = Counted { output, octets: 0 };
    write(&mut counted)?;
    Ok(counted.octets)
}

/// Returns the number of octets that `write` writes, with LF for each CR LF.
pub fn counted_with_lf<W: Write>(
    output: W,
    write: impl FnOnce(&mut LfOutput<Counted<W>>) -> io::Result<()>,
) -> io::Result<u64> {
    let mut lf = LfOutput::new(Counted { output, octets: 0 });
    write(&mut lf)?;
    Ok(lf.finish()?.octets)
}

impl<W: Write> LineOutput for Counted<W> {}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.output.write(octets)?;
        self.octets += written as u64;
        Ok(written)
    }

    fn write_all(&mut self, octets: &[u8]) -> io::Result<()> {
        self.octets += octets.len() as u64;
        self.output.write_all(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
