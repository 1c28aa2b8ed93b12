//! Reports and answers as data (feature `serde`): the form in which the command, the C library and
//! the npm package show them.

mod message;
mod readings;
mod view;

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

pub use message::{AttachmentData, MessageData};
pub use readings::TextReadings;

use crate::{Date, Report};

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Makes values objects with these keys, in this order.
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
use as_object;

/// A value and its name: a header field, a property.
struct Named<'n> {
    name: &'n str,
    value: Cow<'n, str>,
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Named", 2)?;
        object.serialize_field("name", self.name)?;
        object.serialize_field("value", &self.value)?;
        object.end()
    }
}

as_object!(Report, report:
    "changed" => report.is_changed(),
    "refused" => report.is_refused(),
    "issues" => report.issues(),
);

#[cfg(test)]
mod tests {
    #[test]
    fn a_report_is_data() {
        let report = crate::normalize(b"Subject: caf\xc3\xa9\r\n\r\nx\r\n").into_parts().1;
        let json = serde_json::to_string(&report).expect("JSON");
        assert_eq!(
            json,
            r#"{"changed":true,"refused":false,"issues":[{"code":"raw-header-text","severity":"repair","rule":"H3","part":"0","span":[8,14],"detail":""}]}"#
        );
        let date: crate::Date = "Fri, 21 Nov 97 09:55:06 -0600".parse().expect("a date");
        assert_eq!(serde_json::to_string(&date).expect("JSON"), "\"1997-11-21T09:55:06-06:00\"");
    }
}
