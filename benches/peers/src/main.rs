//! sevenbit compared with its peers, in one process and one table.

mod allocations;
mod checks;
mod glue;
mod mail;
mod native;
mod race;
mod rows;
mod table;

#[path = "../../support/mod.rs"]
mod support;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use race::Pace;
use table::Table;

const USAGE: &str = "sevenbit-peers [--quick] [--corpora DIR] [WORD...]

Measures sevenbit beside its peers and prints a table: all rows, or those whose operation or corpus holds one of WORDs.

  --quick        fewer and shorter samples: for a look, not for a record
  --alone        sevenbit only, for ten seconds a row: for a profiler
  --corpora DIR  where real mail lies, if not in ../shared/corpora beside the project";

/// The command line.
struct Asked {
    pace: Pace,
    corpora: PathBuf,
    words: Vec<String>,
}

fn main() -> ExitCode {
    let Some(asked) = asked() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    println!("{}\n", machine());
    let mut table = Table::new(asked.pace, asked.words);
    rows::all(&asked.corpora, &mut table);
    table.finish();
    ExitCode::SUCCESS
}

fn asked() -> Option<Asked> {
    let mut asked = Asked {
        pace: Pace { rounds: 9, sample_ms: 20.0, alone: false },
        corpora: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora"),
        words: Vec::new(),
    };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => asked.pace = Pace { rounds: 3, sample_ms: 5.0, alone: false },
            "--alone" => asked.pace = Pace { rounds: 10, sample_ms: 1_000.0, alone: true },
            "--corpora" => asked.corpora = arguments.next()?.into(),
            option if option.starts_with("--") => return None,
            _ => asked.words.push(argument),
        }
    }
    Some(asked)
}

/// Processor, number of cores, system: what a reader needs to place the numbers.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':')).map_or("?", |(_, value)| value.trim()).to_owned()
    };
    let [name, family, model] = ["model name", "cpu family", "model\t"].map(field);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let peers = format!("{}, {}", native::GMIME, native::ICU);
    format!(
        "{name} (family {family}, model {model}), {cores} cores, {}; {peers}; one thread, its processor time",
        env::consts::OS
    )
}
