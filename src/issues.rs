//! What is odd about a message that was parsed: facts of sevenbit-mail, judged by the rules.

use crate::{Code, Issue, Message, Normalizer};

/// What is odd about a message, by the rules of this crate: the crate that reads messages knows
/// none of them. No other type can implement it, so that methods can be added.
///
/// ```
/// use sevenbit::{Code, Message, MessageIssues as _};
///
/// let message = Message::parse("Subject: caf\u{e9}\r\n\r\nhi\r\n".as_bytes());
/// assert_eq!(message.issues()[0].code(), Code::RawHeaderText);
/// ```
pub trait MessageIssues: sealed::Sealed {
    /// Returns what is odd about the message: what an archive would have to report, and where
    /// [`replacing_nul`](Message::replacing_nul) replaced something.
    fn issues(&self) -> Vec<Issue>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::Message<'_> {}
}

impl MessageIssues for Message<'_> {
    fn issues(&self) -> Vec<Issue> {
        let normalizer = Normalizer::new().limits(self.limits());
        let mut issues = normalizer.plan(self.octets()).report().issues().to_vec();
        if self.root().tree().replaces_nul {
            let texts = self.leaves().filter(|part| part.media_type().starts_with("text/"));
            let found = texts.flat_map(|part| part.issues());
            let replaced = found.filter(|issue| issue.code() == Code::ControlReplaced);
            let new: Vec<_> = replaced.filter(|issue| !issues.contains(issue)).collect();
            issues.extend(new);
        }
        issues
    }
}
