use super::*;
use crate::Message;

fn delivery(mail: &str) -> DeliveryReport {
    match Message::parse(mail.as_bytes()).report() {
        Some(MessageReport::Delivery(report)) => report,
        other => panic!("{other:?}"),
    }
}

/// Returns address, status and diagnostic of each recipient.
fn recipients(report: &DeliveryReport) -> Vec<(&str, Option<&str>, Option<&str>)> {
    report.recipients().iter().map(|one| (one.address(), one.status(), one.diagnostic())).collect()
}

#[test]
fn what_qmail_writes_is_read() {
    let report = delivery(
        "From: MAILER-DAEMON@mx.example.org\r\n\r\n\
        Hi. This is the qmail-send program at mx.example.org.\r\n\
        I'm afraid I wasn't able to deliver your message to the following addresses.\r\n\r\n\
        <ada@example.net>:\r\nSorry, no mailbox here by that name. (#5.1.1)\r\n\r\n\
        <bob@example.com>:\r\n192.0.2.1 does not like recipient.\r\nRemote host said: 550 no\r\n\r\n\
        --- Below this line is a copy of the message.\r\n\r\n\
        Return-Path: <zoe@example.org>\r\nMessage-ID: <a@b>\r\n\r\nhi\r\n",
    );
    assert_eq!(
        (report.reporter(), report.original_id(), report.is_standard()),
        (Some("mx.example.org"), Some("a@b"), false)
    );
    assert_eq!(
        recipients(&report),
        [
            (
                "ada@example.net",
                Some("5.1.1"),
                Some("Sorry, no mailbox here by that name. (#5.1.1)")
            ),
            (
                "bob@example.com",
                None,
                Some("192.0.2.1 does not like recipient. Remote host said: 550 no")
            ),
        ]
    );
}

/// The words before the recipients are those of the host.
#[test]
fn what_qmail_writes_in_the_words_of_its_host_is_read() {
    let mail = |from: &str| {
        format!(
            "From: {from}\r\nSubject: failure notice\r\n\r\nWe're sorry.\r\n\r\n<ada@example.net>:\r\nThe mailbox is full.\r\n\r\n\
            --- Below this line is a copy of the message.\r\n\r\nMessage-ID: <a@b>\r\n\r\nhi\r\n"
        )
    };
    let report = delivery(&mail("MAILER-DAEMON@mx.example.org"));
    assert_eq!(recipients(&report), [("ada@example.net", None, Some("The mailbox is full."))]);
    assert_eq!((report.original_id(), report.is_standard()), (Some("a@b"), false));
    assert_eq!(Message::parse(mail("ada@example.org").as_bytes()).report(), None);
}

#[test]
fn what_postfix_and_exim_wrote_is_read() {
    let postfix = delivery(
        "Subject: Undelivered\r\n\r\nThis is the Postfix program at host mx.example.org.\r\n\r\n\
        <ada@example.net> (expanded from <team@example.net>): host mx.example.net said: 550\r\n    5.7.1 no\r\n",
    );
    assert_eq!(
        recipients(&postfix),
        [("ada@example.net", Some("5.7.1"), Some("host mx.example.net said: 550 5.7.1 no"))]
    );
    let exim = delivery(
        "X-Failed-Recipients: ada@example.net\r\n\r\n\
        This message was created automatically by mail delivery software.\r\n\r\n\
        A message that you sent could not be delivered.\r\n\r\n  ada@example.net\r\n    unknown user\r\n\r\n\
        ------ This is a copy of the message, including all the headers. ------\r\n\r\nMessage-ID: <a@b>\r\n",
    );
    assert_eq!(recipients(&exim), [("ada@example.net", None, Some("unknown user"))]);
    assert_eq!(exim.original_id(), Some("a@b"));
}

#[test]
fn what_exchange_wrote_is_read() {
    let report = delivery(
        "Subject: Undeliverable: hi\r\n\r\n\
        Your message did not reach some or all of the intended recipients.\r\n\r\n\
        \x20     Subject:\thi\r\n      Sent:\t3/3/2025 10:00 AM\r\n\r\n\
        The following recipient(s) could not be reached:\r\n\r\n\
        \x20     'ada@example.net' on 3/3/2025 10:01 AM\r\n\
        \x20           The e-mail account does not exist.\r\n            <mx.example.net #5.1.1>\r\n",
    );
    assert_eq!(
        recipients(&report),
        [(
            "ada@example.net",
            Some("5.1.1"),
            Some("The e-mail account does not exist. <mx.example.net #5.1.1>")
        )]
    );
}

#[test]
fn notifications_and_complaints_are_read() {
    let mail = "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\r\nread\r\n\
        --b\r\nContent-Type: message/disposition-notification\r\n\r\nReporting-UA: mail; 1.0\r\n\
        Final-Recipient: rfc822;ada@example.org\r\nOriginal-Message-ID: <a@b>\r\n\
        Disposition: manual-action/MDN-sent-manually; Displayed\r\nError: none\r\n--b--";
    let Some(MessageReport::Disposition(read)) = Message::parse(mail.as_bytes()).report() else {
        panic!()
    };
    assert_eq!((read.recipient(), read.original_id()), (Some("ada@example.org"), Some("a@b")));
    let of_read = MessageReport::Disposition(read.clone());
    let of_read: Vec<_> = of_read
        .recipients()
        .iter()
        .map(|one| (one.address().to_owned(), one.action().to_owned()))
        .collect();
    assert_eq!(of_read, [("ada@example.org".to_owned(), "displayed".to_owned())]);
    assert_eq!(
        (read.disposition(), read.is_automatic(), read.errors()),
        (Some("displayed"), false, &["none".to_owned()][..])
    );

    let mail = "Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\n\r\nspam\r\n\
        --b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: Abuse\r\nSource-IP: 192.0.2.1\r\n\
        Original-Mail-From: <a@example.com>\r\nOriginal-Rcpt-To: <ada@example.org>\r\nOriginal-Rcpt-To: bob@example.org\r\n\
        --b\r\nContent-Type: text/rfc822-headers\r\n\r\nSubject: x\r\nMessage-ID: <a@b>\r\n--b--";
    let Some(MessageReport::Feedback(spam)) = Message::parse(mail.as_bytes()).report() else {
        panic!()
    };
    assert_eq!(
        (spam.kind(), spam.source_ip(), spam.sender()),
        (Some("abuse"), Some("192.0.2.1"), Some("a@example.com"))
    );
    assert_eq!(spam.recipients().collect::<Vec<_>>(), ["ada@example.org", "bob@example.org"]);
    assert_eq!(spam.original_id(), Some("a@b"));
    assert_eq!(spam.fields().nth(1), Some(("Source-IP", "192.0.2.1")));
    let of_spam = MessageReport::Feedback(spam);
    let of_spam: Vec<_> = of_spam
        .recipients()
        .iter()
        .map(|one| (one.address().to_owned(), one.action().to_owned()))
        .collect();
    assert_eq!(of_spam[1], ("bob@example.org".to_owned(), "abuse".to_owned()));
}

#[test]
fn an_action_beside_the_server_is_that_of_all() {
    let of = |blocks: &str| {
        let report = delivery(&format!(
            "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\r\nno\r\n\
            --b\r\nContent-Type: message/delivery-status\r\n\r\n{blocks}\r\n--b--"
        ));
        let all =
            report.recipients().iter().map(|one| format!("{} {}", one.address(), one.action()));
        all.collect::<Vec<_>>()
    };
    let of_message = "Reporting-MTA: dns; mx.example\r\nAction: failed";
    let ada = "Final-Recipient: rfc822; <ada@example.org";
    let bob = "Final-Recipient: rfc822; bob@example.org\r\nAction: delayed";
    assert_eq!(
        of(&format!("{of_message}\r\n\r\n{ada}\r\n\r\n{bob}")),
        ["ada@example.org failed", "bob@example.org delayed"]
    );
    assert_eq!(of(of_message), [" failed"]);
    let escaped = "Final-Recipient: utf-8 ; j\\x{F6}rg@m\\x{FC}nchen.example\r\nAction: failed";
    assert_eq!(of(escaped), ["jörg@münchen.example failed"]);
    let broken = "Final-Recipient: utf-8; a\\x{}b\\x{7}\\x{D800}@\\x{41\r\nAction: failed";
    assert_eq!(of(broken), ["a\\x{}b\\x{7}\\x{D800}@\\x{41 failed"]);
    assert_eq!(of(&format!("{bob}\r\n\r\n{ada}")), ["bob@example.org delayed", "ada@example.org "]);
}

#[test]
fn other_mail_reports_nothing() {
    assert_eq!(
        Message::parse(b"Subject: hi\r\n\r\nThis is the mail system of the future.\r\n").report(),
        None
    );
}

#[test]
fn what_the_internet_mail_service_wrote_is_read() {
    let report = delivery(
        "Subject: Undeliverable: Trains delayed\r\n\r\nYour message\r\n\r\n  To:      Ada; Bob\r\n  Subject: Trains delayed\r\n\
        \x20 Sent:    Mon, 3 Mar 2025 10:00:00 +0100\r\n\r\ndid not reach the following recipient(s):\r\n\r\n\
        ada@example.net on Mon, 3 Mar 2025 10:00:05 +0100\r\n    The recipient name is not recognized\r\n\
        \tThe MTS-ID of the original message is: c=us;a=\r\n;p=example;l=X1\r\n    MSEXCH:IMS:EXAMPLE:X 0 (000C05A6)\r\n\
        c=US;a= ;p=EXAMPLE;o=X;dda:SMTP=bob@example.net; on Mon, 3 Mar 2025\r\n10:00:06 +0100\r\n    Mailbox full\r\n\r\n",
    );
    let unknown = "The recipient name is not recognized The MTS-ID of the original message is: c=us;a= ;p=example;l=X1 \
        MSEXCH:IMS:EXAMPLE:X 0 (000C05A6)";
    assert_eq!(
        recipients(&report),
        [("ada@example.net", None, Some(unknown)), ("bob@example.net", None, Some("Mailbox full"))]
    );
    assert!(report.recipients().iter().all(|one| one.action() == "failed"));
}

#[test]
fn a_warning_is_no_failure() {
    let exim = "This message was created automatically by mail delivery software.\r\n\
        A message that you sent has not yet been\r\ndelivered to one or more of its recipients.\r\n\r\n  ada@example.net\r\n";
    let postfix = "This is the Example Linux Postfix program at host mx.example.org.\r\n\r\n\
        ####\r\n# THIS IS A WARNING ONLY. YOU DO NOT NEED TO RESEND. #\r\n####\r\n\r\n<ada@example.net>: no route\r\n";
    let plain = "This is the Postfix program at host mx.example.org.\r\n\r\n<ada@example.net>: no route\r\n";
    let copied = format!(
        "{plain}\r\n--- Below this line is a copy of the message.\r\n\r\nIt will be retried.\r\n"
    );
    for (subject, text, action) in [
        ("x", exim, "delayed"),
        ("x", postfix, "delayed"),
        ("x", plain, "failed"),
        ("x", &*copied, "failed"),
        ("Delayed Mail (still trying)", plain, "delayed"),
        ("Warning: message 1a-2b delayed 24 hours", plain, "delayed"),
        ("Undelivered Mail Returned to Sender: delayed", plain, "failed"),
    ] {
        let report = delivery(&format!("Subject: {subject}\r\n\r\n{text}"));
        let found: Vec<_> =
            report.recipients().iter().map(|one| (one.address(), one.action())).collect();
        assert_eq!(found, [("ada@example.net", action)], "{subject}: {text}");
    }
    assert_eq!(delivery(&format!("\r\n{postfix}")).reporter(), Some("mx.example.org"));
}

/// A bounce with its data, as a message.
const BOUNCE: &str = "Content-Type: multipart/report; boundary=r\r\n\r\n--r\r\n\r\nSorry.\r\n\
    --r\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n\
    Final-Recipient: rfc822; ada@example.org\r\nAction: failed\r\n--r--\r\n";

#[test]
fn a_message_with_a_report_in_it_is_none() {
    let old =
        "This is the Postfix program at host mx.example.org.\r\n\r\n<ada@example.org>: no\r\n";
    let forwarded = |inner: &str| {
        format!(
            "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nWhat is that?\r\n\
            --b\r\nContent-Type: message/rfc822\r\n\r\n{inner}\r\n--b--\r\n"
        )
    };
    for mail in [
        forwarded(BOUNCE),
        forwarded(&format!("Subject: x\r\n\r\n{old}")),
        format!("Content-Type: message/rfc822\r\n\r\n{BOUNCE}"),
        format!("Subject: x\r\n\r\nWhat is that?\r\n\r\n{old}"),
        format!("Subject: x\r\n\r\n> {}", old.replace("\r\n", "\r\n> ")),
        "Subject: x\r\n\r\nYour message\r\n\r\ncame.\r\n".to_owned(),
    ] {
        assert_eq!(Message::parse(mail.as_bytes()).report(), None, "{mail}");
    }
    // Servers write in two languages.
    let second =
        delivery(&format!("X-Failed-Recipients: ada@example.org\r\n\r\nNon.\r\n\r\n{old}"));
    assert_eq!(recipients(&second), [("ada@example.org", None, Some("no"))]);
}

#[test]
fn a_receipt_for_a_report_is_a_receipt() {
    let mail = format!(
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\r\n\r\n--b\r\n\r\nread\r\n\
        --b\r\nContent-Type: message/disposition-notification\r\n\r\nFinal-Recipient: rfc822;bob@example.org\r\n\
        Disposition: manual-action/MDN-sent-manually; displayed\r\n\
        --b\r\nContent-Type: message/rfc822\r\n\r\n{BOUNCE}\r\n--b--"
    );
    let Some(MessageReport::Disposition(read)) = Message::parse(mail.as_bytes()).report() else {
        panic!()
    };
    assert_eq!(read.recipient(), Some("bob@example.org"));
}
