//! The milter of examples/c, which uses libmilter and the C library, with a real Postfix.
//! `capi/test.sh` builds it and says where it is (SEVENBIT_C_MILTER).

use std::process::{Child, Command};

use sevenbit::{Normalizer, Profile};

use super::support::{
    Client, Mail, Postfix, Sink, SinkOptions, corpus, free_port, has_postfix, wait,
};

struct Milter(Child);

impl Drop for Milter {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_arrives_through_the_c_milter_is_the_normal_form() {
    let Some(program) = std::env::var_os("SEVENBIT_C_MILTER") else {
        eprintln!("not tried: the milter in C (capi/test.sh)");
        return;
    };
    if !has_postfix() {
        return;
    }
    let port = free_port();
    let place = format!("inet:{port}@127.0.0.1");
    let _milter = Milter(Command::new(program).arg(place).spawn().expect("it runs"));
    wait("the milter", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    let sink = Sink::start(SinkOptions::default());
    let [without, with] = Postfix::ports();
    let ports =
        [(without, String::new()), (with, format!("-o smtpd_milters=inet:127.0.0.1:{port}"))];
    let _postfix = Postfix::start(sink.port, &ports, "");
    let messages: Vec<Vec<u8>> = corpus().into_iter().map(|(_, octets)| octets).take(60).collect();
    for (way, port) in [("without", without), ("with", with)] {
        let mut client = Client::connect(port).expect("a connection");
        for (number, octets) in messages.iter().enumerate() {
            let to = format!("{way}-{number}@example.org");
            let mail =
                Mail { from: "a@example.org", to: &to, parameters: " BODY=8BITMIME", octets };
            assert!(client.send(mail).expect("an answer").starts_with("250"));
        }
    }
    wait("all messages", || sink.count() == 2 * messages.len());
    let arrived = sink.arrived();
    let of = |name: String| arrived.iter().find(|one| one.name() == name).expect("it arrived");
    let normalizer = Normalizer::new().profile(Profile::Transport);
    for number in 0..messages.len() {
        let shown = of(format!("without-{number}"));
        if !shown.octets.windows(4).any(|four| four == b"\r\n\r\n") {
            continue; // Postfix sends no empty line after a header that had none
        }
        let normal = super::support::Arrived {
            octets: normalizer.normalize(&shown.octets).into_octets().into_owned(),
            ..shown.clone()
        };
        let made = of(format!("with-{number}"));
        assert_eq!(
            made.without_trace().escape_ascii().to_string(),
            normal.without_trace().escape_ascii().to_string(),
            "message {number}"
        );
    }
}
