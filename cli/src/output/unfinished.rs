//! The files being written, so that none of them is left when the command is stopped.

use std::collections::BTreeSet;
#[cfg(unix)]
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The files being written. One is created, renamed or removed only while this lock is held.
pub fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From here on, an interrupt or a termination request removes half-written files and ends the
/// command, and a file that grows over the limit (`ulimit -f`) is a write error, not the end.
/// Whoever stops the command reads `advice`.
#[cfg(unix)]
pub fn clean_up_when_stopped(advice: Option<&'static str>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    let ignored = ignored();
    // A job under nohup goes on when the terminal hangs up; one in the background does not get the
    // interrupt key.
    let heard =
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // Without a handler the command is stopped anyway; only a hidden file may be left.
    let Ok(mut signals) = Signals::new(heard.chain([SIGXFSZ])) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().find(|signal| *signal != SIGXFSZ) {
            stop(128 + signal, advice);
        }
    });
}

/// On other systems the command is just stopped.
#[cfg(not(unix))]
pub fn clean_up_when_stopped(_advice: Option<&'static str>) {}

/// The signals that the command was started with as ignored, a bit each. If that cannot be known,
/// the hang-up counts as ignored: a hidden file left behind is less harm than a night's work
/// undone.
#[cfg(unix)]
fn ignored() -> u64 {
    let hang_up = 1 << (signal_hook::consts::SIGHUP - 1);
    let known = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    known().unwrap_or(hang_up)
}

/// Removes half-written files and ends with the status that a shell gives for the signal.
#[cfg(unix)]
fn stop(status: i32, advice: Option<&'static str>) -> ! {
    // Held to the end, so that no new file is begun.
    let unfinished = unfinished();
    for path in unfinished.iter() {
        let _ = std::fs::remove_file(path);
    }
    if let Some(advice) = advice {
        // A terminal that has hung up reads nothing.
        let _ = writeln!(std::io::stderr(), "sevenbit: stopped: {advice}");
    }
    std::process::exit(status)
}
