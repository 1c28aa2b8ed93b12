//! A directory to work in, and the command to run there.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The folder of the project, whose messages and pages are read.
pub const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A message in its normal form: every profile returns it unchanged.
pub const CLEAN: &[u8] = b"From: a@example.org\r\nTo: b@example.org\r\nSubject: Clean\r\n\
    Date: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\r\nHello.\r\n";

/// A directory to work in, removed afterwards.
pub struct World(TempDir);

impl World {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a directory for the test"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, with the directories above it.
    pub fn write(&self, name: &str, octets: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory above")).expect("directories");
        fs::write(path, octets).expect("a file");
    }

    /// A world with `CLEAN` under each name.
    pub fn with(names: &[&str]) -> Self {
        let world = Self::new();
        names.iter().for_each(|name| world.write(name, CLEAN));
        world
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Every file, hidden ones too, by name.
    pub fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        collect(self.path(), &mut found);
        let mut names: Vec<String> = found
            .iter()
            .map(|path| path.strip_prefix(self.path()).expect("inside").display().to_string())
            .collect();
        names.sort();
        names
    }

    /// Runs the command here.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_on(args, b"")
    }

    /// Runs the command here on standard input.
    pub fn run_on(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut command = Command::new(binary());
        let output = command
            .current_dir(self.path())
            .args(args)
            .write_stdin(input)
            .output()
            .expect("it runs");
        Ran { code: output.status.code(), out: output.stdout, err: text(&output.stderr) }
    }

    /// Runs a shell script here in which `$SEVENBIT` is the command.
    #[cfg(unix)]
    pub fn shell(&self, script: &str) -> Ran {
        let mut command = Command::new("sh");
        let output = command
            .current_dir(self.path())
            .env("SEVENBIT", binary())
            .args(["-c", script])
            .output();
        let output = output.expect("a shell");
        Ran { code: output.status.code(), out: output.stdout, err: text(&output.stderr) }
    }
}

/// Where the command is.
pub fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_sevenbit")
}

fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.is_symlink() { collect(&path, found) } else { found.push(path) }
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

impl Ran {
    /// Checks that it ended with this status; shows its output if not.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "standard error: {}", self.err);
        self
    }

    /// Checks that all of this is on standard error.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.err.contains(word), "`{word}` is not in: {}", self.err);
        }
        self
    }

    pub fn text(&self) -> String {
        text(&self.out)
    }

    /// Standard output as JSON Lines.
    pub fn json(&self) -> Vec<Value> {
        json_lines(&self.out)
    }
}

/// JSON Lines.
pub fn json_lines(octets: &[u8]) -> Vec<Value> {
    text(octets).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The keys of an object, sorted.
pub fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> =
        object.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).expect("UTF-8")
}
