//! `charset convert`: text from one charset to another, like iconv, in constant memory.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sevenbit::{Charset, Decoder, Encoder, Severity};

use crate::args::{Convert, Format, OnError};
use crate::exit::{Exit, Failure};

use crate::input::{Inputs, Select};
use crate::output::{Aside, Guard, clean_up_when_stopped, print};
use crate::place::{is_stdin, is_stdout};

/// How much is in memory at a time.
const CHUNK: usize = 1 << 16;

/// Converts all inputs, one after the other, as one text.
///
/// # Errors
/// An input or output fails, or text that is to be converted strictly cannot be: standard output then has
/// what came before, a file is not made.
pub fn run(args: &Convert) -> Result<(), Failure> {
    let Some(path) = args.output.as_deref().filter(|path| !is_stdout(path)) else {
        return print(|out| told_apart(all(args, out)))?;
    };
    let guard = Guard::new(&Inputs::new(&args.inputs, Format::Eml, Select::default())?, None);
    clean_up_when_stopped();
    let mut file = Aside::create(path, None, |place| guard.admits(path, place))?;
    let failed = |error: io::Error| Failure::writing(path, &error);
    told_apart(all(args, &mut file)).map_err(failed)??;
    file.commit().map(drop).map_err(failed)
}

/// Why a conversion stops.
enum Stop {
    /// The output cannot be written.
    Writing(io::Error),
    /// Anything else.
    Said(Failure),
}

/// The error of writing outside, any other inside.
fn told_apart(done: Result<(), Stop>) -> io::Result<Result<(), Failure>> {
    match done {
        Ok(()) => Ok(Ok(())),
        Err(Stop::Said(failure)) => Ok(Err(failure)),
        Err(Stop::Writing(error)) => Err(error),
    }
}

fn all(args: &Convert, out: &mut dyn Write) -> Result<(), Stop> {
    let stdin = [PathBuf::from("-")];
    let inputs = if args.inputs.is_empty() { &stdin[..] } else { &args.inputs };
    let mut pump = Pump::new(args, out);
    for path in inputs {
        let read =
            if is_stdin(path) { pump.drain(path, io::stdin().lock()) } else { pump.drain(path, open(path)?) };
        read?;
    }
    pump.finish()
}

fn open(path: &Path) -> Result<File, Stop> {
    File::open(path).map_err(|error| Stop::Said(Failure::reading(path, &error)))
}

/// A decoder, an encoder, and what is between them.
struct Pump<'a> {
    decoder: Decoder,
    text: String,
    writer: Writer<'a>,
    on_error: OnError,
}

impl<'a> Pump<'a> {
    fn new(args: &Convert, out: &'a mut dyn Write) -> Self {
        let writer = Writer {
            charset: args.to,
            encoder: args.to.encoder(),
            octets: Vec::new(),
            pushed: 0,
            on_error: args.on_error,
            out,
        };
        Self { decoder: args.from.decoder(), text: String::new(), writer, on_error: args.on_error }
    }

    fn drain(&mut self, path: &Path, mut input: impl Read) -> Result<(), Stop> {
        let mut chunk = vec![0; CHUNK];
        loop {
            match input.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(length) => self.push(&chunk[..length])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Stop::Said(Failure::reading(path, &error))),
            }
        }
    }

    fn push(&mut self, octets: &[u8]) -> Result<(), Stop> {
        self.text.clear();
        self.decoder.push(octets, &mut self.text);
        if self.on_error == OnError::Strict && !self.decoder.is_lossless() {
            // To know what was wrong the decoder must end.
            let charset = self.decoder.charset();
            let decoder = std::mem::replace(&mut self.decoder, charset.decoder());
            return ended(decoder, &mut self.text, self.on_error);
        }
        self.writer.push(&self.text)
    }

    fn finish(mut self) -> Result<(), Stop> {
        self.text.clear();
        ended(self.decoder, &mut self.text, self.on_error)?;
        self.writer.push(&self.text)?;
        self.writer.finish()
    }
}

/// Ends the decoding; under strict the first loss is an error.
fn ended(decoder: Decoder, text: &mut String, on_error: OnError) -> Result<(), Stop> {
    let charset = decoder.charset();
    let issues = decoder.finish(text);
    match issues.iter().find(|issue| issue.severity() == Severity::Loss) {
        Some(loss) if on_error == OnError::Strict => {
            let (what, code) = (loss.code().summary(), loss.code());
            Err(ill_formed(format!("{charset} text at octet {}: {what} ({code})", loss.span().start)))
        }
        _ => Ok(()),
    }
}

fn ill_formed(reason: String) -> Stop {
    Stop::Said(Failure::Said { exit: Exit::Refused, file: String::new(), reason: reason.into() })
}

/// The writing half.
struct Writer<'a> {
    charset: Charset,
    encoder: Encoder,
    octets: Vec<u8>,
    /// How much text the encoder has taken, from where it counts.
    pushed: usize,
    on_error: OnError,
    out: &'a mut dyn Write,
}

impl Writer<'_> {
    fn push(&mut self, mut text: &str) -> Result<(), Stop> {
        self.octets.clear();
        while let Some((at, c)) = self.encode(text) {
            if self.on_error == OnError::Strict {
                let number = u32::from(c);
                return Err(ill_formed(format!("{} has no character U+{number:04X}", self.charset)));
            }
            self.encode(&text[..at]);
            self.encode("?");
            text = &text[at + c.len_utf8()..];
        }
        self.out.write_all(&self.octets).map_err(Stop::Writing)
    }

    /// Encodes all of `text`, or nothing: then gives the character that cannot be, and where it is.
    fn encode(&mut self, text: &str) -> Option<(usize, char)> {
        let before = self.octets.len();
        match self.encoder.push(text, &mut self.octets) {
            Ok(()) => {
                self.pushed += text.len();
                None
            }
            Err(error) => {
                self.octets.truncate(before);
                let at = error.offset().saturating_sub(self.pushed);
                text.get(at..).and_then(|rest| rest.chars().next()).map(|c| (at, c))
            }
        }
    }

    fn finish(mut self) -> Result<(), Stop> {
        self.octets.clear();
        self.encoder.finish(&mut self.octets);
        self.out.write_all(&self.octets).map_err(Stop::Writing)
    }
}
