//! Boundaries that someone could misread (rule G6): illegal, repeated, the beginning of another one or of
//! a line of content. They are renamed, always to the same names.

use std::collections::HashSet;

use memchr::memmem;

use super::Planner;
use super::zones::Zone;
use crate::Code;
use crate::message::tree::{Kind, Leaf};

/// How a new boundary begins. `=_` stands in no quoted-printable or base64 line.
pub(super) const STEM: &str = "=_sevenbit_";

impl Planner<'_, '_> {
    /// Decides which multiparts get a new boundary.
    pub(super) fn plan_boundaries(&mut self) {
        let suspects = self.suspects();
        if suspects.is_empty() {
            return;
        }
        let mut taken = self.numbers_in_use();
        taken.extend(&self.exposed.numbers);
        let mut number = 1;
        for index in suspects {
            while !taken.insert(number) {
                number += 1;
            }
            self.decided[index].edits.boundary = Some(format!("{STEM}{number}_"));
            let body = self.entity(index).body.clone();
            self.report(index, Code::BoundaryRenamed, body, "");
        }
    }

    /// The multiparts to rename, in document order.
    fn suspects(&self) -> Vec<usize> {
        let boundaries = self.boundaries();
        let mut suspects = self.exposed.multiparts.clone();
        for mistakable in &self.tree.mistakable {
            if self.has_boundary(mistakable.multipart)
                && mistakable.leaf.is_none_or(|leaf| !self.decided[leaf].rewritten)
            {
                suspects.insert(mistakable.multipart);
            }
        }
        suspects
            .extend(boundaries.iter().filter(|(_, boundary)| !is_legal(boundary)).map(|&(index, _)| index));
        self.add_alike(&boundaries, &mut suspects);
        let free = |&index: &usize| self.decided[index].zone != Zone::Frozen;
        let mut renamed: Vec<usize> = suspects.into_iter().filter(free).collect();
        if !renamed.is_empty() {
            // With a new name in the message, these are the beginning of another one.
            let begins = boundaries.iter().filter(|(_, boundary)| begins_new_names(boundary));
            renamed.extend(begins.map(|&(index, _)| index).filter(free));
        }
        renamed.sort_unstable();
        renamed.dedup();
        renamed
    }

    /// Every multipart with its boundary, and every one that is empty and stays a multipart.
    fn boundaries(&self) -> Vec<(usize, &[u8])> {
        let boundary = |index: usize| match &self.tree.entities[index].kind {
            Kind::Multipart(multipart) => Some((index, multipart.boundary.as_slice())),
            Kind::Leaf(Leaf::NoBoundary)
                if !self.decided[index].rewritten && self.decided[index].edits.media_type.is_none() =>
            {
                let boundary = self.tree.entities[index].content.parameters.get("boundary")?;
                Some((index, boundary.as_bytes()))
            }
            _ => None,
        };
        let named = |&(_, boundary): &(usize, &[u8])| !boundary.is_empty();
        (0..self.tree.entities.len()).filter_map(boundary).filter(named).collect()
    }

    /// Whether an entity is a multipart in the output, be it one without parts.
    fn has_boundary(&self, index: usize) -> bool {
        match self.entity(index).kind {
            Kind::Multipart(_) => true,
            Kind::Leaf(Leaf::NoBoundary) => {
                !self.decided[index].rewritten && self.decided[index].edits.media_type.is_none()
            }
            _ => false,
        }
    }

    /// Adds those that are equal to another one, or the beginning of one; what cannot be renamed makes the other one
    /// give way.
    fn add_alike(&self, boundaries: &[(usize, &[u8])], suspects: &mut HashSet<usize>) {
        let frozen = |index: usize| self.decided[index].zone == Zone::Frozen;
        let mut sorted = boundaries.to_vec();
        sorted.sort_by(|a, b| a.1.cmp(b.1).then(a.0.cmp(&b.0)));
        let equal: Vec<&[(usize, &[u8])]> = sorted.chunk_by(|a, b| a.1 == b.1).collect();
        for equal in &equal {
            // The first keeps it, unless another one has to.
            let kept = usize::from(!equal[1..].iter().any(|&(index, _)| frozen(index)));
            suspects.extend(equal[kept..].iter().map(|&(index, _)| index));
        }
        for (at, shorter) in equal.iter().enumerate() {
            let mut longer =
                equal[at + 1..].iter().take_while(|longer| longer[0].1.starts_with(shorter[0].1));
            if shorter.iter().any(|&(index, _)| frozen(index)) {
                suspects.extend(longer.flat_map(|equal| equal.iter()).map(|&(index, _)| index));
            } else if longer.next().is_some() {
                suspects.insert(shorter[0].0);
            }
        }
    }

    /// The numbers of names that already stand somewhere in the message.
    fn numbers_in_use(&self) -> HashSet<usize> {
        self.tree.sources.iter().flat_map(|source| numbers_in(&source.octets)).collect()
    }

    /// Notes the boundaries that `content` could be misread for, and the names in it: it came out of an encoding, or was
    /// written anew, and goes as it stands (rule B4).
    pub(super) fn expose(&mut self, index: usize, content: &[u8]) {
        let mut around = self.entity(index).parent;
        while let Some(parent) = around {
            if let Kind::Multipart(multipart) = &self.entity(parent).kind
                && has_delimiter(content, &multipart.boundary)
            {
                self.exposed.multiparts.insert(parent);
            }
            around = self.entity(parent).parent;
        }
        self.exposed.numbers.extend(numbers_in(content));
    }
}

/// What came to be seen that was encoded.
#[derive(Debug, Default)]
pub(super) struct Exposed {
    /// Multiparts of which a line in it looks like a delimiter.
    multiparts: HashSet<usize>,
    /// The numbers of names in it.
    numbers: HashSet<usize>,
}

/// The numbers of names that stand in `octets`.
fn numbers_in(octets: &[u8]) -> impl Iterator<Item = usize> {
    memmem::find_iter(octets, STEM).filter_map(|at| {
        let digits = &octets[at + STEM.len()..];
        let len = digits.iter().take(9).take_while(|octet| octet.is_ascii_digit()).count();
        std::str::from_utf8(&digits[..len]).ok()?.parse().ok()
    })
}

/// Whether a line of `content` begins like a delimiter of `boundary`.
fn has_delimiter(content: &[u8], boundary: &[u8]) -> bool {
    memmem::find_iter(content, b"--")
        .filter(|&at| at == 0 || matches!(content[at - 1], b'\r' | b'\n'))
        .any(|at| content[at + 2..].starts_with(boundary))
}

/// Whether new names may begin with `boundary`.
fn begins_new_names(boundary: &[u8]) -> bool {
    let digits = boundary.strip_prefix(STEM.as_bytes());
    STEM.as_bytes().starts_with(boundary)
        || digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
}

/// ```text
/// boundary      := 0*69<bchars> bcharsnospace         ; RFC 2046, 5.1.1
/// bcharsnospace := DIGIT / ALPHA / "'" / "(" / ")" / "+" / "_" / "," / "-" / "." / "/" / ":" / "=" / "?"
/// ```
fn is_legal(boundary: &[u8]) -> bool {
    let bchars = |octet: &u8| octet.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(octet);
    (1..=70).contains(&boundary.len()) && boundary.iter().all(bchars) && boundary.last() != Some(&b' ')
}
