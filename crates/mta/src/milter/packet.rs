//! Packets of the milter protocol: a length in four octets (big-endian), then that many: a command
//! and its data.

use std::fmt;
use std::io::{self, Write};

/// The longest packet that is read. Bodies come in chunks of 65,535 octets and a field in one
/// packet, which Postfix bounds by `header_size_limit` (102,400) and Sendmail by `MaxHeadersLength`
/// (32,768).
const MAX_LENGTH: usize = 16 << 20;

/// One packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Its command, one letter.
    pub command: u8,
    /// The data of the command.
    pub data: &'a [u8],
}

/// Octets that are not the milter protocol, or not in its order. The connection ends; the MTA
/// decides what happens to the message (`milter_default_action`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl<'a> Packet<'a> {
    /// The packet at the beginning of `octets`, and its length; nothing while part of it is still
    /// to come.
    ///
    /// # Errors
    /// A length of zero, or of more than any MTA sends.
    pub fn first(octets: &'a [u8]) -> Result<Option<(Self, usize)>, Malformed> {
        let Some((length, rest)) = octets.split_first_chunk::<4>() else { return Ok(None) };
        match u32::from_be_bytes(*length) as usize {
            0 => Err(Malformed("a packet without a command")),
            length if length > MAX_LENGTH => Err(Malformed("a packet longer than any MTA sends")),
            length => Ok(rest.get(..length).and_then(|packet| {
                let (command, data) = packet.split_first()?;
                Some((Self { command: *command, data }, 4 + length))
            })),
        }
    }

    /// The data, as far as they have come, of the packet of this command that `octets` begin, and the
    /// length of all of them; nothing if the command is another, or still to come.
    pub fn begun(octets: &'a [u8], command: u8) -> Option<(&'a [u8], usize)> {
        let (length, rest) = octets.split_first_chunk::<4>()?;
        let (own, data) = rest.split_first()?;
        (*own == command).then_some((data, u32::from_be_bytes(*length) as usize - 1))
    }

    /// The two texts of a packet that contains nothing else, each ended by NUL.
    ///
    /// # Errors
    /// The packet contains anything else.
    pub fn two_texts(&self) -> Result<(&'a [u8], &'a [u8]), Malformed> {
        let mut texts = self.data.split(|&octet| octet == 0);
        match (texts.next(), texts.next(), texts.next(), texts.next()) {
            (Some(first), Some(second), Some(b""), None) => Ok((first, second)),
            _ => Err(Malformed("a header field that is not a name and a value")),
        }
    }
}

/// Writes a packet whose data are `pieces`, one after another.
pub fn write(out: &mut impl Write, command: u8, pieces: &[&[u8]]) -> io::Result<()> {
    let length = 1 + pieces.iter().map(|piece| piece.len()).sum::<usize>();
    let length = u32::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
    out.write_all(&length.to_be_bytes())?;
    out.write_all(&[command])?;
    pieces.iter().try_for_each(|piece| out.write_all(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_read_when_all_of_it_has_come() {
        let octets = b"\0\0\0\x03Babcd";
        for end in 0..7 {
            assert_eq!(Packet::first(&octets[..end]), Ok(None));
        }
        let first = Packet { command: b'B', data: b"ab" };
        assert_eq!(Packet::first(octets), Ok(Some((first, 7))));
    }

    #[test]
    fn impossible_lengths_are_not_packets() {
        assert!(Packet::first(b"\0\0\0\0").is_err());
        assert!(Packet::first(b"\xFF\xFF\xFF\xFF").is_err());
        assert!(Packet::first(b"\x01\0\0\x01").is_err());
    }

    #[test]
    fn a_field_is_two_texts_and_nothing_else() {
        let texts = |data| Packet { command: b'L', data }.two_texts();
        assert_eq!(texts(b"Subject\0 x\0"), Ok((&b"Subject"[..], &b" x"[..])));
        assert_eq!(texts(b"Subject\0\0"), Ok((&b"Subject"[..], &b""[..])));
        for wrong in [&b""[..], b"Subject", b"Subject\0", b"Subject\0 x", b"a\0b\0c\0", b"a\0b\0\0"]
        {
            assert!(texts(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut out = Vec::new();
        write(&mut out, b'm', &[b"\0\0\0\x01", b"To\0"]).expect("memory");
        assert_eq!(out, b"\0\0\0\x08m\0\0\0\x01To\0");
    }
}
