//! A connection, over TCP or through a Unix socket.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream, ToSocketAddrs};
#[cfg(feature = "hooks")]
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;
#[cfg(feature = "hooks")]
use std::time::Instant;

#[cfg(feature = "hooks")]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(feature = "hooks")]
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};

use crate::args::Endpoint;

/// One connection; read and written through a reference, so that another thread can close it.
#[derive(Debug)]
pub enum Stream {
    /// Over TCP, with the address at the other end: a connection that is reset has none any more.
    Inet(TcpStream, IpAddr),
    /// Through a Unix socket.
    Unix(UnixStream),
}

impl Stream {
    /// A connection to `endpoint`, each of whose addresses is given this time.
    ///
    /// # Errors
    /// No connection can be made.
    pub fn connect(endpoint: &Endpoint, time: Duration) -> io::Result<Self> {
        match endpoint {
            Endpoint::Unix(path) => UnixStream::connect(path).map(Self::Unix),
            Endpoint::Inet(address) => {
                let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
                for address in address.to_socket_addrs()? {
                    match TcpStream::connect_timeout(&address, time) {
                        Ok(stream) => return Self::inet(stream, address.ip()),
                        Err(error) => last = error,
                    }
                }
                Err(last)
            }
            Endpoint::Systemd => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Wraps this connection. Output is sent immediately: commands and answers are short and waited
    /// for.
    ///
    /// # Errors
    /// The connection is already closed.
    pub fn inet(stream: TcpStream, peer: IpAddr) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self::Inet(stream, peer.to_canonical()))
    }

    /// The first octet that comes, which is read again later; waits for it.
    ///
    /// # Errors
    /// Those of the system; [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if none comes.
    pub fn first_octet(&self) -> io::Result<u8> {
        let mut octet = [0];
        let peek = RecvFlags::PEEK;
        let (read, _) = match self {
            Self::Inet(stream, _) => recv(stream, &mut octet, peek),
            Self::Unix(stream) => recv(stream, &mut octet, peek),
        }?;
        if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(octet[0]) }
    }

    /// Returns whether there is something to read, or the other side has gone; does not wait.
    pub fn is_readable(&self) -> bool {
        let mut octet = [0];
        let look = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        let read = match self {
            Self::Inet(stream, _) => recv(stream, &mut octet, look),
            Self::Unix(stream) => recv(stream, &mut octet, look),
        };
        !matches!(read, Err(error) if error == rustix::io::Errno::AGAIN)
    }

    /// Waits at most so long until there is something to read, or the other side has gone; returns
    /// whether that has come.
    ///
    /// # Errors
    /// Those of the system.
    #[cfg(feature = "hooks")]
    pub fn wait_until_readable(&self, time: Duration) -> io::Result<bool> {
        let stream = match self {
            Self::Inet(stream, _) => stream.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
        };
        let mut waited = [PollFd::from_borrowed_fd(stream, PollFlags::IN)];
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
            match poll(&mut waited, Some(&left)) {
                Ok(count) => return Ok(count > 0),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The address at the other end, if it has one.
    pub fn peer(&self) -> Option<IpAddr> {
        match self {
            Self::Inet(_, peer) => Some(*peer),
            Self::Unix(_) => None,
        }
    }

    /// The peer's address for the log, or `unix`.
    pub fn place(&self) -> String {
        self.peer().map_or_else(|| "unix".to_owned(), |address| address.to_string())
    }

    /// Limits how long reading and writing may wait.
    ///
    /// # Errors
    /// Those of the system.
    pub fn set_timeout(&self, timeout: Duration) -> io::Result<()> {
        match self {
            Self::Inet(stream, _) => stream
                .set_read_timeout(Some(timeout))
                .and_then(|()| stream.set_write_timeout(Some(timeout))),
            Self::Unix(stream) => stream
                .set_read_timeout(Some(timeout))
                .and_then(|()| stream.set_write_timeout(Some(timeout))),
        }
    }

    /// Stops reading; a thread that waits for input is woken.
    pub fn stop_reading(&self) {
        // The connection may have been closed meanwhile, which is fine.
        let _ = match self {
            Self::Inet(stream, _) => stream.shutdown(Shutdown::Read),
            Self::Unix(stream) => stream.shutdown(Shutdown::Read),
        };
    }
}

/// The other end sends small pieces and may wait, by Nagle's algorithm, for each to be
/// acknowledged, which the system delays by 40 ms unless it is asked each time not to.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn hurry(stream: &TcpStream) {
    let _ = rustix::net::sockopt::set_tcp_quickack(stream, true);
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn hurry(_: &TcpStream) {}

impl Read for &Stream {
    fn read(&mut self, octets: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Inet(stream, _) => {
                hurry(stream);
                (&mut &*stream).read(octets)
            }
            Stream::Unix(stream) => (&mut &*stream).read(octets),
        }
    }
}

impl Write for &Stream {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Inet(stream, _) => (&mut &*stream).write(octets),
            Stream::Unix(stream) => (&mut &*stream).write(octets),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Stream {
    fn read(&mut self, octets: &mut [u8]) -> io::Result<usize> {
        (&*self).read(octets)
    }
}

impl Write for Stream {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        (&*self).write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;
    use crate::mta::service::Listener;

    #[test]
    fn output_does_not_wait() {
        let is_at_once = |stream: &Stream| matches!(stream, Stream::Inet(stream, _) if stream.nodelay().is_ok_and(|yes| yes));
        let place =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
        let endpoint = Endpoint::Inet(place.to_string());
        let listener = Listener::bind(&endpoint, 0).expect("a socket");
        let ours = Stream::connect(&endpoint, Duration::from_secs(5)).expect("a connection");
        let (_running, stopped) = UnixStream::pair().expect("two ends");
        let theirs = listener.accept(&stopped).expect("a connection").expect("a connection");
        assert!(is_at_once(&ours) && is_at_once(&theirs));
    }
}
