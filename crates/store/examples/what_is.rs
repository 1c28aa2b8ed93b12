//! Says what files are.
//!
//! ```sh
//! cargo run -p sevenbit-store --example what_is -- mail/*
//! ```

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sevenbit_store::{HEAD, recognise};

fn main() {
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        match first_octets(&path) {
            Ok(first) => println!("{}: {}", path.display(), recognise(&first, &path).words()),
            Err(error) => eprintln!("{}: {error}", path.display()),
        }
    }
}

fn first_octets(path: &Path) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    File::open(path)?.take(HEAD as u64).read_to_end(&mut first)?;
    Ok(first)
}
