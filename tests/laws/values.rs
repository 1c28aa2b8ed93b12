//! Values: one that stood whole between delimiters is never lost to octets outside it (rules H6,
//! H9).

use sevenbit::Message;

use super::options::Options;

/// What programs, copying and damage leave beside a value.
pub const BLANKS: [&[u8]; 12] = [
    b"",
    b" ",
    b"\xc2\xa0",
    b"\xa0",
    b"\0",
    b"\x0b",
    b"\x7f",
    "\u{ad}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{feff}".as_bytes(),
];

/// A date, an id, an address and a URL are read after normalising as they are without what is
/// `before` and `after` them, which are some of [`BLANKS`].
pub fn values_stand(before: &[u8], after: &[u8], by: impl Into<Options>) -> Result<(), String> {
    let by = by.into();
    let field = |name: &str, value: &str| {
        [name.as_bytes(), b": ", before, value.as_bytes(), after, b"\r\n"].concat()
    };
    let mail = [
        field("Date", "Mon, 29 Jan 2023 10:00:00 +0100"),
        field("Message-ID", "<a1@b.example>"),
        field("References", "<a2@b.example> <a3@b.example>"),
        field("To", "ada@b.example"),
        field("Cc", "<bo@b.example>"),
        field("List-Unsubscribe", "<https://b.example/x>"),
        b"\r\ntext\r\n".to_vec(),
    ]
    .concat();
    let output = by.normalizer.normalize(&mail);
    let read = Message::parse(output.octets());
    let address = |name: &str| read.mailboxes(name).first().map(|one| one.address().to_owned());
    let found = format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        read.date().map(|date| date.to_string()),
        read.root().ids("message-id"),
        read.root().ids("references"),
        address("to"),
        address("cc"),
        read.list().map(|list| list.unsubscribe().to_vec()),
    );
    let expected = "Some(\"2023-01-29T10:00:00+01:00\") [\"a1@b.example\"] [\"a2@b.example\", \"a3@b.example\"] \
                    Some(\"ada@b.example\") Some(\"bo@b.example\") Some([\"https://b.example/x\"])";
    let is_kept = found == expected && output.octets().starts_with(b"Date: ");
    if is_kept {
        Ok(())
    } else {
        Err(format!("{}: {found} of {:?}", by.name, String::from_utf8_lossy(&mail)))
    }
}
