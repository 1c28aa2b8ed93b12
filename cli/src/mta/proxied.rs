//! The header by which a proxy says whose connection it passes on: HAProxy's PROXY protocol,
//! version 1 or 2.

use std::io::{self, Read};
use std::net::IpAddr;
use std::time::Instant;

use proxy_header::{Error, ParseConfig, ProxyHeader};

/// The longest header that is read; the longest without extensions has 232 octets.
const MOST: usize = 4096;

/// The fewest octets of a header of version 1: `PROXY UNKNOWN` and CR LF.
const FEWEST: usize = 15;

/// Where the length of version 2 ends: the length of all that follows.
const FIXED: usize = 16;

/// Reads the header, and nothing after it. Returns the address of the client; none if the proxy
/// itself connects, or does not know it.
///
/// # Errors
/// Those of the stream; [`TimedOut`](io::ErrorKind::TimedOut) after `until`;
/// [`InvalidData`](io::ErrorKind::InvalidData) if it is no such header.
pub fn client(stream: &mut impl Read, until: Instant) -> io::Result<Option<IpAddr>> {
    let mut header = Vec::new();
    let config = ParseConfig { include_tlvs: false, ..ParseConfig::default() };
    loop {
        match ProxyHeader::parse(&header, config) {
            Ok((found, _)) => {
                return Ok(found
                    .proxied_address()
                    .map(|address| address.source.ip().to_canonical()));
            }
            Err(Error::BufferTooShort) if header.len() < MOST => {
                let begin = header.len();
                header.resize(MOST.min(begin + missing(&header)), 0);
                stream.read_exact(&mut header[begin..])?;
            }
            Err(_) => return Err(io::Error::new(io::ErrorKind::InvalidData, "no PROXY header")),
        }
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
}

/// How many octets are missing at least.
fn missing(header: &[u8]) -> usize {
    match (header, header.len()) {
        // Whether it is one shows in its first octet.
        ([], _) => 1,
        (_, length) if length < FEWEST => FEWEST - length,
        ([b'\r', ..], length) if length >= FIXED => {
            let rest = usize::from(u16::from_be_bytes([header[FIXED - 2], header[FIXED - 1]]));
            (FIXED + rest - length).max(1)
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proxy_header::ProxiedAddress;
    use std::time::Duration;

    fn read(octets: &[u8]) -> io::Result<(Option<IpAddr>, Vec<u8>)> {
        let mut stream = octets;
        let found = client(&mut stream, Instant::now() + Duration::from_secs(60))?;
        Ok((found, stream.to_vec()))
    }

    #[test]
    fn both_versions_say_whose_connection_it_is() {
        for (source, destination) in
            [("192.0.2.7:1234", "192.0.2.1:25"), ("[2001:db8::7]:1234", "[2001:db8::1]:25")]
        {
            let [source, destination] =
                [source, destination].map(|text| text.parse().expect("an address"));
            let header = ProxyHeader::with_address(ProxiedAddress::stream(source, destination));
            let (mut first, mut second) = (Vec::new(), Vec::new());
            header
                .encode_v1(&mut first)
                .and_then(|()| header.encode_v2(&mut second))
                .expect("memory");
            for octets in [first, second] {
                let (found, rest) =
                    read(&[&octets, &b"EHLO c\r\n"[..]].concat()).expect("a header");
                assert_eq!((found, &rest[..]), (Some(source.ip()), &b"EHLO c\r\n"[..]));
                for cut in 0..octets.len() {
                    let error = read(&octets[..cut]).expect_err("half a header");
                    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
                }
            }
        }
        let local = b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\x02xxEHLO";
        assert_eq!(read(local).expect("a header"), (None, b"EHLO".to_vec()));
        assert_eq!(read(b"PROXY UNKNOWN\r\nEHLO").expect("a header"), (None, b"EHLO".to_vec()));
        let mapped = b"PROXY TCP6 ::ffff:192.0.2.7 ::1 1 2\r\n";
        assert_eq!(read(mapped).expect("a header").0, "192.0.2.7".parse().ok());
    }

    #[test]
    fn anything_else_is_an_error_at_once() {
        for wrong in [
            &b"EHLO c\r\n"[..],
            b"PROXY TCP4 here there 1 2\r\n",
            b"PROXY TCP5 1.2.3.4 1.2.3.4 1 2\r\n",
            b"\r\n\r\n\0\r\nQUIT\n\x31\x11\0\x0C",
            &[b"PROXY UNKNOWN ", &[b'x'; 200][..]].concat(),
            &[&b"\r\n\r\n\0\r\nQUIT\n\x21\x11\xFF\xFF"[..], &[0; 70_000]].concat(),
        ] {
            let error = read(wrong).expect_err("no header");
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{}", wrong.escape_ascii());
        }
    }
}
