//! What a character of mail costs: the table of RFC 2152's discussion, measured on real text in
//! eight languages.
//!
//!     cargo run --example encoding_cost
//!
//! Octets per character in each charset, unencoded where 7bit allows it, in quoted-printable and in
//! base64, counting line ends and soft breaks; and what sevenbit makes of such text. A `*` says
//! that the charset does not have all characters of the text: a question mark replaces them. RFC
//! 2152 estimates 1.33 for any 8859-x in base64 and 1.25 for Western European in quoted-printable,
//! and names the share of letters outside US-ASCII that it assumes.

use sevenbit::utf7::{self, Direct};
use sevenbit::{Charset, Message, Normalizer, Profile, Substitution};

/// A language, text in it, and the charsets that it was written in before Unicode.
type Sample = (&'static str, &'static str, &'static [&'static str]);

const SAMPLES: [Sample; 8] = [
    ("English", include_str!("../benches/text/en.txt"), &[]),
    ("French", include_str!("../benches/text/fr.txt"), &["iso-8859-15"]),
    ("Russian", include_str!("../benches/text/ru.txt"), &["iso-8859-5", "koi8-r", "windows-1251"]),
    ("Greek", include_str!("../benches/text/el.txt"), &["iso-8859-7"]),
    ("Japanese", include_str!("../benches/text/ja.txt"), &["shift_jis", "iso-2022-jp"]),
    ("Chinese", include_str!("../benches/text/zh.txt"), &["gb2312", "hz-gb-2312"]),
    ("Korean", include_str!("../benches/text/ko.txt"), &["euc-kr", "iso-2022-kr"]),
    ("Hindi", include_str!("../benches/text/hi.txt"), &[]), // no charset before Unicode that mail was written in
];

fn main() {
    println!(
        "{:10} {:>9} {:12} {:>6} {:>6} {:>6} {:>6}  sevenbit chooses",
        "text", "not ASCII", "charset", "plain", "7bit", "QP", "base64"
    );
    for (language, text, legacy) in SAMPLES {
        let text = wrapped(text);
        let characters = text.chars().count();
        let beyond = 100 * text.chars().filter(|c| !c.is_ascii()).count() / characters;
        for charset in legacy.iter().chain(&["utf-8", "utf-7"]) {
            let (octets, mark) = encoded(&text, charset);
            let cost = |octets: usize| format!("{:.2}", octets as f64 / characters as f64);
            let plain = if octets.is_ascii() { cost(octets.len()) } else { "-".into() };
            let (quoted, base64) = (quoted_printable_len(&octets), base64_len(octets.len()));
            let (chosen, length) = chosen(&octets, charset);
            println!(
                "{language:10} {beyond:8}% {:12} {:>6} {plain:>6} {:>6} {:>6}  {chosen}, {}",
                format!("{charset}{mark}"),
                cost(octets.len()),
                cost(quoted),
                cost(base64),
                cost(length)
            );
        }
    }
}

/// Text in lines as in mail: words up to column 72, or 36 characters if words are not separated.
fn wrapped(text: &str) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for word in text.split_whitespace() {
        let characters: Vec<char> = word.chars().collect();
        for piece in characters.chunks(36) {
            if column + piece.len() + 1 > 72 {
                out.push_str("\r\n");
                column = 0;
            } else if column > 0 {
                out.push(' ');
            }
            out.extend(piece);
            column += piece.len() + 1;
        }
    }
    out + "\r\n"
}

/// Text in a charset, and a mark if it does not have all characters; in UTF-7 set O is shifted.
fn encoded(text: &str, charset: &str) -> (Vec<u8>, &'static str) {
    if charset == "utf-7" {
        return (utf7::encode(text, Direct::MailSafe).into_owned().into_bytes(), "");
    }
    let charset = Charset::for_label(charset).expect("a known charset");
    let mark = if charset.encode(text).is_ok() { "" } else { "*" };
    let mut encoder = charset.encoder().substituting(Substitution::QuestionMark);
    let mut octets = Vec::new();
    encoder.push(text, &mut octets).expect("every charset here has a question mark");
    encoder.finish(&mut octets);
    (octets, mark)
}

/// The transfer encoding that sevenbit gives a message with this text on its way to a 7-bit host,
/// and its octets.
fn chosen(octets: &[u8], charset: &str) -> (String, usize) {
    let encoding = if octets.is_ascii() { "7bit" } else { "8bit" };
    let header = format!(
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset={charset}\r\n\
         Content-Transfer-Encoding: {encoding}\r\n\r\n"
    );
    let message = [header.as_bytes(), octets].concat();
    let safe = Normalizer::new().profile(Profile::Transport).normalize(&message);
    let body = safe.octets().windows(4).position(|end| end == b"\r\n\r\n").expect("a header") + 4;
    let message = Message::parse(safe.octets());
    let leaf = message.leaves().next().expect("a leaf");
    (leaf.transfer_encoding().to_owned(), safe.octets().len() - body)
}

/// Base64 in lines of 76 (RFC 2045, 6.8).
fn base64_len(octets: usize) -> usize {
    let symbols = octets.div_ceil(3) * 4;
    symbols + 2 * symbols.div_ceil(76)
}

/// Quoted-printable in lines of 76 (RFC 2045, 6.7).
fn quoted_printable_len(octets: &[u8]) -> usize {
    let (mut length, mut column, mut at) = (0, 0, 0);
    while at < octets.len() {
        if octets[at..].starts_with(b"\r\n") {
            (length, column, at) = (length + 2, 0, at + 2);
            continue;
        }
        let literal = matches!(octets[at], b' '..=b'~' | b'\t') && octets[at] != b'=';
        let width = if literal { 1 } else { 3 };
        // The last column is for a soft break, unless the line ends here.
        let ends = octets[at + 1..].is_empty() || octets[at + 1..].starts_with(b"\r\n");
        if column + width > 75 + usize::from(ends) {
            (length, column) = (length + 3, 0);
        }
        (length, column, at) = (length + width, column + width, at + 1);
    }
    length
}
