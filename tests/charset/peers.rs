//! Every charset that is read by a table or by shifts, compared octet by octet with glibc's iconv
//! and Python's codecs.
//!
//! `corpus/charset/differences.txt` lists each difference with its reason; one that is not listed
//! fails, and so does an entry that is not needed. If `python3` is missing the comparison says so
//! and passes.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;

use serde_json::{Value, json};
use sevenbit::Charset;

/// Octet sequences: a prefix, one octet out of each range, a suffix.
struct Spec {
    prefix: Vec<u8>,
    ranges: Vec<(u8, u8)>,
    suffix: Vec<u8>,
}

impl Spec {
    fn new(prefix: &[u8], ranges: &[(u8, u8)], suffix: &[u8]) -> Self {
        Self { prefix: prefix.into(), ranges: ranges.into(), suffix: suffix.into() }
    }

    fn json(&self) -> Value {
        json!([hex(&self.prefix), self.ranges, hex(&self.suffix)])
    }

    fn sequences(&self) -> Vec<Vec<u8>> {
        let mut found = vec![self.prefix.clone()];
        for (first, last) in &self.ranges {
            let longer = |start: &Vec<u8>| {
                (*first..=*last)
                    .map(|octet| [start.as_slice(), &[octet]].concat())
                    .collect::<Vec<_>>()
            };
            found = found.iter().flat_map(longer).collect();
        }
        found.iter().map(|start| [start.as_slice(), &self.suffix].concat()).collect()
    }
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02X}")).collect()
}

const ALL: (u8, u8) = (0, 0xFF);
const HIGH: (u8, u8) = (0xA1, 0xFE);
const LOW: (u8, u8) = (0x21, 0x7E);

/// The sequences to compare for a charset.
fn specs(charset: Charset) -> Vec<Spec> {
    let escaped = |escapes: &[&[u8]], end: &[u8]| {
        escapes.iter().map(|escape| Spec::new(escape, &[LOW, LOW], end)).collect::<Vec<_>>()
    };
    match charset.name() {
        "ISO-2022-JP" => {
            let mut specs = escaped(&[b"\x1B$@", b"\x1B$B"], b"\x1B(B");
            specs.push(Spec::new(b"\x1B(J", &[(0, 0x7F)], b"\x1B(B"));
            specs.push(Spec::new(b"\x1B(I", &[LOW], b"\x1B(B"));
            specs
        }
        "ISO-2022-JP-1" => escaped(&[b"\x1B$B", b"\x1B$(D"], b"\x1B(B"),
        "ISO-2022-JP-2" => {
            let mut specs = escaped(&[b"\x1B$B", b"\x1B$(D", b"\x1B$A", b"\x1B$(C"], b"\x1B(B");
            specs.push(Spec::new(b"\x1B.A\x1BN", &[(0x20, 0x7F)], b""));
            specs.push(Spec::new(b"\x1B.F\x1BN", &[(0x20, 0x7F)], b""));
            specs
        }
        "ISO-2022-JP-3" => escaped(&[b"\x1B$B", b"\x1B$(O", b"\x1B$(Q", b"\x1B$(P"], b"\x1B(B"),
        "ISO-2022-KR" => escaped(&[b"\x1B$)C\x0E"], b"\x0F"),
        "ISO-2022-CN" => escaped(&[b"\x1B$)A\x0E", b"\x1B$)G\x0E", b"\x1B$*H\x1BN"], b"\x0F"),
        "ISO-2022-CN-EXT" => {
            let escapes: [&[u8]; 9] = [
                b"\x1B$)A\x0E",
                b"\x1B$)E\x0E",
                b"\x1B$)G\x0E",
                b"\x1B$*H\x1BN",
                b"\x1B$+I\x1BO",
                b"\x1B$+J\x1BO",
                b"\x1B$+K\x1BO",
                b"\x1B$+L\x1BO",
                b"\x1B$+M\x1BO",
            ];
            escaped(&escapes, b"\x0F")
        }
        "HZ-GB-2312" => escaped(&[b"~{"], b"~}"),
        "KOI7-switched" | "SCSU" | "BOCU-1" | "VIQR" => Vec::new(),
        "CESU-8" | "ISO-10646-UTF-1" => Vec::new(),
        name if name.starts_with("UTF-")
            || name.starts_with("UNICODE")
            || name.starts_with("ISO-10646") =>
        {
            Vec::new()
        }
        name if name.starts_with("ISO-Unicode") => Vec::new(),
        "TSCII" => {
            vec![Spec::new(b"", &[ALL], b""), Spec::new(b"", &[(0x80, 0xFE), (0x80, 0xFE)], b"")]
        }
        _ => stateless(charset),
    }
}

/// Charsets with characters of two octets and no shifts.
const DOUBLE: [&str; 26] = [
    "GB2312",
    "GB_2312-80",
    "GBK",
    "GB18030",
    "Big5",
    "Big5-HKSCS",
    "EUC-TW",
    "EUC-JP",
    "eucJP-ms",
    "CP51932",
    "EUC-JIS-2004",
    "Shift_JIS",
    "Windows-31J",
    "Shift_JIS-2004",
    "EUC-KR",
    "KS_C_5601-1987",
    "JOHAB",
    "JIS_C6226-1983",
    "JIS_X0212-1990",
    "ISO_5428:1980",
    "ANSI_X3.110-1983",
    "T.61-8bit",
    "iso-ir-90",
    "ISO_6937",
    "TCVN5712-1",
    "x-mac-thai",
];

/// Every octet; for double-byte sets every pair that begins with one that cannot stand alone, and
/// the longer forms.
fn stateless(charset: Charset) -> Vec<Spec> {
    let mut specs = vec![Spec::new(b"", &[ALL], b"")];
    if DOUBLE.contains(&charset.name()) {
        let lead = |octet: &u8| {
            charset.name() == "TCVN5712-1" || charset.decode_strict(&[*octet]).ok().is_none()
        };
        specs.extend((0..=0xFF).filter(lead).map(|octet| Spec::new(&[octet], &[ALL], b"")));
    }
    match charset.name() {
        "EUC-JP" | "eucJP-ms" | "EUC-JIS-2004" => {
            specs.push(Spec::new(&[0x8F], &[HIGH, HIGH], b""))
        }
        "EUC-TW" => (0xA1..=0xB0)
            .for_each(|plane| specs.push(Spec::new(&[0x8E, plane], &[HIGH, HIGH], b""))),
        "GB18030" => {
            specs.push(Spec::new(
                b"",
                &[(0x81, 0x84), (0x30, 0x39), (0x81, 0xFE), (0x30, 0x39)],
                b"",
            ));
            specs.push(Spec::new(
                b"",
                &[(0x90, 0xE3), (0x30, 0x39), (0x81, 0x82), (0x30, 0x31)],
                b"",
            ));
        }
        _ => {}
    }
    specs
}

/// An entry of the list: charset and peer, `*` for any; ranges of sequences; the reason.
struct Known {
    charset: String,
    peer: String,
    ranges: Vec<(String, String)>,
    used: bool,
}

impl Known {
    fn parse(line: &str) -> Self {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [charset, peer, ranges, reason] = fields[..] else {
            panic!("four fields wanted: {line}")
        };
        assert!(!reason.is_empty(), "no reason: {line}");
        let range = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            (first.to_owned(), last.to_owned())
        };
        let ranges = ranges.split_whitespace().map(range).collect();
        Self { charset: charset.into(), peer: peer.into(), ranges, used: false }
    }

    /// Whether it explains that we read `ours` and the peer reads `theirs`.
    fn covers(&self, charset: &str, peer: &str, sequence: &str, ours: bool, theirs: bool) -> bool {
        let fits =
            |wanted: &str, given: &str| wanted == "*" || wanted.split(' ').any(|one| one == given);
        let within = |(first, last): &(String, String)| {
            matches!(
                (first.as_str(), ours, theirs),
                ("*", ..) | ("more", true, false) | ("less", false, true)
            ) || sequence.len() == first.len()
                && (first.as_str()..=last.as_str()).contains(&sequence)
        };
        fits(&self.charset, charset) && fits(&self.peer, peer) && self.ranges.iter().any(within)
    }
}

/// Runs the peers on every charset; calls back with the result of each for each sequence.
fn with_peers(mut each: impl FnMut(Charset, &str, &[Option<String>], &[Vec<u8>])) -> bool {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/charset/peers.py");
    let Ok(mut child) =
        Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
    else {
        return false;
    };
    let mut input = child.stdin.take().expect("piped");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let (send, jobs) = mpsc::channel();
    let writer = std::thread::spawn(move || {
        for charset in Charset::all().filter(|charset| charset.is_decodable()) {
            let specs = specs(charset);
            if specs.is_empty() {
                continue;
            }
            let labels: Vec<_> =
                std::iter::once(&charset.name()).chain(charset.aliases()).copied().collect();
            let specs_json: Vec<_> = specs.iter().map(Spec::json).collect();
            let job = json!({"name": charset.name(), "labels": labels, "specs": specs_json});
            send.send((charset, specs)).expect("the reader waits");
            writeln!(input, "{job}").expect("the script reads");
        }
    });
    let mut sequences: HashMap<&str, (Charset, Vec<Vec<u8>>)> = HashMap::new();
    for line in output.lines() {
        let result: Value = serde_json::from_str(&line.expect("text")).expect("JSON");
        while let Ok((charset, specs)) = jobs.try_recv() {
            sequences.insert(
                charset.name(),
                (charset, specs.iter().flat_map(Spec::sequences).collect()),
            );
        }
        let name = result["name"].as_str().expect("a name");
        let texts: Vec<Option<String>> = result["texts"]
            .as_array()
            .expect("texts")
            .iter()
            .map(|t| t.as_str().map(str::to_owned))
            .collect();
        let (charset, octets) = &sequences[name];
        each(*charset, result["peer"].as_str().expect("a peer"), &texts, octets);
    }
    writer.join().expect("all jobs written");
    child.wait().is_ok_and(|status| status.success())
}

#[test]
fn agrees_with_iconv_and_python() {
    let list = include_str!("../../corpus/charset/differences.txt");
    let mut known: Vec<Known> = list
        .lines()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'))
        .map(Known::parse)
        .collect();
    let (mut compared, mut pairs, mut unexplained) = (0, 0, Vec::new());
    let ran = with_peers(|charset, peer, texts, sequences| {
        pairs += 1;
        assert_eq!(texts.len(), sequences.len(), "{charset}");
        for (octets, theirs) in sequences.iter().zip(texts) {
            compared += 1;
            let ours = charset.decode_strict(octets).ok().map(String::from);
            if ours == *theirs {
                continue;
            }
            let (sequence, given) = (hex(octets), (ours.is_some(), theirs.is_some()));
            let covers = |known: &&mut Known| {
                known.covers(charset.name(), peer, &sequence, given.0, given.1)
            };
            match known.iter_mut().find(covers) {
                Some(known) => known.used = true,
                None => unexplained
                    .push(format!("{charset} {peer} {sequence} ours {ours:?} theirs {theirs:?}")),
            }
        }
    });
    if !ran {
        assert!(
            std::env::var_os("SEVENBIT_REQUIRE").is_none_or(|tools| tools != "all"),
            "python3 is not here"
        );
        return println!("python3 is not here: nothing was compared");
    }
    println!("{compared} sequences of {pairs} charsets and peers compared");
    if let Ok(path) = std::env::var("CHARSET_DIFFERENCES") {
        std::fs::write(path, unexplained.join("\n")).expect("a writable file");
    }
    let first: Vec<_> = unexplained.iter().take(40).collect();
    assert!(
        unexplained.is_empty(),
        "{} differences without a reason: {first:#?}",
        unexplained.len()
    );
    let stale: Vec<_> = known
        .iter()
        .filter(|known| !known.used)
        .map(|known| (&known.charset, &known.ranges))
        .collect();
    assert!(stale.is_empty(), "nothing differs any more for {stale:#?}");
}
