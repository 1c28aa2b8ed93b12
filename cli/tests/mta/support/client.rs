//! A client: it sends messages as they are.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

/// One message to send.
#[derive(Clone, Copy, Debug)]
pub struct Mail<'m> {
    pub from: &'m str,
    pub to: &'m str,
    pub parameters: &'m str,
    pub octets: &'m [u8],
}

/// A connection.
pub struct Client {
    input: BufReader<TcpStream>,
    output: TcpStream,
}

impl Client {
    /// Greets the server at `port`.
    pub fn connect(port: u16) -> std::io::Result<Self> {
        Self::connect_to("127.0.0.1", port)
    }

    /// Greets the server at `port` of an address of this machine.
    pub fn connect_to(host: &str, port: u16) -> std::io::Result<Self> {
        let output = TcpStream::connect((host, port))?;
        output.set_nodelay(true)?;
        output.set_read_timeout(Some(Duration::from_secs(60)))?;
        let mut client = Self { input: BufReader::new(output.try_clone()?), output };
        client.reply()?;
        client.ask("EHLO client.test")?;
        Ok(client)
    }

    /// Sends a message; returns the last reply.
    pub fn send(&mut self, mail: Mail<'_>) -> std::io::Result<String> {
        for command in [
            format!("MAIL FROM:<{}>{}", mail.from, mail.parameters),
            format!("RCPT TO:<{}>", mail.to),
            "DATA".to_owned(),
        ] {
            let answer = self.ask(&command)?;
            if answer.starts_with(['4', '5']) {
                let _ = self.ask("RSET")?;
                return Ok(answer);
            }
        }
        self.output.write_all(&stuffed(mail.octets))?;
        self.reply()
    }

    /// Sends one command, returns one reply.
    pub fn ask(&mut self, command: &str) -> std::io::Result<String> {
        self.output.write_all(format!("{command}\r\n").as_bytes())?;
        self.reply()
    }

    /// Sends octets, and waits for nothing.
    pub fn say(&mut self, octets: &[u8]) -> std::io::Result<()> {
        self.output.write_all(octets)
    }

    /// The last line of the next reply.
    pub fn reply(&mut self) -> std::io::Result<String> {
        loop {
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if line.as_bytes().get(3) != Some(&b'-') {
                return Ok(line.trim_end().to_owned());
            }
        }
    }
}

/// A message on the wire, with its end.
fn stuffed(octets: &[u8]) -> Vec<u8> {
    let mut wire = Vec::with_capacity(octets.len() + 100);
    for line in octets.split_inclusive(|&octet| octet == b'\n') {
        if line.starts_with(b".") {
            wire.push(b'.');
        }
        wire.extend_from_slice(line);
    }
    if !wire.is_empty() && !wire.ends_with(b"\r\n") {
        wire.extend_from_slice(b"\r\n");
    }
    wire.extend_from_slice(b".\r\n");
    wire
}
