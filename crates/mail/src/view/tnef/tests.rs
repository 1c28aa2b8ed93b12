use proptest::prelude::*;

use super::*;

/// Writes an attribute as MS-OXTNEF says.
fn attribute(level: u8, id: u32, data: &[u8]) -> Vec<u8> {
    let sum = data.iter().fold(0u16, |sum, &octet| sum.wrapping_add(u16::from(octet)));
    let length = u32::try_from(data.len()).expect("short");
    [&[level][..], &id.to_le_bytes(), &length.to_le_bytes(), data, &sum.to_le_bytes()].concat()
}

fn stream(attributes: &[Vec<u8>]) -> Vec<u8> {
    [SIGNATURE, &[1, 0], &attributes.concat()].concat()
}

/// Writes properties: type, number, and the octets of the value after that.
fn properties(all: &[(u16, u16, Vec<u8>)]) -> Vec<u8> {
    let mut out = u32::try_from(all.len()).expect("few").to_le_bytes().to_vec();
    for (kind, tag, value) in all {
        out.extend([kind.to_le_bytes(), tag.to_le_bytes()].concat());
        out.extend(value);
    }
    out
}

/// Writes one value with its count and length.
fn counted(octets: &[u8]) -> Vec<u8> {
    let length = u32::try_from(octets.len()).expect("short").to_le_bytes();
    let filling = vec![0; octets.len().wrapping_neg() % 4];
    [&1u32.to_le_bytes()[..], &length, octets, &filling].concat()
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_stream_is_read() {
    let named = [
        &[7; 16][..],
        &1u32.to_le_bytes(),
        &6u32.to_le_bytes(),
        &wide("ab"),
        &[0, 0],
        &9u32.to_le_bytes(),
    ];
    let message = properties(&[
        (0x03, 0x8001, named.concat()),
        (0x40, 0x0039, vec![0; 8]),
        (0x03, tags::INTERNET_CODEPAGE, 20_866u32.to_le_bytes().to_vec()),
        (0x102, tags::BODY_HTML, counted(b"<p>\xf0\xd2\xc9</p>")),
    ]);
    let long = properties(&[
        (0x1e, tags::ATTACH_NAME, counted(b"LONGNA~1.TXT\0")),
        (0x1f, tags::ATTACH_LONG_NAME, counted(&wide("Zoë.txt"))),
        (0x1e, tags::ATTACH_MIME_TYPE, counted(b"Text/Plain\0")),
        (0x1e, tags::ATTACH_CONTENT_ID, counted(b"<a@b>\0")),
    ]);
    let inner = properties(&[
        (0x1e, tags::DISPLAY_NAME, counted(b"inner\0")),
        (0x0d, tags::ATTACH_DATA, counted(&[&[1; 16][..], SIGNATURE, b"\x01\0"].concat())),
    ]);
    let written = stream(&[
        attribute(1, attributes::OEM_CODEPAGE, &1251u64.to_le_bytes()),
        attribute(1, attributes::BODY, b"\xcf\xf0\xe8\r\n\0"),
        attribute(1, attributes::MESSAGE_PROPERTIES, &message),
        attribute(2, attributes::ATTACH_RENDERING, &[0; 14]),
        attribute(2, attributes::ATTACH_TITLE, b"\xcf.txt\0"),
        attribute(2, attributes::ATTACH_DATA, b"one"),
        attribute(2, attributes::ATTACH_RENDERING, &[0; 14]),
        attribute(2, attributes::ATTACH_DATA, b"two"),
        attribute(2, attributes::ATTACH_PROPERTIES, &long),
        attribute(2, attributes::ATTACH_RENDERING, &[0; 14]),
        attribute(2, attributes::ATTACH_PROPERTIES, &inner),
    ]);
    let tnef = Tnef::read(&written).expect("a stream");
    assert!(tnef.is_whole());
    assert_eq!((tnef.text(), tnef.html(), tnef.rtf()), (Some("При\n"), Some("<p>При</p>"), None));
    let files: Vec<_> = tnef
        .files()
        .iter()
        .map(|file| (file.name(), file.media_type(), file.content_id(), file.octets()))
        .collect();
    assert_eq!(
        files,
        [
            ("П.txt", None, None, &b"one"[..]),
            ("Zoë.txt", Some("text/plain"), Some("a@b"), b"two"),
            ("inner", None, None, b"\x78\x9f\x3e\x22\x01\0"),
        ]
    );
    assert!(Tnef::read(tnef.files()[2].octets()).is_some());
    // Cut off anywhere, what came before counts.
    for length in 0..written.len() {
        let cut = Tnef::read(&written[..length]);
        assert_eq!(cut.is_some(), length >= 6);
    }
}

#[test]
fn what_is_missing_is_known() {
    use attributes::{ATTACH_DATA, ATTACH_PROPERTIES, ATTACH_RENDERING, MESSAGE_PROPERTIES};
    let begins = attribute(2, ATTACH_RENDERING, &[0; 14]);
    let file = [begins.clone(), attribute(2, ATTACH_DATA, b"one")].concat();
    let mut changed = file.clone();
    *changed.last_mut().expect("a checksum") ^= 1;
    let unknown = properties(&[(0x77, 1, vec![0; 4])]);
    let no_rtf = properties(&[(0x102, tags::RTF_COMPRESSED, counted(b"none"))]);
    for (attributes, is_whole) in [
        (vec![], true),
        (vec![file.clone()], true),
        (vec![file.clone(), b"\r\n".to_vec()], true),
        (vec![file.clone(), b"more".to_vec()], false),
        (vec![file[..file.len() - 1].to_vec()], false),
        (vec![file[..file.len() - 3].to_vec()], false),
        (vec![changed, file.clone()], false),
        (vec![file.clone(), begins], false),
        (vec![file.clone(), attribute(1, MESSAGE_PROPERTIES, &unknown)], false),
        (vec![file.clone(), attribute(2, ATTACH_PROPERTIES, &unknown)], false),
        (vec![file.clone(), attribute(2, ATTACH_PROPERTIES, b"")], false),
        (vec![file, attribute(1, MESSAGE_PROPERTIES, &no_rtf)], false),
    ] {
        let stream = stream(&attributes);
        assert_eq!(Tnef::read(&stream).expect("a stream").is_whole(), is_whole, "{attributes:?}");
    }
}

#[test]
fn the_rtf_of_a_message_is_its_body() {
    let rtf = b"{\\rtf1\\ansi\\ansicpg1252 caf\\'e9}";
    let packed = [
        &[0; 4][..],
        &u32::try_from(rtf.len()).expect("short").to_le_bytes(),
        b"MELA\0\0\0\0",
        rtf,
    ]
    .concat();
    let written = stream(&[attribute(
        1,
        attributes::MESSAGE_PROPERTIES,
        &properties(&[(0x102, tags::RTF_COMPRESSED, counted(&packed))]),
    )]);
    let tnef = Tnef::read(&written).expect("a stream");
    assert_eq!((tnef.text(), tnef.html(), tnef.rtf()), (Some("café"), None, Some(&rtf[..])));
}

proptest! {
    #[test]
    fn any_octets_are_read(octets in prop::collection::vec(any::<u8>(), 0..200), ids in prop::collection::vec(0..7usize, 0..8)) {
        use attributes::*;
        let all = [BODY, MESSAGE_PROPERTIES, OEM_CODEPAGE, ATTACH_RENDERING, ATTACH_TITLE, ATTACH_DATA, ATTACH_PROPERTIES];
        let pieces = octets.chunks(octets.len().div_ceil(ids.len().max(1)).max(1));
        let written: Vec<_> = ids.iter().zip(pieces).map(|(&id, data)| attribute(1, all[id], data)).collect();
        let _ = Tnef::read(&stream(&written));
        let _ = Tnef::read(&[SIGNATURE, &octets].concat());
    }
}
