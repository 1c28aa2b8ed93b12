//! Encryption by rustls: of the connections of clients by a certificate of ours, of those to next
//! hops by one of theirs.
//!
//! A session reads and writes a stream that is passed in, so that another thread may close that
//! stream meanwhile.

mod offers;
mod unverified;

pub use offers::Offers;

use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, Connection, ServerConfig, ServerConnection};

/// How a connection may be encrypted.
#[derive(Clone, Debug)]
pub enum Offer {
    /// As the server, with our certificate.
    Server(Arc<ServerConfig>),
    /// As the client of a server with this name.
    Client(Arc<ClientConfig>, ServerName<'static>),
}

/// A connection that is encrypted.
pub struct Session(Box<Connection>);

impl Offer {
    /// Agrees on the encryption with the other side, in at most twice the time of `patience`.
    ///
    /// # Errors
    /// Those of the stream; [`InvalidData`](ErrorKind::InvalidData) if the two do not agree, or the
    /// certificate is not to be trusted.
    pub fn start(
        &self,
        stream: &mut (impl Read + Write),
        patience: Duration,
    ) -> io::Result<Session> {
        let made = match self {
            Self::Server(config) => ServerConnection::new(Arc::clone(config)).map(Connection::from),
            Self::Client(config, name) => {
                ClientConnection::new(Arc::clone(config), name.clone()).map(Connection::from)
            }
        };
        let mut session = Session(Box::new(made.map_err(invalid)?));
        let until = Instant::now() + patience;
        while session.0.is_handshaking() {
            session.send(stream)?;
            if session.0.is_handshaking() && session.receive(stream, until)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        session.send(stream)?;
        Ok(session)
    }
}

impl Session {
    /// Reads what has been decrypted; waits for more of it if there is none.
    ///
    /// # Errors
    /// Those of the stream; [`TimedOut`](ErrorKind::TimedOut) if a piece takes longer than
    /// `patience`; [`InvalidData`](ErrorKind::InvalidData) if it is not from the other side.
    pub fn read(
        &mut self,
        stream: &mut (impl Read + Write),
        octets: &mut [u8],
        patience: Duration,
    ) -> io::Result<usize> {
        let until = Instant::now() + patience;
        loop {
            match self.0.reader().read(octets) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // A command or message that is cut off shows as one: the end of a connection need
                // not be signed.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(0),
                read => return read,
            }
            self.receive(stream, until)?;
            self.send(stream)?;
        }
    }

    /// Encrypts octets and sends them.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn write(&mut self, stream: &mut (impl Read + Write), octets: &[u8]) -> io::Result<usize> {
        let written = self.0.writer().write(octets)?;
        self.send(stream).map(|()| written)
    }

    /// Says that no more will come.
    pub fn close(&mut self, stream: &mut (impl Read + Write)) {
        self.0.send_close_notify();
        // Who has gone need not hear it.
        let _ = self.send(stream);
    }

    fn send(&mut self, stream: &mut impl Write) -> io::Result<()> {
        while self.0.wants_write() {
            self.0.write_tls(stream)?;
        }
        Ok(())
    }

    /// Receives a piece; returns how many octets it has, none at the end of the stream.
    fn receive(&mut self, stream: &mut (impl Read + Write), until: Instant) -> io::Result<usize> {
        let read = self.0.read_tls(stream)?;
        if let Err(error) = self.0.process_new_packets() {
            // The other side may be told why.
            let _ = self.send(stream);
            return Err(invalid(error));
        }
        if Instant::now() > until { Err(ErrorKind::TimedOut.into()) } else { Ok(read) }
    }
}

fn invalid(error: rustls::Error) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("TLS: {error}"))
}
