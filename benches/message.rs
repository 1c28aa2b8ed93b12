//! Whole messages, 8-bit and clean: the two profiles, the view, and mail-parser for comparison.

mod support;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mail_parser::MessageParser;
use sevenbit::{Message, Normalizer, Profile};
use support::mail;

fn rewrite(c: &mut Criterion) {
    for (name, messages) in corpora() {
        let octets: usize = messages.iter().map(Vec::len).sum();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(octets as u64));
        for (profile, label) in [(Profile::Transport, "transport"), (Profile::Archive, "archive")] {
            let normalizer = Normalizer::new().profile(profile);
            let mut out = Vec::new();
            group.bench_function(label, |b| {
                b.iter(|| {
                    for message in &messages {
                        out.clear();
                        normalizer.plan(message).write_to(&mut out).expect("memory");
                    }
                })
            });
        }
        group.finish();
    }
}

fn view(c: &mut Criterion) {
    for (name, messages) in corpora() {
        let octets: usize = messages.iter().map(Vec::len).sum();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(octets as u64));
        group.bench_function("view", |b| {
            b.iter(|| messages.iter().map(|message| read_all(message)).sum::<usize>())
        });
        group.bench_function("view, mail-parser", |b| {
            b.iter(|| {
                messages.iter().map(|message| read_all_with_mail_parser(message)).sum::<usize>()
            })
        });
        group.finish();
    }
}

fn corpora() -> [(&'static str, Vec<Vec<u8>>); 2] {
    let eightbit: Vec<Vec<u8>> = (0..200).map(mail::eightbit).collect();
    let transport = Normalizer::new().profile(Profile::Transport);
    let clean = eightbit
        .iter()
        .map(|message| transport.normalize(message).into_octets().into_owned())
        .collect();
    [("8-bit", eightbit), ("clean", clean)]
}

fn read_all(message: &[u8]) -> usize {
    let message = Message::parse(message);
    let subject = message.subject().map_or(0, |subject| subject.len());
    subject
        + message
            .leaves()
            .map(|leaf| leaf.text().map_or_else(|| leaf.octets().len(), |text| text.len()))
            .sum::<usize>()
}

/// mail-parser 0.11 decodes while it parses.
fn read_all_with_mail_parser(message: &[u8]) -> usize {
    let message = MessageParser::default().parse(message);
    message.map_or(0, |message| {
        message.subject().map_or(0, str::len)
            + message.parts.iter().map(|part| part.len()).sum::<usize>()
    })
}

criterion_group!(benches, rewrite, view);
criterion_main!(benches);
