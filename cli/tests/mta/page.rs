//! The blocks of docs/mta.md, as they are written: commands and files are read by those that are
//! meant to read them. What they do is for the other tests.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::others::{documented, folder};
use super::support::{
    Client, FILTERS, Filter, Mail, NamedCertificates, PROJECT, Postfix, Sink, SinkOptions, has,
    has_postfix, sevenbit, wait, with_folders,
};

/// The blocks of a kind.
fn blocks(kind: &str) -> Vec<String> {
    let page = Path::new(PROJECT).join("docs/mta.md");
    let page = fs::read_to_string(page).expect("docs/mta.md");
    let blocks = page.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix(kind));
    blocks.filter(|block| block.starts_with('\n')).map(str::to_owned).collect()
}

#[test]
#[cfg_attr(not(feature = "tls"), ignore = "some commands need the feature `tls`")]
fn each_command_is_one_that_runs() {
    let mut count = 0;
    let certificates = NamedCertificates::new();
    let folder = folder();
    for block in blocks("sh") {
        for line in block.replace("\\\n", " ").lines().filter(|line| line.starts_with("sevenbit "))
        {
            let line = line.split(" #").next().unwrap_or_default().trim_end_matches([' ', '&']);
            let line = with_folders(&certificates.put_into(line), folder.path());
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            let is_run = matches!(words[..], [name, option, ..]
                if FILTERS.contains(&name) && option.starts_with("--"));
            if !is_run {
                continue;
            }
            let ran = sevenbit().args(&words).arg("--check-config").output().expect("it runs");
            assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
            count += 1;
        }
    }
    assert!(count >= 7, "{count}");
}

#[test]
fn each_configuration_is_one_that_is_read() {
    let blocks = blocks("toml");
    assert!(!blocks.is_empty());
    let partners = tempfile::NamedTempFile::new().expect("a file");
    for block in blocks {
        let block = block.replace("/etc/sevenbit/partners", &partners.path().display().to_string());
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), format!("listen = \"127.0.0.1:0\"\n{block}")).expect("written");
        let words = ["milter", "--check-config", "--config", &file.path().display().to_string()];
        let ran = sevenbit().args(words).output().expect("it runs");
        assert!(ran.status.success(), "{block}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}

/// Who has only the command finds a configuration to begin with.
#[test]
fn the_command_prints_the_files_of_the_packages() {
    for &name in FILTERS {
        let say = |words: &[&str]| {
            let ran = sevenbit().args(words).output().expect("it runs");
            assert!(ran.status.success(), "{words:?}");
            String::from_utf8(ran.stdout).expect("text")
        };
        let packaged = Path::new(PROJECT).join(format!("packaging/etc/{name}.conf"));
        let printed = say(&["pages", "config", name]);
        assert_eq!(printed, fs::read_to_string(packaged).expect("a file"));

        let command = format!("sevenbit pages config {name}");
        let help = say(&[name, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(&command), "{help}");
        let page = say(&["pages", "man", &format!("{name}.conf")]).replace("\\-", "-");
        let example = page.split(".SH EXAMPLE\n").nth(1).expect("an example");
        assert!(example.contains(&command), "{example}");
        let missing = printed.lines().find(|line| !example.contains(line));
        assert_eq!(missing, None, "{example}");
    }
}

/// Postfix knows each parameter and each service.
#[test]
fn each_block_for_postfix_is_one_that_it_understands() {
    if !has("postconf") {
        return;
    }
    let mut count = 0;
    for block in blocks("text")
        .iter()
        .filter(|block| block.contains("# main.cf") || block.contains("# master.cf"))
    {
        let folder = folder();
        let mut files = [("main.cf", String::new()), ("master.cf", String::new())];
        for part in block.split("\n# ").skip(1) {
            let (title, text) = part.split_once('\n').unwrap_or((part, ""));
            for (name, file) in &mut files {
                if title.starts_with(*name) {
                    file.push_str(text);
                    file.push('\n');
                }
            }
        }
        for (name, text) in &files {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        for words in [&["-n"][..], &["-M"], &["-P"]] {
            let ran = Command::new("postconf")
                .arg("-c")
                .arg(folder.path())
                .args(words)
                .output()
                .expect("it runs");
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(ran.status.success() && said.is_empty(), "{block}{said}");
        }
        count += 1;
    }
    assert!(count >= 6, "{count}");
}

#[test]
fn the_block_before_the_queue_works_as_it_is_written() {
    if !has_postfix() {
        return;
    }
    let block = documented("-o smtpd_proxy_filter=127.0.0.1:10025", &[]);
    let options = |from: &str| {
        let lines = block.split(from).nth(1).expect("a service").lines().skip(1);
        lines
            .take_while(|line| line.starts_with("    -o "))
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let sink = Sink::start(SinkOptions { is_7bit: true, ..SinkOptions::default() });
    let [port, again] = Postfix::ports();
    let gateway = Filter::gateway(again, &["--log", "json"]);
    let first = options("smtp inet").replace("10025", &gateway.port().to_string());
    let postfix =
        Postfix::start(sink.port, &[(port, first), (again, options("127.0.0.1:10026 inet"))], "");
    let mut client = Client::connect(port).expect("a connection");
    let octets = b"Subject: caf\xC3\xA9\r\n\r\n";
    let mail =
        Mail { from: "a@example.org", to: "b@example.org", parameters: " BODY=8BITMIME", octets };
    let answer = client.send(mail).expect("an answer");
    assert!(answer.starts_with("250"), "{answer}");
    wait("the message", || sink.count() == 1 && postfix.queue().is_empty());
    assert!(sink.arrived()[0].is_7bit());
    assert!(gateway.log().contains("\"client\":\"127.0.0.1\""), "no XFORWARD: {}", gateway.log());
}
