//! Decoders that octets are pushed into. Where the octets are damaged, all that was unpacked before
//! is given, then the error.

use std::io::{self, BufRead, Read};

use bzip2::Decompress;
use lzma_rust2::{Action, XzStream};

/// How many packed octets an xz decoder is given at a time: what it unpacks from them is lost if
/// there is damage in them.
const XZ_STEP: usize = 16;

/// A decoder.
pub(super) trait Decoder {
    /// Unpacks some of `input` into `output`; `is_end` says that nothing follows, and there is
    /// none. Then the decoder gives octets, ends, or fails.
    fn step(&mut self, input: &[u8], output: &mut [u8], is_end: bool) -> Step;
}

/// What a decoder did.
pub(super) struct Step {
    /// How many octets it took.
    taken: usize,
    /// How many octets it gave.
    given: usize,
    outcome: io::Result<Progress>,
}

/// How far a decoder is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// Octets may follow.
    Within,
    /// The file is complete.
    End,
}

/// A packed stream.
pub(super) struct Pushed<R, D> {
    from: R,
    decoder: D,
    state: State,
}

enum State {
    Unpacking,
    /// The error that comes after the octets that were given last.
    Failing(io::Error),
    Ended,
}

impl<R: BufRead, D: Decoder> Pushed<R, D> {
    pub(super) fn new(from: R, decoder: D) -> Self {
        Self { from, decoder, state: State::Unpacking }
    }
}

impl<R: BufRead, D: Decoder> Read for Pushed<R, D> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Unpacking => {}
                State::Failing(error) => return Err(error),
                State::Ended => return Ok(0),
            }

            let input = self.from.fill_buf()?;
            let is_end = input.is_empty();
            let Step { taken, given, outcome } = self.decoder.step(input, into, is_end);
            self.from.consume(taken);
            self.state = match outcome {
                Ok(Progress::Within) => State::Unpacking,
                Ok(Progress::End) => State::Ended,
                Err(error) => State::Failing(error),
            };
            if given > 0 {
                return Ok(given);
            }
        }
    }
}

/// bzip2: one stream after another, and octets 00 after the last, which tapes and block devices
/// leave.
pub(super) struct Bz2(Option<Decompress>);

impl Bz2 {
    pub(super) fn new() -> Self {
        Self(Some(Decompress::new(false)))
    }
}

impl Decoder for Bz2 {
    fn step(&mut self, input: &[u8], output: &mut [u8], is_end: bool) -> Step {
        let Some(stream) = &mut self.0 else {
            let zeros = input.iter().take_while(|octet| **octet == 0).count();
            if zeros < input.len() {
                self.0 = Some(Decompress::new(false));
            }
            let progress = if is_end { Progress::End } else { Progress::Within };
            return Step { taken: zeros, given: 0, outcome: Ok(progress) };
        };

        let (before_in, before_out) = (stream.total_in(), stream.total_out());
        let outcome = stream.decompress(input, output);
        let (taken, given) =
            (since(before_in, stream.total_in()), since(before_out, stream.total_out()));
        let outcome = match outcome {
            Ok(bzip2::Status::StreamEnd) => {
                self.0 = None;
                Ok(Progress::Within)
            }
            Ok(bzip2::Status::MemNeeded) => Err(io::ErrorKind::OutOfMemory.into()),
            Ok(_) => Ok(Progress::Within),
            Err(_) => Err(damaged()),
        };
        let is_stuck = is_end && given == 0 && self.0.is_some();
        let outcome = if is_stuck { outcome.and_then(|_| Err(cut())) } else { outcome };
        Step { taken, given, outcome }
    }
}

/// xz: one stream after another.
pub(super) struct Xz(XzStream);

impl Xz {
    /// A decoder that takes no more than so much memory, in KiB.
    pub(super) fn new(memory: u32) -> Self {
        Self(XzStream::new_mem_limit(true, memory))
    }
}

impl Decoder for Xz {
    fn step(&mut self, input: &[u8], output: &mut [u8], is_end: bool) -> Step {
        let input = &input[..input.len().min(XZ_STEP)];
        let (before_in, before_out) = (self.0.total_in(), self.0.total_out());
        let action = if is_end { Action::Finish } else { Action::Run };
        let outcome = self.0.process(input, output, action);
        let (taken, given) =
            (since(before_in, self.0.total_in()), since(before_out, self.0.total_out()));
        let outcome = match outcome.map(|result| result.status) {
            Ok(lzma_rust2::Status::StreamEnd) => Ok(Progress::End),
            Ok(lzma_rust2::Status::Ok) if is_end && given == 0 => Err(cut()),
            Ok(lzma_rust2::Status::Ok) => Ok(Progress::Within),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(cut()),
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Err(error),
            Err(_) => Err(damaged()),
        };
        Step { taken, given, outcome }
    }
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it ends too early")
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a block is damaged")
}

/// Returns how much a count has grown.
fn since(before: u64, now: u64) -> usize {
    usize::try_from(now - before).unwrap_or(usize::MAX)
}
