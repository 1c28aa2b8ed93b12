//! The sizes that Dovecot and Courier keep in the names of a Maildir: `1.M2P3.host,S=1234,W=1260:2,S`.
//!
//! A server trusts them: where they are wrong, it counts a wrong quota, or refuses to read the
//! message. The part of a name before the colon is also what a server knows a message by, so that
//! a message that was changed is a new one to it, as RFC 3501 (2.3.1.1) asks.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};

use super::Outgoing;

/// Returns a name with the sizes of a message in place of those that it has; `None` if it has none,
/// or these.
///
/// # Errors
/// The message cannot be read.
pub fn with_sizes(name: &OsStr, outgoing: &Outgoing<'_>) -> io::Result<Option<OsString>> {
    with_sizes_of(name, |sizes| outgoing.write_to(sizes))
}

fn with_sizes_of(
    name: &OsStr,
    write: impl FnOnce(&mut Sizes) -> io::Result<()>,
) -> io::Result<Option<OsString>> {
    let Some(text) = name.to_str() else { return Ok(None) };
    let (base, info) = text.split_once(':').unwrap_or((text, ""));
    let is_size = |field: &str| Size::of(field).is_some();
    if !base.split(',').skip(1).any(is_size) {
        return Ok(None);
    }

    let mut sizes = Sizes::default();
    write(&mut sizes)?;
    let sized = |field: &str| match Size::of(field) {
        Some(Size::Octets) => format!("S={}", sizes.octets),
        Some(Size::WithCrLf) => format!("W={}", sizes.octets + sizes.bare),
        None => field.to_owned(),
    };
    let mut fields = base.split(',');
    let unique = fields.next().unwrap_or_default().to_owned();
    let base = fields.map(sized).fold(unique, |base, field| format!("{base},{field}"));
    let colon = if text.contains(':') { ":" } else { "" };
    let sized = OsString::from(format!("{base}{colon}{info}"));
    Ok(Some(sized).filter(|sized| sized != name))
}

/// A size in a name.
enum Size {
    /// `S=`: the octets of the file.
    Octets,
    /// `W=`: its octets if each line ended with CR LF.
    WithCrLf,
}

impl Size {
    /// Returns which size a field between commas is.
    fn of(field: &str) -> Option<Self> {
        let (key, digits) = field.split_once('=')?;
        let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
        match key {
            "S" if is_number => Some(Self::Octets),
            "W" if is_number => Some(Self::WithCrLf),
            _ => None,
        }
    }
}

/// The sizes of what is written into it.
#[derive(Default)]
struct Sizes {
    octets: u64,
    /// LF without CR.
    bare: u64,
    last: u8,
}

impl Write for Sizes {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let before = |at: usize| at.checked_sub(1).map_or(self.last, |at| octets[at]);
        let ends = memchr::memchr_iter(b'\n', octets);
        self.bare += ends.filter(|&at| before(at) != b'\r').count() as u64;
        self.octets += octets.len() as u64;
        self.last = octets.last().copied().unwrap_or(self.last);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_a_name_are_those_of_the_message() {
        let with = |name: &str| {
            let sized = with_sizes_of(OsStr::new(name), |sizes| {
                ["a\r", "\nb\n", "", "\n"]
                    .iter()
                    .try_for_each(|piece| sizes.write_all(piece.as_bytes()))
            });
            sized.expect("written").map(|name| name.into_string().expect("text"))
        };
        for (name, sized) in [
            ("1.M2.host,S=12,W=34:2,S", Some("1.M2.host,S=6,W=8:2,S")),
            ("1.M2.host,W=1,x=1,S=2", Some("1.M2.host,W=8,x=1,S=6")),
            ("1.M2.host,S=12:2,", Some("1.M2.host,S=6:2,")),
            ("1.M2.host,S=6,W=8:2,S", None),
            ("1.M2.host:2,S=1", None),
            ("S=1.host,S=a,W=:2,S", None),
        ] {
            assert_eq!(with(name).as_deref(), sized, "{name}");
        }
    }
}
