//! The listening socket.

use std::fs::{self, Permissions};
use std::io;
use std::net::TcpListener;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use listenfd::ListenFd;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::Stream;
use crate::args::Endpoint;

/// The socket; a Unix socket that was created here is removed with it.
#[derive(Debug)]
pub struct Listener {
    socket: Socket,
    name: Arc<str>,
    made: Option<PathBuf>,
    /// Whether the listener is systemd's, which passes it on to the next process.
    is_shared: bool,
}

#[derive(Debug)]
enum Socket {
    Inet(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    /// Listens at `endpoint`; a Unix socket gets `mode`.
    ///
    /// # Errors
    /// Those of the system; another process listens there.
    pub fn bind(endpoint: &Endpoint, mode: u32) -> io::Result<Self> {
        let (socket, made) = match endpoint {
            Endpoint::Inet(address) => (Socket::Inet(TcpListener::bind(address)?), None),
            Endpoint::Systemd => (from_systemd()?, None),
            Endpoint::Unix(path) => {
                remove_if_left_over(path)?;
                let socket = UnixListener::bind(path)?;
                fs::set_permissions(path, Permissions::from_mode(mode))?;
                (Socket::Unix(socket), Some(path.clone()))
            }
        };
        match &socket {
            Socket::Inet(socket) => socket.set_nonblocking(true)?,
            Socket::Unix(socket) => socket.set_nonblocking(true)?,
        }
        let is_shared = matches!(endpoint, Endpoint::Systemd);
        Ok(Self { socket, name: endpoint.to_string().into(), made, is_shared })
    }

    /// The next connection; none any more once the other end of `stopped` is closed.
    ///
    /// # Errors
    /// Those of the system, such as too many open files.
    pub fn accept(&self, stopped: &UnixStream) -> io::Result<Option<Stream>> {
        loop {
            let is_stopped = self.wait(stopped)?;
            if is_stopped && self.is_shared {
                return Ok(None);
            }
            match self.accept_one() {
                Ok(stream) => return Ok(Some(stream)),
                Err(_) if is_stopped => return Ok(None),
                // Another process has taken it, or its client has gone.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits for a connection, or for the end of the service; returns whether that has come.
    fn wait(&self, stopped: &UnixStream) -> io::Result<bool> {
        let socket = match &self.socket {
            Socket::Inet(socket) => socket.as_fd(),
            Socket::Unix(socket) => socket.as_fd(),
        };
        let mut waited =
            [PollFd::from_borrowed_fd(socket, PollFlags::IN), PollFd::new(stopped, PollFlags::IN)];
        match poll(&mut waited, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(!waited[1].revents().is_empty())
    }

    fn accept_one(&self) -> io::Result<Stream> {
        match &self.socket {
            Socket::Inet(socket) => {
                let (stream, peer) = socket.accept()?;
                // Some systems hand this on from the listener.
                stream.set_nonblocking(false)?;
                Stream::inet(stream, peer.ip())
            }
            Socket::Unix(socket) => {
                let (stream, _) = socket.accept()?;
                stream.set_nonblocking(false)?;
                Ok(Stream::Unix(stream))
            }
        }
    }

    /// The place that it was asked for.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The path of a socket that is to be removed at the end.
    pub fn made(&self) -> Option<&Path> {
        self.made.as_deref()
    }

    /// Where it is, with the port that the system chose if it was asked to.
    pub fn place(&self) -> String {
        match &self.socket {
            Socket::Inet(socket) => {
                socket.local_addr().map_or_else(|_| "inet".to_owned(), |at| format!("inet:{at}"))
            }
            Socket::Unix(socket) => match socket.local_addr() {
                Ok(address) if address.as_pathname().is_some() => {
                    format!("unix:{}", address.as_pathname().unwrap_or(Path::new("")).display())
                }
                _ => "unix".to_owned(),
            },
        }
    }
}

/// The socket that systemd has opened.
fn from_systemd() -> io::Result<Socket> {
    let mut handed = ListenFd::from_env();
    if handed.len() != 1 {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "systemd has handed over no socket, or several",
        ));
    }
    match handed.take_unix_listener(0) {
        Ok(Some(socket)) => Ok(Socket::Unix(socket)),
        _ => match handed.take_tcp_listener(0)? {
            Some(socket) => Ok(Socket::Inet(socket)),
            None => Err(io::ErrorKind::NotFound.into()),
        },
    }
}

/// Removes a socket left by a process that was killed: one on which no process listens.
fn remove_if_left_over(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_socket() => match UnixStream::connect(path) {
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => fs::remove_file(path),
            _ => Err(io::ErrorKind::AddrInUse.into()),
        },
        // Anything but a socket is not ours; binding reports that.
        _ => Ok(()),
    }
}
