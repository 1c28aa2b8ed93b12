//! The slowest of the hostile shapes, of 1 MB. `cargo bench --bench linear` has them all, and how
//! each grows.

use mail_parser::MessageParser;
use sevenbit::{Message, Normalizer, Profile};
use std::time::Instant;

use crate::race::Race;
use crate::support::more_shapes::MORE;
use crate::support::shapes::{SHAPES, Shape};
use crate::table::Table;

const OCTETS: usize = 1 << 20;

pub fn rows(table: &mut Table) {
    let normalizer = Normalizer::new();
    let transport = Normalizer::new().profile(Profile::Transport);
    slowest("hostile, transport", |message| transport.normalize(message).octets().len(), table);
    slowest("hostile, archive", |message| normalizer.normalize(message).octets().len(), table);
    slowest("hostile, view", view, table);
}

fn view(message: &[u8]) -> usize {
    let message = Message::parse(message);
    let headers: usize = message.headers().map(|(_, text)| text.len()).sum();
    headers + message.leaves().map(|leaf| leaf.text().map_or(0, |text| text.len())).sum::<usize>()
}

fn slowest(operation: &str, run: impl Fn(&[u8]) -> usize, table: &mut Table) {
    let time = |shape: &&Shape| {
        let message = (shape.make)(OCTETS);
        let start = Instant::now();
        run(&message);
        start.elapsed()
    };
    if !table.wants(operation, "") {
        return;
    }
    let Some(shape) = SHAPES.iter().chain(MORE).max_by_key(time) else { return };
    let message = (shape.make)(OCTETS);
    let parser = MessageParser::default();
    let corpus = format!("the slowest of {}: {}", SHAPES.len() + MORE.len(), shape.name);
    Race::new(operation, corpus, message.len())
        .ours("", || run(&message))
        .peer("mail-parser 1.0.1 parse and decode all", "", || {
            let text = |message: mail_parser::Message<'_>| {
                message.parts().map(|part| part.text().map_or(0, |text| text.len())).sum()
            };
            parser.parse(&message).map_or(0, text)
        })
        .at_least(20.0)
        .run(table);
}
