//! `charset convert`: text from one charset to another, like iconv, in constant memory.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sevenbit::{Code, DecodeFault, Decoder, Encoder, Issue, Severity};

use crate::args::{Convert, OnError};
use crate::exit::{Exit, Failure};
use crate::input::{Format, Inputs, Select};
use crate::output::{AtomicFile, Protected, clean_up_when_stopped, print};
use crate::place::{is_stdin, is_stdout};

/// The number of octets that are read at a time.
const CHUNK: usize = 1 << 16;

/// Converts all inputs, one after the other, as one text.
///
/// # Errors
/// An input or output fails, or strict conversion fails: standard output then has the text before
/// that, a file is not created.
pub fn run(args: &Convert) -> Result<(), Failure> {
    let Some(path) = args.output.as_deref().filter(|path| !is_stdout(path)) else {
        return print(|out| split_errors(convert_all(args, out)))?;
    };
    let protected =
        Protected::new(&Inputs::new(&args.inputs, Format::Eml, Select::default())?, None);
    clean_up_when_stopped(None);
    let mut file = AtomicFile::create(path, None, |place| protected.admits(path, place))?;
    let failed = |error: io::Error| Failure::writing(path, &error);
    split_errors(convert_all(args, &mut file)).map_err(failed)??;
    file.commit().map(drop).map_err(failed)
}

/// The reason why a conversion stops.
enum Stop {
    /// The output cannot be written. The caller knows its name.
    Writing(io::Error),
    /// Anything else, with the name of the input.
    Failed(Failure),
}

/// Separates the errors: of writing outside, any other inside.
fn split_errors(done: Result<(), Stop>) -> io::Result<Result<(), Failure>> {
    match done {
        Ok(()) => Ok(Ok(())),
        Err(Stop::Failed(failure)) => Ok(Err(failure)),
        Err(Stop::Writing(error)) => Err(error),
    }
}

fn convert_all(args: &Convert, out: &mut dyn Write) -> Result<(), Stop> {
    let stdin = [PathBuf::from("-")];
    let inputs = if args.inputs.is_empty() { &stdin[..] } else { &args.inputs };
    let mut pump = Pump::new(args, out);
    let fed = inputs.iter().try_for_each(|path| {
        if is_stdin(path) {
            pump.drain(path, io::stdin().lock())
        } else {
            pump.drain(path, open(path)?)
        }
    });
    pump.finish(fed)
}

fn open(path: &Path) -> Result<File, Stop> {
    File::open(path).map_err(|error| Stop::Failed(Failure::reading(path, &error)))
}

/// A decoder and an encoder with the text between them, and the place that they have come to.
struct Pump<'a> {
    decoder: Decoder,
    /// The text of the last chunk.
    text: String,
    encoder: Encoder,
    /// The octets that the encoder made of that text.
    octets: Vec<u8>,
    /// The input that is read, for errors.
    input: PathBuf,
    /// The number of octets in the inputs before that.
    begins: usize,
    /// The number of octets that were read of all inputs.
    read: usize,
    /// The number of octets of UTF-8 that were encoded before `text`.
    encoded: usize,
    /// The number of line ends that were encoded before `text`.
    lines: usize,
    is_strict: bool,
    out: &'a mut dyn Write,
}

impl<'a> Pump<'a> {
    fn new(args: &Convert, out: &'a mut dyn Write) -> Self {
        Self {
            decoder: args.from.decoder().on_malformed(args.on_error.malformed()),
            text: String::new(),
            encoder: args.to.encoder().substituting(args.on_error.substitution()),
            octets: Vec::new(),
            input: PathBuf::new(),
            begins: 0,
            read: 0,
            encoded: 0,
            lines: 0,
            is_strict: args.on_error == OnError::Strict,
            out,
        }
    }

    /// Converts an input to its end, or to where a strict decoder stops.
    fn drain(&mut self, path: &Path, mut input: impl Read) -> Result<(), Stop> {
        let mut chunk = vec![0; CHUNK];
        self.input = if is_stdin(path) { PathBuf::from("standard input") } else { path.to_owned() };
        self.begins = self.read;
        while !self.is_strict || self.decoder.is_lossless() {
            match input.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => {
                    self.read += length;
                    self.text.clear();
                    self.decoder.push(&chunk[..length], &mut self.text);
                    self.write()?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Stop::Failed(Failure::reading(path, &error))),
            }
        }
        Ok(())
    }

    /// Writes the text, up to a character that cannot be written.
    fn write(&mut self) -> Result<(), Stop> {
        self.octets.clear();
        let encoded = self.encoder.push(&self.text, &mut self.octets);
        self.out.write_all(&self.octets).map_err(Stop::Writing)?;
        encoded.map_err(|error| {
            let character = error.character().map(|c| format!(" U+{:04X}", u32::from(c)));
            let (character, charset) = (character.unwrap_or_default(), self.encoder.charset());
            let line = self.lines
                + line_ends(&self.text[..error.offset().saturating_sub(self.encoded)])
                + 1;
            let reason = format!(
                "{charset} has no character{character}, on line {line}; `--on-error` can replace it"
            );
            refused(&self.input, reason)
        })?;
        self.encoded += self.text.len();
        self.lines += line_ends(&self.text);
        Ok(())
    }

    /// Ends the text, unless reading the inputs has failed (`fed`), and the output in any case: a
    /// stateful charset ends in its initial state.
    fn finish(mut self, fed: Result<(), Stop>) -> Result<(), Stop> {
        let charset = self.decoder.charset();
        let decoder = std::mem::replace(&mut self.decoder, charset.decoder());
        let ended = fed.and_then(|()| {
            self.text.clear();
            let issues = decoder.finish(&mut self.text);
            self.write()?;
            match issues.iter().find(|issue| self.is_strict && issue.severity() == Severity::Loss) {
                Some(loss) => {
                    let at = loss.span().start.saturating_sub(self.begins);
                    Err(refused(
                        &self.input,
                        format!("{charset} text at octet {at}: {}", described(loss)),
                    ))
                }
                None => Ok(()),
            }
        });
        self.octets.clear();
        self.encoder.finish(&mut self.octets);
        let closed = self.out.write_all(&self.octets).map_err(Stop::Writing);
        ended.and(closed)
    }
}

fn line_ends(text: &str) -> usize {
    text.matches('\n').count()
}

/// Describes an issue, with the UTF-16 unit or UCS-4 value that it is about.
fn described(loss: &Issue) -> String {
    let (what, code) = (loss.code().summary(), loss.code());
    match loss.value() {
        Some(unit) if code == Code::Decode(DecodeFault::UnpairedSurrogate) => {
            format!("{what}, {unit:04X} ({code})")
        }
        Some(value) => format!("{what}, value {value:02X} ({code})"),
        None => format!("{what} ({code})"),
    }
}

fn refused(input: &Path, reason: String) -> Stop {
    Stop::Failed(Failure::new(Exit::Refused, input, reason))
}
