//! Writes a `.msg` as normalised mail.
//!
//! ```sh
//! cargo run -p sevenbit-outlook --example outlook_to_eml -- message.msg > message.eml
//! ```

use std::error::Error;
use std::io::Write;

use sevenbit::{Normalizer, Profile};
use sevenbit_outlook::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file? outlook_to_eml FILE.msg")?;
    let message = Message::read_msg(&std::fs::read(path)?)?;
    for fault in &message.faults {
        eprintln!("{fault}");
    }

    let composed = message.compose();
    for choice in composed.choices() {
        eprintln!("{choice}");
    }
    std::io::stdout().write_all(
        Normalizer::new().profile(Profile::Archive).normalize(composed.octets()).octets(),
    )?;
    Ok(())
}
