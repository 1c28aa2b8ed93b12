//! The remains of words that cannot be read, and of fields that 7 bits cannot carry (rules H3, H9).

use super::*;

#[test]
fn words_that_cannot_be_read_stay_words() {
    // Cut inside its last character, UTF-8 is still UTF-8.
    for cut in [
        "Subject: =?utf-8?B?aGVsbG/w?=",
        "Subject: =?utf-8?Q?isn=E2?=",
        "Subject: =?utf-8?Q?a=E9=81?=",
    ] {
        archive(cut, "keep", &["ambiguous-text"]);
        transport(cut, "keep");
    }
    let (out, _) = run(Profile::Archive, b"Subject: =?utf-8?Q?caf=E9?=\r\n");
    assert_eq!(out, "Subject: =?utf-8?B?Y2Fmw6k=?=");
    // A stateful charset is read word by word: a word that is too long is not cut, but text.
    let torn = format!("Subject: =?iso-2022-jp?Q?=1B$B{}?=\r\n", "F|/!".repeat(20));
    let (out, _) = run(Profile::Archive, torn.as_bytes());
    assert!(out.starts_with("Subject: =?us-ascii?"), "{out}");
}

#[test]
fn the_smallest_token_that_cannot_be_written_goes() {
    both("Date: Sáb, 14 Feb 2023 11:57:47 +0000", "Date: 14 Feb 2023 11:57:47 +0000");
    both("Date: 14 Fév 2023 11:57:47 +0000", "Date: 14 Feb 2023 11:57:47 +0000");
    both("References: <a@b>é,<e@f>", "References: <a@b> ,<e@f>");
    both("Message-ID: \x0e", "Message-ID:");
    both("Received: from a \x0f by b", "Received: from a by b");
    both("References: <a@b> <é c@d>, <e@f>", "References: <a@b> <e@f>");
    both("List-Post: <https://b>, <mailto:é@d>", "List-Post: <https://b>");
    // Nothing useful would be left, or what is left could be taken for the result of another
    // server.
    for field in [
        "In-Reply-To: é <é@b> c",
        "Date: é 11:57:47 +0000",
        "Authentication-Results: é b; spf=pass",
    ] {
        let (out, _) = run(Profile::Archive, format!("{field}\r\n").as_bytes());
        assert!(out.starts_with("Downgraded-"), "{out}");
    }
}

#[test]
fn urls_and_ids_in_words_are_decoded() {
    let long = format!("=?us-ascii?Q?=3Chttps=3A//b/{}=3E?=", "c".repeat(60));
    both(&format!("List-Help: {long}"), &format!("List-Help:| <https://b/{}>", "c".repeat(60)));
    let short = "Message-ID: =?us-ascii?Q?=3Ca=40b=3E?=";
    archive(short, "Message-ID: <a@b>", &["encoded-word-repaired"]);
    transport(short, "keep");
    let url = "d".repeat(1200);
    let (out, _) = run(Profile::Transport, format!("List-Owner: <https://b/{url}>\r\n").as_bytes());
    assert!(out.contains("| ") && out.replace("| ", "").contains(&url), "{out}");
}

#[test]
fn names_that_readers_decode_differently_are_written_again() {
    transport("To: =?utf-8*en?Q?Ada?= <a@b>", "To: Ada <a@b>");
    transport("From: =?utf-8?Q?=C3?= =?utf-8?Q?=A9?= <a@b>", "From: =?utf-8?B?w6k=?= <a@b>");
    transport("Subject: =?utf-8?B?w6Q=w7Y=?=", "Subject: =?utf-8?B?w6TDtg==?=");
}

#[test]
fn words_in_charsets_that_readers_decode_differently_are_noted() {
    for word in [
        "=?utf-7?Q?+AGE-?=",
        "=?gb2312?Q?=81=40?=",
        "=?iso-8859-1?Q?=93a=94?=",
        "=?x-gbk?Q?=D6=D0?=",
    ] {
        let (out, codes) = run(Profile::Transport, format!("Subject: {word}\r\n").as_bytes());
        assert_eq!((out.as_str(), &codes[..]), ("keep", &["ambiguous-text"][..]), "{word}");
    }
}
