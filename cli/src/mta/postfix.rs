//! The commands of docs/mta.md that have Postfix use the milter, for a socket.

use std::fs;
use std::path::{Path, PathBuf};

use crate::args::Endpoint;

/// Where packaging/ has the milter listen.
const PACKAGED: &str = "unix:/run/sevenbit/milter.sock";

/// Where Debian's smtpd lives: it sees nothing else.
const CHROOT: &str = "/var/spool/postfix/";

/// The commands for a milter that listens there.
pub fn commands(listen: Option<&Endpoint>) -> String {
    let place = place(listen.unwrap_or(&Endpoint::Systemd));
    format!(
        "postconf -e 'smtpd_milters = {place}' 'non_smtpd_milters = $smtpd_milters' \\\n    \
         'milter_default_action = tempfail' 'smtputf8_autodetect_classes = verify'\npostfix reload\n"
    )
}

/// A socket as Postfix names it.
fn place(listen: &Endpoint) -> String {
    match listen {
        Endpoint::Inet(address) => format!("inet:{address}"),
        Endpoint::Unix(path) => of_file(path),
        Endpoint::Systemd => {
            opened_by_systemd(&units()).map_or(PACKAGED.to_owned(), |path| of_file(Path::new(path)))
        }
    }
}

fn of_file(socket: &Path) -> String {
    match socket.strip_prefix(CHROOT) {
        Ok(inside) => format!("unix:/{}", inside.display()),
        Err(_) => format!("unix:{}", socket.display()),
    }
}

/// The unit of the milter's socket, and what `systemctl edit` has put over that.
fn units() -> String {
    let unit = |folder: &str| fs::read_to_string(format!("{folder}/sevenbit-milter.socket")).ok();
    let unit = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]
        .into_iter()
        .find_map(unit);
    let over = fs::read_dir("/etc/systemd/system/sevenbit-milter.socket.d")
        .into_iter()
        .flatten()
        .flatten();
    let mut over: Vec<PathBuf> = over.map(|entry| entry.path()).collect();
    over.sort();
    unit.into_iter()
        .chain(over.into_iter().filter_map(|path| fs::read_to_string(path).ok()))
        .collect()
}

/// The last socket of the file system that units have systemd listen on.
fn opened_by_systemd(units: &str) -> Option<&str> {
    let mut places = units.lines().filter_map(|line| line.strip_prefix("ListenStream="));
    places.rfind(|place| place.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_of_the_page() {
        let page = include_str!("../../../docs/mta.md");
        let endpoint = "inet:127.0.0.1:8895".parse().expect("an endpoint");
        assert!(page.contains(&commands(Some(&endpoint))), "{}", commands(Some(&endpoint)));
        let inside = "unix:/var/spool/postfix/sevenbit/milter.sock".parse().expect("an endpoint");
        assert!(commands(Some(&inside)).contains("'smtpd_milters = unix:/sevenbit/milter.sock'"));
        let units = "[Socket]\nListenStream=/run/a\n[Socket]\nListenStream=\nListenStream=/var/spool/postfix/b\n";
        assert_eq!(
            (opened_by_systemd(units), opened_by_systemd("")),
            (Some("/var/spool/postfix/b"), None)
        );
    }
}
