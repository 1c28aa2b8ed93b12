//! The agreement between MTA and filter: the version of the protocol, what the filter may do, what
//! it is asked.

use super::packet::Malformed;

/// The actions that a filter may take (`SMFIF_...`).
mod action {
    pub const ADD_FIELDS: u32 = 0x01;
    pub const CHANGE_BODY: u32 = 0x02;
    pub const CHANGE_FIELDS: u32 = 0x10;
    pub const QUARANTINE: u32 = 0x20;
    pub const NAME_MACROS: u32 = 0x100;
}

/// The steps that the MTA need not send or be answered (`SMFIP_...`).
mod step {
    pub const NO_CONNECT: u32 = 0x01;
    pub const NO_HELO: u32 = 0x02;
    pub const UNANSWERED_FIELDS: u32 = 0x80;
    pub const NO_UNKNOWN: u32 = 0x100;
    pub const NO_DATA: u32 = 0x200;
    pub const SKIP: u32 = 0x400;
    pub const UNANSWERED_MAIL: u32 = 0x4000;
    pub const UNANSWERED_RCPT: u32 = 0x8000;
    pub const UNANSWERED_END_OF_HEADER: u32 = 0x4_0000;
    pub const UNANSWERED_BODY: u32 = 0x8_0000;
    pub const LEADING_SPACE: u32 = 0x10_0000;
}

/// Without these nothing can be made safe.
const NEEDED: u32 = action::ADD_FIELDS | action::CHANGE_BODY | action::CHANGE_FIELDS;

/// All that are used.
const ACTIONS: u32 = NEEDED | action::QUARANTINE | action::NAME_MACROS;
/// MAIL is answered: a mail server that hears nothing there finds out at the end of the message
/// that its filter has gone.
const STEPS: u32 = step::NO_CONNECT
    | step::NO_HELO
    | step::NO_UNKNOWN
    | step::NO_DATA
    | step::SKIP
    | step::UNANSWERED_RCPT
    | step::UNANSWERED_FIELDS
    | step::UNANSWERED_END_OF_HEADER
    | step::UNANSWERED_BODY
    | step::LEADING_SPACE;

/// The newest version (Sendmail 8.14), and the oldest that any MTA still speaks.
const VERSIONS: std::ops::RangeInclusive<u32> = 2..=6;

/// The stage of the requested macros (`SMFIM_EOM`), and their names: the queue id, the version of
/// the MTA, whether its client has logged in, and its address.
const MACROS: &[u8] = b"\0\0\0\x05i v {auth_authen} {client_addr}\0";

/// The agreement of MTA and filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    version: u32,
    actions: u32,
    steps: u32,
}

impl Agreement {
    /// Accepts everything useful of what the MTA offers.
    ///
    /// # Errors
    /// An unknown version; an MTA that lets no filter change a message.
    pub fn on(offer: &[u8]) -> Result<Self, Malformed> {
        let (numbers, _) = offer.as_chunks::<4>();
        let [version, actions, steps, ..] = numbers else {
            return Err(Malformed("an offer of less than three numbers"));
        };
        let [version, actions, steps] =
            [version, actions, steps].map(|number| u32::from_be_bytes(*number));
        if version < *VERSIONS.start() {
            return Err(Malformed("a version of the protocol that is too old"));
        }
        if actions & NEEDED != NEEDED {
            return Err(Malformed("an MTA that lets no filter change header and body"));
        }
        Ok(Self {
            version: version.min(*VERSIONS.end()),
            actions: actions & ACTIONS,
            steps: steps & STEPS,
        })
    }

    /// The answer to the offer.
    pub fn answer(&self) -> Vec<u8> {
        let numbers = [self.version, self.actions, self.steps].map(u32::to_be_bytes);
        let mut answer = numbers.concat();
        if self.has(action::NAME_MACROS) {
            answer.extend_from_slice(MACROS);
        }
        answer
    }

    /// Whether the MTA waits for an answer to each of MAIL, header fields, the end of the header
    /// and body chunks.
    pub fn answers(&self, command: u8) -> bool {
        let unanswered = match command {
            b'M' => step::UNANSWERED_MAIL,
            b'R' => step::UNANSWERED_RCPT,
            b'L' => step::UNANSWERED_FIELDS,
            b'N' => step::UNANSWERED_END_OF_HEADER,
            b'B' => step::UNANSWERED_BODY,
            _ => 0,
        };
        self.steps & unanswered == 0
    }

    /// Whether the rest of a body may be waived.
    pub fn may_skip(&self) -> bool {
        self.steps & step::SKIP != 0
    }

    /// Whether values are exchanged with the white space after their colon.
    pub fn keeps_leading_space(&self) -> bool {
        self.steps & step::LEADING_SPACE != 0
    }

    /// Whether a message can be quarantined.
    pub fn may_quarantine(&self) -> bool {
        self.has(action::QUARANTINE)
    }

    fn has(&self, action: u32) -> bool {
        self.actions & action != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(version: u32, actions: u32, steps: u32) -> Vec<u8> {
        [version, actions, steps].map(u32::to_be_bytes).concat()
    }

    #[test]
    fn only_useful_offers_are_accepted() {
        let agreed = Agreement::on(&offer(6, 0x1FF, 0x1F_FFFF)).expect("an agreement");
        assert_eq!(agreed.answer(), [&offer(6, 0x133, 0x1C_8783)[..], MACROS].concat());
        assert!(agreed.keeps_leading_space() && agreed.may_quarantine() && agreed.may_skip());
        assert!(agreed.answers(b'M') && !agreed.answers(b'R'));
        assert!(!agreed.answers(b'L') && !agreed.answers(b'N') && !agreed.answers(b'B'));
    }

    #[test]
    fn an_old_mta_is_answered_at_each_step() {
        let agreed = Agreement::on(&offer(2, 0x3F, 0x7F)).expect("an agreement");
        assert_eq!(agreed.answer(), offer(2, 0x33, 0x03));
        assert!(
            agreed.answers(b'M')
                && agreed.answers(b'L')
                && agreed.answers(b'N')
                && agreed.answers(b'B')
        );
        assert!(!agreed.keeps_leading_space());
    }

    #[test]
    fn a_newer_version_than_any_is_answered_with_the_newest_known() {
        assert_eq!(Agreement::on(&offer(9, 0x3F, 0)).map(|agreed| agreed.version), Ok(6));
    }

    #[test]
    fn without_the_right_to_change_anything_there_is_no_agreement() {
        assert!(Agreement::on(&offer(6, 0x20, 0)).is_err());
        assert!(Agreement::on(&offer(1, 0x3F, 0)).is_err());
        assert!(Agreement::on(b"\0\0\0\x06").is_err());
    }
}
