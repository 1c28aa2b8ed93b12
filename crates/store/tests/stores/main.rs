//! The laws of stores over octets made for them.

mod laws;

use std::io::Write;

/// Octets that are the same in each run.
struct Choices(u64);

impl Choices {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % most
    }

    fn pieces(&mut self, pieces: &[&[u8]], most: usize) -> Vec<u8> {
        (0..self.below(most)).flat_map(|_| pieces[self.below(pieces.len())].to_vec()).collect()
    }
}

const MMDF: [&[u8]; 9] = [
    b"\x01\x01\x01\x01\n",
    b"\x01\x01\x01\x01\n",
    b"\x01\x01\x01\x01\r\n",
    b"\x01\x01\x01\x01",
    b"From a@example.org Thu Nov 19 10:00:00 2026\n",
    b"Subject: x\n\n",
    b"text\n",
    b"\n",
    b"x",
];

const MBX: [&[u8]; 6] = [
    b" 1-Jan-2026 10:00:00 +0000,14;000000010013-00000001\r\nSubject: x\r\n\r\n",
    b" 1-Jan-2026 10:00:00 +0000,0;000000000000-00000002\r\n",
    b"19-Nov-2026 10:00:00 -0100,99;000000000000-00000003\r\n",
    b"Subject: y\r\n",
    b"\n",
    b"x",
];

#[test]
fn the_laws_hold_over_mailboxes_of_pieces() {
    let mut choices = Choices(57);
    for _ in 0..20_000 {
        laws::stores(&choices.pieces(&MMDF, 12));
        let mut prefix = b"*mbx*\r\n4b1f2c8a00000001\r\nwork\r\nhome\r\n".to_vec();
        prefix.resize(2048, 0);
        laws::stores(&[prefix, choices.pieces(&MBX, 6)].concat());
    }
}

#[test]
fn the_laws_hold_over_damaged_archives() {
    let message = b"From: a@example.org\r\nSubject: x\r\n\r\ntext\r\n";
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["a.eml", "b.eml"] {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("in memory");
        writer.write_all(message).expect("in memory");
    }
    let zip = writer.finish().expect("in memory").into_inner();
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(message.len() as u64);
    builder.append_data(&mut header, "a.eml", message.as_slice()).expect("in memory");
    let tar = builder.into_inner().expect("in memory");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&tar).expect("in memory");
    let gz = encoder.finish().expect("in memory");

    let mut choices = Choices(7);
    for whole in [zip, tar, gz] {
        for _ in 0..3_000 {
            let mut octets = whole.clone();
            for _ in 0..choices.below(4) {
                let at = choices.below(octets.len());
                octets[at] = u8::try_from(choices.below(256)).expect("an octet");
            }
            octets.truncate(octets.len() - choices.below(octets.len()) * choices.below(2));
            laws::stores(&octets);
        }
    }
}

/// What the mailboxes say of their messages.
#[test]
fn envelopes_are_read() {
    use sevenbit_store::old::{Cutter, Format};

    let mut prefix = b"*mbx*\r\n4b1f2c8a00000001\r\nwork\r\nhome\r\n".to_vec();
    prefix.resize(2048, 0);
    let octets = [&prefix[..], MBX[0]].concat();
    let mut cutter = Cutter::new(octets.as_slice(), Format::Mbx);
    let envelope = cutter.next_message().expect("in memory").expect("a message");
    assert_eq!(envelope.date, "1 Jan 2026 10:00:00 +0000");
    assert_eq!(envelope.status, ["RO".to_owned(), "D".to_owned()]);
    assert_eq!(envelope.keywords, ["work"]);

    let octets = [MMDF[0], MMDF[4], MMDF[5], MMDF[6], MMDF[0]].concat();
    let mut cutter = Cutter::new(octets.as_slice(), Format::Mmdf);
    let envelope = cutter.next_message().expect("in memory").expect("a message");
    assert_eq!(envelope.postmark, MMDF[4]);
}
