//! Answers as data (feature `serde`): the form in which the command, the C library and the npm
//! package show them.

mod view;

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::Date;

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Makes values objects with these keys, in this order.
#[doc(hidden)]
#[macro_export]
macro_rules! as_object {
    ($name:ident, $value:ident: $($key:literal => $field:expr),+ $(,)?) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct as _;
                let $value = self;
                let mut object = serializer.serialize_struct(stringify!($name), [$($key),+].len())?;
                $(object.serialize_field($key, &$field)?;)+
                object.end()
            }
        }
    };
}
pub use as_object;

/// A value and its name: a header field, a property.
#[derive(Debug)]
pub struct Named<'n> {
    pub name: &'n str,
    pub value: Cow<'n, str>,
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Named", 2)?;
        object.serialize_field("name", self.name)?;
        object.serialize_field("value", &self.value)?;
        object.end()
    }
}
