mod image;

use std::io::Cursor;

use self::image::{Draft, Image, Property};
use super::encoding::Encoding;
use super::file::Node;
use super::format::Format;
use super::{Error, FolderName, Found, Store};
use crate::fault::Fault;
use crate::model::{Content, Guid, Value, kinds};
use crate::tags;

const FORMATS: [Format; 3] = [Format::Ansi, Format::Unicode, Format::LargePages];
const ENCODINGS: [Encoding; 3] = [Encoding::Plain, Encoding::Permuted, Encoding::Cyclic];

const INBOX: u32 = 0x8002;
const INSIDE: u32 = 0x8022;
const FIRST: u32 = 0x20_0004;
const SECOND: u32 = 0x20_0024;
const THIRD: u32 = 0x20_0044;
const FOURTH: u32 = 0x20_0064;

fn text(id: u16, text: &str) -> Property {
    (id, kinds::TEXT, text.encode_utf16().flat_map(u16::to_le_bytes).collect())
}

fn draft(subject: &str) -> Draft {
    Draft { properties: vec![text(tags::SUBJECT, subject)], ..Draft::default() }
}

/// Text that needs several blocks.
fn long() -> String {
    "Grüße und 日本語. ".repeat(2000)
}

/// A message with everything.
fn full() -> Draft {
    let mut inside = draft("inside");
    inside.attachments.push((
        vec![text(0x3707, "deep.bin"), (tags::ATTACH_DATA, kinds::BINARY, b"deep".to_vec())],
        None,
    ));
    let mut draft = draft("full");
    draft.properties.extend([
        text(tags::BODY, &long()),
        (0x0e06, kinds::TIME, 130_000_000_000_000_000_u64.to_le_bytes().to_vec()),
        (0x0017, kinds::INTEGER32, 2_u32.to_le_bytes().to_vec()),
        (0x8001, kinds::MULTIPLE | kinds::OCTETS8, b"\x02\0\0\0\x0c\0\0\0\x0e\0\0\0abcde".to_vec()),
    ]);
    draft.recipients = ["One", "Two", "Three", "Four", "Five"]
        .into_iter()
        .map(|name| {
            vec![text(tags::DISPLAY_NAME, name), (0x0c15, kinds::INTEGER32, vec![1, 0, 0, 0])]
        })
        .collect();
    let file: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    draft.attachments = vec![
        (vec![text(0x3707, "long.bin"), (tags::ATTACH_DATA, kinds::BINARY, file)], None),
        (vec![text(0x3707, "inside")], Some(inside)),
    ];
    draft
}

/// A store with three messages in two folders.
fn image(format: Format, encoding: Encoding) -> Image {
    let mut image = Image::new(format, encoding);
    let names = [
        (0x0002, kinds::BINARY, Guid::of_outlook(0x0006_2008).0.to_vec()),
        // The number 0x8554 in the first set is 0x8000, the text at 0 in PS_PUBLIC_STRINGS is
        // 0x8001.
        (0x0003, kinds::BINARY, b"\x54\x85\0\0\x06\0\0\0\0\0\0\0\x05\0\x01\0".to_vec()),
        (0x0004, kinds::BINARY, b"\x10\0\0\0K\0e\0y\0w\0o\0r\0d\0s\0".to_vec()),
    ];
    let node = image.properties(0x61, 0, &names, Vec::new());
    image.node(node);
    let node =
        image.properties(0x21, 0, &[(0x3ffd, kinds::INTEGER32, vec![0xe4, 4, 0, 0])], Vec::new());
    image.node(node);

    image.folder(0x122, 0x122, text(tags::DISPLAY_NAME, ""), &[], &[INBOX]);
    image.folder(
        INBOX,
        0x122,
        text(tags::DISPLAY_NAME, "Eingang 受信"),
        &[FIRST, SECOND],
        &[INSIDE],
    );
    image.folder(
        INSIDE,
        INBOX,
        (tags::DISPLAY_NAME, kinds::OCTETS8, b"\xc4ltere".to_vec()),
        &[THIRD],
        &[],
    );
    for (id, parent, draft) in
        [(FIRST, INBOX, full()), (SECOND, INBOX, draft("second")), (THIRD, INSIDE, draft("third"))]
    {
        let node = image.message(id, parent, &draft);
        image.node(node);
    }
    image
}

fn open(octets: Vec<u8>) -> Store<Cursor<Vec<u8>>> {
    Store::open(Cursor::new(octets)).unwrap()
}

/// Returns the folder and the subject of each message.
fn list(octets: Vec<u8>) -> Vec<(String, Result<String, String>)> {
    let describe = |found: Found| {
        let subject = found.message.map(|message| match message.properties.get(tags::SUBJECT) {
            Some(Value::Text(text)) => text.clone(),
            other => panic!("{other:?}"),
        });
        (found.folder.to_string(), subject.map_err(|error| error.to_string()))
    };
    open(octets).messages().map(describe).collect()
}

fn ok(folder: &str, subject: &str) -> (String, Result<String, String>) {
    (folder.to_owned(), Ok(subject.to_owned()))
}

#[test]
fn each_format_and_encoding_is_read() {
    for format in FORMATS {
        for encoding in ENCODINGS {
            let mut store = open(image(format, encoding).finish());
            let paths: Vec<_> = store.folders().iter().map(|folder| folder.path.clone()).collect();
            let inbox = FolderName::Text("Eingang 受信".to_owned());
            let older = FolderName::Octets(b"\xc4ltere".to_vec());
            assert_eq!(paths, [vec![], vec![inbox.clone()], vec![inbox, older]]);
            assert_eq!(store.claimed_messages(), 3);

            let found: Vec<_> = store.messages().collect();
            let nodes: Vec<_> = found.iter().map(|found| (found.folder.node, found.node)).collect();
            assert_eq!(
                nodes,
                [(INBOX, FIRST), (INBOX, SECOND), (INSIDE, THIRD)],
                "{format:?} {encoding:?}"
            );

            let message = found[0].message.as_ref().unwrap();
            assert_eq!(message.faults, []);
            assert_eq!(message.code_page, Some(1252));
            assert_eq!(
                message.properties.get(tags::SUBJECT),
                Some(&Value::Text("full".to_owned()))
            );
            assert_eq!(message.properties.get(tags::BODY), Some(&Value::Text(long())));
            assert_eq!(message.properties.time(0x0e06), Some(130_000_000_000_000_000));
            assert_eq!(message.properties.integer(0x0017), Some(2));
            let keywords = vec![Value::Octets8(b"ab".to_vec()), Value::Octets8(b"cde".to_vec())];
            let set = Guid::of_outlook(0x0002_0329);
            assert_eq!(message.properties.named(set, "Keywords"), Some(&Value::Multiple(keywords)));

            let recipients =
                message.recipients.iter().map(|row| row.get(tags::DISPLAY_NAME).unwrap());
            let names =
                ["One", "Two", "Three", "Four", "Five"].map(|name| Value::Text(name.to_owned()));
            assert!(recipients.eq(&names));
            assert!(message.recipients.iter().all(|row| row.integer(0x0c15) == Some(1)));

            let [file, inside] = &message.attachments[..] else {
                panic!("{:?}", message.attachments)
            };
            let Content::Octets(octets) = &file.content else { panic!("{:?}", file.content) };
            assert!(
                octets.len() == 100_000
                    && octets.iter().zip(0..).all(|(octet, at): (_, u32)| *octet == at as u8)
            );
            let Content::Message(inside) = &inside.content else { panic!("{:?}", inside.content) };
            assert_eq!(
                inside.properties.get(tags::SUBJECT),
                Some(&Value::Text("inside".to_owned()))
            );
            assert!(
                matches!(&inside.attachments[0].content, Content::Octets(octets) if octets == b"deep")
            );
        }
    }
}

/// The command's tests read a store that this writer made; `SEVENBIT_BLESS=1` makes it again.
#[test]
fn the_store_of_the_commands_tests_is_as_it_is_written() {
    let mut image = Image::new(Format::Unicode, Encoding::Permuted);
    let code_page = (tags::MESSAGE_CODE_PAGE, kinds::INTEGER32, vec![0xe4, 4, 0, 0]);
    let node = image.properties(0x21, 0, &[code_page], Vec::new());
    image.node(node);
    image.folder(0x122, 0x122, text(tags::DISPLAY_NAME, ""), &[], &[INBOX]);
    image.folder(INBOX, 0x122, text(tags::DISPLAY_NAME, "In/box"), &[FIRST, SECOND], &[INSIDE]);
    image.folder(
        INSIDE,
        INBOX,
        (tags::DISPLAY_NAME, kinds::OCTETS8, b"\xc4ltere".to_vec()),
        &[THIRD],
        &[],
    );
    for (id, parent, subject) in
        [(FIRST, INBOX, "Grüße"), (SECOND, INBOX, "日本語"), (THIRD, INSIDE, "third")]
    {
        let mut draft = draft(subject);
        draft.properties.push(text(tags::MESSAGE_CLASS, "IPM.Note"));
        draft.properties.push(text(tags::BODY, "Köln\r\n"));
        draft.properties.push((
            0x0e06,
            kinds::TIME,
            134_000_000_000_000_000_u64.to_le_bytes().to_vec(),
        ));
        let file = (tags::ATTACH_DATA, kinds::BINARY, b"\0\x01\x02".to_vec());
        draft.attachments.push((
            vec![
                text(0x3707, "a.bin"),
                file,
                (tags::ATTACH_METHOD, kinds::INTEGER32, vec![1, 0, 0, 0]),
            ],
            None,
        ));
        let node = image.message(id, parent, &draft);
        image.node(node);
    }
    // A message whose data is missing.
    image.node(Node { id: FOURTH, data: 0xff00, below: 0, parent: INSIDE });

    let written = image.finish();
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/files/store.pst");
    if std::env::var_os("SEVENBIT_BLESS").is_some() {
        std::fs::write(place, &written).unwrap();
    }
    assert!(std::fs::read(place).unwrap() == written, "{place} is stale");
}

/// Parts of a store, each read alone, are all of it in the same order, orphans and damage too.
#[test]
fn parts_of_a_store_are_the_whole() {
    let whole = || {
        let mut image = image(Format::Unicode, Encoding::Plain);
        let node = image.message(0x20_0084, INBOX, &draft("orphan"));
        image.node(node);
        image.node(Node { id: FOURTH, data: 0xff00, below: 0, parent: INSIDE });
        image.finish()
    };
    let nodes = |from: u64, most: usize| {
        let mut messages = open(whole()).into_messages();
        assert_eq!(messages.pass(from), from);
        messages.take(most).map(|found| (found.node, found.message.is_ok())).collect::<Vec<_>>()
    };
    let all = nodes(0, usize::MAX);
    assert_eq!(open(whole()).into_messages().pass(u64::MAX), all.len() as u64);
    for size in 1..=all.len() {
        let parts: Vec<_> =
            (0..all.len()).step_by(size).flat_map(|from| nodes(from as u64, size)).collect();
        assert_eq!(parts, all, "{size} each");
    }
}

#[test]
fn messages_of_one_folder_are_its_own() {
    let mut store = open(image(Format::Unicode, Encoding::Plain).finish());
    let folder = store.folders()[2].clone();
    let nodes: Vec<_> = store.messages_of(&folder).map(|found| found.node).collect();
    assert_eq!(nodes, [THIRD]);
}

#[test]
fn a_message_that_no_list_has_is_found_in_its_folder() {
    let mut image = image(Format::Unicode, Encoding::Permuted);
    for (id, parent) in [(0x20_0064, INSIDE), (0x20_0084, 0x9002)] {
        let node = image.message(id, parent, &draft("orphan"));
        image.node(node);
    }
    // A folder that no list has, in a folder that one has.
    image.folder(0x8042, INBOX, text(tags::DISPLAY_NAME, "unlisted"), &[], &[]);
    let node = image.message(0x20_00a4, 0x8042, &draft("orphan"));
    image.node(node);

    let found = list(image.finish());
    let expected = [
        ok("/Eingang 受信/\u{fffd}ltere", "orphan"),
        ok("/9002", "orphan"),
        ok("/Eingang 受信/unlisted", "orphan"),
    ];
    assert_eq!(found[3..], expected);
}

#[test]
fn associated_contents_are_read_where_they_are_wanted() {
    let mut image = image(Format::Unicode, Encoding::Plain);
    let node = image.message(0x20_0008, INBOX, &draft("view"));
    image.node(node);
    let octets = image.finish();
    assert_eq!(list(octets.clone()).len(), 3);
    assert_eq!(open(octets).with_associated(true).messages().count(), 4);
}

#[test]
fn a_damaged_list_of_messages_loses_none() {
    let mut broken = image(Format::Unicode, Encoding::Plain);
    // The list of the inbox is now a list of properties.
    let node = broken.properties(INBOX & !0x1f | 0x0e, 0, &[], Vec::new());
    broken.replace(node);
    let found = list(broken.finish());
    let inbox = "/Eingang 受信";
    assert_eq!(found[0], (inbox.to_owned(), Err(Error::Head.to_string())));
    assert_eq!(
        found[1..],
        [ok("/Eingang 受信/\u{fffd}ltere", "third"), ok(inbox, "full"), ok(inbox, "second")]
    );
}

#[test]
fn a_store_whose_trees_lost_their_roots_is_read() {
    for format in FORMATS {
        let mut octets = image(format, Encoding::Permuted).finish();
        let (nodes, blocks, size) =
            if format == Format::Ansi { (188, 196, 4) } else { (224, 240, 8) };
        for root in [nodes, blocks] {
            octets[root..root + size].fill(0xff);
        }
        let mut found =
            list(octets).into_iter().filter(|(_, subject)| subject.is_ok()).collect::<Vec<_>>();
        found.sort();
        let inbox = "/Eingang 受信";
        let mut expected =
            [ok(inbox, "full"), ok(inbox, "second"), ok("/Eingang 受信/\u{fffd}ltere", "third")];
        expected.sort();
        assert_eq!(found, expected, "{format:?}");
    }
}

#[test]
fn a_damaged_property_loses_only_itself() {
    let mut image = image(Format::Unicode, Encoding::Plain);
    let mut damaged = draft("damaged");
    damaged.properties.push((tags::BODY, kinds::INTEGER32, 0x0000_ff1f_u32.to_le_bytes().to_vec()));
    let node = image.message(FOURTH, INBOX, &damaged);
    image.node(node);
    let mut octets = image.finish();
    // The type of the body becomes one whose octets are elsewhere: in a node that is not there.
    let stored =
        [&tags::BODY.to_le_bytes()[..], &kinds::INTEGER32.to_le_bytes(), &[0x1f, 0xff, 0, 0]]
            .concat();
    let at = octets.windows(8).position(|window| window == stored).unwrap();
    octets[at + 2..at + 4].copy_from_slice(&kinds::TEXT.to_le_bytes());

    let mut store = open(octets);
    let message = store.messages().last().unwrap().message.unwrap();
    assert_eq!(message.properties.get(tags::SUBJECT), Some(&Value::Text("damaged".to_owned())));
    assert_eq!(message.faults, [Fault::Property { id: tags::BODY }, Fault::Checksum]);
}

#[test]
fn a_message_in_itself_ends() {
    let mut image = image(Format::Unicode, Encoding::Plain);
    // The message in the attachment is the message around it.
    let mut node = image.properties(FOURTH, INBOX, &draft("loop").properties, Vec::new());
    let object = (tags::ATTACH_DATA, kinds::OBJECT, [0x2004_u32.to_le_bytes(), [0; 4]].concat());
    let method = (tags::ATTACH_METHOD, kinds::INTEGER32, vec![5, 0, 0, 0]);
    let inside = Node { id: 0x2004, ..node };
    let attachment = image.properties(0x8005, 0, &[object, method], vec![inside]);
    let table = image.table(0x671, 0, &[(0x8005, Vec::new())]);
    node.below = image.below(&[table, attachment]);
    image.node(node);

    let mut store = open(image.finish());
    let message = store.messages().last().unwrap().message.unwrap();
    assert_eq!(message.properties.get(tags::SUBJECT), Some(&Value::Text("loop".to_owned())));
    assert_eq!(message.faults, [Fault::TooDeep]);
}

#[test]
fn what_is_no_store_is_said() {
    let of = |octets: &[u8]| Store::open(Cursor::new(octets.to_vec())).err().unwrap().to_string();
    assert_eq!(of(b""), "not a store of Outlook");
    assert_eq!(of(b"!BDN"), "not a store of Outlook");
    let mut octets = image(Format::Unicode, Encoding::Plain).finish();
    octets[10] = 37;
    assert!(of(&octets).contains("Windows Information Protection"));
    octets[10] = 99;
    assert_eq!(of(&octets), "version 99 of Outlook's stores is not known");
    octets[10] = 23;
    octets[513] = 16;
    assert!(of(&octets).contains("method 16"));
}

/// Octets that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// Reads all of a store, whatever it is.
fn read_all(octets: Vec<u8>) -> usize {
    let Ok(store) = Store::open(Cursor::new(octets)) else { return 0 };
    store.with_associated(true).messages().filter(|found| found.message.is_ok()).count()
}

/// Checksums are noted and not obeyed, so that changed octets reach every layer as those with right
/// checksums do.
#[test]
fn changed_octets_never_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for format in FORMATS {
        let octets = image(format, Encoding::Plain).finish();
        let mut read = 0;
        for _ in 0..100 {
            let mut changed = octets.clone();
            for _ in 0..=random.below(40) {
                let at = random.below(changed.len());
                changed[at] ^= 1 << random.below(8);
            }
            if random.below(8) == 0 {
                changed.truncate(random.below(changed.len()));
            }
            read += read_all(changed);
        }
        assert!(read > 100, "{format:?}: {read}");
    }
}

/// Writes a store of 40,000 messages in 500 folders to the file that `SEVENBIT_STORE` names, by
/// which speed is compared: texts of 3 kB and HTML of 5 kB. It has no attachments, since readpst
/// does not find those of this writer.
#[test]
#[ignore = "writes a file"]
fn a_large_store() {
    const SUBTREE: u32 = 0x8022;
    let Some(place) = std::env::var_os("SEVENBIT_STORE") else { return };
    let mut image = Image::new(Format::Unicode, Encoding::Permuted);
    image.is_flat = true;
    let entry = [&[0; 20][..], &SUBTREE.to_le_bytes()].concat();
    let node = image.properties(0x21, 0, &[(0x35e0, kinds::BINARY, entry)], Vec::new());
    image.node(node);
    let node = image.properties(0x61, 0, &[(0x0002, kinds::BINARY, Vec::new())], Vec::new());
    image.node(node);

    let ids = |from: u32, count: u32| (from..from + count).map(|number| number << 5 | 2).collect();
    let outer: Vec<u32> = ids(0x1000, 25);
    image.folder(0x122, 0x122, text(tags::DISPLAY_NAME, ""), &[], &[SUBTREE]);
    image.folder(SUBTREE, 0x122, text(tags::DISPLAY_NAME, "Top"), &[], &outer);
    let mut message = 0x10_0000;
    for (number, around) in (0..).zip(outer) {
        let inner: Vec<u32> = ids(0x2000 + 20 * number, 20);
        let name = format!("Year {}", 2000 + number);
        image.folder(around, SUBTREE, text(tags::DISPLAY_NAME, &name), &[], &inner);
        for (number, folder) in (0..).zip(inner) {
            let messages: Vec<u32> = (message..message + 80).map(|id: u32| id << 5 | 4).collect();
            message += 80;
            let name = format!("Folder {number}");
            image.folder(folder, around, text(tags::DISPLAY_NAME, &name), &messages, &[]);
            for id in messages {
                let node = image.message(id, folder, &usual(id));
                image.node(node);
            }
        }
    }
    std::fs::write(place, image.finish()).unwrap();
}

/// A message as people have many.
fn usual(number: u32) -> Draft {
    let lines = "Dear all, here are the figures of last month, as they were asked for.\r\n";
    let html = "<p>Dear all, here are the <b>figures</b> of last month.</p>\r\n".repeat(84);
    let header = format!(
        "Received: from a.example ([192.0.2.1]) by b.example with ESMTP id {number};\r\n\
         \tThu, 19 Nov 2026 10:00:00 +0000\r\nFrom: Ann <ann@a.example>\r\n\
         To: Bob <bob@b.example>\r\nSubject: Figures {number}\r\n\
         Message-ID: <{number}@a.example>\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\n\
         MIME-Version: 1.0\r\n\r\n"
    );
    let mut draft = draft(&format!("Figures {number}"));
    draft.properties.extend([
        text(tags::MESSAGE_CLASS, "IPM.Note"),
        text(0x007d, &header),
        text(tags::BODY, &lines.repeat(42)),
        (0x1013, kinds::BINARY, html.into_bytes()),
        (0x0e06, kinds::TIME, 134_000_000_000_000_000_u64.to_le_bytes().to_vec()),
        (0x0e07, kinds::INTEGER32, vec![1, 0, 0, 0]),
    ]);
    draft.recipients = vec![vec![
        text(tags::DISPLAY_NAME, "Bob"),
        text(0x39fe, "bob@b.example"),
        (0x0c15, kinds::INTEGER32, vec![1, 0, 0, 0]),
    ]];
    draft
}
