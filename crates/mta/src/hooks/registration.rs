//! The abilities of this scanner, and the registrations of mail servers that speak the draft.
//!
//! A registration holds nothing: every request says all that its answer depends on. So all have one
//! name, none ends, and several processes behind one address need not know of each other.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde_json::{Value, json};

use super::error;

/// The path at which the abilities are found.
pub const WELL_KNOWN: &str = "/.well-known/mta-hooks";

/// The path of registrations.
pub const PATH: &str = "/register";

/// The path at which messages are asked about.
const HOOK: &str = "/hook";

/// The name of every registration.
const NAME: &str = "sevenbit";

/// The members that a request may have, each by its JSON Pointer. Who asks for all gets these.
const FETCHED: [&str; 6] = ["/stage", "/envelope", "/rawMessage", "/client", "/auth", "/queue"];

/// The members that an answer may change.
const UPDATED: [&str; 3] = ["/rawMessage", "/action", "/response"];

/// A status of HTTP, and the JSON that goes with it.
pub type Said = (u16, Value);

/// The abilities; a message may have so many octets.
pub fn discovery(max_message: u64) -> Value {
    json!({
        "version": "1.0",
        "endpoints": {
            "registration": PATH,
            "deregistration": format!("{PATH}/{{registration_id}}"),
        },
        "serialization": ["json"],
        "capabilities": {
            "inbound": {
                "stages": ["data"],
                "actions": ["accept", "reject", "quarantine"],
                "fetchProperties": FETCHED,
                "updateProperties": UPDATED,
            },
            "outbound": null,
        },
        "limits": { "maxMessageSize": max_message, "maxRegistrations": null, "timeoutMs": null },
        "extensions": null,
    })
}

/// The things that a mail server wants to be registered for.
#[derive(Deserialize)]
struct Wanted {
    serialization: String,
    inbound: Option<Subscription>,
}

#[derive(Deserialize)]
struct Subscription {
    stages: Vec<String>,
    properties: Option<Vec<String>>,
}

/// Registers a mail server.
pub fn register(octets: &[u8], now: SystemTime) -> Said {
    let wanted: Wanted = match serde_json::from_slice(octets) {
        Ok(wanted) => wanted,
        Err(why) => return (400, error("INVALID_REQUEST", &format!("the request: {why}"))),
    };
    if wanted.serialization != "json" {
        return (400, error("CAPABILITY_MISMATCH", "only the serialization `json` is spoken"));
    }
    let Some(inbound) = wanted.inbound else {
        return (400, error("NO_STAGES_REQUESTED", "only the inbound stage `data` is served"));
    };
    if !inbound.stages.iter().any(|stage| stage == "data") {
        return (400, error("INVALID_STAGE", "only the inbound stage `data` is served"));
    }

    let is_sent = |property: &&str| {
        inbound.properties.as_ref().is_none_or(|wanted| wanted.iter().any(|name| name == property))
    };
    let properties: Vec<&str> = FETCHED.into_iter().filter(is_sent).collect();
    if !properties.contains(&"/rawMessage") {
        return (400, error("CAPABILITY_MISMATCH", "the property `/rawMessage` is needed"));
    }

    let place = format!("{PATH}/{NAME}");
    let registered = json!({
        "registrationId": NAME,
        "status": "active",
        "createdAt": utc(now),
        "expiresAt": null,
        "hookEndpoint": HOOK,
        "negotiated": {
            "serialization": "json",
            "inbound": { "stages": ["data"], "properties": properties },
            "outbound": null,
        },
        "endpoints": { "deregistration": &place, "status": format!("{place}/status") },
    });
    (201, registered)
}

/// The state of a registration.
pub fn status(name: &str) -> Said {
    if name != NAME {
        return unknown(name);
    }
    let status = json!({
        "registrationId": NAME,
        "status": "active",
        "createdAt": null,
        "expiresAt": null,
        "lastInvocation": null,
        "statistics": null,
        "health": null,
    });
    (200, status)
}

/// Ends a registration, as far as its mail server knows.
pub fn deregister(name: &str, now: SystemTime) -> Said {
    if name != NAME {
        return unknown(name);
    }
    let ended = json!({
        "registrationId": NAME,
        "status": "deregistered",
        "deregisteredAt": utc(now),
    });
    (200, ended)
}

fn unknown(name: &str) -> Said {
    (404, error("REGISTRATION_NOT_FOUND", &format!("there is no registration `{name}`")))
}

/// A time as RFC 3339 has it, in UTC.
fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);

    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }

    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn times_are_those_of_rfc_3339() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_734_795_000, "2024-12-21T15:30:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(at(seconds)), expected);
        }
    }

    /// Has the members of the draft's example (-01, 4.3).
    #[test]
    fn a_mail_server_is_registered_for_what_is_served() {
        let wanted = json!({
            "name": "mx1",
            "version": "2.1.0",
            "timeoutMs": 25_000,
            "expiresAt": "2025-12-21T15:30:00Z",
            "serialization": "json",
            "inbound": { "stages": ["rcpt", "data"], "properties": ["/rawMessage", "/envelope", "/tls"] },
            "outbound": { "stages": ["delivery"], "properties": null },
            "filter": { "operator": "OR", "conditions": [{ "from": "*@example.com" }] },
            "metadata": { "instance": "mx1" },
        });
        let (code, said) = register(wanted.to_string().as_bytes(), at(1_734_795_000));
        assert_eq!(code, 201);
        assert_eq!(said["createdAt"], "2024-12-21T15:30:00Z");
        assert_eq!(said["negotiated"]["inbound"]["stages"], json!(["data"]));
        assert_eq!(
            said["negotiated"]["inbound"]["properties"],
            json!(["/envelope", "/rawMessage"])
        );
        assert_eq!(said["negotiated"]["outbound"], Value::Null);
        let name = said["registrationId"].as_str().expect("a name");
        assert_eq!(status(name).0, 200);
        assert_eq!(deregister(name, at(0)).1["status"], "deregistered");
        assert_eq!((status("x").0, deregister("x", at(0)).0), (404, 404));
    }

    #[test]
    fn what_is_not_served_is_refused() {
        for (wanted, code) in [
            ("{", "INVALID_REQUEST"),
            (r#"{"serialization": "cbor"}"#, "CAPABILITY_MISMATCH"),
            (r#"{"serialization": "json"}"#, "NO_STAGES_REQUESTED"),
            (r#"{"serialization": "json", "inbound": {"stages": ["mail"]}}"#, "INVALID_STAGE"),
            (
                r#"{"serialization": "json", "inbound": {"stages": ["data"], "properties": ["/message"]}}"#,
                "CAPABILITY_MISMATCH",
            ),
        ] {
            let (status, said) = register(wanted.as_bytes(), at(0));
            assert_eq!((status, &said["error"]["code"]), (400, &json!(code)), "{wanted}");
        }
    }

    #[test]
    fn what_is_said_of_abilities_has_the_members_of_the_draft() {
        let said = discovery(100);
        assert_eq!(said["version"], "1.0");
        assert_eq!(said["capabilities"]["inbound"]["stages"], json!(["data"]));
        assert_eq!(said["endpoints"]["deregistration"], "/register/{registration_id}");
        assert_eq!(said["limits"]["maxMessageSize"], 100);
    }
}
