//! `sevenbit hooks`: MTA Hooks on their sockets, over HTTP.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ALLOW, AUTHORIZATION, CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, LOCATION,
    WWW_AUTHENTICATE,
};
use hyper::{Request, Response, StatusCode};
use serde_json::Value;

use super::credentials::Credentials;
use super::filter::guarded;
use super::hooks::{
    Answer, Asked, Body, Form, Malformed, Patch, REQUEST_ID, Route, answer, answer_unheld, error,
    registration,
};
use super::http_link::{self, Patience, reason_of};
use super::itself;
use super::memory::Memory;
use super::options::Shared;
use super::service::{Link, Protocol, Refusal, Stream};
use crate::args::{Hooks, PatchChoice};
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// The number of octets that a request may have that is not about a message.
const MOST_OF_REGISTRATION: u64 = 64 << 10;

/// Runs the hooks until they are told to stop.
///
/// # Errors
/// They cannot listen; the file of tokens is wrong.
pub fn run(args: &Hooks, console: &Console) -> Result<Exit, Failure> {
    let credentials = args.token_file.as_deref().map(credentials_of).transpose()?;
    let of_filter = (&args.filter, &args.service);
    itself::run(&args.listen, of_filter, console, ask, |shared, memory| Server {
        shared,
        memory,
        token_file: args.token_file.clone(),
        credentials: RwLock::new(credentials),
        patch: match args.patch {
            PatchChoice::Operations => Patch::Operations,
            PatchChoice::JsonPatch => Patch::JsonPatch,
        },
        patience: Patience { silence: args.service.timeout, request: args.service.message_timeout },
    })
}

fn credentials_of(path: &Path) -> Result<Credentials, Failure> {
    Credentials::read(path).map_err(|error| Failure::reading(path, &error))
}

/// Asks these hooks what they can do, as a mail server does.
fn ask(stream: &Stream) -> io::Result<()> {
    let mut stream = stream;
    let path = registration::WELL_KNOWN;
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = [0; b"HTTP/1.1 200 ".len()];
    stream.read_exact(&mut answer)?;
    if &answer == b"HTTP/1.1 200 " { Ok(()) } else { Err(io::Error::other("no answer to GET")) }
}

/// The state that every connection needs.
#[derive(Debug)]
struct Server {
    shared: Arc<Shared>,
    memory: Memory,
    token_file: Option<PathBuf>,
    /// The tokens of those who may ask; everyone who may connect if there are none.
    credentials: RwLock<Option<Credentials>>,
    patch: Patch,
    patience: Patience,
}

impl Protocol for Server {
    fn converse(&self, link: &Link) {
        let _open = self.shared.connected();
        let answer = |request, may_begin| self.answer(link, request, may_begin);
        if let Err(error) = http_link::converse(link, self.patience, answer) {
            self.shared.ended(link, &error, "connection ended");
        }
    }

    fn turn_away(&self, mut stream: &Stream, why: Refusal) {
        self.shared.turned_away(why);
        let status = match why {
            Refusal::NotAllowed => "403 Forbidden",
            Refusal::TooMany | Refusal::TooManyOfOne | Refusal::Stopping => {
                "503 Service Unavailable"
            }
        };
        let answer = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        // Who has gone need not hear it.
        let _ = stream.write_all(answer.as_bytes());
    }

    fn reload(&self) {
        self.shared.reload();
        let Some(path) = &self.token_file else { return };
        match Credentials::read(path) {
            Ok(read) => {
                let mut credentials =
                    self.credentials.write().unwrap_or_else(PoisonError::into_inner);
                *credentials = Some(read);
            }
            Err(error) => self.shared.tokens_failed(path, &error),
        }
    }
}

/// An answer in HTTP.
type Answered = Response<Full<Bytes>>;

impl Server {
    /// Answers a request.
    ///
    /// # Errors
    /// Those of the connection.
    async fn answer(
        &self,
        link: &Link,
        request: Request<Incoming>,
        may_begin: bool,
    ) -> io::Result<Answered> {
        let (head, body) = request.into_parts();
        let route = Route::of(head.method.as_str(), head.uri.path());
        if route == Route::Discovery {
            let most = self.shared.policies().base.max_message;
            return Ok(said(StatusCode::OK, &registration::discovery(most)));
        }
        if !may_begin {
            return Ok(closing(failure(503, "SCANNER_UNAVAILABLE", "this scanner stops")));
        }
        if let Some(refused) = self.refuse(head.headers.get(AUTHORIZATION)) {
            return Ok(closing(refused));
        }
        let is_cbor = head.headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/cbor");
        if is_cbor || head.headers.contains_key(CONTENT_ENCODING) {
            return Ok(closing(failure(415, "INVALID_REQUEST", "a body is JSON, not compressed")));
        }

        match route {
            Route::Hook => {
                let is_draft = head.headers.contains_key(REQUEST_ID);
                let form = if is_draft { Form::Draft(self.patch) } else { Form::Stalwart };
                self.hook(link, body, form).await
            }
            Route::Registration => {
                let (code, json) = match self.read(body, MOST_OF_REGISTRATION).await? {
                    Some(octets) => registration::register(&octets, SystemTime::now()),
                    None => (413, error("REQUEST_TOO_LARGE", "the request is too long")),
                };
                let place = json["endpoints"]["deregistration"].as_str().unwrap_or_default();
                let place = HeaderValue::from_str(place).ok().filter(|place| !place.is_empty());
                let mut answered = said_with(code, &json);
                answered.headers_mut().extend(place.map(|place| (LOCATION, place)));
                Ok(answered)
            }
            Route::Status(name) => {
                let (code, json) = registration::status(name);
                Ok(said_with(code, &json))
            }
            Route::Deregistration(name) => {
                let (code, json) = registration::deregister(name, SystemTime::now());
                Ok(said_with(code, &json))
            }
            Route::Discovery | Route::Unknown => {
                let mut answered = failure(404, "INVALID_REQUEST", "POST asks about a message");
                answered.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
                Ok(closing(answered))
            }
        }
    }

    /// Returns the answer to who may not ask.
    fn refuse(&self, authorization: Option<&HeaderValue>) -> Option<Answered> {
        let credentials = self.credentials.read().unwrap_or_else(PoisonError::into_inner);
        let known = credentials.as_ref()?;
        let (code, words) = match authorization {
            Some(given) if known.admit(given.as_bytes()) => return None,
            Some(_) => ("INVALID_CREDENTIALS", "no line of the file of tokens is this"),
            None => ("AUTHENTICATION_REQUIRED", "a token has to be sent"),
        };
        let mut refused = failure(401, code, words);
        refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        Some(refused)
    }

    /// Answers a request about a message.
    async fn hook(&self, link: &Link, mut body: Incoming, form: Form) -> io::Result<Answered> {
        let policies = self.shared.policies();
        let mut come = Body::new(policies.base.max_message, self.memory.share());
        while let Some(frame) = body.frame().await {
            if let Some(octets) = frame.map_err(reason_of)?.data_ref() {
                come.push(octets);
            }
        }

        let asked = Asked { form, listener: link.listener() };
        let length = come.length();
        let (answered, _share) = match come.finish() {
            Ok((octets, share)) => (guarded(|| answer(octets, asked, &policies)), Some(share)),
            Err(why) => (Some(Ok(answer_unheld(length, why, asked, &policies))), None),
        };
        Ok(match answered {
            Some(Ok(Answer { json, record })) => {
                if let Some(record) = record {
                    self.shared.record(link, &record);
                }
                match json {
                    Some(json) => with_json(StatusCode::OK, json),
                    None => of_status(StatusCode::NO_CONTENT),
                }
            }
            Some(Err(Malformed(why))) => {
                let wrong = io::Error::new(ErrorKind::InvalidData, why);
                self.shared.ended(link, &wrong, "request refused");
                closing(failure(400, "INVALID_REQUEST", &wrong.to_string()))
            }
            None => failure(500, "INTERNAL_ERROR", "this request cannot be answered"),
        })
    }

    /// Reads a body; returns nothing if it has more than so many octets.
    async fn read(&self, mut body: Incoming, most: u64) -> io::Result<Option<Vec<u8>>> {
        let mut octets = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(reason_of)?;
            let piece = frame.data_ref().map(AsRef::as_ref).unwrap_or_default();
            if (octets.len() + piece.len()) as u64 > most {
                return Ok(None);
            }
            octets.extend_from_slice(piece);
        }
        Ok(Some(octets))
    }
}

fn of_status(status: StatusCode) -> Answered {
    let mut answered = Response::new(Full::default());
    *answered.status_mut() = status;
    answered
}

fn with_json(status: StatusCode, json: Vec<u8>) -> Answered {
    let mut answered = of_status(status);
    *answered.body_mut() = Full::new(Bytes::from(json));
    answered.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answered
}

fn said(status: StatusCode, json: &Value) -> Answered {
    with_json(status, json.to_string().into_bytes())
}

fn said_with(code: u16, json: &Value) -> Answered {
    said(StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), json)
}

fn failure(code: u16, word: &str, message: &str) -> Answered {
    said_with(code, &error(word, message))
}

/// An answer after which the connection ends: what its client still sends is not read.
fn closing(mut answered: Answered) -> Answered {
    answered.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    answered
}
