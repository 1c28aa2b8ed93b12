//! MTA Hooks, by which a mail server asks over HTTP what becomes of a message, without the HTTP: a
//! request and its answer are JSON.
//!
//! Two forms of it are spoken, both at the DATA stage only.
//!
//! - Stalwart's own, as of its version 0.16: the message in two texts, header and body; the answer
//!   changes fields by their names and numbers, and replaces the body.
//! - The draft's (draft-degennaro-mta-hooks-01, of May 2026): the message whole, in Base64; the
//!   answer changes the request, by JSON Pointers. The abstract of -02 names a JSON Patch for that;
//!   its text was not at hand.
//!
//! A request of the draft has the header field [`REQUEST_ID`], which the draft demands; Stalwart
//! sends none.
//!
//! Stalwart puts a message into JSON as UTF-8, with U+FFFD for what is none. Such a message is
//! recognised by its length, and passes as it is ([`Fate::Garbled`](crate::filter::Fate::Garbled)).

mod answer;
mod body;
mod draft;
pub mod registration;
mod request;
mod stalwart;

pub use answer::{Answer, Asked, answer, answer_unheld};
pub use body::Body;
pub use request::Malformed;

use serde_json::{Value, json};

/// The header field that a request of the draft has.
pub const REQUEST_ID: &str = "x-mta-hooks-request-id";

/// The form of a request, and of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Stalwart's own.
    Stalwart,
    /// The draft's.
    Draft(Patch),
}

/// The form in which an answer of the draft says what changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch {
    /// In operations of the draft's own: `set` (-01).
    #[default]
    Operations,
    /// As a JSON Patch (RFC 6902), which the abstract of -02 names.
    JsonPatch,
}

/// An error as the draft has it: its code, and words for people.
pub fn error(code: &str, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message } })
}

/// The subject of a request, by its method and path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route<'p> {
    /// The fate of a message: at any path that has no other meaning.
    Hook,
    /// The abilities of this scanner.
    Discovery,
    /// To be registered.
    Registration,
    /// The state of a registration, by its name.
    Status(&'p str),
    /// To be no longer registered.
    Deregistration(&'p str),
    /// Something else.
    Unknown,
}

impl<'p> Route<'p> {
    /// The meaning of a method and a path.
    pub fn of(method: &str, path: &'p str) -> Self {
        let name = path.strip_prefix(registration::PATH).and_then(|rest| rest.strip_prefix('/'));
        match (method, name) {
            ("GET", None) if path == registration::WELL_KNOWN => Self::Discovery,
            ("GET", Some(name)) => name.strip_suffix("/status").map_or(Self::Unknown, Self::Status),
            ("DELETE", Some(name)) => Self::Deregistration(name),
            ("POST", _) if path == registration::PATH => Self::Registration,
            ("POST", None) => Self::Hook,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_a_meaning() {
        for (method, path, expected) in [
            ("POST", "/", Route::Hook),
            ("POST", "/any/path?x", Route::Hook),
            ("GET", "/", Route::Unknown),
            ("GET", "/.well-known/mta-hooks", Route::Discovery),
            ("POST", "/register", Route::Registration),
            ("GET", "/register/a/status", Route::Status("a")),
            ("DELETE", "/register/a", Route::Deregistration("a")),
            ("POST", "/register/a", Route::Unknown),
            ("PUT", "/", Route::Unknown),
        ] {
            assert_eq!(Route::of(method, path), expected, "{method} {path}");
        }
    }
}
