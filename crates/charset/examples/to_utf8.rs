//! Writes text in any charset as UTF-8.
//!
//! ```sh
//! cargo run -p sevenbit-charset --example to_utf8 -- koi8-r < old.txt > new.txt
//! cargo run -p sevenbit-charset --example to_utf8 < unknown.txt    # the charset is guessed
//! ```

use std::error::Error;
use std::io::{self, Read, Write};

use sevenbit_charset::Charset;

fn main() -> Result<(), Box<dyn Error>> {
    let mut octets = Vec::new();
    io::stdin().lock().read_to_end(&mut octets)?;

    let charset = match std::env::args().nth(1) {
        Some(label) => {
            let (charset, _) = Charset::for_label_lenient(&label)
                .ok_or_else(|| format!("{label} is the label of no charset"))?;
            charset
        }
        None => {
            let guess = Charset::guess(&octets);
            eprintln!("{} ({:.2})", guess.charset().name(), guess.sureness());
            guess.charset()
        }
    };

    let decoded = charset.decode(&octets);
    for issue in decoded.issues() {
        eprintln!("{issue}");
    }
    io::stdout().write_all(decoded.text().as_bytes())?;
    Ok(())
}
