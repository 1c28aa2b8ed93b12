//! The limits of parts, of fields and of raw text in them (rule G13): a message with more is one
//! leaf.

use super::Scanner;

impl Scanner<'_, '_> {
    /// Counts an entity with its fields. The first, the message itself, is always read.
    pub(super) fn count(&mut self, index: usize) {
        let (counted, limits) = (&mut self.counted, self.limits);
        let of_header = self.tree.entities[index].section.counted;
        counted.fields += of_header.fields;
        counted.raw_runs += of_header.raw_runs;
        let entities = self.tree.entities.len();
        let is_over = entities > limits.parts
            || counted.fields > limits.fields
            || counted.raw_runs > limits.raw_runs;
        self.is_full = is_over && entities > 1;
    }
}

#[cfg(test)]
mod tests {
    use sevenbit::{Limits, Message, Normalizer, Part, Profile};

    const MOST: usize = 10;

    /// Returns the default limits with one changed.
    fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
        let mut limits = Limits::new();
        change(&mut limits);
        limits
    }

    /// A multipart of messages with `fields` each, which has `parts` of them.
    fn message(parts: usize, fields: &str) -> Vec<u8> {
        let part = format!("--b\r\nContent-Type: message/rfc822\r\n\r\n{fields}\r\nText.\r\n");
        let head = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
        [head, &part.repeat(parts), "--b--\r\n"].concat().into_bytes()
    }

    /// Returns whether a message is looked into; its normal form has as many parts, and is one.
    fn is_read(message: &[u8], limits: Limits) -> bool {
        let parts = Message::parse_with(message, limits).parts().count();
        for profile in [Profile::Archive, Profile::Transport] {
            let normalizer = Normalizer::new().profile(profile).limits(limits);
            let once = normalizer.normalize(message).into_octets();
            assert_eq!(Message::parse_with(&once, limits).parts().count(), parts, "{profile:?}");
            let twice = normalizer.normalize(&once);
            assert_eq!(
                String::from_utf8_lossy(twice.octets()),
                String::from_utf8_lossy(&once),
                "{profile:?}"
            );
        }
        parts > 1
    }

    #[test]
    fn a_message_with_too_many_parts_is_one() {
        // The multipart, and for each part that it has a message and what is in that.
        let limits = |parts: usize| Limits::new().with_parts(parts);
        assert!(is_read(&message(2, "A: b\r\n"), limits(1 + 2 * 2)));
        assert!(!is_read(&message(2, "A: b\r\n"), limits(2 * 2)));
    }

    #[test]
    fn a_message_with_too_many_fields_is_one() {
        let limits = limits(|limits| limits.fields = MOST);
        for (parts, fields, read) in [
            (3, "A: b\r\nC: d\r\nE: f\r\n", true),
            (4, "A: b\r\nC: d\r\nE: f\r\n", false),
            (1, &"A: \u{e9}\r\n".repeat(2 * MOST), false),
            // Fields that normalising adds or renames do not count.
            (9, "Content-Type: text/plain\r\nContent-ID: <\u{e9}@b>\r\n", true),
            (9, "Content-ID: <a@b>\r\nContent-ID: <c@d>\r\n", true),
            (9, &format!("Content-{}: x\r\n", "a".repeat(900)), true),
            (9, &format!("Content-{0}: x\r\nContent-{0}: y\r\n", "a".repeat(970)), false),
        ] {
            assert_eq!(is_read(&message(parts, fields), limits), read, "{fields}");
        }
    }

    #[test]
    fn a_message_with_too_many_runs_of_raw_text_is_one() {
        let limits = limits(|limits| limits.raw_runs = MOST);
        for (parts, fields, read) in [
            (3, "Keywords: \u{e9}, \u{e9}, \u{e9}\r\n", true),
            (4, "Keywords: \u{e9}, \u{e9}, \u{e9}\r\n", false),
            (6, "Content-Type: text/plain; a=\u{e9};\r\n b=\u{e9}\r\n", false),
            (9, &format!("Subject: {}\r\n", "\u{e9}".repeat(MOST)), true),
            (9, "Subject: =?utf-8?Q?=C3=A9?= =?utf-8?Q?=C3=A9?=\r\n", true),
        ] {
            assert_eq!(is_read(&message(parts, fields), limits), read, "{fields}");
        }
    }

    #[test]
    fn a_header_is_read_up_to_as_many_fields() {
        let limits = limits(|limits| limits.section_fields = MOST);
        let added = "Content-ID: <\u{e9}@b>\r\n".repeat(2 * MOST);
        for (fields, is_last_read) in [
            ("A: b\r\n".repeat(MOST - 1), true),
            ("A: b\r\n".repeat(MOST), false),
            ("X-A b: c\r\nA: \u{e9}\r\n".repeat(MOST / 2 - 1), true),
            ("X-A b: c\r\nA: \u{e9}\r\n".repeat(MOST / 2), false),
            // Fields that normalising adds or renames do not count.
            (added.clone(), true),
            ([added, "A: b\r\n".repeat(MOST)].concat(), false),
        ] {
            let message = format!("{fields}X-Last: \u{e9}\r\n\r\n\u{e9}\r\n");
            for profile in [Profile::Archive, Profile::Transport] {
                let normalizer = Normalizer::new().profile(profile).limits(limits);
                let out = normalizer.normalize(message.as_bytes()).into_octets();
                let twice = normalizer.normalize(&out);
                assert_eq!(
                    String::from_utf8_lossy(twice.octets()),
                    String::from_utf8_lossy(&out),
                    "{fields}"
                );
                assert_eq!(
                    Message::parse(&out).root().header("x-last").is_some(),
                    is_last_read,
                    "{fields}"
                );
            }
        }
    }

    #[test]
    fn blocks_of_fields_are_written_up_to_as_many_runs_of_raw_text() {
        let limits = limits(|limits| limits.raw_runs = MOST);
        let block = |runs: usize| {
            let field = format!("Subject: {}\r\n", "\u{e9} ".repeat(runs));
            format!("--b\r\nContent-Type: message/delivery-status\r\n\r\nA: b\r\n\r\n{field}\r\n")
        };
        let types = |blocks: &[usize]| {
            let parts: String = blocks.iter().map(|&runs| block(runs)).collect();
            let mail =
                format!("Content-Type: multipart/report; boundary=b\r\n\r\n{parts}--b--\r\n");
            let normalizer = Normalizer::new().limits(limits);
            let out = normalizer.normalize(mail.as_bytes()).into_octets();
            assert_eq!(*normalizer.normalize(&out).octets(), *out, "{blocks:?}");
            let of_part = |part: Part<'_>| part.media_type().to_owned();
            Message::parse(&out).leaves().map(of_part).collect::<Vec<_>>()
        };
        let (written, opaque) = ("message/delivery-status", "application/octet-stream");
        assert_eq!(types(&[MOST]), [written]);
        assert_eq!(types(&[MOST + 1]), [opaque]);
        assert_eq!(types(&[MOST - 1, 2, 1, 0]), [written, opaque, written, written]);
    }

    #[test]
    fn blocks_of_fields_are_written_up_to_as_many_octets() {
        // A limit is 4 KiB at least. The last line end of a block is not counted.
        let block = |octets: usize| {
            let start = "Subject: \u{e9}";
            format!("{start}{}\r\n", "a".repeat(octets - start.len() - 2))
        };
        let mail = |octets: &[usize]| {
            let part = |&octets: &usize| {
                format!("--b\r\nContent-Type: message/delivery-status\r\n\r\n{}\r\n", block(octets))
            };
            let parts: String = octets.iter().map(part).collect();
            format!("Content-Type: multipart/mixed; boundary=b\r\n\r\n{parts}--b--\r\n")
        };
        let normalizer = Normalizer::new().limits(Limits::new().with_header_octets(8000));
        let cases: [(&[usize], usize); 4] =
            [(&[8000], 1), (&[8003], 0), (&[4000, 4000, 1200], 2), (&[4000, 6000, 2000, 2000], 3)];
        for (octets, written) in cases {
            let mail = mail(octets);
            let out = normalizer.normalize(mail.as_bytes()).into_octets();
            assert_eq!(*normalizer.normalize(&out).octets(), *out, "{octets:?}");
            let message = Message::parse(&out);
            let types = message.leaves().map(|part| part.media_type().to_owned());
            let kept = types.filter(|media_type| media_type == "message/delivery-status").count();
            assert_eq!(kept, written, "{octets:?}");
        }
    }

    #[test]
    fn a_header_is_read_up_to_as_many_runs_of_raw_text() {
        let limits = limits(|limits| limits.raw_runs = MOST);
        let many = "\u{e9},".repeat(MOST + 1);
        for fields in [
            format!("Keywords: {many}\r\nA: b\r\n"),
            format!("Keywords:\r\n {many}\r\n c\r\nA: b\r\n"),
        ] {
            let message = format!("Subject: \u{e9}\r\n{fields}\r\n{many}\r\n");
            let out = Normalizer::new().limits(limits).normalize(message.as_bytes()).into_octets();
            let view = Message::parse(&out);
            assert_eq!(
                view.root().header("x-unread").map(|text| text.ends_with("A: b")),
                Some(true),
                "{fields}"
            );
            assert_eq!(view.root().text().as_deref(), Some(&*format!("{many}\n")));
        }
        let stray = format!("Subject: x\r\n{many}\r\nA: b\r\n\r\ntext\r\n");
        let out = Normalizer::new().limits(limits).normalize(stray.as_bytes()).into_octets();
        assert!(Message::parse(&out).root().header("x-unread").is_some());
        // Text without an empty line before it is no header.
        let text = format!("Subject: x\r\n{many}\r\n");
        let out = Normalizer::new().limits(limits).normalize(text.as_bytes()).into_octets();
        assert_eq!(Message::parse(&out).root().text().as_deref(), Some(&*format!("{many}\n")));
    }
}
