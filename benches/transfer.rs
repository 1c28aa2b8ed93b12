//! Quoted-printable and base64. The codecs are not a public interface: they are reached through a
//! message of one leaf that is parsed or planned beforehand, so that `Part::octets` and
//! `Plan::write_to` are little more than the codec.

mod support;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sevenbit::{Message, Normalizer, Profile};
use support::Numbers;
use support::text::{LANGUAGES, language};

/// Big enough that the body is encoded while it is written, not while it is planned.
const OCTETS: usize = 512 << 10;

fn leaf(kind: &str, encoding: &str, content: &[u8]) -> Vec<u8> {
    let head = format!(
        "MIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    );
    [head.as_bytes(), content].concat()
}

fn quoted(c: &mut Criterion) {
    let mut group = c.benchmark_group("quoted-printable decode");
    for language in LANGUAGES {
        let escape = |octet: u8| match octet {
            b'\r' | b'\n' | b' '..=b'<' | b'>'..=b'~' => char::from(octet).to_string(),
            _ => format!("={octet:02X}"),
        };
        let body: String = language.prose(OCTETS / 4, 1).bytes().map(escape).collect();
        let mail = leaf("text/plain; charset=utf-8", "quoted-printable", body.as_bytes());
        let message = Message::parse(&mail);
        let part = message.leaves().next().expect("a leaf");
        group.throughput(Throughput::Bytes(body.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(language.code), |b| {
            b.iter(|| part.octets())
        });
    }
    group.finish();
    let mut group = c.benchmark_group("quoted-printable encode");
    for code in ["en", "fr"] {
        let text = language(code).prose(OCTETS, 1);
        let mail = leaf("text/plain; charset=utf-8", "8bit", text.as_bytes());
        let plan = Normalizer::new().profile(Profile::Transport).plan(&mail);
        let mut out = Vec::new();
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(code), |b| {
            b.iter(|| {
                out.clear();
                plan.write_to(&mut out)
            })
        });
    }
    group.finish();
}

/// The base64 crate knows no lines: its time without them is the bound.
fn base64(c: &mut Criterion) {
    let octets = Numbers::new(5).octets(OCTETS);
    let flat = STANDARD.encode(&octets);
    let lines: Vec<u8> =
        flat.as_bytes().chunks(76).flat_map(|line| [line, b"\r\n"].concat()).collect();
    let mail = leaf("application/octet-stream", "base64", &lines);
    let message = Message::parse(&mail);
    let part = message.leaves().next().expect("a leaf");
    let mut group = c.benchmark_group("base64 decode");
    group.throughput(Throughput::Bytes(lines.len() as u64));
    group.bench_function("lines of 76", |b| b.iter(|| part.octets()));
    group.bench_function("the base64 crate, no lines", |b| b.iter(|| STANDARD.decode(&flat)));
    group.finish();
    let mail = leaf("application/octet-stream", "binary", &octets);
    let plan = Normalizer::new().profile(Profile::Transport).plan(&mail);
    let mut out = Vec::new();
    let mut group = c.benchmark_group("base64 encode");
    group.throughput(Throughput::Bytes(octets.len() as u64));
    group.bench_function("lines of 76", |b| {
        b.iter(|| {
            out.clear();
            plan.write_to(&mut out)
        })
    });
    group.bench_function("the base64 crate, no lines", |b| b.iter(|| STANDARD.encode(&octets)));
    group.finish();
}

criterion_group!(benches, quoted, base64);
criterion_main!(benches);
