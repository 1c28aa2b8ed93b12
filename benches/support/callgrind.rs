//! Counts of instructions by valgrind's callgrind: the same in every run, whatever else the machine
//! does.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const COPIES_BY_VECTORS: &str =
    "glibc.cpu.x86_rep_movsb_threshold=0x40000000:glibc.cpu.x86_rep_stosb_threshold=0x40000000";

/// Runs this program again with `arguments` under callgrind; returns the instructions of each call
/// of `function`, in order, or `None` without valgrind.
pub fn counts(function: &str, arguments: &[&str]) -> Option<Vec<u64>> {
    let folder = env::temp_dir().join(format!("sevenbit-counts-{}", std::process::id()));
    fs::create_dir_all(&folder).ok()?;
    let ran = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind"])
        .arg(format!("--toggle-collect={function}"))
        .arg(format!("--dump-after={function}"))
        .arg(format!("--callgrind-out-file={}", folder.join("count").display()))
        .arg(env::current_exe().ok()?)
        // Depending on the allocator, glibc sometimes copies with one instruction that callgrind
        // counts for each octet.
        .env("GLIBC_TUNABLES", COPIES_BY_VECTORS)
        .args(arguments)
        .status();
    let counts = ran.is_ok_and(|status| status.success()).then(|| read_counts(&folder));
    fs::remove_dir_all(&folder).ok()?;
    counts
}

/// Callgrind numbers its files `count.1`, `count.2`...; the last, without a number, has what came
/// after.
fn read_counts(folder: &Path) -> Vec<u64> {
    let read = |number: usize| fs::read_to_string(folder.join(format!("count.{number}"))).ok();
    let total = |text: String| {
        text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
    };
    (1..).map_while(read).map_while(total).collect()
}
