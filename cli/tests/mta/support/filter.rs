//! `sevenbit milter`, `sevenbit hooks` and `sevenbit gateway` as processes.

use std::fs::File;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use tempfile::TempDir;

use super::{PROJECT, free_port, wait};

/// The command: the one that was built with the tests, or another one (SEVENBIT_BINARY), to measure
/// a release.
pub fn sevenbit() -> Command {
    Command::new(binary())
}

/// Where it is.
pub fn binary() -> PathBuf {
    std::env::var_os("SEVENBIT_BINARY")
        .map_or_else(|| env!("CARGO_BIN_EXE_sevenbit").into(), PathBuf::from)
}

/// A running filter; killed at the end.
pub struct Filter {
    child: Child,
    /// Where it listens, in the form of its option.
    pub place: String,
    words: Vec<String>,
    folder: TempDir,
}

impl Filter {
    /// A milter on a Unix socket that everyone may use.
    pub fn milter(options: &[&str]) -> Self {
        let folder = TempDir::new_in("/tmp").expect("a directory");
        open_to_all(folder.path());
        let place = format!("unix:{}", folder.path().join("socket").display());
        let words = words(&["milter", "--listen", &place, "--socket-mode", "666"], options);
        Self::start(folder, place, words)
    }

    /// A milter on a port of this host.
    pub fn milter_over_tcp(host: &str, options: &[&str]) -> Self {
        let folder = TempDir::new_in("/tmp").expect("a directory");
        let place = format!("inet:{host}:{}", free_port());
        let words = words(&["milter", "--listen", &place], options);
        Self::start(folder, place, words)
    }

    /// Hooks on a port.
    #[cfg(feature = "hooks")]
    pub fn hooks(options: &[&str]) -> Self {
        let folder = TempDir::new_in("/tmp").expect("a directory");
        let place = format!("inet:127.0.0.1:{}", free_port());
        let words = words(&["hooks", "--listen", &place], options);
        Self::start(folder, place, words)
    }

    /// A gateway on a port, to another one.
    pub fn gateway(next: u16, options: &[&str]) -> Self {
        Self::gateway_to(&format!("127.0.0.1:{next}"), options)
    }

    /// A gateway on a port, to a next hop by its name.
    pub fn gateway_to(next: &str, options: &[&str]) -> Self {
        let folder = TempDir::new_in("/tmp").expect("a directory");
        let place = format!("127.0.0.1:{}", free_port());
        let words = words(&["gateway", "--listen", &place, "--next", next], options);
        Self::start(folder, place, words)
    }

    /// A gateway on a Unix socket that everyone may use, to another one.
    pub fn gateway_through(next: &Path, options: &[&str]) -> Self {
        let folder = TempDir::new_in("/tmp").expect("a directory");
        open_to_all(folder.path());
        let place = format!("unix:{}", folder.path().join("socket").display());
        let next = format!("unix:{}", next.display());
        let words = words(
            &["gateway", "--listen", &place, "--next", &next, "--socket-mode", "666"],
            options,
        );
        Self::start(folder, place, words)
    }

    fn start(folder: TempDir, place: String, words: Vec<String>) -> Self {
        let child = spawn(&words, &folder.path().join("log"));
        let filter = Self { child, place, words, folder };
        filter.wait_until_ready();
        filter
    }

    /// The port of one that listens on a port.
    pub fn port(&self) -> u16 {
        self.place.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port")
    }

    /// The path of one that listens on a Unix socket.
    pub fn path(&self) -> PathBuf {
        self.place.strip_prefix("unix:").expect("a path").into()
    }

    /// A connection to a milter.
    pub fn connect(&self) -> UnixStream {
        UnixStream::connect(self.path()).expect("a connection")
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its log so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Kills it (SIGKILL), and starts it again.
    pub fn kill_and_restart(&mut self) {
        self.kill();
        self.restart();
    }

    /// Kills it (SIGKILL).
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }

    /// Starts it again.
    pub fn restart(&mut self) {
        self.child = spawn(&self.words, &self.folder.path().join("log"));
        self.wait_until_ready();
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("ended")
    }

    fn wait_until_ready(&self) {
        wait("a filter", || match self.place.strip_prefix("unix:") {
            Some(path) => UnixStream::connect(path).is_ok(),
            None => TcpStream::connect(self.place.trim_start_matches("inet:")).is_ok(),
        });
    }
}

impl Drop for Filter {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn words(first: &[&str], rest: &[&str]) -> Vec<String> {
    first.iter().chain(rest).map(|&word| word.to_owned()).collect()
}

fn spawn(words: &[String], log: &Path) -> Child {
    let log = File::options().create(true).append(true).open(log).expect("a log");
    let mut command = sevenbit();
    command.args(words).envs(environment(&words[0]));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("it runs")
}

/// The environment that the unit of a filter sets: it is measured as it is run.
fn environment(filter: &str) -> Vec<(String, String)> {
    let unit = format!("{}/packaging/systemd/sevenbit-{filter}.service", PROJECT);
    let unit = std::fs::read_to_string(unit).expect("a unit");
    let set = unit
        .lines()
        .filter_map(|line| line.strip_prefix("Environment="))
        .flat_map(str::split_whitespace);
    set.filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

/// Gives access to Postfix, which is another user.
pub fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).expect("a mode");
}
