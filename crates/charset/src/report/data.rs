//! Reports as data (feature `serde`): issues, spans, and the charsets and guesses that they name.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::{Charset, Code, Detail, Guess, Issue, Rule, Severity, Span};

/// Makes values text by their `Display`.
macro_rules! as_text {
    ($($name:ident)+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )+};
}

as_text!(Charset Code Detail Rule Severity);

impl Serialize for Span {
    /// A list of its start and its end.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.start, self.end].serialize(serializer)
    }
}

impl Serialize for Guess {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Guess", 2)?;
        object.serialize_field("charset", &self.charset())?;
        object.serialize_field("sureness", &self.sureness())?;
        object.end()
    }
}

impl Serialize for Issue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Issue", 6)?;
        object.serialize_field("code", &self.code())?;
        object.serialize_field("severity", &self.severity())?;
        object.serialize_field("rule", &self.rule())?;
        object.serialize_field("part", self.part())?;
        object.serialize_field("span", &self.span())?;
        object.serialize_field("detail", self.detail())?;
        object.end()
    }
}
