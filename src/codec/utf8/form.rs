//! The relatives of UTF-8, recognised by what only they hold.

use super::fault::{Sequence, sequence};
use crate::Code;

/// What octets are that are not UTF-8 but something like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// NUL as C0 80, and surrogate pairs: Java's class files and JNI.
    ModifiedUtf8,
    /// Surrogate pairs, three octets each (Unicode Technical Report 26).
    Cesu8,
    /// Lone surrogates: ill-formed UTF-16 written as if it were well-formed.
    Wtf8,
}

/// The form of `octets`, if all that is ill-formed in them has its reason there. Nothing for UTF-8 itself.
pub(crate) fn recognise(octets: &[u8]) -> Option<Form> {
    let (mut nul, mut pairs, mut lone) = (false, false, false);
    let mut rest = octets;
    while !rest.is_empty() {
        // US-ASCII says nothing.
        let ascii = crate::codec::scan::find(rest, |octet| octet >= 0x80);
        rest = &rest[ascii..];
        if rest.is_empty() {
            break;
        }
        let octets = match sequence(rest, true) {
            Sequence::Character(octets) => octets,
            Sequence::Fault(fault) => {
                match (fault.code, fault.octets, fault.value) {
                    (Code::Utf8Overlong, 2, Some(0)) => nul = true,
                    (Code::Utf8Surrogate, 6, _) => pairs = true,
                    (Code::Utf8Surrogate, _, Some(_)) => lone = true,
                    _ => return None,
                }
                fault.octets
            }
            Sequence::Open => return None,
        };
        rest = &rest[octets..];
    }
    match (nul, pairs, lone) {
        (true, _, _) => Some(Form::ModifiedUtf8),
        (false, true, false) => Some(Form::Cesu8),
        (false, false, true) => Some(Form::Wtf8),
        (false, _, _) => None,
    }
}
