//! A connection that speaks HTTP/1.1, by hyper, in the thread that it has as every connection of a
//! filter.
//!
//! hyper asks for octets and is told that there are none yet ([`Link`]'s stream is looked at before
//! it is read). Only if nothing else can be done, [`converse`] waits for some: no runtime is needed.

use std::cell::Cell;
use std::future::Future;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};

use super::service::{Link, Stream};

/// The number of octets that are read at a time.
const WINDOW: usize = 64 << 10;

/// The number of fields that the head of a request may have.
const MOST_FIELDS: usize = 100;

/// The number of octets that are held of what has come, among them the head of a request.
const MOST_HELD: usize = 256 << 10;

/// The time that a request may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Its head, and the silence before it and in it.
    pub silence: Duration,
    /// All of it.
    pub request: Duration,
}

/// The stage of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Between requests.
    Idle,
    /// In the head of a request.
    Head,
    /// After its head, until its answer has been sent.
    Busy,
}

/// The state of a conversation: its stage and its clocks.
#[derive(Debug)]
struct Progress {
    patience: Patience,
    stage: Cell<Stage>,
    /// The time at which the stage has begun.
    begun: Cell<Instant>,
    /// The time at which the last octets came.
    heard: Cell<Instant>,
    /// Whether the answer is made.
    is_answered: Cell<bool>,
}

impl Progress {
    fn enter(&self, stage: Stage) {
        self.stage.set(stage);
        self.begun.set(Instant::now());
        self.heard.set(Instant::now());
        self.is_answered.set(false);
    }

    /// The time at which the conversation has taken too long.
    fn until(&self) -> Instant {
        let Patience { silence, request } = self.patience;
        match self.stage.get() {
            Stage::Idle | Stage::Head => self.begun.get() + silence,
            Stage::Busy => (self.begun.get() + request).min(self.heard.get() + silence),
        }
    }

    /// # Errors
    /// The time is over.
    fn check(&self) -> io::Result<()> {
        if Instant::now() > self.until() { Err(ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

/// The octets of a connection, for hyper.
struct Octets<'l> {
    stream: &'l Stream,
    window: Vec<u8>,
    progress: &'l Progress,
}

impl Read for Octets<'_> {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, window, progress } = self.get_mut();
        if !stream.is_readable() {
            return Poll::Pending;
        }
        let most = window.len().min(into.remaining());
        let mut stream: &Stream = stream;
        let read = stream.read(&mut window[..most])?;
        if progress.stage.get() == Stage::Idle && read > 0 {
            progress.enter(Stage::Head);
        }
        progress.heard.set(Instant::now());
        into.put_slice(&window[..read]);
        // Whether that took too long is looked at where nothing else would be said of it: in
        // `converse`, to which hyper returns after a few reads.
        Poll::Ready(Ok(()))
    }
}

impl Write for Octets<'_> {
    /// Waits until some are sent: the other side has nothing to say before it has its answer.
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut stream = self.stream;
        let written = stream.write(octets)?;
        self.progress.heard.set(Instant::now());
        Poll::Ready(self.progress.check().map(|()| written))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The connection is closed at the end of its thread.
        Poll::Ready(Ok(()))
    }
}

/// Notes that something can go on.
#[derive(Debug, Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

/// Holds a conversation to its end: each request is answered by `answer`, whose second argument
/// says whether it may still begin.
///
/// # Errors
/// Those of the connection; [`TimedOut`](ErrorKind::TimedOut) if a request takes too long;
/// [`InvalidData`](ErrorKind::InvalidData) if it is none.
pub fn converse<A, F>(link: &Link, patience: Patience, answer: A) -> io::Result<()>
where
    A: Fn(Request<Incoming>, bool) -> F,
    F: Future<Output = io::Result<Response<Full<Bytes>>>>,
{
    let now = Instant::now();
    let progress = Progress {
        patience,
        stage: Cell::new(Stage::Idle),
        begun: Cell::new(now),
        heard: Cell::new(now),
        is_answered: Cell::new(false),
    };
    let octets = Octets { stream: link.stream(), window: vec![0; WINDOW], progress: &progress };
    let service = service_fn(|request| {
        progress.enter(Stage::Busy);
        let answered = answer(request, link.begins());
        let progress = &progress;
        async move {
            let answered = answered.await;
            progress.is_answered.set(true);
            answered
        }
    });
    // Who has sent a request may close that direction, and still hear the answer.
    let conversation = http1::Builder::new()
        .half_close(true)
        .header_read_timeout(None)
        .max_headers(MOST_FIELDS)
        .max_buf_size(MOST_HELD)
        .serve_connection(octets, service);
    let mut conversation = pin!(conversation);

    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(ended) = conversation.as_mut().poll(&mut context) {
            return ended.map_err(reason_of);
        }
        progress.check()?;
        if woken.0.swap(false, Ordering::Acquire) {
            continue;
        }
        // Nothing is left to be sent.
        if progress.is_answered.get() {
            progress.enter(Stage::Idle);
        }
        if !link.goes_on(progress.stage.get() == Stage::Busy) {
            return Ok(());
        }
        let time = progress.until().saturating_duration_since(Instant::now());
        if !link.stream().wait_until_readable(time)? {
            return Err(ErrorKind::TimedOut.into());
        }
    }
}

/// The reason why a conversation, or the body of a request, has ended early.
pub fn reason_of(error: hyper::Error) -> io::Error {
    let kind = std::error::Error::source(&error)
        .and_then(|source| source.downcast_ref::<io::Error>())
        .map(io::Error::kind);
    let kind = match kind {
        Some(kind) => kind,
        None if error.is_parse() || error.is_parse_too_large() => ErrorKind::InvalidData,
        None => ErrorKind::UnexpectedEof,
    };
    io::Error::new(kind, error)
}
