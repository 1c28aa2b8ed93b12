//! Whose mail it is: a proxy says it to the gateway, and the gateway to the next hop.

use std::net::TcpListener;
use std::process::Command;

use super::others::{Server, documented, folder};
use super::support::{Client, Filter, Mail, Postfix, Sink, SinkOptions, has, has_postfix, wait};

const MAIL: Mail<'_> = Mail {
    from: "a@example.com",
    to: "b@example.org",
    parameters: "",
    octets: b"Subject: caf\xC3\xA9\r\n\r\n",
};

/// The client is `::1`, its proxy and the gateway 127.0.0.1: by their addresses the next hop relays
/// for one and not the other.
#[test]
fn a_next_hop_treats_the_client_of_a_proxy_as_its_own() {
    if !has_postfix() || !has("haproxy") || TcpListener::bind("[::1]:0").is_err() {
        return;
    }
    let block = documented("send-proxy-v2", &[]);
    let (proxy, smtpd) = block.split_once("# master.cf").expect("two files");
    let options = smtpd.lines().filter(|line| line.starts_with("    -o ")).map(str::trim);
    let options = options.collect::<Vec<_>>().join(" ");
    let command = documented("--proxy-from 127.0.0.1/32", &[]);
    let words: Vec<&str> =
        command.split_whitespace().skip_while(|word| *word != "--proxy-from").collect();
    for (version, networks, is_relayed) in [
        ("send-proxy-v2", "127.0.0.0/8", false),
        ("send-proxy-v2", "[::1]/128", true),
        ("send-proxy", "[::1]/128", true),
    ] {
        let sink = Sink::start(SinkOptions::default());
        let [front, port] = Postfix::ports();
        let options = format!("{options} -o mynetworks={networks}");
        let postfix = Postfix::start(sink.port, &[(port, options)], "inet_protocols = all");
        let gateway = Filter::gateway(port, &words);
        let settings = proxy
            .replace("2525", &front.to_string())
            .replace("10025", &gateway.port().to_string())
            .replace("send-proxy-v2", version);
        let folder = folder();
        let file = folder.path().join("cfg");
        let times = "defaults\n timeout client 1m\n timeout server 1m\n timeout connect 5s\n";
        std::fs::write(&file, format!("{times}{settings}")).expect("a file");
        let _proxy =
            Server::start(folder, front, Command::new("haproxy").args(["-db", "-f"]).arg(&file));
        let mut client = Client::connect_to("::1", front).expect("a connection");
        // A gateway that lets anyone say who its client is would be an open relay again.
        assert!(client.ask("XCLIENT ADDR=127.0.0.1").expect("an answer").starts_with("550 5.7.0 "));
        let answer = client.send(MAIL).expect("an answer");
        assert!(
            answer.starts_with(if is_relayed { "250" } else { "554 5.7.1 " }),
            "{version}: {answer}"
        );
        if is_relayed {
            wait("the message", || sink.count() == 1);
            let octets = sink.arrived().remove(0).octets;
            let text = String::from_utf8_lossy(&octets).into_owned();
            assert!(text.contains("[IPv6:::1]") && !text.contains("127.0.0.1"), "{text}");
            assert!(gateway.log().contains("client=\"::1\""), "{}", gateway.log());
        }
        assert!(postfix.log().contains("client=unknown[::1]") || !is_relayed, "{}", postfix.log());
    }
}

/// A Postfix without IPv6 does not know such an address: that is no fault of the client's, which
/// has to try again.
#[test]
fn a_next_hop_that_cannot_be_told_the_client_is_not_asked_for_its_mail() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let [port] = Postfix::ports();
    let options = "-o smtpd_authorized_xclient_hosts=127.0.0.1".to_owned();
    let _postfix = Postfix::start(sink.port, &[(port, options)], "inet_protocols = ipv4");
    let gateway = Filter::gateway(port, &["--proxy-from", "127.0.0.1/32", "--xclient"]);
    let mut stream =
        std::net::TcpStream::connect(("127.0.0.1", gateway.port())).expect("a connection");
    let said = b"PROXY TCP6 2001:db8::7 2001:db8::1 1 25\r\nEHLO client.test\r\n";
    std::io::Write::write_all(&mut stream, said).expect("sent");
    let mut answers = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answers).expect("answers");
    assert!(answers.starts_with("220 ") && answers.contains("\r\n421 "), "{answers}");
    assert!(gateway.log().contains("it refuses XCLIENT: 501 "), "{}", gateway.log());
}

/// A client whose proxy does not name it is not the machine of the proxy: it may not log in in
/// clear, nor is it trusted.
#[test]
fn a_client_that_its_proxy_does_not_name_is_nobody() {
    let next = super::support::has_offers(&["AUTH PLAIN", "XCLIENT NAME ADDR"]);
    let gateway = Filter::gateway(next.port, &["--proxy-from", "127.0.0.1/32", "--xclient"]);
    let local = b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0";
    for header in [&b"PROXY UNKNOWN\r\n"[..], local, b"PROXY TCP4 192.0.2.7 192.0.2.1 1 25\r\n"] {
        let mut stream =
            std::net::TcpStream::connect(("127.0.0.1", gateway.port())).expect("a connection");
        let said = [header, b"EHLO client.test\r\nXCLIENT ADDR=127.0.0.1\r\nQUIT\r\n"].concat();
        std::io::Write::write_all(&mut stream, &said).expect("sent");
        let mut answers = String::new();
        std::io::Read::read_to_string(&mut stream, &mut answers).expect("answers");
        assert!(answers.contains("\r\n550 5.7.0 ") && !answers.contains("AUTH"), "{answers}");
    }
    let heard = next.heard();
    let told: Vec<&String> = heard.iter().filter(|line| line.starts_with("XCLIENT ")).collect();
    assert_eq!(
        told,
        [
            "XCLIENT ADDR=[UNAVAILABLE] NAME=[UNAVAILABLE]",
            "XCLIENT ADDR=[UNAVAILABLE] NAME=[UNAVAILABLE]",
            "XCLIENT ADDR=192.0.2.7 NAME=[UNAVAILABLE]"
        ]
    );
}

#[test]
fn a_connection_of_a_proxy_without_its_header_is_closed() {
    let sink = Sink::start(SinkOptions::default());
    let words = ["--proxy-from", "127.0.0.1/32", "--max-per-client", "2", "--i-know"];
    let gateway = Filter::gateway(sink.port, &words);
    let begun = |header: &str| {
        let mut stream =
            std::net::TcpStream::connect(("127.0.0.1", gateway.port())).expect("a connection");
        std::io::Write::write_all(&mut stream, header.as_bytes()).expect("sent");
        let mut said = [0; 3];
        let read = std::io::Read::read(&mut stream, &mut said).unwrap_or_default();
        (stream, String::from_utf8_lossy(&said[..read]).into_owned())
    };
    assert_eq!(begun("EHLO client.test\r\n").1, "");
    wait("a word about it", || gateway.log().contains("no PROXY header"));
    // Each client has its own number of connections.
    let header = |client: u8| format!("PROXY TCP4 192.0.2.{client} 192.0.2.1 1 25\r\n");
    let [first, second, third, other] = [7, 7, 7, 8].map(|client| begun(&header(client)));
    assert_eq!(
        [&first, &second, &third, &other].map(|(_, said)| said.as_str()),
        ["220", "220", "421", "220"]
    );
}
