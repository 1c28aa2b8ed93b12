//! The relatives of UTF-8, recognised by what occurs only in them.

use super::faults;
use crate::DecodeFault;

/// Forms of octets that are not UTF-8 but similar to it.
///
/// ```
/// use sevenbit::utf8::Form;
///
/// assert_eq!(Form::of(b"\xED\xA1\x8C\xED\xBE\xB4"), Some(Form::Cesu8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// NUL as C0 80, and surrogate pairs: Java's class files and JNI.
    ModifiedUtf8,
    /// Surrogate pairs, three octets each (Unicode Technical Report 26); read under the label
    /// `cesu-8`.
    Cesu8,
    /// Lone surrogates: ill-formed UTF-16 written as if it were well-formed.
    Wtf8,
}

impl Form {
    /// Returns the form of `octets`, if it explains everything ill-formed in them. `None` for UTF-8
    /// itself.
    pub fn of(octets: &[u8]) -> Option<Form> {
        let (mut nul, mut pairs, mut lone) = (false, false, false);
        for fault in faults(octets) {
            match (fault.kind(), fault.span().len(), fault.value()) {
                (DecodeFault::Utf8Overlong, 2, Some(0)) => nul = true,
                (DecodeFault::Utf8Surrogate, 6, _) => pairs = true,
                (DecodeFault::Utf8Surrogate, _, Some(_)) => lone = true,
                _ => return None,
            }
        }
        match (nul, pairs, lone) {
            (true, _, _) => Some(Form::ModifiedUtf8),
            (false, true, false) => Some(Form::Cesu8),
            (false, false, true) => Some(Form::Wtf8),
            (false, _, _) => None,
        }
    }

    /// Returns its name: `Modified UTF-8`, `CESU-8` or `WTF-8`.
    pub const fn name(self) -> &'static str {
        match self {
            Form::ModifiedUtf8 => "Modified UTF-8",
            Form::Cesu8 => "CESU-8",
            Form::Wtf8 => "WTF-8",
        }
    }
}
