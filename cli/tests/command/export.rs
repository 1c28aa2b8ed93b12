//! `--export`: a table of mail.
#![cfg(feature = "parquet")]

use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::support::World;

#[test]
fn each_message_is_a_row() {
    let world = World::new();
    let mail = |number: usize| {
        let head = "From a@example.org Thu Nov 19 10:00:00 2026\nFrom: =?iso-8859-1?Q?J=F6rg?= <j@example.org>\n";
        format!(
            "{head}Subject: {number}\nDate: Fri, 13 Feb 2009 23:31:30 +0000\n\nText of {number}.\n\n"
        )
    };
    let mbox: String = (0..60_000).map(mail).collect();
    world.write("in.mbox", &mbox);
    world.write(
        "odd.eml",
        b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\xf0\n",
    );
    world.run(&["normalize", "in.mbox", "odd.eml", "-o", "out", "--export", "t.parquet"]).exits(0);
    let file = File::open(world.path().join("t.parquet")).expect("a table");
    let table = SerializedFileReader::new(file).expect("a table");
    assert!(table.metadata().num_row_groups() > 1, "written in groups");
    let rows: Vec<_> =
        table.get_row_iter(None).expect("rows").map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 60_001);
    let cell = |row: usize, name: &str| {
        let found = rows[row].get_column_iter().find(|(column, _)| *column == name);
        found.expect("a column").1.clone()
    };
    assert_eq!(cell(7, "path"), Field::Str("in.mbox".to_owned()));
    let Field::Long(offset) = cell(7, "offset") else { panic!("no offset") };
    assert!(
        mbox[usize::try_from(offset).expect("an offset")..]
            .starts_with("From: =?iso-8859-1?Q?J=F6rg?= <j@example.org>\nSubject: 7\n")
    );
    assert_eq!(cell(7, "subject"), Field::Str("7".to_owned()));
    assert_eq!(cell(7, "from"), Field::Str("Jörg <j@example.org>".to_owned()));
    assert_eq!(cell(7, "text"), Field::Str("Text of 7.\n".to_owned()));
    assert_eq!(cell(7, "date"), Field::TimestampMillis(1_234_567_890_000));
    assert_eq!(cell(7, "message_id"), Field::Null);
    assert_eq!(cell(60_000, "path"), Field::Str("odd.eml".to_owned()));
    assert_eq!(cell(60_000, "charsets"), Field::Str("koi8-r".to_owned()));
    assert_eq!(cell(60_000, "text"), Field::Str("П\n".to_owned()));
    assert_eq!(cell(60_000, "changed"), Field::Bool(true));
    assert!(world.files().iter().all(|name| !name.contains(".sevenbit")));
}
