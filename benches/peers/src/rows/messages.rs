//! Rows of whole messages: rewritten for a 7-bit path, rewritten for an archive, read.

use std::hint::black_box;
use std::path::Path;

use mail_parser::{MessageBuffers, MessageParser};
use mailparse::{MailHeaderMap, ParsedMail};
use sevenbit::{Message, Normalizer, Profile};

use super::MAIL_PARSER;
use crate::checks;
use crate::glue;
use crate::mail::{Corpora, Corpus};
use crate::native::{GMIME, Gmime};
use crate::race::Race;
use crate::table::{Note, Table};

const PARSE: &str = "mail-parser 1.0.1 parse";
const DECODE: &str = "mail-parser 1.0.1 parse and decode all";
const GLUE: &str = "glue of mail-parser and encodify";

/// How many times as fast as the peer a row should be, for each of the mixed corpora: SpamAssassin,
/// then dev.
struct Goals {
    transport: (&'static str, f64),
    archive: f64,
    view: f64,
    headers: f64,
}

const GOALS: [Goals; 2] = [
    Goals { transport: (PARSE, 2.0), archive: 1.5, view: 1.7, headers: 1.2 },
    Goals { transport: (DECODE, 1.2), archive: 0.8, view: 1.1, headers: 1.0 },
];

pub fn rows(folder: &Path, table: &mut Table) {
    let corpora = Corpora::load(folder);
    let gmime = Gmime::open();
    let mixed = || corpora.mixed.iter().zip(GOALS);
    for (corpus, goals) in mixed() {
        let (peer, times) = goals.transport;
        run_if_wanted(table, "transport", corpus, |corpus| {
            transport(corpus, gmime).goal(peer, times).goal(GMIME, 10.0).aim(GLUE, 1.0)
        });
        run_if_wanted(table, "transport, clean mail borrowed", corpus, borrowed);
    }
    run_if_wanted(table, "transport", &corpora.eightbit, |corpus| {
        transport(corpus, gmime).goal(DECODE, 1.2).aim(GLUE, 1.0)
    });
    for (corpus, goals) in mixed() {
        run_if_wanted(table, "archive", corpus, |corpus| archive(corpus, gmime).goal(DECODE, goals.archive));
    }
    run_if_wanted(table, "archive", &corpora.eightbit, |corpus| archive(corpus, gmime));
    for (corpus, goals) in mixed() {
        run_if_wanted(table, "view, every leaf decoded", corpus, |corpus| {
            view(corpus, gmime).goal(DECODE, goals.view)
        });
        run_if_wanted(table, "view, every header field as text", corpus, |corpus| {
            headers(corpus).goal(MAIL_PARSER, goals.headers)
        });
        run_if_wanted(table, "bounds", corpus, floor);
    }
}

/// Runs a race if its row is asked for: to make one, a whole corpus is checked.
fn run_if_wanted<'a>(
    table: &mut Table,
    operation: &str,
    corpus: &'a Corpus,
    race: impl FnOnce(&'a Corpus) -> Race<'a>,
) {
    if table.wants(operation, &corpus.name) {
        race(corpus).run(table);
    }
}

fn transport(corpus: &Corpus, gmime: Option<Gmime>) -> Race<'_> {
    rewriting("transport", Profile::Transport, corpus, gmime)
}

fn archive(corpus: &Corpus, gmime: Option<Gmime>) -> Race<'_> {
    rewriting("archive", Profile::Archive, corpus, gmime)
}

/// The race of rewriting all messages by a profile, each into the same buffer.
fn rewriting<'a>(operation: &str, profile: Profile, corpus: &'a Corpus, gmime: Option<Gmime>) -> Race<'a> {
    let messages = &corpus.messages;
    let normalizer = Normalizer::new().profile(profile);
    let note = checks::rewritten(messages, |message| Some(normalizer.normalize(message).octets().to_vec()));
    let mut out = Vec::new();
    let mut glued = Vec::new();
    reading(Race::new(operation, &corpus.name, corpus.octets()), messages, gmime)
        .ours(note, move || {
            for message in messages {
                out.clear();
                normalizer.plan(message).write_to(&mut out).expect("memory");
                black_box(&out);
            }
        })
        .peer(GLUE, glue_note(messages), move || {
            for message in messages {
                glued.clear();
                glue::rewrite(message, &mut glued);
                black_box(&glued);
            }
        })
        .maybe(
            GMIME,
            gmime,
            |gmime| checks::rewritten(messages, |message| gmime.rewritten(message)),
            move |gmime| each(messages, |message| gmime.rewrite(message)),
        )
}

fn glue_note(messages: &[Vec<u8>]) -> Note {
    checks::rewritten(messages, |message| {
        let mut out = Vec::new();
        glue::rewrite(message, &mut out);
        Some(out)
    })
}

/// Adds the peers that read messages and write none.
fn reading<'a>(race: Race<'a>, messages: &'a [Vec<u8>], gmime: Option<Gmime>) -> Race<'a> {
    let parser = MessageParser::default();
    let decoder = MessageParser::default();
    race.peer(PARSE, "", move || {
        each(messages, |message| parser.parse(message).map_or(0, |message| message.parts().len()))
    })
    .peer(DECODE, "", move || {
        each(messages, |message| decoder.parse(message).map_or(0, |message| decode_all(&message)))
    })
    .maybe(
        &format!("{GMIME} parse"),
        gmime,
        |_| Note::Right,
        move |gmime| each(messages, |message| gmime.parse(message)),
    )
}

/// The race of normalising messages of which clean ones are not copied.
fn borrowed(corpus: &Corpus) -> Race<'_> {
    let messages = &corpus.messages;
    let normalizer = Normalizer::new().profile(Profile::Transport);
    let parser = MessageParser::default();
    let mut buffers = MessageBuffers::default();
    Race::new("transport, clean mail borrowed", &corpus.name, corpus.octets())
        .ours("", move || each(messages, |message| normalizer.normalize(message).octets().len()))
        .peer("mail-parser 1.0.1 parse, buffers kept", "", move || {
            for message in messages {
                if let Some(message) = parser.parse_with(message, &mut buffers) {
                    black_box(message.parts().len());
                    buffers = message.into_buffers();
                }
            }
        })
}

/// The race of reading Subject, From, Date and every leaf.
fn view(corpus: &Corpus, gmime: Option<Gmime>) -> Race<'_> {
    let messages = &corpus.messages;
    let parser = MessageParser::default();
    Race::new("view, every leaf decoded", &corpus.name, corpus.octets())
        .ours(view_note(messages), move || each(messages, |message| read_all(&Message::parse(message))))
        .peer(DECODE, "", move || {
            each(messages, |message| parser.parse(message).map_or(0, |message| decode_all(&message)))
        })
        .peer("mailparse 0.18.0", "no messages in messages", move || {
            each(messages, |message| mailparse::parse_mail(message).map_or(0, |mail| parsed(&mail)))
        })
        .maybe(GMIME, gmime, |_| Note::Right, move |gmime| each(messages, |message| gmime.view(message)))
}

/// The race of reading every field of every header as text.
fn headers(corpus: &Corpus) -> Race<'_> {
    let messages = &corpus.messages;
    let parser = MessageParser::default();
    Race::new("view, every header field as text", &corpus.name, corpus.octets())
        .ours("", move || {
            each(messages, |message| {
                Message::parse(message).headers().map(|(name, text)| name.len() + text.len()).sum::<usize>()
            })
        })
        .peer(MAIL_PARSER, "by the form of each field", move || {
            each(messages, |message| {
                let message = parser.parse(message);
                message.map_or(0, |message| {
                    message.headers().iter().map(|header| black_box(header.value()).is_empty() as usize).sum()
                })
            })
        })
}

/// The bounds of any check: a search for octets above 7F with a look at every line, and a copy.
fn floor(corpus: &Corpus) -> Race<'_> {
    let messages = &corpus.messages;
    let mut out = Vec::new();
    Race::new("bounds", &corpus.name, corpus.octets())
        .peer("ASCII test and longest line", "", move || {
            each(messages, |message| (message.is_ascii(), longest_line(message)))
        })
        .peer("copy", "", move || {
            for message in messages {
                out.clear();
                out.extend_from_slice(message);
                black_box(&out);
            }
        })
}

fn longest_line(message: &[u8]) -> usize {
    let mut last = 0;
    let mut longest = 0;
    for at in memchr::memchr_iter(b'\n', message) {
        longest = longest.max(at - last);
        last = at;
    }
    longest.max(message.len() - last)
}

fn each<T>(messages: &[Vec<u8>], mut with: impl FnMut(&[u8]) -> T) {
    for message in messages {
        black_box(with(message));
    }
}

fn read_all(message: &Message<'_>) -> usize {
    let subject = message.subject().map_or(0, |subject| subject.len());
    let from = message.mailboxes("from").first().map_or(0, |mailbox| mailbox.name().len());
    let date = message.header("date").map_or(0, |date| date.len());
    let leaves: usize =
        message.leaves().map(|leaf| leaf.text().map_or_else(|| leaf.octets().len(), |text| text.len())).sum();
    subject + from + date + leaves
}

fn decode_all(message: &mail_parser::Message<'_>) -> usize {
    let subject = message.subject().map_or(0, str::len);
    let from = message
        .from()
        .and_then(|from| from.first())
        .and_then(|mailbox| mailbox.name().map(str::len))
        .unwrap_or(0);
    let date = message.date().map_or(0, |date| usize::from(date.to_timestamp() > 0));
    let leaf = message.parts().filter(|part| !part.is_multipart() && !part.is_message());
    let leaves: usize =
        leaf.map(|part| part.text().map_or_else(|| part.decoded().len(), |text| text.len())).sum();
    subject + from + date + leaves
}

fn parsed(mail: &ParsedMail<'_>) -> usize {
    let subject = mail.headers.get_first_value("Subject").map_or(0, |subject| subject.len());
    let from = mail
        .headers
        .get_first_header("From")
        .and_then(|from| mailparse::addrparse_header(from).ok())
        .map_or(0, |from| from.len());
    let date = mail.headers.get_first_value("Date").map_or(0, |date| date.len());
    subject + from + date + bodies(mail)
}

fn bodies(mail: &ParsedMail<'_>) -> usize {
    let own = match (mail.subparts.is_empty(), mail.ctype.mimetype.starts_with("text/")) {
        (false, _) => 0,
        (true, true) => mail.get_body().map_or(0, |text| text.len()),
        (true, false) => mail.get_body_raw().map_or(0, |octets| octets.len()),
    };
    own + mail.subparts.iter().map(bodies).sum::<usize>()
}

/// In how many messages we read other leaves than mail-parser does: not always a fault of ours.
fn view_note(messages: &[Vec<u8>]) -> Note {
    let ours = |message: &[u8]| -> Vec<Vec<u8>> {
        let message = Message::parse(message);
        let leaf = |leaf: sevenbit::Part<'_>| match leaf.text() {
            Some(text) => text.trim_end().as_bytes().to_vec(),
            None => leaf.octets().into_owned(),
        };
        message.leaves().map(leaf).collect()
    };
    let other = messages
        .iter()
        .filter(|message| checks::content(message).get(1..).unwrap_or_default() != ours(message))
        .count();
    match other {
        0 => Note::Right,
        _ => Note::Aside(format!(
            "of {} messages {other} whose leaves mail-parser reads otherwise",
            messages.len()
        )),
    }
}
