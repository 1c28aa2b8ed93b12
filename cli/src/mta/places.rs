//! The places that the options of a filter name: sockets that must not be each other's, and files
//! that have to be there or be made.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::args::{Endpoint, ServiceArgs};
use crate::exit::Failure;

/// Checks that no two sockets of a filter are the same one, and that none of its next hops is.
///
/// # Errors
/// The options that name the same socket.
pub fn check_sockets(
    listen: &[Endpoint],
    metrics: Option<SocketAddr>,
    next: &[Endpoint],
) -> Result<(), Failure> {
    let metrics = metrics.map(|address| Endpoint::Inet(address.to_string()));
    let own: Vec<(&str, &Endpoint)> = listen
        .iter()
        .map(|place| ("--listen", place))
        .chain(metrics.iter().map(|place| ("--metrics", place)))
        .collect();

    for (number, (option, place)) in own.iter().enumerate() {
        for (other_option, other) in &own[..number] {
            if reaches(place, other) || reaches(other, place) {
                return Err(Failure::usage(format!(
                    "{other_option} {other} and {option} {place} are one socket"
                )));
            }
        }
    }

    for place in next {
        if let Some((option, own)) = own.iter().find(|(_, own)| reaches(place, own)) {
            return Err(Failure::usage(format!(
                "--next {place} is {option} {own}: the gateway would connect to itself"
            )));
        }
    }
    Ok(())
}

/// Checks that what a filter opens at its start can be opened, as far as that is seen without
/// creating anything.
///
/// # Errors
/// As those of the start.
pub fn check_files(listen: &[Endpoint], service: &ServiceArgs) -> Result<(), Failure> {
    if let Some(report) = &service.report {
        check_file(report).map_err(|error| Failure::creating(report, &error))?;
    }
    for place in listen {
        if let Endpoint::Unix(path) = place {
            check_socket(path)
                .map_err(|error| Failure::creating(Path::new(&place.to_string()), &error))?;
        }
    }
    Ok(())
}

/// Checks that files can be created in a directory.
///
/// # Errors
/// The directory is missing, is none, or cannot be written to by the user who asks.
pub fn check_directory(directory: &Path) -> io::Result<()> {
    if !directory.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(access(directory, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Checks that octets can be added to a file, which need not be there.
fn check_file(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(access(path, Access::WRITE_OK)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => check_directory(parent(path)),
        Err(error) => Err(error),
    }
}

/// Checks that a socket can be made. One that is there is removed by the start, if no process
/// listens on it.
fn check_socket(path: &Path) -> io::Result<()> {
    // A longer path than sockets may have is an error here.
    net::SocketAddr::from_pathname(path)?;
    match path.symlink_metadata() {
        Ok(found) if !found.file_type().is_socket() => Err(io::ErrorKind::AddrInUse.into()),
        _ => check_directory(parent(path)),
    }
}

/// Returns the directory of a file.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns whether an address is one of this machine: only there can a socket be bound to it.
pub fn is_own_address(address: IpAddr) -> bool {
    UdpSocket::bind((address, 0)).is_ok()
}

/// Returns whether a connection to one place reaches the socket at another one.
fn reaches(to: &Endpoint, at: &Endpoint) -> bool {
    match (to, at) {
        (Endpoint::Unix(to), Endpoint::Unix(at)) => resolved(to) == resolved(at),
        (Endpoint::Inet(to), Endpoint::Inet(at)) => {
            // Names are looked up only where the ports say that it matters.
            let port = port(to);
            port != 0 && port == self::port(at) && reaches_address(to, at)
        }
        _ => false,
    }
}

/// Returns whether one of the addresses of a place is one where a socket at another place listens.
fn reaches_address(to: &str, at: &str) -> bool {
    let (Ok(mut to), Ok(at)) = (to.to_socket_addrs(), at.to_socket_addrs()) else {
        return false;
    };
    // Of several addresses the first that can be bound is.
    let bound = at.map(|at| at.ip().to_canonical()).find(|&at| is_own_address(at));
    bound.is_some_and(|bound| to.any(|to| listens_for(bound, to.ip().to_canonical())))
}

/// Returns whether a socket that is bound to an address takes connections to another one.
fn listens_for(bound: IpAddr, to: IpAddr) -> bool {
    // A connection to the unspecified address is one to this machine.
    let to = match to {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        to => to,
    };
    match bound {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => to.is_ipv4() && is_own_address(to),
        // The system has it take those of IPv4, too, unless it is told otherwise.
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => is_own_address(to),
        bound => bound == to,
    }
}

/// Returns the port of `HOST:PORT`.
fn port(place: &str) -> u16 {
    place.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).unwrap_or_default()
}

/// Returns the path of a file that need not be there, without links in its directory.
fn resolved(path: &Path) -> PathBuf {
    let directory = parent(path).canonicalize().unwrap_or_else(|_| parent(path).to_owned());
    path.canonicalize().unwrap_or_else(|_| directory.join(path.file_name().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reaches_the_socket_that_listens_for_it() {
        let folder = tempfile::TempDir::new().expect("a directory");
        let other = folder.path().join("other");
        std::os::unix::fs::symlink(folder.path(), &other).expect("a link");
        let unix = |path: &Path| format!("unix:{}", path.join("socket").display());
        let (socket, by_link) = (unix(folder.path()), unix(&other));

        for (to, at, expected) in [
            ("127.0.0.1:25", "127.0.0.1:25", true),
            ("127.0.0.1:25", "inet:127.0.0.1:025", true),
            ("localhost:25", "127.0.0.1:25", true),
            ("[::ffff:127.0.0.1]:25", "127.0.0.1:25", true),
            ("127.0.0.1:25", "0.0.0.0:25", true),
            ("127.0.0.7:25", "0.0.0.0:25", true),
            ("0.0.0.0:25", "127.0.0.1:25", true),
            ("127.0.0.1:25", "127.0.0.1:26", false),
            ("127.0.0.1:25", "127.0.0.2:25", false),
            ("192.0.2.1:25", "0.0.0.0:25", false),
            ("127.0.0.1:0", "127.0.0.1:0", false),
            ("127.0.0.1:25", "systemd", false),
            (&socket, &socket, true),
            (&socket, &by_link, true),
            (&socket, "unix:/run/socket", false),
            (&socket, "127.0.0.1:25", false),
        ] {
            let [to_place, at_place] = [to, at].map(|text| text.parse().expect("an endpoint"));
            assert_eq!(reaches(&to_place, &at_place), expected, "{to} {at}");
        }
    }

    /// A machine may be without IPv6: no name is looked up, and no address of it is needed.
    #[test]
    fn a_socket_for_all_addresses_takes_those_of_both_kinds() {
        let [v4, v6, all_v4, all_v6] =
            ["127.0.0.1", "::1", "0.0.0.0", "::"].map(|text| text.parse().expect("an address"));
        assert!(listens_for(all_v6, v4) && listens_for(all_v6, all_v4) && listens_for(v6, all_v6));
        assert!(!listens_for(all_v4, v6) && !listens_for(v4, all_v6));
    }

    #[test]
    fn files_are_looked_at_and_not_made() {
        let folder = tempfile::TempDir::new().expect("a directory");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "").expect("written");
        let _socket = net::UnixListener::bind(at("socket")).expect("a socket");
        let kind = |checked: io::Result<()>| checked.err().map(|error| error.kind());

        assert_eq!([kind(check_file(&at("file"))), kind(check_file(&at("none")))], [None; 2]);
        assert_eq!(kind(check_file(&at("none/file"))), Some(io::ErrorKind::NotFound));
        assert_eq!(kind(check_file(&at("file/file"))), Some(io::ErrorKind::NotADirectory));
        assert_eq!(kind(check_file(folder.path())), Some(io::ErrorKind::IsADirectory));

        assert_eq!([kind(check_socket(&at("socket"))), kind(check_socket(&at("none")))], [None; 2]);
        assert_eq!(kind(check_socket(&at("file"))), Some(io::ErrorKind::AddrInUse));
        assert_eq!(kind(check_socket(&at("none/socket"))), Some(io::ErrorKind::NotFound));
        assert_eq!(kind(check_socket(&at(&"x".repeat(200)))), Some(io::ErrorKind::InvalidInput));

        let names = std::fs::read_dir(folder.path()).expect("a directory").count();
        assert_eq!(names, 2, "something was made");
    }
}
