//! The entries of an address field, groups included.

use std::fmt;

use super::mailbox::Mailbox;
use crate::decode;
use crate::encode::phrase;

/// An entry of an address field (RFC 5322, 3.4): a mailbox, or a group of them.
///
/// ```
/// use sevenbit::{Address, Message};
///
/// let mail = b"To: undisclosed-recipients:;\r\nCc: Team: Ada <ada@example.org>, bob@example.org;\r\n\r\n";
/// let message = Message::parse(mail);
/// let Address::Group(hidden) = &message.addresses("to")[0] else { panic!() };
/// assert_eq!((hidden.name(), hidden.members().len()), ("undisclosed-recipients", 0));
/// let Address::Group(team) = &message.addresses("cc")[0] else { panic!() };
/// assert_eq!(team.members()[0].name(), "Ada");
/// assert_eq!(team.to_string(), "Team: Ada <ada@example.org>, bob@example.org;");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// A mailbox by itself.
    Mailbox(Mailbox),
    /// A group, perhaps without members.
    Group(Group),
}

/// A group of an address field: a name, and the mailboxes that belong to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    name: String,
    members: Vec<Mailbox>,
}

impl Group {
    /// Returns the name as text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its mailboxes in order; none for `undisclosed-recipients:;`.
    pub fn members(&self) -> &[Mailbox] {
        &self.members
    }
}

impl Address {
    pub(super) fn new(address: decode::Address) -> Self {
        let mailbox = |(name, address)| Mailbox::new(name, address);
        match address {
            decode::Address::Mailbox(name, address) => Self::Mailbox(mailbox((name, address))),
            decode::Address::Group(name, members) => {
                Self::Group(Group { name, members: members.into_iter().map(mailbox).collect() })
            }
        }
    }
}

impl fmt::Display for Address {
    /// As it is written in mail.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mailbox(mailbox) => mailbox.fmt(f),
            Self::Group(group) => group.fmt(f),
        }
    }
}

impl fmt::Display for Group {
    /// As it is written in mail, in US-ASCII.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", phrase(&self.name))?;
        for (at, member) in self.members.iter().enumerate() {
            write!(f, "{} {member}", if at == 0 { "" } else { "," })?;
        }
        f.write_str(";")
    }
}
