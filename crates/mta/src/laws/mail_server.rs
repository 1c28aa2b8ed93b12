//! A mail server as a milter knows it: it sends a message, reads the answers and does what they
//! say.

use crate::milter::packet::{self, Packet};

/// The offer of Postfix 3.7.
pub const OFFER: [u32; 3] = [6, 0x1FF, 0x1F_FFFF];
/// The offer of an MTA of 2003.
pub const OLD_OFFER: [u32; 3] = [2, 0x3F, 0x7F];

/// A name and a value, with LF for its folds.
pub type Field = (Vec<u8>, Vec<u8>);
/// A command and its data.
pub type Answer = (u8, Vec<u8>);

/// A message as a mail server has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub fields: Vec<Field>,
    pub body: Vec<u8>,
}

/// One packet on the wire.
pub fn packet(command: u8, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    packet::write(&mut out, command, &[data]).expect("memory");
    out
}

/// The first packet of a connection.
pub fn offer(numbers: [u32; 3]) -> Vec<u8> {
    packet(b'O', &numbers.map(u32::to_be_bytes).concat())
}

impl Mail {
    /// Splits a message as Postfix does: a line that is not a field ends the header, NUL ends a
    /// value; all CR at the end of a line are removed with it.
    pub fn of(message: &[u8]) -> Self {
        let mut fields: Vec<Field> = Vec::new();
        let mut rest = message;
        while !rest.is_empty() {
            let end = rest.iter().position(|&octet| octet == b'\n').map_or(rest.len(), |at| at + 1);
            let line = rest[..end].strip_suffix(b"\n").unwrap_or(&rest[..end]);
            let line =
                &line[..line.iter().rposition(|&octet| octet != b'\r').map_or(0, |last| last + 1)];
            match (line.first(), fields.last_mut()) {
                (None, _) => {
                    rest = &rest[end..];
                    break;
                }
                (Some(b' ' | b'\t'), Some((_, value))) => {
                    value.push(b'\n');
                    value.extend_from_slice(line);
                }
                _ => match field(line) {
                    Some(field) => fields.push(field),
                    None => break,
                },
            }
            rest = &rest[end..];
        }
        for (_, value) in &mut fields {
            let end = value.iter().position(|&octet| octet == 0).unwrap_or(value.len());
            value.truncate(end);
        }
        Self { fields, body: rest.to_vec() }
    }

    /// The whole message.
    pub fn octets(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (name, value) in &self.fields {
            let value = value.split(|&octet| octet == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
            out.extend_from_slice(&[name, &b":"[..], &value, b"\r\n"].concat());
        }
        [&out[..], b"\r\n", &self.body].concat()
    }

    /// On the wire, from a Postfix that passes values on as they are.
    pub fn shown(&self) -> Vec<u8> {
        self.shown_by(b"Postfix 3.7.11", b"")
    }

    /// On the wire, from an MTA that leaves out this beginning of each value.
    pub fn shown_by(&self, version: &[u8], left_out: &[u8]) -> Vec<u8> {
        let mut wire = packet(b'D', &[b"Ei\x004Q1\0v\0", version, b"\0"].concat());
        wire.extend(packet(b'M', b"<a@example.org>\0"));
        for (name, value) in &self.fields {
            let value = value.strip_prefix(left_out).expect("it begins so");
            wire.extend(packet(b'L', &[name, &b"\0"[..], value, b"\0"].concat()));
        }
        wire.extend(packet(b'N', b""));
        self.body.chunks(65_535).for_each(|chunk| wire.extend(packet(b'B', chunk)));
        wire.extend(packet(b'E', b""));
        wire
    }

    /// Applies the answers: numbers by name in any case, places as Postfix counts them. `left_out`
    /// as it was sent.
    pub fn changed(mut self, answers: &[Answer], left_out: &[u8]) -> Result<Self, String> {
        // Postfix's own, which it counts but does not pass on.
        self.fields.insert(0, (b"Received".to_vec(), b" here".to_vec()));
        let mut body: Option<Vec<u8>> = None;
        for (command, data) in answers {
            match command {
                b'b' => body.get_or_insert_default().extend_from_slice(data),
                b'c' => {}
                _ => self.change(*command, data, left_out)?,
            }
        }
        self.fields.remove(0);
        Ok(Self { body: body.unwrap_or(self.body), ..self })
    }

    fn change(&mut self, command: u8, data: &[u8], left_out: &[u8]) -> Result<(), String> {
        let (number, texts) = match (command, data.split_first_chunk::<4>()) {
            (b'h', _) => (0, data),
            (b'm' | b'i', Some((number, texts))) => (u32::from_be_bytes(*number) as usize, texts),
            _ => return Err(format!("an answer {}", char::from(command))),
        };
        let (name, value) =
            Packet { command, data: texts }.two_texts().map_err(|error| error.to_string())?;
        let field = (name.to_vec(), [left_out, value].concat());
        match command {
            b'm' => {
                let mut places = (1..self.fields.len())
                    .filter(|&at| self.fields[at].0.eq_ignore_ascii_case(name));
                let place = number.checked_sub(1).and_then(|number| places.nth(number));
                let place =
                    place.ok_or_else(|| format!("no field {number} {}", name.escape_ascii()))?;
                if value.is_empty() {
                    drop(self.fields.remove(place))
                } else {
                    self.fields[place] = field
                }
            }
            b'i' if number <= self.fields.len() => self.fields.insert(number, field),
            b'i' => return Err(format!("no place {number}")),
            _ => self.fields.push(field),
        }
        Ok(())
    }
}

fn field(line: &[u8]) -> Option<Field> {
    let colon = line.iter().position(|&octet| octet == b':')?;
    let is_name = colon > 0 && line[..colon].iter().all(u8::is_ascii_graphic);
    is_name.then(|| (line[..colon].to_vec(), line[colon + 1..].to_vec()))
}
