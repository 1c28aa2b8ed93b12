//! The vectors of header text: encoded-words and parameters, read, and written again.

use mail_parser::{MessageParser, MimeHeaders};
use serde_json::Value;
use sevenbit::{Message, Normalizer, Profile, decode_header, encode_header};

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/corpus/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let vectors = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let vectors: Value = serde_json::from_str(&vectors).expect("the vectors are JSON");
    vectors["decode"].as_array().expect("a list of cases").clone()
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{case} has no {key}"))
}

#[test]
fn encoded_words_are_read() {
    for case in cases("encoded_word.json") {
        assert_eq!(
            decode_header(text(&case, "in").as_bytes()).text(),
            text(&case, "out"),
            "{case}"
        );
    }
}

#[test]
fn what_was_read_can_be_written() {
    for case in cases("encoded_word.json") {
        let out = text(&case, "out");
        let written = encode_header(out);
        assert!(written.is_ascii(), "{written}");
        assert_eq!(decode_header(written.as_bytes()).text(), out, "{written}");
    }
}

#[test]
fn encoded_words_say_the_same_in_their_normal_form() {
    for case in cases("encoded_word.json") {
        let mail = format!("From: a@example.org\r\nSubject: {}\r\n\r\nx\r\n", text(&case, "in"));
        let normalized = Normalizer::new().profile(Profile::Archive).normalize(mail.as_bytes());
        let subject = Message::parse(normalized.octets()).subject().map(|text| text.into_owned());
        assert_eq!(subject.unwrap_or_default().trim(), text(&case, "out").trim(), "{case}");
    }
}

/// Returns the name of a field with the parameters of `case`, and a message that has it. Its text
/// begins with a header, as an external body has to (RFC 2046, 5.2.3).
fn mail_with_parameters(case: &Value) -> (&'static str, String) {
    let name =
        if text(case, "value").contains('/') { "Content-Type" } else { "Content-Disposition" };
    let header =
        format!("From: a@example.org\r\nMIME-Version: 1.0\r\n{name}: {}\r\n", text(case, "in"));
    (name, format!("{header}\r\nContent-ID: <x@example.org>\r\n\r\nx\r\n"))
}

/// The profiles that keep the type of a case: an archive carries message types that it does not
/// open as files (rule B9).
fn profiles_of(case: &Value) -> &'static [Profile] {
    if text(case, "value").starts_with("message/") {
        &[Profile::Transport]
    } else {
        &[Profile::Archive, Profile::Transport]
    }
}

#[test]
fn parameters_say_the_same_in_their_normal_form() {
    for case in cases("parameter.json") {
        let (name, mail) = mail_with_parameters(&case);
        for &profile in profiles_of(&case) {
            let normalized = Normalizer::new().profile(profile).normalize(mail.as_bytes());
            for octets in [mail.as_bytes(), normalized.octets()] {
                let message = Message::parse(octets);
                let leaf = message.leaves().next().expect("a leaf");
                let params = &case["params"];
                let filename = params["filename"].as_str().or(params["name"].as_str());
                let shown = String::from_utf8_lossy(octets);
                assert_eq!(leaf.filename(), filename, "{case}: {shown}");
                let value = if name == "Content-Type" {
                    Some(leaf.media_type())
                } else {
                    leaf.disposition()
                };
                assert_eq!(value, Some(text(&case, "value")), "{case}: {shown}");
            }
            let language = case["language"].as_object().into_iter().flatten();
            for (_, language) in language {
                let tag = format!("'{}'", language.as_str().expect("a tag"));
                let written = String::from_utf8_lossy(normalized.octets());
                assert!(written.contains(&tag), "{case}: {written}");
            }
        }
    }
}

/// Another reader finds every parameter of the vectors in the output, that of an archive where its
/// type is kept.
#[test]
fn parameters_are_read_by_another_reader() {
    for case in cases("parameter.json") {
        let (name, mail) = mail_with_parameters(&case);
        let normalized =
            Normalizer::new().profile(profiles_of(&case)[0]).normalize(mail.as_bytes());
        let message = MessageParser::default().parse(normalized.octets()).expect("a message");
        let field = if name == "Content-Type" {
            message.content_type()
        } else {
            message.content_disposition()
        };
        let field = field.unwrap_or_else(|| panic!("{case} has no {name}"));
        for (key, expected) in case["params"].as_object().expect("parameters") {
            let found = field.attribute(key);
            let written = String::from_utf8_lossy(normalized.octets());
            let expected = match (key.as_str(), expected.as_str().expect("text")) {
                // Rule B5: the text is US-ASCII, and of the labels only `utf-8` stays.
                ("charset", label) if label != "utf-8" => "us-ascii",
                // Rule H7: the plain form stays for readers that do not know the other, as this one
                // if it has both.
                ("filename", text) if !text.is_ascii() && written.contains("filename=") => {
                    assert!(written.contains("filename*="), "{case}: {written}");
                    continue;
                }
                (_, text) => text,
            };
            assert_eq!(found, Some(expected), "{case}: {written}");
        }
    }
}
