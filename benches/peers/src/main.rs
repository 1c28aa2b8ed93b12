//! sevenbit beside its peers, in one process and one table.

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
use std::process::ExitCode;

use race::Pace;
use table::Table;

const USAGE: &str = "peers [--quick] [WORD...]

Measures sevenbit beside its peers; of WORDs, only rows whose operation and corpus hold one of them.

  --quick  fewer and shorter samples: for a look, not for a record";

fn main() -> ExitCode {
    let (options, wanted): (Vec<String>, Vec<String>) = env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let pace = match options.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => Pace { rounds: 9, sample_ms: 20.0 },
        ["--quick"] => Pace { rounds: 3, sample_ms: 5.0 },
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    println!("{}\n", machine());
    let mut table = Table::new(pace, wanted);
    rows::all(&mut table);
    table.finish();
    ExitCode::SUCCESS
}

/// Processor, number of cores, system: what a reader needs to place the numbers.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':')).map_or("?", |(_, value)| value.trim()).to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let [family, model] = ["cpu family", "model\t"].map(field);
    format!("{} (family {family}, model {model}), {cores} cores, {}, {}, {}", field("model name"), env::consts::OS, native::GMIME, native::ICU)
}
