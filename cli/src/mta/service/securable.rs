//! A connection that begins in clear, and may be encrypted from some octet on.

use std::io::{self, Read, Write};
use std::time::Duration;

use crate::mta::gateway::Channel;
use crate::mta::service::Stream;
use crate::mta::tls::{Offer, Session};

/// A connection.
pub struct Securable<S: Read + Write> {
    stream: S,
    is_local: bool,
    patience: Duration,
    offer: Option<Offer>,
    session: Option<Session>,
}

impl<S: Read + Write> Securable<S> {
    /// A connection in clear, which may be encrypted if there is an offer. `is_local` says that it
    /// does not leave this machine; `patience` is how long it is waited for one piece of what is
    /// encrypted.
    pub fn new(stream: S, is_local: bool, patience: Duration, offer: Option<Offer>) -> Self {
        Self { stream, is_local, patience, offer, session: None }
    }
}

/// A connection that can be looked at without reading it.
pub trait Readable {
    /// Returns whether there is something to read, or the other side has gone.
    fn is_readable(&self) -> bool;
}

impl Readable for Stream {
    fn is_readable(&self) -> bool {
        Stream::is_readable(self)
    }
}

impl Readable for &Stream {
    fn is_readable(&self) -> bool {
        Stream::is_readable(self)
    }
}

impl<S: Read + Write + Readable> Channel for Securable<S> {
    fn has_ended(&self) -> bool {
        self.stream.is_readable()
    }

    fn can_be_secured(&self) -> bool {
        self.offer.is_some() && self.session.is_none()
    }

    fn secure(&mut self) -> io::Result<()> {
        let offer = self.offer.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        self.session = Some(offer.start(&mut self.stream, self.patience)?);
        Ok(())
    }

    fn is_private(&self) -> bool {
        self.is_local || self.session.is_some()
    }
}

impl<S: Read + Write> Read for Securable<S> {
    fn read(&mut self, octets: &mut [u8]) -> io::Result<usize> {
        match &mut self.session {
            Some(session) => session.read(&mut self.stream, octets, self.patience),
            None => self.stream.read(octets),
        }
    }
}

impl<S: Read + Write> Write for Securable<S> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match &mut self.session {
            Some(session) => session.write(&mut self.stream, octets),
            None => self.stream.write(octets),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl<S: Read + Write> Drop for Securable<S> {
    fn drop(&mut self) {
        if let Some(session) = &mut self.session {
            session.close(&mut self.stream);
        }
    }
}
