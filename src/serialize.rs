//! Reports as data (feature `serde`): the form in which the command, the C library and the npm package show them.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::{Charset, Code, Date, Issue, Report, Rule, Severity, Span};

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

as_text!(Charset Code Date Rule Severity);

impl Serialize for Span {
    /// A list of its start and its end.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.start, self.end].serialize(serializer)
    }
}

impl Serialize for Issue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut issue = serializer.serialize_struct("Issue", 6)?;
        issue.serialize_field("code", &self.code())?;
        issue.serialize_field("severity", &self.severity())?;
        issue.serialize_field("rule", &self.rule())?;
        issue.serialize_field("part", self.part())?;
        issue.serialize_field("span", &self.span())?;
        issue.serialize_field("detail", self.detail())?;
        issue.end()
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("Report", 3)?;
        report.serialize_field("changed", &self.is_changed())?;
        report.serialize_field("refused", &self.is_refused())?;
        report.serialize_field("issues", self.issues())?;
        report.end()
    }
}

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
