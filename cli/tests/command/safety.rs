//! An input is never overwritten, and no half-written file is left behind.

use crate::support::{CLEAN, World};

#[test]
fn an_input_is_never_overwritten() {
    let world = World::with(&["a.eml", "b.eml", "mail/c"]);
    let before = world.files();
    for args in [
        &["normalize", "a.eml", "-o", "a.eml"][..],
        &["normalize", "a.eml", "-o", "./mail/../a.eml"],
        &["normalize", "a.eml", "-o", "."],
        &["normalize", "a.eml", "b.eml", "-o", "."],
        &["normalize", "mail/c", "-o", "mail"],
        &["normalize", "mail", "-o", "mail"],
        &["normalize", "mail", "-o", "mail/../mail/."],
        &["normalize", "a.eml", "--report", "a.eml"],
        &["normalize", "mail", "-o", "out", "--report", "mail/c"],
        &["normalize", "a.eml", "--check", "--report", "a.eml"],
    ] {
        let ran = world.run(args);
        assert_eq!(ran.code, Some(73), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("input"), "{args:?}: {}", ran.err);
        assert_eq!(world.files(), before, "{args:?}");
        assert!(before.iter().all(|name| world.read(name) == CLEAN), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn nor_through_links() {
    let world = World::with(&["a.eml", "mail/c", "mail/sub/d", "out/x"]);
    world
        .shell("ln -s a.eml to-a; ln -s mail to-mail; ln -s ../mail/sub out/sub; ln -s ../mail/c out/c")
        .exits(0);
    for (args, code) in [
        (&["normalize", "a.eml", "-o", "to-a"][..], 73),
        (&["normalize", "to-a", "-o", "a.eml"], 73),
        (&["normalize", "to-a", "-o", "to-a"], 73),
        (&["normalize", "mail", "-o", "to-mail"], 73),
        (&["normalize", "to-mail", "-o", "mail"], 73),
        (&["normalize", "mail", "-o", "out"], 73),
        // Here the link itself is replaced.
        (&["normalize", "mail/c", "-o", "out"], 0),
    ] {
        let inode = world.shell("ls -i a.eml mail/c mail/sub/d").out;
        let ran = world.run(args);
        assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.err);
        assert_eq!(world.shell("ls -i a.eml mail/c mail/sub/d").out, inode, "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_hard_link_to_an_input_is_replaced_and_the_input_stays() {
    let world = World::with(&["a.eml"]);
    world.shell("ln a.eml b.eml").exits(0);
    world.run_on(&["normalize", "a.eml", "-o", "b.eml"], b"").exits(0);
    world.shell("test a.eml -ef b.eml").exits(1);
    assert_eq!(world.read("a.eml"), CLEAN);
}

#[cfg(unix)]
#[test]
fn a_link_as_output_leads_to_the_file_that_is_replaced() {
    let world = World::with(&["a.eml", "kept/old"]);
    world.write("kept/old", "old");
    world.shell("ln -s kept/old link").exits(0);
    world.run(&["normalize", "a.eml", "-o", "link"]).exits(73);
    world.run(&["normalize", "a.eml", "-o", "link", "--force"]).exits(0);
    assert_eq!(world.read("kept/old"), CLEAN);
    world.shell("test -L link").exits(0);
}

#[test]
fn an_output_directory_inside_an_input_is_not_walked_into() {
    let world = World::with(&["mail/a", "mail/sub/b"]);
    for _ in 0..2 {
        world.run(&["normalize", "mail", "-o", "mail/out"]).exits(0).says(&["2 messages"]);
        assert_eq!(world.files(), ["mail/a", "mail/out/a", "mail/out/sub/b", "mail/sub/b"]);
    }
}

#[test]
fn an_input_inside_the_output_directory_is_safe() {
    let world = World::with(&["out/mail/a"]);
    world.write("out/mail/mail/a", "Subject: inner\r\n\r\n");
    world.run(&["normalize", "out/mail", "-o", "out"]).exits(73).says(&["out/mail/a"]);
    assert_eq!(world.read("out/mail/a"), CLEAN);
    assert_eq!(world.read("out/a"), CLEAN);
}

#[test]
fn a_report_may_lie_among_the_inputs_if_it_is_new() {
    let world = World::with(&["a.eml"]);
    world.run(&["normalize", ".", "-o", "out", "--report", "report.jsonl"]).exits(0);
    assert_eq!(world.files(), ["a.eml", "out/a.eml", "report.jsonl"]);
    world
        .run(&["normalize", ".", "-o", "out", "--report", "report.jsonl"])
        .exits(73)
        .says(&["report.jsonl"]);
}

#[test]
fn mail_does_not_take_the_place_of_the_report() {
    let world = World::with(&["mail/a", "mail/b"]);
    world.run(&["normalize", "mail", "-o", "out", "--report", "b"]).exits(0);
    let ran = world.run(&["normalize", "mail/a", "-o", "r", "--report", "r"]).exits(73);
    ran.says(&["report"]);
}

#[cfg(unix)]
#[test]
fn outputs_are_as_private_as_their_inputs() {
    let world = World::with(&["a.eml", "b.eml", "old"]);
    let script = "umask 022; chmod 600 a.eml; chmod 644 b.eml; chmod 640 old; \
        $SEVENBIT normalize a.eml -o a; $SEVENBIT normalize b.eml -o b; $SEVENBIT normalize b.eml -o old; \
        $SEVENBIT normalize -o c < a.eml; stat -c %a a b old c";
    assert_eq!(world.shell(script).exits(0).text(), "600\n644\n640\n644\n");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_half_written_stays_behind_when_a_file_grows_too_large() {
    let world = World::with(&["mail/a", "mail/c", "out/b"]);
    world.write("mail/b", [CLEAN, &[b'x'; 100_000]].concat());
    let ran = world.shell("ulimit -f 8; $SEVENBIT normalize mail -o out").exits(74);
    ran.says(&["out/b: ", "too large"]);
    assert_eq!(world.files(), ["mail/a", "mail/b", "mail/c", "out/a", "out/b", "out/c"]);
    assert_eq!(world.read("out/b"), CLEAN, "what was there before");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_half_written_stays_behind_when_it_is_stopped() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let world = World::new();
        // The tests may be run with signals ignored, as a shell does for background processes.
        let waiting = Waiting::new(&world, "exec env --default-signal=INT,TERM,HUP");
        waiting.send(signal);
        assert_eq!(waiting.code(), Some(code), "{signal}");
        assert!(world.files().is_empty(), "{signal}: {:?}", world.files());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_job_that_is_to_ignore_signals_goes_on() {
    let world = World::new();
    let waiting = Waiting::new(&world, "trap '' INT HUP; exec");
    waiting.send("INT");
    waiting.send("HUP");
    assert_eq!(waiting.finished(), Some(0));
    assert_eq!(world.files(), ["out", "report"]);
    assert!(world.read("out").ends_with(CLEAN));
}

/// A run that has begun its report and waits for the end of standard input.
#[cfg(target_os = "linux")]
struct Waiting(std::process::Child);

#[cfg(target_os = "linux")]
impl Waiting {
    fn new(world: &World, before: &str) -> Self {
        use std::process::{Command, Stdio};
        let run = format!("{before} \"$SEVENBIT\" normalize - -o out --report report");
        let mut command = Command::new("sh");
        command.args(["-c", &run]).env("SEVENBIT", crate::support::binary());
        let child =
            command.current_dir(world.path()).stdin(Stdio::piped()).spawn().expect("a shell");
        let mut waiting = Self(child);
        // Enough to detect the kind of input.
        waiting.feed(&b"X-Long: field\r\n".repeat(500));
        for _ in 0..1000 {
            if !world.files().is_empty() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        waiting
    }

    fn send(&self, signal: &str) {
        let pid = self.0.id().to_string();
        let sent = std::process::Command::new("kill").args([&format!("-{signal}"), &pid]).status();
        assert!(sent.expect("kill").success());
    }

    fn feed(&mut self, octets: &[u8]) {
        use std::io::Write;
        self.0.stdin.as_mut().expect("standard input").write_all(octets).expect("it reads");
    }

    /// The status after a signal.
    fn code(mut self) -> Option<i32> {
        let input = self.0.stdin.take();
        let code = self.0.wait().expect("it ends").code();
        drop(input);
        code
    }

    /// The status after standard input has ended.
    fn finished(mut self) -> Option<i32> {
        self.feed(CLEAN);
        drop(self.0.stdin.take());
        self.0.wait().expect("it ends").code()
    }
}

/// What an earlier run has written is replaced; what somebody else has put there is not.
#[test]
fn files_of_others_are_not_replaced_without_force() {
    let world = World::with(&["a.eml"]);
    world.write("d/a.eml", "From: a@example.org\nSubject: x\n\nsch\u{f6}n\n");
    for (output, options) in
        [("b.eml", &["a.eml"][..]), ("out/a.eml", &["d"]), ("m.mbox", &["d", "--to", "mbox"])]
    {
        let out = if output.starts_with("out") { "out" } else { output };
        let args = [&["normalize", "-o", out], options].concat();
        for others in
            ["a letter that was never sent\n", "From: me@example.org\nSubject: \u{e9}\n\nmine\n"]
        {
            world.write(output, others);
            for dry in [&["--dry-run"][..], &[]] {
                world.run(&[&args[..], dry].concat()).exits(73).says(&[output, "--force"]);
            }
            assert_eq!(world.read(output), others.as_bytes());
        }
        world.run(&[&args[..], &["--force"]].concat()).exits(0);
        let written = world.read(output);
        world.run(&args).exits(0);
        world.write(output, "");
        world.run(&args).exits(0);
        assert_eq!(world.read(output), written);
    }
}

/// Mail in its normal form may be somebody's own: another message is not in the way for nothing.
#[test]
fn another_message_is_not_replaced() {
    let world = World::with(&["a.eml", "d/a.eml"]);
    let clean = String::from_utf8_lossy(CLEAN);
    let (other, nameless) =
        (clean.replace("<1@", "<2@"), clean.replace("Message-ID: <1@", "X: <1@"));
    world.write("nameless.eml", nameless.replace("Subject: ", "Subject: Re: "));
    for (args, out, others) in [
        (&["normalize", "a.eml", "-o", "b.eml"][..], "b.eml", &other),
        (&["normalize", "d", "-o", "out"], "out/a.eml", &other),
        (&["normalize", "a.eml", "-o", "b.eml"], "b.eml", &nameless),
        (&["normalize", "nameless.eml", "-o", "b.eml"], "b.eml", &other),
        (&["normalize", "nameless.eml", "-o", "b.eml"], "b.eml", &nameless),
    ] {
        world.write(out, others);
        world.run(args).exits(73).says(&[out, "--force"]);
        assert_eq!(world.read(out), others.as_bytes());
        if args.contains(&"nameless.eml") {
            continue;
        }
        world.write(out, String::from_utf8_lossy(CLEAN).replace("Hello", "Earlier"));
        world.run(args).exits(0);
        assert_eq!(world.read(out), CLEAN, "an earlier output is");
    }
}

/// A mailbox of which the first message is in its normal form may be somebody's own as well.
#[test]
fn a_mailbox_with_other_messages_is_not_replaced() {
    let message = |id: &str| String::from_utf8_lossy(CLEAN).replace("<1@", &format!("<{id}@"));
    let mailbox = |ids: &[&str]| -> String {
        ids.iter()
            .map(|id| format!("From a@b Mon Nov  2 10:00:00 2020\n{}\n", message(id)))
            .collect()
    };
    let world = World::new();
    world.write("in/a.mbox", mailbox(&["1", "2"]));
    for (args, out) in [
        (&["normalize", "in/a.mbox", "-o", "b.mbox"][..], "b.mbox"),
        (&["normalize", "in", "-o", "out"], "out/a.mbox"),
        (&["normalize", "in", "--to", "mbox", "-o", "out/"], "out/a.mbox"),
        (&["normalize", "in/a.mbox", "--to", "tar", "-o", "b.tar"], "b.tar"),
    ] {
        for (others, why) in [
            (&["7", "8", "9"][..], "begins with another"),
            (&["1", "2", "3"], "has a message that the new one has not"),
            (&["1", "3"], "has a message that the new one has not"),
        ] {
            world.write(out, mailbox(others));
            let why = if out == "b.tar" { "a file of another kind" } else { why };
            world.run(args).exits(73).says(&[out, why, "--force"]);
            assert_eq!(world.read(out), mailbox(others).as_bytes());
            assert_eq!(world.files().iter().filter(|name| name.contains("part")).count(), 0);
        }
        if out != "b.tar" {
            world.write(out, mailbox(&["1"]));
            world.run(args).exits(0);
        } else {
            world.run(&[args, &["--force"]].concat()).exits(0);
        }
        world.run(args).exits(0);
        world.write(out, mailbox(&["7"]));
        world.run(&[args, &["--force"]].concat()).exits(0);
    }
}

/// A mailbox that has the same messages as they came is the original, wherever its copy lies.
#[test]
fn an_original_is_not_replaced_by_its_normal_form() {
    let world = World::new();
    let odd = "From: a@example.org\nSubject: \u{e9}\nMessage-ID: <2@example.org>\n\nx\n";
    let clean = String::from_utf8_lossy(CLEAN).replace("\r\n", "\n");
    let original =
        [&*clean, odd].map(|mail| format!("From a@b Mon Nov  2 10:00:00 2020\n{mail}\n"));
    world.write("copy.mbox", original.concat());
    world.write("original.mbox", original.concat());
    let args = ["normalize", "copy.mbox", "-o", "original.mbox"];
    let ran = world.run(&args).exits(73).says(&["is not in its normal form", "--force"]);
    assert!(!ran.err.contains("written to"), "{}", ran.err);
    assert_eq!(world.read("original.mbox"), original.concat().as_bytes());
    world.run(&["normalize", "copy.mbox", "-o", "new.mbox"]).exits(0);
    world.run(&["normalize", "copy.mbox", "-o", "new.mbox"]).exits(0);
}

/// An archive of an earlier run to which somebody has added a file, and one of another kind.
#[test]
fn an_archive_with_other_files_is_not_replaced() {
    let world = World::with(&["d/a.eml"]);
    let args = ["normalize", "d", "--to", "tar", "-o", "o.tar"];
    world.run(&args).exits(0);
    world.run(&args).exits(0);
    world.shell("echo mine > mine.pdf && tar rf o.tar mine.pdf").exits(0);
    world.run(&args).exits(73).says(&["has a file that the new one has not"]);
    world.shell("tar tf o.tar | grep mine.pdf").exits(0);

    world.shell("cp o.tar o").exits(0);
    world.run(&["normalize", "d", "--to", "mbox", "-o", "o"]).exits(73);
    world.write("list.jsonl", "{\"input\":\"a.eml\",\"mine\":1}\n");
    world.run(&["normalize", "--check", "d", "--report", "list.jsonl"]).exits(73);
}

/// What a run writes about private mail is as private.
#[cfg(unix)]
#[test]
fn what_is_written_about_private_mail_is_private() {
    let world = World::new();
    let mail = "From a@b Thu Nov 19 10:00:00 2026\nFrom: a@b.example\nSubject: x\nContent-Type: application/pdf; name=a.pdf\n\ncaf\u{e9}\n\n";
    world.write("in.mbox", mail);
    world.shell("chmod 600 in.mbox").exits(0);
    world.run(&["normalize", "in.mbox", "-o", "o.mbox", "--report", "r.jsonl"]).exits(0);
    world.run(&["normalize", "in.mbox", "-o", "p.mbox", "--max-output", "1"]);
    world.run(&["explain", "--message", "1", "in.mbox", "-o", "page.html"]).exits(0);
    world.run(&["extract", "in.mbox", "--to", "out"]).exits(0);
    let modes = "find o.mbox r.jsonl page.html out -type f -not -perm 600";
    assert_eq!(world.shell(modes).text(), "");
}

#[test]
fn a_copy_of_what_is_no_mail_is_replaced_if_it_is_the_same() {
    let world = World::new();
    world.write("d/notes.txt", "one\n");
    let args = ["normalize", "--others", "copy", "d", "-o", "out"];
    world.run(&args).exits(0);
    world.run(&args).exits(0);
    world.write("out/notes.txt", "changed by a person\n");
    world.run(&args).exits(73).says(&["out/notes.txt", "--force"]);
    assert_eq!(world.read("out/notes.txt"), b"changed by a person\n");
}

/// A report goes over an earlier one, and over nothing else: who forgets its name names mail.
#[test]
fn a_report_replaces_nothing_but_a_report() {
    let world = World::with(&["a.eml", "mine.eml"]);
    for (args, out) in [
        (&["normalize", "a.eml", "--check", "--report", "mine.eml"][..], "mine.eml"),
        (&["normalize", "-n", "--report", "mine.eml", "a.eml"], "mine.eml"),
        (&["normalize", "a.eml", "-o", "b.eml", "--report", "mine.eml"], "mine.eml"),
        (
            &[
                "normalize",
                "a.eml",
                "-o",
                "b.mbox",
                "--to",
                "mbox",
                "--resume",
                "--report",
                "mine.eml",
            ],
            "mine.eml",
        ),
        (&["explain", "a.eml", "-o", "mine.eml"], "mine.eml"),
    ] {
        world.run(args).exits(73).says(&[out, "is there already, and no "]);
        assert_eq!(world.read("mine.eml"), CLEAN, "{args:?}");
    }
    let args = ["normalize", "a.eml", "--check", "--report"];
    for report in ["r", "r"] {
        world.run(&[&args[..], &[report]].concat()).exits(0);
    }
    world.write("empty", "");
    world.run(&[&args[..], &["empty"]].concat()).exits(0);
    world.run(&[&args[..], &["mine.eml", "--force"]].concat()).exits(0);
    assert_ne!(world.read("mine.eml"), CLEAN);
}

/// Private mail stays so: messages out of a mailbox, the copies of a backup, and what
/// is below a directory.
#[test]
#[cfg(unix)]
fn private_mail_stays_private() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::with(&["d/a.eml"]);
    world.write("in.mbox", "From a Thu Nov 19 10:00:00 2026\nFrom: a@example.org\n\nx\n\n");
    world.write("p/raw.eml", b"From: a@example.org\nSubject: \xfc\n\nx\n");
    world.shell("chmod 600 in.mbox; chmod 700 d; chmod 755 p/raw.eml").exits(0);
    world.run(&["normalize", "in.mbox", "--to", "maildir", "-o", "M"]).exits(0);
    world.run(&["normalize", "in.mbox", "--to", "eml", "-o", "E"]).exits(0);
    world.run(&["normalize", "d", "-o", "out"]).exits(0);
    world.run(&["normalize", "--in-place", "--backup", "old", "p"]).exits(0);
    let mode = |path: &str| {
        let found = std::fs::metadata(world.path().join(path)).expect("a file");
        found.permissions().mode() & 0o777
    };
    for name in world.files().iter().filter(|name| name.starts_with("M/") || name.starts_with("E/"))
    {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    assert_eq!(mode("out"), 0o700);
    assert_eq!((mode("old/raw.eml"), mode("p/raw.eml")), (0o755, 0o755));
}

/// A packed message stays packed where it is.
#[test]
fn in_place_a_packed_message_stays_packed() {
    let world = World::new();
    world.write("d/a.eml", b"From: a@example.org\nSubject: Gr\xfc\xdfe\n\nx\n");
    world.shell("gzip d/a.eml").exits(0);
    world.run(&["normalize", "--in-place", "d"]).exits(0).says(&["1  changed"]);
    let mail = world.shell("gzip -dc d/a.eml.gz").exits(0).text();
    assert!(mail.contains("Subject: =?utf-8?"), "{mail}");
    world.run(&["normalize", "--in-place", "--backup", "d", "d"]).exits(64);
}
