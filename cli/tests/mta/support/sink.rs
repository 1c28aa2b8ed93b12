//! The last hop: it keeps what it receives, octet for octet.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How a sink behaves.
#[derive(Clone, Copy, Debug, Default)]
pub struct SinkOptions {
    /// It offers neither 8BITMIME nor SMTPUTF8.
    pub is_7bit: bool,
    /// It ends every connection once it has received this verb; `.` is the end of a message, which
    /// it has not accepted then.
    pub dies_at: &'static str,
    /// It waits this long before it answers the end of a message.
    pub slow: Duration,
    /// It waits no longer than this for a command.
    pub patience: Option<Duration>,
    /// It counts messages and forgets them.
    pub forgets: bool,
}

/// A message with its envelope.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub mail: String,
    pub recipients: Vec<String>,
    pub octets: Vec<u8>,
}

impl Arrived {
    /// Whether all of it, envelope and message, is 7-bit.
    pub fn is_7bit(&self) -> bool {
        self.mail.is_ascii()
            && self.recipients.iter().all(|to| to.is_ascii())
            && self.octets.is_ascii()
    }

    /// The message without the fields that mail servers put on top.
    pub fn without_trace(&self) -> &[u8] {
        let mut rest = &self.octets[..];
        while rest.starts_with(b"Received: ") && self.is_trace(rest) {
            rest = &rest[field_end(rest)..];
        }
        rest
    }

    /// Whether the field is one of the servers of these tests.
    fn is_trace(&self, rest: &[u8]) -> bool {
        let field = String::from_utf8_lossy(&rest[..field_end(rest)]);
        field.contains("by mx.sevenbit.test (Postfix)")
    }

    /// The local part of its first recipient.
    pub fn name(&self) -> String {
        let to = self.recipients[0].split_once('<').map_or("", |(_, to)| to);
        to.split('@').next().unwrap_or_default().to_owned()
    }
}

fn field_end(octets: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += octets[at..]
            .iter()
            .position(|&octet| octet == b'\n')
            .map_or(octets.len() - at, |end| end + 1);
        if !octets.get(at).is_some_and(|octet| b" \t".contains(octet)) {
            return at;
        }
    }
}

/// The connections of a sink.
#[derive(Debug, Default)]
struct Counts {
    made: AtomicUsize,
    open: AtomicUsize,
    quits: AtomicUsize,
}

/// A server that accepts everything.
pub struct Sink {
    pub port: u16,
    arrived: Arc<Mutex<Vec<Arrived>>>,
    counts: Arc<Counts>,
    options: Arc<Mutex<SinkOptions>>,
}

impl Sink {
    pub fn start(options: SinkOptions) -> Self {
        Self::start_at(0, options)
    }

    pub fn start_at(port: u16, options: SinkOptions) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let arrived = Arc::new(Mutex::new(Vec::new()));
        let options = Arc::new(Mutex::new(options));
        let counts = Arc::new(Counts::default());
        let (kept, shared, counted) =
            (Arc::clone(&arrived), Arc::clone(&options), Arc::clone(&counts));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, options, counts) =
                    (Arc::clone(&kept), Arc::clone(&shared), Arc::clone(&counted));
                thread::spawn(move || {
                    counts.made.fetch_add(1, Ordering::SeqCst);
                    counts.open.fetch_add(1, Ordering::SeqCst);
                    let _ = serve(&stream, &options, &kept, &counts.quits);
                    counts.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self { port, arrived, counts, options }
    }

    /// From now on it behaves differently.
    pub fn set(&self, options: SinkOptions) {
        *self.options.lock().expect("no panic") = options;
    }

    /// Everything that has arrived.
    pub fn arrived(&self) -> Vec<Arrived> {
        self.arrived.lock().expect("no panic").clone()
    }

    /// Returns the number of connections that are open.
    pub fn open(&self) -> usize {
        self.counts.open.load(Ordering::SeqCst)
    }

    /// Returns the number of connections that were made.
    pub fn made(&self) -> usize {
        self.counts.made.load(Ordering::SeqCst)
    }

    /// Returns the number of connections that ended by QUIT.
    pub fn quits(&self) -> usize {
        self.counts.quits.load(Ordering::SeqCst)
    }

    pub fn count(&self) -> usize {
        self.arrived.lock().expect("no panic").len()
    }
}

fn serve(
    stream: &TcpStream,
    options: &Mutex<SinkOptions>,
    kept: &Mutex<Vec<Arrived>>,
    quits: &AtomicUsize,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream);
    let mut output = stream;
    output.write_all(b"220 sink.test ESMTP\r\n")?;
    let mut mail = String::new();
    let mut recipients = Vec::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        stream.set_read_timeout(options.lock().expect("no panic").patience)?;
        match input.read_until(b'\n', &mut line) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(_) => return output.write_all(b"421 4.4.2 timeout exceeded\r\n"),
        }
        stream.set_read_timeout(None)?;
        let options = *options.lock().expect("no panic");
        let command = String::from_utf8_lossy(&line).trim_end().to_owned();
        let verb = command.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        if !options.dies_at.is_empty() && verb == options.dies_at {
            return Ok(());
        }
        let answer = match verb.as_str() {
            "EHLO" if options.is_7bit => {
                "250-sink.test\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES\r\n"
            }
            "EHLO" => {
                "250-sink.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 ENHANCEDSTATUSCODES\r\n"
            }
            "MAIL" => {
                mail.clone_from(&command);
                recipients.clear();
                "250 2.1.0 Ok\r\n"
            }
            "RCPT" => {
                recipients.push(command);
                "250 2.1.5 Ok\r\n"
            }
            "DATA" => {
                output.write_all(b"354 go\r\n")?;
                let octets = read_message(&mut input)?;
                if options.dies_at == "." {
                    return Ok(());
                }
                thread::sleep(options.slow);
                let recipients = std::mem::take(&mut recipients);
                let octets = if options.forgets { Vec::new() } else { octets };
                let arrived = Arrived { mail: mail.clone(), recipients, octets };
                kept.lock().expect("no panic").push(arrived);
                if options.dies_at == "after" {
                    return Ok(());
                }
                "250 2.0.0 Ok\r\n"
            }
            "QUIT" => {
                quits.fetch_add(1, Ordering::SeqCst);
                output.write_all(b"221 2.0.0 bye\r\n")?;
                return Ok(());
            }
            "RSET" | "NOOP" | "HELO" => "250 2.0.0 Ok\r\n",
            _ => "502 5.5.1 what\r\n",
        };
        output.write_all(answer.as_bytes())?;
    }
}

/// The message, without the dots that were inserted before dots.
fn read_message(input: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    loop {
        let start = octets.len();
        if input.read_until(b'\n', &mut octets)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let is_line = start == 0 || octets[..start].ends_with(b"\r\n");
        if is_line && &octets[start..] == b".\r\n" {
            octets.truncate(start);
            return Ok(octets);
        }
        if is_line && octets[start] == b'.' {
            octets.remove(start);
        }
    }
}

/// A server that offers these extensions, says yes to all commands, and keeps them.
pub struct Yes {
    pub port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Yes {
    /// The commands that it has heard.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no panic").clone()
    }
}

/// Starts a server that offers these extensions.
pub fn has_offers(extensions: &[&str]) -> Yes {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let lines: String = extensions.iter().map(|word| format!("250-{word}\r\n")).collect();
    let hello = format!("250-next.test\r\n{lines}250 DSN\r\n");
    let kept = Arc::clone(&heard);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut output = &stream;
            let _ = output.write_all(b"220 next.test ESMTP\r\n");
            for line in BufReader::new(&stream).lines() {
                let Ok(line) = line else { break };
                let answer =
                    if line.starts_with("EHLO") { hello.as_str() } else { "250 2.0.0 yes\r\n" };
                kept.lock().expect("no panic").push(line);
                let _ = output.write_all(answer.as_bytes());
            }
        }
    });
    Yes { port, heard }
}
