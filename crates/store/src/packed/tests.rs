use std::io::Write;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

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

/// Text that hardly compresses, so that there are many blocks.
fn text() -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b' ' + (state >> 58) as u8
    };
    (0..400_000).map(|_| next()).collect()
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
        for cut in [whole.len() - 1, whole.len() / 2, whole.len() / 10, 20] {
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
