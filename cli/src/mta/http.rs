//! Answers over HTTP for those who watch a filter: `/metrics`, `/healthz` (it runs), `/readyz`
//! (mail can go on from here).

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::metrics::{Metrics, Observed};

/// How long a client may take, and how much it may send.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long the answer to `/readyz` may take: next hops are tried one after the other.
const TRYING: Duration = Duration::from_secs(30);
const MAX_REQUEST: u64 = 8 << 10;

/// How many are answered at a time; others find the connection closed.
const MOST: usize = 16;

/// What those who watch a filter ask for.
pub struct Watched {
    /// Whether mail can go on from here.
    pub ready: Box<dyn Fn() -> io::Result<()> + Send + Sync>,
    /// The filter's state.
    pub observe: Box<dyn Fn() -> Observed + Send + Sync>,
}

/// The state that answers are made from.
struct Server {
    metrics: Arc<Metrics>,
    watched: Watched,
    open: AtomicUsize,
}

/// Answers at `address` for as long as the process lives.
///
/// # Errors
/// Those of the system.
pub fn serve(address: SocketAddr, metrics: Arc<Metrics>, watched: Watched) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    let server = Arc::new(Server { metrics, watched, open: AtomicUsize::new(0) });
    let accept = move || {
        for stream in listener.incoming().flatten() {
            if server.open.fetch_add(1, Ordering::Relaxed) >= MOST {
                server.open.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let ours = Arc::clone(&server);
            let answer = move || {
                // A client that disconnects is not waited for.
                let _ = ours.answer(&stream);
                ours.open.fetch_sub(1, Ordering::Relaxed);
            };
            if thread::Builder::new().name("http".to_owned()).spawn(answer).is_err() {
                server.open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    };
    thread::Builder::new().name("metrics".to_owned()).spawn(accept).map(drop)
}

/// Asks the filter whose `serve` answers at `address` whether mail can go on from it.
///
/// # Errors
/// Mail cannot go on, with the filter's words; no answer comes.
pub fn ask(address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(TRYING))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(MAX_REQUEST).read_to_string(&mut answer)?;
    if answer.starts_with("HTTP/1.1 200 ") {
        return Ok(());
    }
    let said = answer.lines().next_back().unwrap_or("no answer");
    Err(io::Error::other(said.to_owned()))
}

/// A client that has to be done by some time, however its octets come.
struct Hurried<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl Read for Hurried<'_> {
    fn read(&mut self, octets: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(octets)?;
        if Instant::now() > self.until { Err(io::ErrorKind::TimedOut.into()) } else { Ok(read) }
    }
}

impl Server {
    /// One request (RFC 9112), one answer.
    fn answer(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let hurried = Hurried { stream, until: Instant::now() + PATIENCE };
        let mut lines = BufReader::new(hurried.take(MAX_REQUEST)).lines();
        let request = lines.next().transpose()?.unwrap_or_default();
        while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
        let (status, kind, body) = self.response(&request);
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    }

    fn response(&self, request: &str) -> (&'static str, &'static str, String) {
        let mut words = request.split(' ');
        let plain = |status, body: &str| (status, "text/plain; charset=utf-8", format!("{body}\n"));
        match (words.next(), words.next()) {
            (Some("GET"), Some("/metrics")) => {
                self.metrics.observe((self.watched.observe)());
                (
                    "200 OK",
                    "application/openmetrics-text; version=1.0.0; charset=utf-8",
                    self.metrics.text(),
                )
            }
            (Some("GET"), Some("/healthz")) => plain("200 OK", "it runs"),
            (Some("GET"), Some("/readyz")) => match (self.watched.ready)() {
                Ok(()) => plain("200 OK", "ready"),
                Err(error) => plain("503 Service Unavailable", &format!("not ready: {error}")),
            },
            _ => plain("404 Not Found", "GET /metrics, /healthz or /readyz"),
        }
    }
}
