//! Words under a label that cannot be true. Beside other words under that label they are read together with
//! those the next time, and then it could be true (rule G7): so their octets get the label `unknown-8bit`.

use std::ops::Range;

use super::{TextWord, TextWords, UNLABELLED, is_plain};
use crate::encode::{Place, Run, Space};

/// Kept words that are read together, under a label that cannot be true.
#[derive(Clone, Debug)]
pub(super) struct LyingWords {
    atoms: Range<usize>,
    label: Vec<u8>,
    octets: Vec<u8>,
}

impl<'a> TextWords<'a> {
    /// Notes that the label of the last `count` words cannot be true of `octets`, which they hold.
    pub(crate) fn note_lying(&mut self, count: usize, label: &[u8], octets: &[u8]) {
        let end = self.atoms.len();
        let (label, octets) = (label.to_vec(), octets.to_vec());
        self.lying.push(LyingWords { atoms: end - count..end, label, octets });
    }

    /// Gives another label to words whose label cannot be true if a word beside them has it in `place`.
    pub(super) fn relabel_lying(&mut self, place: Place) {
        for lying in std::mem::take(&mut self.lying).into_iter().rev() {
            let before = lying.atoms.start.checked_sub(1);
            let mut beside = before.into_iter().chain([lying.atoms.end]);
            if beside.any(|at| self.atoms.get(at).is_some_and(|(_, atom)| atom.gets(&lying.label, place))) {
                self.relabel(lying);
            }
        }
    }

    fn relabel(&mut self, lying: LyingWords) {
        let (at, label) = (lying.atoms.start, Some(UNLABELLED.into()));
        let space = self.atoms[at].0;
        let run = Run { label, octets: lying.octets.into(), place: Place::Unstructured };
        self.atoms.splice(lying.atoms, [(space, TextWord::Octets(Box::new(run)))]);
        self.settle_space(at);
        self.settle_space(at + 1);
    }

    /// White space between two words was no text, and must not become text now that one of them is octets. Other
    /// octets of an unknown charset are kept apart by a space.
    fn settle_space(&mut self, at: usize) {
        let Some([(_, before), (space, after)]) =
            at.checked_sub(1).and_then(|from| self.atoms.get_mut(from..=at))
        else {
            return;
        };
        if matches!((&before, &after), (TextWord::Word(_), _) | (_, TextWord::Word(_))) {
            *space = Space::default();
        }
        if space.is_empty() && before.has(UNLABELLED) && after.has(UNLABELLED) {
            *space = Space::ONE;
        }
    }
}

impl TextWord<'_> {
    /// Returns whether it is written in words under this label.
    fn gets(&self, label: &[u8], place: Place) -> bool {
        let is_new = || [&b"utf-8"[..], b"us-ascii"].iter().any(|new| label.eq_ignore_ascii_case(new));
        match self {
            Self::Text(text) => is_new() && !is_plain(text, place),
            Self::Encoded(_) => is_new(),
            Self::Octets(_) | Self::Word(_) => self.has(label),
            Self::Plain(_) => false,
        }
    }
}
