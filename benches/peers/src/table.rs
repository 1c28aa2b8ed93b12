//! The one table: a row per operation and corpus, printed as it is measured; notes about outputs
//! below it.

use crate::race::{OURS, Pace};

/// What a row is measured against.
pub enum Goal {
    /// This many times as fast as the peer of that name.
    Times(String, f64),
    /// Likewise, but only hoped for.
    Aim(String, f64),
    /// This many MB/s.
    Speed(f64),
    /// Something other than speed: the requirement, and whether it is met.
    Said(String, bool),
}

/// What was found about an output before it was timed.
pub enum Note {
    Right,
    /// Worth knowing.
    Aside(String),
    /// A fault that makes its speed worthless.
    Wrong(String),
}

impl From<&str> for Note {
    fn from(aside: &str) -> Self {
        if aside.is_empty() { Self::Right } else { Self::Aside(aside.to_owned()) }
    }
}

/// The result of one contestant.
pub struct Run {
    pub name: String,
    pub note: Note,
    pub speed: f64,
}

pub struct Row {
    pub operation: String,
    pub corpus: String,
    pub octets: usize,
    pub runs: Vec<Run>,
    pub goals: Vec<Goal>,
    /// A figure instead of our speed, if speed is not measured.
    pub measured: Option<String>,
}

impl Row {
    pub fn new(operation: &str, corpus: String, octets: usize) -> Self {
        Self {
            operation: operation.to_owned(),
            corpus,
            octets,
            runs: Vec::new(),
            goals: Vec::new(),
            measured: None,
        }
    }

    fn ours(&self) -> f64 {
        self.speed_of(OURS).unwrap_or(0.0)
    }

    /// Whether our own output is wrong, however fast.
    fn is_wrong(&self) -> bool {
        self.runs.iter().any(|run| run.name == OURS && matches!(run.note, Note::Wrong(_)))
    }

    fn speed_of(&self, name: &str) -> Option<f64> {
        self.runs.iter().find(|run| run.name == name).map(|run| run.speed)
    }
}

pub struct Table {
    pub pace: Pace,
    wanted: Vec<String>,
    notes: Vec<String>,
    met: usize,
    missed: Vec<String>,
    started: bool,
}

impl Table {
    /// `wanted`: a row is measured if its operation and corpus contain one of these words; all rows
    /// if there are none.
    pub fn new(pace: Pace, wanted: Vec<String>) -> Self {
        Self { pace, wanted, notes: Vec::new(), met: 0, missed: Vec::new(), started: false }
    }

    pub fn wants(&self, operation: &str, corpus: &str) -> bool {
        let name = format!("{operation}, {corpus}");
        self.wanted.is_empty() || self.wanted.iter().any(|word| name.contains(word.as_str()))
    }

    pub fn add(&mut self, row: Row) {
        if !self.started {
            println!("| operation | corpus | ours, MB/s | peers: MB/s (ours ÷ theirs) | goal | met |");
            println!("|---|---|---:|---|---|---|");
            self.started = true;
        }
        let ours = match (&row.measured, row.speed_of(OURS)) {
            (Some(measured), _) => measured.clone(),
            (None, Some(ours)) => format!("{}{}", speed(ours), self.mark(&row, OURS)),
            (None, None) => String::new(),
        };
        let peers: Vec<String> =
            row.runs.iter().filter(|run| run.name != OURS).map(|run| self.peer(&row, run)).collect();
        let goals: Vec<String> = row.goals.iter().map(Goal::wording).collect();
        let verdicts: Vec<&str> = row.goals.iter().map(|goal| self.verdict(&row, goal)).collect();
        println!(
            "| {} | {} | {ours} | {} | {} | {} |",
            row.operation,
            row.corpus,
            peers.join(", "),
            goals.join(", "),
            verdicts.join(", ")
        );
    }

    /// Prints the notes, and the missed goals.
    pub fn finish(self) {
        println!();
        for (number, note) in self.notes.iter().enumerate() {
            println!("{}. {note}", number + 1);
        }
        println!("\n{} of {} goals met.", self.met, self.met + self.missed.len());
        for missed in self.missed {
            println!("- missed: {missed}");
        }
    }

    fn peer(&mut self, row: &Row, run: &Run) -> String {
        let mark = self.mark(row, &run.name);
        if row.runs.iter().any(|run| run.name == OURS) {
            format!("{} {}{mark} ({:.2})", run.name, speed(run.speed), row.ours() / run.speed)
        } else {
            format!("{} {}{mark}", run.name, speed(run.speed))
        }
    }

    /// The number of the note on that output.
    fn mark(&mut self, row: &Row, name: &str) -> String {
        let note = match row.runs.iter().find(|run| run.name == name).map(|run| &run.note) {
            None | Some(Note::Right) => return String::new(),
            Some(Note::Aside(note)) => note.clone(),
            Some(Note::Wrong(note)) => format!("WRONG: {note}"),
        };
        self.notes.push(format!("{}, {}: {name}: {note}", row.operation, row.corpus));
        format!(" [{}]", self.notes.len())
    }

    fn verdict(&mut self, row: &Row, goal: &Goal) -> &'static str {
        let times = |peer: &str| row.speed_of(peer).map(|speed| row.ours() / speed);
        let (is, found) = match goal {
            Goal::Times(peer, least) | Goal::Aim(peer, least) => match times(peer) {
                None => return "not measured",
                Some(times) => (times >= *least, format!("{times:.2}")),
            },
            Goal::Speed(least) => (row.ours() >= *least, format!("{:.1} MB/s", row.ours())),
            Goal::Said(_, is) => (*is, row.measured.clone().unwrap_or_default()),
        };
        let (is, found) = if row.is_wrong() { (false, "wrong output".to_owned()) } else { (is, found) };
        match (goal, is) {
            (Goal::Aim(..), true) => "reached",
            (Goal::Aim(..), false) => "not yet",
            (_, true) => {
                self.met += 1;
                "yes"
            }
            (_, false) => {
                self.missed.push(format!("{}, {}: {found} of {}", row.operation, row.corpus, goal.wording()));
                "NO"
            }
        }
    }
}

impl Goal {
    fn wording(&self) -> String {
        match self {
            Goal::Times(peer, times) => format!("{times} × {peer}"),
            Goal::Aim(peer, times) => format!("(aim: {times} × {peer})"),
            Goal::Speed(speed) => format!("{speed} MB/s"),
            Goal::Said(what, _) => what.clone(),
        }
    }
}

/// Three figures.
fn speed(speed: f64) -> String {
    match speed {
        ..9.95 => format!("{speed:.2}"),
        ..99.5 => format!("{speed:.1}"),
        _ => format!("{speed:.0}"),
    }
}
