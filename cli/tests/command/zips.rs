//! ZIP archives, and what is packed in archives.
#![cfg(unix)]

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::mailboxes::mbox;
use crate::support::{CLEAN, World, json_lines};

pub fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, octets) in members {
        writer.start_file(*name, SimpleFileOptions::default()).expect("in memory");
        writer.write_all(octets).expect("in memory");
    }
    writer.finish().expect("in memory").into_inner()
}

/// The members of an archive, by name.
fn members(octets: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(octets)).expect("an archive");
    let read = (0..archive.len()).map(|number| {
        let mut file = archive.by_index(number).expect("a member");
        let mut octets = Vec::new();
        file.read_to_end(&mut octets).expect("in memory");
        (file.name().expect("a name").into_owned(), octets)
    });
    let mut read: Vec<_> = read.collect();
    read.sort();
    read
}

pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, octets) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(octets.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *octets).expect("memory");
    }
    builder.into_inner().expect("memory")
}

pub fn gz(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(octets).expect("memory");
    encoder.finish().expect("memory")
}

const PDF: &[u8] = b"%PDF-1.7\n\nFrom: a@example.org\n";

#[test]
fn mail_in_a_zip_archive_is_read_and_written() {
    let world = World::new();
    let inner = tar(&[("x.eml", CLEAN), ("y.pdf", PDF)]);
    let octets = zip(&[
        ("a.eml", CLEAN),
        ("Takeout/Mail/All.mbox", &mbox(3)),
        ("b.pdf", PDF),
        ("c.mbox.gz", &gz(&mbox(2))),
        ("d.eml.gz", &gz(CLEAN)),
        ("e.pdf.gz", &gz(PDF)),
        ("f.tgz", &gz(&inner)),
        ("g.zip", &zip(&[("z.eml", CLEAN)])),
        ("h.zip", &zip(&[("z.pdf", PDF)])),
    ]);
    world.write("d/in.zip", &octets);

    for (args, found) in [
        (&["normalize", "d", "-o", "out", "--report", "r"][..], "9 messages"),
        (&["normalize", "d/in.zip", "-o", "out.zip"], "9 messages"),
        (&["normalize", "d/in.zip", "--to", "mbox", "-o", "out.mbox"], "9 messages"),
        (&["normalize", "d/in.zip", "--to", "maildir", "-o", "M"], "9 messages"),
    ] {
        world.run(args).exits(0).says(&[found, "4  files are no mail", "0  changed"]);
    }
    let expected = [
        ("Takeout/Mail/All.mbox", mbox(3)),
        ("a.eml", CLEAN.to_vec()),
        ("b.pdf", PDF.to_vec()),
        ("c.mbox.gz", gz(&mbox(2))),
        ("d.eml.gz", gz(CLEAN)),
        ("e.pdf.gz", gz(PDF)),
        ("f.tgz/x.eml", CLEAN.to_vec()),
        ("f.tgz/y.pdf", PDF.to_vec()),
        ("g.zip/z.eml", CLEAN.to_vec()),
        ("h.zip", zip(&[("z.pdf", PDF)])),
    ];
    let expected = expected.map(|(name, octets)| (name.to_owned(), octets));
    assert_eq!(members(world.read("out/in.zip")), expected);
    assert_eq!(members(world.read("out.zip")), expected);
    assert_eq!(world.run(&["inspect", "--json", "out.mbox"]).exits(0).json().len(), 9);
    assert_eq!(json_lines(&world.read("r")).len(), 13);

    let ran = world.run_on(&["normalize"], &octets).exits(0);
    assert_eq!(members(ran.out), expected, "through standard input and output");
    world
        .run(&["normalize", "--in-place", "d"])
        .exits(73)
        .says(&["in.zip: is a file of many messages", "`-o` writes a copy"]);
    assert_eq!(world.read("d/in.zip"), octets);
}

/// A tree of sources has such files, which are neither written nor an error in place.
#[test]
fn a_tar_file_without_mail_is_no_mail() {
    let world = World::with(&["d/a.eml", "box/notes.txt", "M/new/1"]);
    world.write("box/notes.txt", "text\n");
    world.write("M/new/1", "text\n");
    let tars = "tar -cf d/b.tar box; tar -czf d/c.tgz box; tar -cf d/m.tar M; ln -s x box/y; \
                tar -cf links.tar box/y";
    world.shell(tars).exits(0);
    world
        .run(&["normalize", "d", "-o", "out"])
        .exits(0)
        .says(&["2 messages", "2 tar files without mail"]);
    let written = ["out/a.eml", "out/m.tar"];
    assert!(world.files().iter().filter(|name| name.starts_with("out/")).eq(written));
    world.shell("rm d/m.tar").exits(0);
    world.run(&["normalize", "--in-place", "d"]).exits(0).says(&["2 tar files without mail"]);
    for name in ["d/b.tar", "d/c.tgz", "links.tar"] {
        world
            .run(&["normalize", name])
            .exits(65)
            .says(&["is no mail, but a tar file without mail"]);
    }
}

#[test]
fn a_zip_archive_without_mail_is_no_mail() {
    let world = World::with(&["d/a.eml"]);
    world.write("d/b.zip", zip(&[("a.pdf", PDF), ("notes.txt", b"text\n")]));
    world
        .run(&["normalize", "d", "-o", "out"])
        .exits(0)
        .says(&["1 message", "a ZIP archive without mail"]);
    assert!(!world.path().join("out/b.zip").exists());
    world
        .run(&["normalize", "d/b.zip"])
        .exits(65)
        .says(&["is no mail, but a ZIP archive without mail"]);
}

/// An encrypted member is left out; of an archive that was cut, every whole member is read.
#[test]
fn what_cannot_be_read_of_a_zip_archive_is_said() {
    let world = World::new();
    let mut octets = zip(&[("a.eml", CLEAN), ("b.eml", CLEAN)]);
    world.write("cut.zip", &octets[..octets.len() - 60]);
    let ran = world.run(&["normalize", "cut.zip", "--to", "maildir", "-o", "M"]).exits(66);
    ran.says(&["cut.zip: after message 2, ", "cannot be read: "]);
    assert_eq!(world.files().iter().filter(|name| name.starts_with("M/new/")).count(), 2);

    // The bit of the flags that says so, in the header and in the directory.
    let local = memchr::memmem::rfind(&octets, b"PK\x03\x04").expect("a header");
    let central = memchr::memmem::rfind(&octets, b"PK\x01\x02").expect("an entry");
    octets[local + 6] |= 1;
    octets[central + 8] |= 1;
    world.write("in.zip", &octets);
    let ran = world.run(&["normalize", "in.zip", "-o", "out.zip", "--report", "r"]).exits(65);
    ran.says(&["in.zip: b.eml: is left out: it is encrypted", "1 message"]);
    assert_eq!(members(world.read("out.zip")), [("a.eml".to_owned(), CLEAN.to_vec())]);
    assert_eq!(json_lines(&world.read("r")).len(), 2);
}

/// Members of which the archive says no more than the name, as Java and Google write them, or of
/// which the directory is cut away.
#[test]
fn members_without_attributes_are_written() {
    let world = World::new();
    let mut octets = zip(&[("a.eml", CLEAN), ("b.eml", CLEAN)]);
    let directory = memchr::memmem::find(&octets, b"PK\x01\x02").expect("an entry");
    world.write("cut.zip", &octets[..directory]);
    let entries: Vec<usize> = memchr::memmem::find_iter(&octets, b"PK\x01\x02").collect();
    for entry in entries {
        octets[entry + 38..entry + 42].fill(0);
    }
    world.write("bare.zip", &octets);

    let expected = ["a.eml", "b.eml"].map(|name| (name.to_owned(), CLEAN.to_vec()));
    world.run(&["normalize", "bare.zip", "-o", "bare-out.zip"]).exits(0).says(&["2 messages"]);
    assert_eq!(members(world.read("bare-out.zip")), expected);
    let ran = world.run(&["normalize", "cut.zip", "-o", "cut-out.zip"]).exits(66);
    ran.says(&["cut.zip: after message 2, ", "cannot be read: "]);
    assert_eq!(members(world.read("cut-out.zip")), expected);
}

/// A packed member of a tar file is unpacked, and packed again; one that cannot be unpacked stays,
/// and is in the report.
#[test]
fn packed_members_of_a_tar_file_are_read() {
    let world = World::new();
    let cut = gz(&mbox(900));
    let cut = &cut[..cut.len() / 2];
    let octets = tar(&[
        ("a.eml", CLEAN),
        ("b.eml.gz", &gz(CLEAN)),
        ("c.eml.gz", b"\x1F\x8B\x08damaged"),
        ("d.tar.gz", &gz(&tar(&[("x.eml", CLEAN), ("y.mbox", &mbox(2))]))),
        ("e.zip", &zip(&[("f.mbox", &mbox(2))])),
    ]);
    world.write("in.tar", octets);
    let ran = world.run(&["normalize", "in.tar", "-o", "out.tar", "--report", "r"]).exits(65);
    ran.says(&["in.tar: c.eml.gz: cannot be unpacked", "7 messages"]);
    let report = json_lines(&world.read("r"));
    assert_eq!((report.len(), &report[2]["mailbox"]["name"]), (8, &"c.eml.gz".into()));
    world.shell("mkdir x && tar xf out.tar -C x && gzip -dc x/b.eml.gz > x/b.eml").exits(0);
    assert_eq!(world.read("x/b.eml"), CLEAN);
    assert_eq!(world.read("x/c.eml.gz"), b"\x1F\x8B\x08damaged");
    assert_eq!(world.read("x/d.tar.gz/x.eml"), CLEAN);
    assert_eq!(world.read("x/d.tar.gz/y.mbox"), mbox(2));
    assert_eq!(world.read("x/e.zip/f.mbox"), mbox(2));

    world.write("cut.tar", tar(&[("a.mbox.gz", cut)]));
    let ran = world.run(&["normalize", "cut.tar", "--to", "mbox", "-o", "out.mbox"]).exits(66);
    ran.says(&["cut.tar: after message "]);
}
