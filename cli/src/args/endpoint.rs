//! The address of a socket: `inet:HOST:PORT`, `unix:PATH`, or `systemd` for one that is passed in.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The address of a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A TCP port: `HOST:PORT`, with the host by its name or IP address.
    Inet(String),
    /// The path of a Unix socket.
    Unix(PathBuf),
    /// The socket that systemd has opened (`LISTEN_FDS`).
    Systemd,
}

impl FromStr for Endpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "systemd" => Ok(Self::Systemd),
            Some(("unix" | "local", path)) if !path.is_empty() => Ok(Self::Unix(path.into())),
            Some(("inet" | "inet6", host_and_port)) => tcp(host_and_port),
            _ => tcp(text),
        }
    }
}

/// Reads `HOST:PORT`.
fn tcp(text: &str) -> Result<Endpoint, String> {
    match text.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
            Ok(Endpoint::Inet(text.to_owned()))
        }
        _ => Err("expected HOST:PORT, unix:PATH or systemd".to_owned()),
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inet(address) => write!(f, "inet:{address}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
            Self::Systemd => f.write_str("systemd"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_named_as_mail_servers_name_them() {
        for (text, shown) in [
            ("127.0.0.1:10025", "inet:127.0.0.1:10025"),
            ("inet:localhost:8891", "inet:localhost:8891"),
            ("inet6:[::1]:8891", "inet:[::1]:8891"),
            ("unix:/run/sevenbit/milter.sock", "unix:/run/sevenbit/milter.sock"),
            ("systemd", "systemd"),
        ] {
            assert_eq!(text.parse::<Endpoint>().expect(text).to_string(), shown);
        }
        for wrong in ["", "unix:", "8891", ":8891", "host:", "host:70000", "inet:8891"] {
            assert!(wrong.parse::<Endpoint>().is_err(), "{wrong}");
        }
    }
}
