//! The commands of docs/mta.md that have Postfix use the milter, for a socket.

use std::fs;
use std::path::{Path, PathBuf};

use crate::args::Endpoint;

/// Where packaging/ has the milter listen.
const PACKAGED: &str = "unix:/run/sevenbit/milter.sock";

/// Where Debian's smtpd lives: it sees nothing else.
const CHROOT: &str = "/var/spool/postfix/";

/// The warning before the commands, which replace what is set. The order is that of docs/mta.md.
const OTHERS: &str = "\
# This replaces the milters that Postfix has: `postconf smtpd_milters non_smtpd_milters` prints them.
# To keep them, name them too: those that judge or verify (rspamd, OpenDKIM) first, those that sign last.
";

/// The reason for the action of a trial.
const TRIAL: &str =
    "# `accept`, since this is a trial: mail passes as it is while the milter does not run.\n";

/// Returns the commands for a milter that listens there, with comments on what they do. In a trial,
/// a dry run, mail passes while the milter does not run.
pub fn commands(listen: Option<&Endpoint>, is_trial: bool) -> String {
    let place = place(listen.unwrap_or(&Endpoint::Systemd));
    let settings = settings(&place, if is_trial { "accept" } else { "tempfail" });
    let trial = if is_trial { TRIAL } else { "" };
    format!("{OTHERS}#   'smtpd_milters = FIRST, {place}, LAST'\n{trial}{settings}")
}

/// Returns the commands alone, as docs/mta.md has them.
fn settings(place: &str, action: &str) -> String {
    format!(
        "postconf -e 'smtpd_milters = {place}' 'non_smtpd_milters = $smtpd_milters' \\\n    \
         'milter_default_action = {action}' 'smtputf8_autodetect_classes = verify'\npostfix reload\n"
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
        let said = |place: &str, is_trial| {
            let endpoint = place.parse().expect("an endpoint");
            commands(Some(&endpoint), is_trial)
        };
        let is_command = |line: &&str| !line.starts_with('#');
        let printed = said("inet:127.0.0.1:8895", false);
        let typed: Vec<&str> = printed.lines().filter(is_command).collect();
        assert!(page.contains(&typed.join("\n")), "{printed}");
        assert!(printed.contains("'smtpd_milters = FIRST, inet:127.0.0.1:8895, LAST'"));

        let inside = said("unix:/var/spool/postfix/sevenbit/milter.sock", false);
        assert!(inside.contains("'smtpd_milters = unix:/sevenbit/milter.sock'"), "{inside}");
        let trial = said("inet:127.0.0.1:8895", true);
        assert!(trial.contains("\n    'milter_default_action = accept'"), "{trial}");
        let units = "[Socket]\nListenStream=/run/a\n[Socket]\nListenStream=\nListenStream=/var/spool/postfix/b\n";
        assert_eq!(
            (opened_by_systemd(units), opened_by_systemd("")),
            (Some("/var/spool/postfix/b"), None)
        );
    }
}
