//! Reports and answers as data (feature `serde`): the form in which the command, the C library and
//! the npm package show them. The answers one by one are data in sevenbit-mail.

mod message;
mod readings;

use sevenbit_mail::serialize::{Named, as_object};

pub use message::{AttachmentData, MessageData};
pub use readings::TextReadings;

use crate::Report;

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
