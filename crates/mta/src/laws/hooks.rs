//! The laws of MTA Hooks.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::filter::{Fate, Filter, Record};
use crate::hooks::{Asked, Form, Malformed, Patch, answer};
use crate::policy::Policies;

/// The forms of a request.
pub const FORMS: [Form; 3] =
    [Form::Stalwart, Form::Draft(Patch::Operations), Form::Draft(Patch::JsonPatch)];

/// A message as a mail server has it: its fields, each with the octets after its colon, and its
/// body.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mail {
    fields: Vec<(String, String)>,
    body: String,
}

impl Mail {
    /// Takes a message apart, as far as it has fields.
    fn of(message: &str) -> Self {
        let mut mail = Self { fields: Vec::new(), body: String::new() };
        let mut rest = message;
        while let Some((line, after)) = rest.split_once('\n') {
            if matches!(line, "" | "\r") {
                mail.body = after.to_owned();
                break;
            }
            let line = &rest[..line.len() + 1];
            match (mail.fields.last_mut(), line.split_once(':')) {
                (Some((_, value)), _) if line.starts_with([' ', '\t']) => value.push_str(line),
                (_, Some((name, value))) => mail.fields.push((name.to_owned(), value.to_owned())),
                // Stalwart passes on no line that is none of a field.
                _ => {}
            }
            rest = after;
        }
        mail
    }

    fn octets(&self) -> String {
        let fields = self.fields.iter().map(|(name, value)| format!("{name}:{value}"));
        format!("{}\r\n{}", fields.collect::<String>(), self.body)
    }

    /// Returns where the field of that name and number is.
    fn find(&self, change: &Value) -> Option<usize> {
        let (name, number) = (change["name"].as_str()?, change["index"].as_u64()?);
        let of_name = |(at, (found, _)): (usize, &(String, String))| {
            found.eq_ignore_ascii_case(name).then_some(at)
        };
        let mut places = self.fields.iter().enumerate().filter_map(of_name);
        places.nth(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// Does what an answer says, as Stalwart does it.
    fn apply(&mut self, change: &Value) -> Result<(), String> {
        let wrong = || format!("not to be applied: {change}");
        let value = change["value"].as_str();
        match change["type"].as_str() {
            Some("replaceContents") => {
                // An empty one replaces nothing.
                if let Some(body) = value.filter(|body| !body.is_empty()) {
                    body.clone_into(&mut self.body);
                }
            }
            Some("changeHeader") => {
                let at = self.find(change).ok_or_else(wrong)?;
                let value = value.filter(|value| !value.is_empty()).ok_or_else(wrong)?;
                self.fields[at].1 = as_written(value);
            }
            Some("deleteHeader") => {
                let at = self.find(change).ok_or_else(wrong)?;
                self.fields.remove(at);
            }
            Some("insertHeader") if change["index"] == 0 => {
                let name = change["name"].as_str().ok_or_else(wrong)?;
                let value = as_written(value.ok_or_else(wrong)?);
                self.fields.insert(0, (name.to_owned(), value));
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

/// A value as Stalwart writes it after the colon.
fn as_written(value: &str) -> String {
    let space = if value.starts_with(char::is_whitespace) { "" } else { " " };
    let end = if value.ends_with('\n') { "" } else { "\r\n" };
    format!("{space}{value}{end}")
}

/// The things that a mail server does by an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The message as it goes on.
    pub octets: Vec<u8>,
    /// The fate of the message, in the words of the form.
    pub action: String,
    /// The reply to its client, if it is said.
    pub reply: Option<String>,
}

/// A request about a message, in a form.
pub fn request(message: &[u8], form: Form) -> Vec<u8> {
    let request = match form {
        Form::Stalwart => {
            let mail = Mail::of(&String::from_utf8_lossy(message));
            json!({
                "context": {
                    "stage": "data",
                    "client": { "ip": "192.0.2.7", "port": 1234, "ptr": null, "helo": "c.example.org" },
                    "queue": { "id": "4q1" },
                },
                "envelope": {
                    "from": { "address": "a@example.org" },
                    "to": [{ "address": "b@example.com" }],
                },
                "message": {
                    "headers": mail.fields,
                    "contents": mail.body,
                    "size": message.len(),
                },
            })
        }
        Form::Draft(_) => json!({
            "stage": "data",
            "action": "accept",
            "queue": { "id": "4q1" },
            "client": { "ip": "192.0.2.7" },
            "envelope": {
                "from": { "address": "a@example.org", "parameters": {} },
                "to": [{ "address": "b@example.com", "parameters": {} }],
            },
            "rawMessage": STANDARD.encode(message),
        }),
    };
    request.to_string().into_bytes()
}

/// Asks a filter about a message, and does what it says.
///
/// # Errors
/// The answer cannot be applied.
pub fn apply(message: &[u8], form: Form, filter: &Filter) -> Result<(Applied, Record), String> {
    let policies = Policies::all(Arc::new(filter.clone()));
    let asked = Asked { form, listener: "inet:test:80" };
    let answered = answer(request(message, form), asked, &policies);
    let answered = answered.map_err(|Malformed(why)| why)?;
    let record = answered.record.ok_or("no record")?;

    let mut applied =
        Applied { octets: message.to_vec(), action: "accept".to_owned(), reply: None };
    let Some(json) = answered.json else { return Ok((applied, record)) };
    let said: Value = serde_json::from_slice(&json).map_err(|why| why.to_string())?;
    match form {
        Form::Stalwart => {
            let action = said["action"].as_str().ok_or("no action")?;
            action.clone_into(&mut applied.action);
            let response = &said["response"];
            let text = response["message"].as_str();
            applied.reply = text.map(|text| format!("{} {text}", response["status"]));
            if let Some(changes) = said["modifications"].as_array() {
                let mut mail = Mail::of(&String::from_utf8_lossy(message));
                changes.iter().try_for_each(|change| mail.apply(change))?;
                applied.octets = mail.octets().into_bytes();
            }
        }
        Form::Draft(patch) => {
            let changes = match patch {
                Patch::Operations => said["set"].as_array(),
                Patch::JsonPatch => said.as_array(),
            };
            for change in changes.ok_or("no changes")? {
                if patch == Patch::JsonPatch && change["op"] != "add" {
                    return Err(format!("another operation: {change}"));
                }
                let value = &change["value"];
                match change["path"].as_str() {
                    Some("/rawMessage") => {
                        let text = value.as_str().ok_or("no text")?;
                        applied.octets = STANDARD.decode(text).map_err(|why| why.to_string())?;
                    }
                    Some("/action") => {
                        value.as_str().ok_or("no action")?.clone_into(&mut applied.action);
                    }
                    Some("/response") => {
                        let [enhanced, text] = ["enhancedCode", "message"]
                            .map(|member| value[member].as_str().unwrap_or_default());
                        applied.reply = Some(format!("{} {enhanced} {text}", value["code"]));
                    }
                    _ => return Err(format!("another path: {change}")),
                }
            }
        }
    }
    Ok((applied, record))
}

/// Law 2, for a message in a form.
///
/// # Errors
/// The law that is broken.
pub fn answers_are_the_normal_form(
    message: &[u8],
    form: Form,
    filter: &Filter,
) -> Result<(), String> {
    let (applied, record) = apply(message, form, filter)?;
    if record.fate == Fate::Garbled {
        let is_left = form == Form::Stalwart && applied.octets == message;
        return if is_left { Ok(()) } else { Err("a garbled message changes".to_owned()) };
    }

    // Stalwart knows a message by its fields.
    let sent = match form {
        Form::Stalwart => Mail::of(&String::from_utf8_lossy(message)).octets().into_bytes(),
        Form::Draft(_) => message.to_vec(),
    };
    let normal = filter.normalizer.normalize(&sent);
    let made = if applied.octets == message && record.fate == Fate::Clean {
        &sent
    } else {
        &applied.octets
    };
    let is_exact = form != Form::Stalwart || are_spaced(&sent) && are_spaced(normal.octets());
    let [is, should] = [made, normal.octets()].map(|octets| match form {
        Form::Stalwart => comparable(octets, is_exact),
        Form::Draft(_) => octets.to_vec(),
    });
    if is != should {
        return Err(format!(
            "{form:?} made \"{}\" instead of \"{}\"",
            made.escape_ascii(),
            normal.octets().escape_ascii()
        ));
    }
    if record.octets_out != Some(made.len() as u64) && made.len() == normal.octets().len() {
        return Err(format!("{:?} octets are reported of {}", record.octets_out, made.len()));
    }
    Ok(())
}

/// Returns whether each field has a space after its colon.
fn are_spaced(message: &[u8]) -> bool {
    let mail = Mail::of(&String::from_utf8_lossy(message));
    mail.fields.iter().all(|(_, value)| value.starts_with([' ', '\t']))
}

/// Makes a message comparable that has gone through Stalwart: that replaces no body by nothing, and
/// where a field has no space after its colon it makes one, or the fields are in another order.
fn comparable(message: &[u8], is_exact: bool) -> Vec<u8> {
    let mut mail = Mail::of(&String::from_utf8_lossy(message));
    if mail.body.trim().is_empty() {
        mail.body.clear();
    }
    if !is_exact {
        mail.fields.iter_mut().for_each(|(_, value)| *value = value.trim().to_owned());
        mail.fields.sort();
    }
    mail.octets().into_bytes()
}

/// Checks any octets: the choice of a form, then a message, or what a mail server might send.
///
/// # Errors
/// The law that is broken.
pub fn check(octets: &[u8]) -> Result<(), String> {
    let (&choice, rest) = octets.split_first().unwrap_or((&0, &[]));
    let form = FORMS[usize::from(choice >> 1) % FORMS.len()];
    if choice & 1 == 0 {
        return answers_are_the_normal_form(rest, form, &super::filter());
    }
    let policies = Policies::all(Arc::new(super::filter()));
    let asked = Asked { form, listener: "inet:test:80" };
    match answer(rest.to_vec(), asked, &policies) {
        Ok(answered) => answered.json.map_or(Ok(()), |json| {
            serde_json::from_slice::<Value>(&json).map(drop).map_err(|why| why.to_string())
        }),
        Err(_) => Ok(()),
    }
}

/// Inputs for [`check`] of a message.
pub fn inputs(message: &[u8]) -> Vec<Vec<u8>> {
    let of_form = |number: u8| {
        let form = FORMS[usize::from(number)];
        [
            [&[number << 1], message].concat(),
            [&[number << 1 | 1], &request(message, form)[..]].concat(),
        ]
    };
    (0..3).flat_map(of_form).collect()
}
