use std::io::{Seek, SeekFrom, Write};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::pieces::{Piece, Pieces, Seekable, observed};
use super::*;

#[test]
fn a_name_loses_what_says_that_it_is_packed() {
    for (name, unpacked) in [
        ("a.tar.gz", "a.tar"),
        ("d/a.tgz", "d/a.tar"),
        ("a.tbz2", "a.tar"),
        ("a.eml.xz", "a.eml"),
        ("a.eml", "a.eml"),
    ] {
        assert_eq!(Packing::unpacked_name(Path::new(name)), Path::new(unpacked));
    }
}

const PACKINGS: [Packing; 4] = [Packing::Gz, Packing::Zst, Packing::Bz2, Packing::Xz];

fn packed(packing: Packing, octets: &[u8]) -> Vec<u8> {
    match packing {
        Packing::None => octets.to_vec(),
        Packing::Gz => {
            let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(octets).and_then(|()| encoder.finish()).expect("memory")
        }
        Packing::Zst => compress_to_vec(octets, CompressionLevel::Fastest),
        Packing::Bz2 => {
            let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(octets).and_then(|()| encoder.finish()).expect("memory")
        }
        Packing::Xz => {
            let mut encoder = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).expect("memory");
            encoder.write_all(octets).and_then(|()| encoder.finish()).expect("memory")
        }
    }
}

/// Returns what a stream unpacks to, and whether it is whole.
fn unpacked(octets: Vec<u8>) -> (Vec<u8>, bool) {
    let mut all = Vec::new();
    let Ok(found) = unpack(Cursor::new(octets)) else { return (all, false) };
    let is_whole = found.into_stream().read_to_end(&mut all).is_ok();
    (all, is_whole)
}

/// A message whose text hardly compresses, so that there are many blocks.
fn text() -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b' ' + (state >> 58) as u8
    };
    let header = b"From: a@example.org\nSubject: x\n\n";
    header.iter().copied().chain((0..400_000).map(|_| next())).collect()
}

#[test]
fn files_of_several_parts_are_read_to_the_end() {
    let (one, two) = (text(), b"two\n".repeat(1000));
    for packing in PACKINGS {
        let whole = [packed(packing, &one), packed(packing, &two)].concat();
        assert_eq!(unpacked(whole), ([one.as_slice(), &two].concat(), true), "{packing:?}");
    }
    let zeros = [packed(Packing::Gz, &one), vec![0; 1000]].concat();
    assert_eq!(unpacked(zeros), (one.clone(), true));
    let skipped = [b"\x50\x2A\x4D\x18\x03\0\0\0abc".to_vec(), packed(Packing::Zst, &one)].concat();
    assert_eq!(
        unpacked([packed(Packing::Zst, &two), skipped].concat()).0.len(),
        one.len() + two.len()
    );
}

#[test]
fn what_comes_before_the_cut_is_given() {
    let text = text();
    for packing in PACKINGS {
        let whole = packed(packing, &text);
        for cut in [whole.len() - 1, whole.len() / 2, whole.len() / 10, 2500, 20] {
            let (found, is_whole) = unpacked(whole[..cut].to_vec());
            assert!(text.starts_with(&found) && !is_whole, "{packing:?} cut at {cut}");
            let least = (cut * text.len() / whole.len()).saturating_sub(block_length(packing));
            assert!(found.len() >= least, "{packing:?} cut at {cut}: {} of {least}", found.len());
        }
    }
}

/// The octets that may be lost before a place that is missing or damaged.
fn block_length(packing: Packing) -> usize {
    match packing {
        // bzip2 has blocks of 100,000 octets, and one is under way; Zstandard of 128 KiB.
        Packing::Bz2 => 200_000,
        Packing::Zst => 132_000,
        Packing::Xz | Packing::Gz | Packing::None => 2000,
    }
}

#[test]
fn what_comes_before_damage_is_given_and_damage_is_an_error() {
    let text = text();
    for packing in PACKINGS {
        let whole = packed(packing, &text);
        for at in (whole.len() / 10..whole.len() - 20).step_by(whole.len() / 40) {
            let mut copy = whole.clone();
            copy[at..at + 8].fill(0);
            let (found, is_whole) = unpacked(copy);
            assert!(!is_whole, "{packing:?} damaged at {at}");
            let same = found.iter().zip(&text).take_while(|(found, text)| found == text).count();
            let least = (at * text.len() / whole.len()).saturating_sub(block_length(packing));
            assert!(same >= least, "{packing:?} damaged at {at}: {same} of {least}");
        }
    }
}

#[test]
fn the_checksum_of_a_frame_is_checked() {
    let mut frame = packed(Packing::Zst, &text());
    let last = frame.len() - 1;
    frame[last] ^= 1;
    let (found, is_whole) = unpacked(frame);
    assert!(found == text() && !is_whole);
}

#[test]
fn files_packed_with_one_after_another_are_unpacked() {
    for outer in PACKINGS {
        for inner in PACKINGS {
            let octets = packed(outer, &packed(inner, b"text\n"));
            assert_eq!(unpacked(octets), (b"text\n".to_vec(), true), "{outer:?} of {inner:?}");
        }
    }
}

/// Text packed as bgzf, in blocks of at most so many octets.
fn in_blocks(text: &[u8], most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for content in text.chunks(most).chain([b"".as_slice()]) {
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).expect("memory");
        let deflated = encoder.finish().expect("memory");
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let length = u16::try_from(18 + deflated.len() + 8 - 1).expect("a short block");
        out.extend(b"\x1F\x8B\x08\x04\0\0\0\0\0\xFF\x06\0BC\x02\0");
        out.extend(length.to_le_bytes());
        out.extend(deflated);
        out.extend(crc.sum().to_le_bytes());
        out.extend((content.len() as u32).to_le_bytes());
    }
    out
}

/// Text packed as one Zstandard frame of raw blocks that states its length, after one to be skipped,
/// as pzstd writes it.
fn in_frame(text: &[u8]) -> Vec<u8> {
    let mut out = b"\x50\x2A\x4D\x18\x03\0\0\0abc\x28\xB5\x2F\xFD\xA0".to_vec();
    out.extend((text.len() as u32).to_le_bytes());
    let blocks = text.len().div_ceil(1 << 17);
    for (number, block) in text.chunks(1 << 17).enumerate() {
        let head = (block.len() as u32) << 3 | u32::from(number + 1 == blocks);
        out.extend(&head.to_le_bytes()[..3]);
        out.extend(block);
    }
    out
}

#[test]
fn a_file_in_pieces_is_read_from_any_octet_on() {
    let text = text().repeat(8);
    let frames: Vec<u8> = text.chunks(700_000).flat_map(in_frame).collect();
    for packed in [in_blocks(&text, 60_000), frames] {
        assert_eq!(unpacked(packed.clone()), (text.clone(), true));
        let pieces = Pieces::find(&mut Cursor::new(&packed)).expect("memory").expect("pieces");
        assert_eq!(pieces.length(), text.len() as u64);
        for octet in [0, 1, 1_000_000, 1_400_000, 1_400_001, 3_199_999, 3_200_000] {
            let piece = pieces.before(octet);
            assert!(piece.unpacked <= octet && (octet < 1_400_000 || piece != Piece::default()));
            let mut found = Vec::new();
            let mut seekable = Seekable::new(Cursor::new(packed.clone()), piece);
            for start in [octet, 5, octet] {
                found.clear();
                seekable.seek(SeekFrom::Start(start)).expect("memory");
                seekable.read_to_end(&mut found).expect("whole");
                assert!(found == text[start as usize..], "{start} of {octet}");
            }
        }
        let cut = &packed[..packed.len() - 1];
        assert_eq!(Pieces::find(&mut Cursor::new(cut)).expect("memory"), None);
    }
}

#[test]
fn the_members_of_a_gz_file_are_found_by_unpacking_it() {
    let text = text();
    // A block that is stored as it is, and holds what looks like a member.
    let mut stored = GzEncoder::new(Vec::new(), flate2::Compression::none());
    stored.write_all(&packed(Packing::Gz, &text)).expect("memory");
    let octets = [
        packed(Packing::Gz, &text),
        stored.finish().expect("memory"),
        vec![0; 7], // what tapes leave
        packed(Packing::Gz, b""),
        packed(Packing::Gz, &text),
    ]
    .concat();
    are_found_by_unpacking_it(&octets, 4);
}

#[test]
fn the_frames_of_a_zst_file_are_found_by_unpacking_it() {
    let text = text();
    let skipped = [b"\x50\x2A\x4D\x18".as_slice(), &3u32.to_le_bytes(), b"abc"].concat();
    let octets = [
        skipped.clone(),
        in_frame(&text),
        skipped.repeat(2),
        packed(Packing::Zst, b""),
        packed(Packing::Zst, &text),
        skipped.clone(),
        in_frame(&text[1000..]),
        skipped,
    ]
    .concat();
    are_found_by_unpacking_it(&octets, 4);
}

/// Checks that members or frames are found by unpacking a file, that it can be read from each on, and
/// that a false place is noticed.
fn are_found_by_unpacking_it(octets: &[u8], pieces: usize) {
    let octets = octets.to_vec();
    let found = Arc::new(Mutex::new(Vec::new()));
    let pushed = Arc::clone(&found);
    let observer = Box::new(move |piece| pushed.lock().unwrap().push(piece));
    let mut whole = Vec::new();
    let mut unpacked = observed(Cursor::new(octets.clone()), observer).expect("packed");
    unpacked.read_to_end(&mut whole).expect("whole");
    let members = found.lock().unwrap().clone();
    assert_eq!(members.len(), pieces);
    assert_eq!(members[0], Piece::default());

    for (number, member) in members.iter().enumerate() {
        let mut seekable = Seekable::new(Cursor::new(octets.clone()), *member);
        let next = members.get(number + 1).copied().unwrap_or_default();
        let is_met = seekable.expect(next);
        seekable.seek(SeekFrom::Start(member.unpacked)).expect("memory");
        let mut rest = Vec::new();
        seekable.read_to_end(&mut rest).expect("whole");
        assert!(rest == whole[member.unpacked as usize..]);
        assert_eq!(is_met.load(Relaxed), number + 1 < members.len());
    }

    // A false place is noticed by whoever reads from the true one before it.
    let inner = Piece { packed: members[1].packed + 15, unpacked: members[1].unpacked };
    for place in [inner, Piece { unpacked: members[2].unpacked + 1, ..members[2] }] {
        let mut seekable = Seekable::new(Cursor::new(octets.clone()), members[0]);
        let is_met = seekable.expect(place);
        io::copy(&mut seekable, &mut io::sink()).expect("whole");
        assert!(!is_met.load(Relaxed));
    }
}

#[test]
fn what_does_not_say_how_long_its_pieces_are_has_none() {
    for packing in PACKINGS {
        let mut file = Cursor::new([packed(packing, b"one"), packed(packing, b"two")].concat());
        let pieces = Pieces::find(&mut file).expect("memory");
        assert!(packing == Packing::Zst || pieces.is_none(), "{packing:?}");
    }
}

#[test]
fn a_frame_that_is_not_as_long_as_it_says_is_damaged() {
    let text = text();
    let mut frame = in_frame(&text);
    frame[11 + 5] ^= 1;
    assert_eq!(unpacked(frame), (text, false));
}
