//! Mutation: of octets, of lines, and of the elements of mail.

/// A small generator, the same on every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`, zero if that is zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

pub struct Mutator {
    random: Random,
    tokens: Vec<Vec<u8>>,
}

impl Mutator {
    pub fn new(random: Random) -> Self {
        let tokens = include_str!("../../dictionary")
            .lines()
            .filter(|line| line.starts_with('"'))
            .map(token);
        Self { random, tokens: tokens.collect() }
    }

    /// Makes an input from those in `pool`.
    pub fn mutate(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut input = pool[self.random.below(pool.len())].clone();
        for _ in 0..=self.random.below(6) {
            self.step(&mut input, pool);
        }
        input
    }

    fn step(&mut self, input: &mut Vec<u8>, pool: &[Vec<u8>]) {
        let at = self.random.below(input.len() + 1);
        let some = (at + 1 + self.random.below(20)).min(input.len());
        match self.random.below(12) {
            0 | 1 => self.insert_token(input, at),
            2 => drop(input.splice(at..at, [self.random.next() as u8])),
            3 => drop(input.drain(at.min(some)..some)),
            4 => self.change_octet(input, at),
            5 => self.repeat(input, at.min(some)..some),
            6 => self.splice(input, at, pool),
            7 => self.move_line(input),
            8 => self.repeat_line(input),
            9 => self.change_line_ends(input),
            10 => self.enclose(input),
            _ => self.add_field(input),
        }
    }

    fn insert_token(&mut self, input: &mut Vec<u8>, at: usize) {
        let token = &self.tokens[self.random.below(self.tokens.len())];
        input.splice(at..at, token.iter().copied());
    }

    fn change_octet(&mut self, input: &mut [u8], at: usize) {
        let octet = if self.random.below(2) == 0 {
            self.random.next() as u8
        } else {
            1 << self.random.below(8)
        };
        if let Some(place) = input.get_mut(at) {
            *place ^= octet;
        }
    }

    /// Repeats a piece many times.
    fn repeat(&mut self, input: &mut Vec<u8>, piece: std::ops::Range<usize>) {
        let times = [2, 5, 40, 80, 1000][self.random.below(5)] / piece.len().max(1);
        let run = input[piece.clone()].repeat(times);
        input.splice(piece, run);
    }

    /// The head of one input and the tail of another.
    fn splice(&mut self, input: &mut Vec<u8>, at: usize, pool: &[Vec<u8>]) {
        let other = &pool[self.random.below(pool.len())];
        let from = self.random.below(other.len() + 1);
        input.truncate(at);
        input.extend_from_slice(&other[from..]);
    }

    /// Some line, with its line end.
    fn line(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let at = self.random.below(input.len());
        let start = input[..at].iter().rposition(|&octet| octet == b'\n').map_or(0, |end| end + 1);
        let end = input[at..]
            .iter()
            .position(|&octet| octet == b'\n')
            .map_or(input.len(), |len| at + len + 1);
        start..end
    }

    fn move_line(&mut self, input: &mut Vec<u8>) {
        let from = self.line(input);
        let line: Vec<u8> = input.drain(from).collect();
        let to = self.line(input).start;
        input.splice(to..to, line);
    }

    fn repeat_line(&mut self, input: &mut Vec<u8>) {
        let from = self.line(input);
        let line = input[from].to_vec();
        let to = self.line(input).start;
        input.splice(to..to, line);
    }

    fn change_line_ends(&mut self, input: &mut Vec<u8>) {
        let end: &[u8] = [&b"\n"[..], b"\r", b"\r\r\n", b"\n\r"][self.random.below(4)];
        let text = input
            .split(|&octet| octet == b'\n')
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        *input = text.collect::<Vec<_>>().join(end);
    }

    /// The input as the only part of a multipart, or as a message in a message.
    fn enclose(&mut self, input: &mut Vec<u8>) {
        let (head, tail): (&[u8], &[u8]) = match self.random.below(3) {
            0 => (b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n", b"\r\n--b--\r\n"),
            1 => (b"Content-Type: multipart/signed; boundary=\"b b\"\r\n\r\n--b b\r\n", b""),
            _ => (b"Content-Type: message/rfc822\r\n\r\n", b""),
        };
        input.splice(0..0, head.iter().copied());
        input.extend_from_slice(tail);
    }

    fn add_field(&mut self, input: &mut Vec<u8>) {
        let to = self.line(input).start;
        self.insert_token(input, to);
    }
}

/// A token as the dictionary spells it: `"=\x0D\x0A"`.
fn token(line: &str) -> Vec<u8> {
    let mut rest = line.trim().trim_start_matches('"').strip_suffix('"').expect("a closing quote");
    let mut token = Vec::new();
    while let Some(c) = rest.bytes().next() {
        let (octet, len) = match rest.as_bytes() {
            [b'\\', b'x', ..] => {
                (u8::from_str_radix(&rest[2..4], 16).expect("two hexadecimal digits"), 4)
            }
            [b'\\', escaped, ..] => (*escaped, 2),
            _ => (c, 1),
        };
        token.push(octet);
        rest = &rest[len..];
    }
    token
}
