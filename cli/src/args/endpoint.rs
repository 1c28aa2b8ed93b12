//! Where a socket is: `inet:HOST:PORT`, `unix:PATH`, or passed in by systemd.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a socket is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A host, by name or address, and a port.
    Inet(String),
    /// A path.
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
            Some(("inet" | "inet6", rest)) => inet(rest),
            _ => inet(text),
        }
    }
}

fn inet(text: &str) -> Result<Endpoint, String> {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port);
    match port.map(str::parse::<u16>) {
        Some(Ok(_)) => Ok(Endpoint::Inet(text.to_owned())),
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
        let is = |text: &str, shown: &str| {
            assert_eq!(text.parse::<Endpoint>().expect(text).to_string(), shown)
        };
        is("127.0.0.1:10025", "inet:127.0.0.1:10025");
        is("inet:localhost:8891", "inet:localhost:8891");
        is("inet6:[::1]:8891", "inet:[::1]:8891");
        is("unix:/run/sevenbit/milter.sock", "unix:/run/sevenbit/milter.sock");
        is("systemd", "systemd");
        for wrong in ["", "unix:", "8891", ":8891", "host:", "host:70000", "inet:8891"] {
            assert!(wrong.parse::<Endpoint>().is_err(), "{wrong}");
        }
    }
}
