//! Prints chardetng's guess for each file.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let octets = std::fs::read(path)?;
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(&octets, true);
        println!("{}", detector.guess(None, Utf8Detection::Allow).name());
    }
    Ok(())
}
