//! An answer in the draft's form: changes to the request, by JSON Pointers. A message is replaced
//! whole.

use std::io::Write as _;

use base64::Engine as _;
use serde_json::{Value, json};

use super::Patch;
use super::answer::{Reply, Told};
use super::request::{BASE64, Message};
use crate::decision::{Decided, Decision};
use crate::filter::{Filter, guarded, report_value};
use crate::own_fields::WithoutOwn;

/// The answer that changes nothing.
pub(super) fn go_on(patch: Patch) -> Option<Vec<u8>> {
    written(patch, Vec::new())
}

/// Puts a decision on a message into an answer; the message is missing if it is not held.
pub(super) fn tell(
    decided: &Decided<'_>,
    message: Option<&Message>,
    patch: Patch,
    filter: &Filter,
) -> Option<Told> {
    let mut told = Told { json: None, removed: 0, added: 0 };
    let mut changes = Vec::new();
    if let Some(Reply { code, enhanced, text }) = Reply::of(&decided.decision) {
        let response = json!({ "code": code, "enhancedCode": enhanced, "message": text });
        changes.push(("/action", Value::from("reject")));
        changes.push(("/response", response));
    } else if decided.decision != Decision::Untouched
        && let Some(message) = message
    {
        let made = made(decided, message, filter, &mut told)?;
        changes.extend(made.map(|octets| ("/rawMessage", BASE64.encode(octets).into())));
    }
    if matches!(decided.decision, Decision::QuarantinedAsItCame | Decision::QuarantinedChanged) {
        changes.push(("/action", Value::from("quarantine")));
    }
    told.json = written(patch, changes);
    Some(told)
}

/// Returns the message as it goes on, the inner one only if that is another one.
#[expect(clippy::option_option, reason = "one for failure, one for what stays")]
fn made(
    decided: &Decided<'_>,
    message: &Message,
    filter: &Filter,
    told: &mut Told,
) -> Option<Option<Vec<u8>>> {
    let mut made = Vec::new();
    if let Some((name, found)) = decided.added_field(filter) {
        made.extend_from_slice(
            format!("{name}:{}\r\n", report_value(name, &found, "\r\n")).as_bytes(),
        );
        told.added = made.len() as u64;
    }

    let plan = decided.followed_plan();
    let mut out = WithoutOwn::new(filter, &mut made);
    match plan {
        Some(plan) => guarded(|| plan.write_to(&mut out)).and_then(Result::ok).map(drop)?,
        None => out.write_all(&message.octets).ok()?,
    }
    told.removed = out.finish().ok()?;
    let is_changed = plan.is_some() || told.removed > 0 || told.added > 0;
    Some(is_changed.then_some(made))
}

/// Writes an answer; nothing if no change is a status of HTTP.
fn written(patch: Patch, changes: Vec<(&str, Value)>) -> Option<Vec<u8>> {
    let changes = changes.into_iter();
    let answer = match patch {
        Patch::Operations if changes.len() == 0 => return None,
        Patch::Operations => {
            let set = changes.map(|(path, value)| json!({ "path": path, "value": value }));
            json!({ "set": set.collect::<Vec<_>>() })
        }
        // `add` gives a member another value or makes it, `replace` needs one (RFC 6902, 4.1, 4.3).
        Patch::JsonPatch => changes
            .map(|(path, value)| json!({ "op": "add", "path": path, "value": value }))
            .collect(),
    };
    serde_json::to_vec(&answer).ok()
}
