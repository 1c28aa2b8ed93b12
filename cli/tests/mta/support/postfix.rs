//! A private Postfix in a directory of its own, beside any other that runs here.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::filter::open_to_all;
use super::{free_port, wait};

/// The services that every Postfix needs, as `master.cf` has them; smtpd comes first, with its
/// ports.
const SERVICES: &[(&str, &str, &str)] = &[
    ("cleanup", "unix  n - n - 0", "cleanup"),
    ("pickup", "unix  n - n 60 1", "pickup"),
    ("qmgr", "unix  n - n 300 1", "qmgr"),
    ("rewrite", "unix  - - n - -", "trivial-rewrite"),
    ("bounce", "unix  - - n - 0", "bounce"),
    ("defer", "unix  - - n - 0", "bounce"),
    ("trace", "unix  - - n - 0", "bounce"),
    ("verify", "unix  - - n - 1", "verify"),
    ("flush", "unix  n - n 1000? 0", "flush"),
    ("proxymap", "unix  - - n - -", "proxymap"),
    ("smtp", "unix  - - n - -", "smtp"),
    ("relay", "unix  - - n - -", "smtp"),
    ("showq", "unix  n - n - -", "showq"),
    ("error", "unix  - - n - -", "error"),
    ("retry", "unix  - - n - -", "error"), // the program of both
    ("discard", "unix  - - n - -", "discard"),
    ("virtual", "unix  - n n - -", "virtual"),
    ("anvil", "unix  - - n - 1", "anvil"),
    ("scache", "unix  - - n - 1", "scache"),
    ("postlog", "unix-dgram n - n - 1", "postlogd"),
];

/// A running Postfix; it sends all mail to one port.
pub struct Postfix {
    folder: TempDir,
}

impl Postfix {
    /// Starts one. `ports` are the ports that it listens on, each with the options of its smtpd;
    /// `settings` are lines of `main.cf`.
    pub fn start(sink: u16, ports: &[(u16, String)], settings: &str) -> Self {
        Self::start_by(&mut Command::new("postfix"), sink, ports, settings)
    }

    /// Starts one that programs of other users may pass mail to by `sendmail`: that reads other
    /// configurations only if the machine's own allows it, so this one has a view of the file
    /// system in which its own is the machine's.
    pub fn start_for_sendmail(sink: u16, ports: &[(u16, String)], settings: &str) -> Self {
        let script = "mount --bind \"$2/main.cf\" /etc/postfix/main.cf && exec postfix \"$@\"";
        let mut command = Command::new("unshare");
        command.args(["-m", "--", "sh", "-c", script, "postfix"]);
        Self::start_by(&mut command, sink, ports, settings)
    }

    fn start_by(command: &mut Command, sink: u16, ports: &[(u16, String)], settings: &str) -> Self {
        let folder = TempDir::new_in("/tmp").expect("a directory");
        open_to_all(folder.path());
        let root = folder.path();
        for name in ["etc", "queue", "data"] {
            fs::create_dir(root.join(name)).expect("a directory");
        }
        assert!(
            Command::new("chown")
                .arg("postfix")
                .arg(root.join("data"))
                .status()
                .is_ok_and(|done| done.success())
        );
        let path = root.display();
        let defaults = format!(
            "compatibility_level = 3.6\n\
             queue_directory = {path}/queue\n\
             data_directory = {path}/data\n\
             maillog_file = {path}/data/log\n\
             maillog_file_prefixes = {path}\n\
             mail_owner = postfix\n\
             setgid_group = postdrop\n\
             inet_interfaces = 127.0.0.1\n\
             inet_protocols = ipv4\n\
             myhostname = mx.sevenbit.test\n\
             mydestination =\n\
             mynetworks = 127.0.0.0/8\n\
             smtpd_relay_restrictions = permit_mynetworks, reject\n\
             smtpd_peername_lookup = no\n\
             smtp_dns_support_level = disabled\n\
             default_transport = smtp:[127.0.0.1]:{sink}\n\
             local_transport = error:none\n\
             alias_maps =\n\
             alias_database =\n\
             local_recipient_maps =\n\
             alternate_config_directories = {path}/etc\n\
             local_header_rewrite_clients =\n\
             smtp_line_length_limit = 0\n\
             message_size_limit = 0\n\
             milter_default_action = tempfail\n\
             minimal_backoff_time = 3s\n\
             maximal_backoff_time = 4s\n\
             queue_run_delay = 1s\n"
        );
        // A name that stands twice is a warning of every program of Postfix: so many at its start
        // that the one that writes them waits for itself.
        let overridden: Vec<&str> = settings.lines().map(setting_name).collect();
        let main: String = defaults
            .lines()
            .filter(|line| !overridden.contains(&setting_name(line)))
            .chain(settings.lines())
            .flat_map(|line| [line, "\n"])
            .collect();
        // A deferred message is not retried immediately: on a slow machine its delivery may still
        // hold the file, and a message that qmgr finds held stays where it is until Postfix is
        // reloaded.
        fs::write(root.join("etc/main.cf"), main).expect("main.cf");
        let mut master = String::new();
        for (port, options) in ports {
            let _ = writeln!(master, "127.0.0.1:{port} inet n - n - - smtpd {options}");
        }
        for (name, kind, program) in SERVICES {
            let _ = writeln!(master, "{name} {kind} {program}");
        }
        fs::write(root.join("etc/master.cf"), master).expect("master.cf");
        let postfix = Self { folder };
        postfix.run(command, "start");
        for (port, _) in ports {
            wait("Postfix", || std::net::TcpStream::connect(("127.0.0.1", *port)).is_ok());
        }
        postfix
    }

    /// Ports on which no process listens.
    pub fn ports<const N: usize>() -> [u16; N] {
        std::array::from_fn(|_| free_port())
    }

    /// The names of the waiting messages. The folders are read in the order in which messages go
    /// through them, and once more: so none is missed that is on its way from one to the next.
    pub fn queue(&self) -> Vec<PathBuf> {
        let mut names: Vec<PathBuf> =
            ["hold", "incoming", "active", "deferred", "incoming", "active"]
                .iter()
                .flat_map(|name| files(&self.folder.path().join("queue").join(name)))
                .collect();
        names.sort();
        names.dedup();
        names
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("data/log")).unwrap_or_default()
    }

    fn run(&self, command: &mut Command, word: &str) {
        let etc = self.folder.path().join("etc");
        let ran = command.arg("-c").arg(etc).arg(word).output().expect("postfix");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "postfix {word}: {said}{}", self.log());
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = self.log();
            let last: Vec<&str> = log.lines().rev().take(30).collect();
            last.iter().rev().for_each(|line| eprintln!("{line}"));
        }
        let etc = self.folder.path().join("etc");
        let _ = Command::new("postfix").arg("-c").arg(etc).arg("stop").output();
    }
}

/// Returns the name in a line of `main.cf`.
fn setting_name(line: &str) -> &str {
    line.split('=').next().unwrap_or_default().trim()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
