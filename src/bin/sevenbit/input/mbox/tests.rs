use super::*;

/// A stream that gives `step` octets at a time.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(self.0.len()).min(into.len());
        let (now, rest) = self.0.split_at(length);
        into[..length].copy_from_slice(now);
        self.0 = rest;
        Ok(length)
    }
}

fn mails(mbox: &[u8], dialect: Dialect, step: usize) -> Vec<Mail> {
    let mut mbox = Mbox::new(Slow(mbox, step), dialect);
    std::iter::from_fn(|| mbox.next_mail().expect("memory")).collect()
}

#[track_caller]
fn splits(mbox: &str, dialect: Dialect, messages: &[&str]) {
    for step in [1, 7, 1 << 20] {
        let mails = mails(mbox.as_bytes(), dialect, step);
        let found: Vec<_> =
            mails.iter().map(|mail| String::from_utf8_lossy(&mail.message).into_owned()).collect();
        assert_eq!(found, messages, "{step} octets at a time");
    }
}

const DATE: &str = "From a@example.org Thu Nov 19 10:00:00 2026\n";

#[test]
fn one_empty_line_is_the_mailbox_s() {
    splits(
        &format!("{DATE}A: 1\n\nx\n\n{DATE}A: 2\n\ny\n\n\n{DATE}A: 3\n\nz"),
        Dialect::Any,
        &["A: 1\n\nx\n", "A: 2\n\ny\n\n", "A: 3\n\nz"],
    );
    let crlf = format!("{DATE}A: 1\n\nx\n\n{DATE}A: 2\n\ny\n\n").replace('\n', "\r\n");
    splits(&crlf, Dialect::Any, &["A: 1\r\n\r\nx\r\n", "A: 2\r\n\r\ny\r\n"]);
}

#[test]
fn what_looks_like_text_is_text() {
    let text = "A: 1\n\nOne.\n\nFrom the start on\nit was so.\nFrom 10:00 to 2026 too.\n";
    splits(&format!("{DATE}{text}\n{DATE}A: 2\n\n"), Dialect::Any, &[text, "A: 2\n"]);
    splits(&format!("{DATE}A: 1\n\nx\n{DATE}A: 2\n\ny\n"), Dialect::Any, &["A: 1\n\nx\n", "A: 2\n\ny\n"]);
    splits(&format!("{DATE}A: 1\n\n\nFrom odd\nA: 2\n\n"), Dialect::Any, &["A: 1\n\n", "A: 2\n"]);
    splits(&format!("{DATE}\nx\n\nFrom odd\n\ny\n"), Dialect::Rd, &["\nx\n", "\ny\n"]);
}

#[test]
fn a_right_length_counts_and_a_wrong_one_does_not() {
    let inner = format!("Content-Length: 53\n\nx\n\n{DATE}A: no\n");
    assert_eq!(inner.split_once("\n\n").map(|(_, body)| body.len()), Some(53));
    splits(&format!("{DATE}{inner}\n{DATE}A: 2\n\n>From y\n"), Dialect::Any, &[&inner, "A: 2\n\nFrom y\n"]);
    let lies = inner.replace("53", "54");
    splits(&format!("{DATE}{lies}"), Dialect::Cl2, &["Content-Length: 54\n\nx\n", "A: no\n"]);
    let huge = "Content-Length: 99999999999999999999\n\nx\n";
    splits(&format!("{DATE}{huge}"), Dialect::Cl, &[huge]);
}

#[test]
fn each_dialect_quotes_in_its_way() {
    let mbox = format!("{DATE}A: 1\n\n>From x\n>>From y\n");
    splits(&mbox, Dialect::Any, &["A: 1\n\nFrom x\n>From y\n"]);
    splits(&mbox, Dialect::Rd, &["A: 1\n\nFrom x\n>From y\n"]);
    splits(&mbox, Dialect::O, &["A: 1\n\nFrom x\n>>From y\n"]);
    splits(&mbox, Dialect::Cl, &["A: 1\n\nFrom x\n>>From y\n"]);
    splits(&mbox, Dialect::Cl2, &["A: 1\n\n>From x\n>>From y\n"]);
}

#[test]
fn odd_beginnings_and_ends() {
    splits("", Dialect::Any, &[]);
    splits("\n\n", Dialect::Any, &[]);
    splits("From ", Dialect::Any, &[""]);
    splits(&format!("{DATE}{DATE}{DATE}\n"), Dialect::Any, &["", "", ""]);
    splits(&format!("A: 0\n\nx\n\n{DATE}A: 1\n\n"), Dialect::Any, &["A: 0\n\nx\n", "A: 1\n"]);
    splits(&format!("\n\n{DATE}A: 1\n\nx"), Dialect::Any, &["A: 1\n\nx"]);
}

#[test]
fn spans_say_where_a_message_lies() {
    let mbox = format!("{DATE}A: 1\n\n>From x\n\n{DATE}A: 2\n\ny\n");
    let mails = mails(mbox.as_bytes(), Dialect::Any, 3);
    let cut = |mail: &Mail| &mbox[mail.span.start as usize..mail.span.end as usize];
    assert_eq!(mails.iter().map(cut).collect::<Vec<_>>(), ["A: 1\n\n>From x\n", "A: 2\n\ny\n"]);
    assert_eq!(mails[1].postmark, DATE.as_bytes());
}

#[test]
fn what_comes_before_an_error_is_given() {
    struct Breaks;
    impl Read for Breaks {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let good = format!("{DATE}A: 1\n\nx\n\n").repeat(300);
    for step in [7, 1 << 20] {
        let mut mbox = Mbox::new(Slow(good.as_bytes(), step).chain(Breaks), Dialect::Any);
        let given = (0..).find(|_| mbox.next_mail().is_err());
        assert!(given > Some(100), "all but those within the reach of a look: {given:?}");
    }
}

#[test]
fn several_messages_are_seen_and_one_is_one() {
    let many =
        |octets: &str| [1, 7, 1 << 20].map(|step| holds_many(Slow(octets.as_bytes(), step)).expect("memory"));
    let one = format!("{DATE}A: 1\n\n{}", "A line.\n".repeat(100_000));
    assert_eq!(many(&format!("{one}\n{DATE}A: 2\n\n")), [true; 3]);
    assert_eq!(many(&format!("{one}\n{DATE}A: 2\n\n").replace('\n', "\r\n")), [true; 3]);
    for single in
        [&one, "A: 1\n\nx\n", "", &format!("{one}\nFrom now on\nA: 2\n"), &format!("{one}{DATE}A: 2\n")]
    {
        assert_eq!(many(single), [false; 3]);
    }
    assert_eq!(many(&format!("A: 0\n\n{DATE}A: 1\n")), [false; 3]);
}
