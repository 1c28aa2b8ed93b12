//! gzip: one member after another, and octets 00 after the last, which tapes and block devices
//! leave.

use std::io::{self, BufRead, Read};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use flate2::bufread::GzDecoder;

use super::pieces::{OnPiece, Piece};

/// The members of a gzip file, one after the other.
pub(super) struct Members<R> {
    state: State<R>,
    /// The number of octets that have been unpacked.
    unpacked: u64,
    /// The observer of where members begin, with the count of what has been read.
    observer: Option<(Arc<AtomicU64>, OnPiece)>,
}

enum State<R> {
    Between(R),
    Within(Box<GzDecoder<Steps<R>>>),
    Ended,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(from: R, observer: Option<(Arc<AtomicU64>, OnPiece)>) -> Self {
        Self { state: State::Between(from), unpacked: 0, observer }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(0),
                State::Between(mut from) => {
                    if !is_at_end(&mut from)? {
                        if let Some((packed, observer)) = &mut self.observer {
                            let packed = packed.load(Relaxed);
                            observer(Piece { packed, unpacked: self.unpacked });
                        }
                        self.state = State::Within(Box::new(GzDecoder::new(Steps(from))));
                    }
                }
                State::Within(mut member) => match member.read(into)? {
                    0 if !into.is_empty() => self.state = State::Between(member.into_inner().0),
                    length => {
                        self.state = State::Within(member);
                        self.unpacked += length as u64;
                        return Ok(length);
                    }
                },
            }
        }
    }
}

/// How many packed octets the decoder is given at a time: what it unpacks from them is lost if
/// there is damage in them.
const STEP: usize = 128;

/// A stream that is given in steps.
struct Steps<R>(R);

impl<R: BufRead> Read for Steps<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl<R: BufRead> BufRead for Steps<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let octets = self.0.fill_buf()?;
        Ok(&octets[..octets.len().min(STEP)])
    }

    fn consume(&mut self, octets: usize) {
        self.0.consume(octets);
    }
}

/// Skips octets 00; returns whether nothing else follows.
fn is_at_end(from: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let octets = from.fill_buf()?;
        if octets.is_empty() {
            return Ok(true);
        }
        let zeros = octets.iter().take_while(|octet| **octet == 0).count();
        if zeros < octets.len() {
            from.consume(zeros);
            return Ok(false);
        }
        from.consume(zeros);
    }
}
