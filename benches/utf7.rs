//! UTF-7 and IMAP mailbox names, one language at a time.

mod support;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sevenbit::{Charset, mailbox_name};
use support::text::LANGUAGES;

const OCTETS: usize = 64 << 10;

fn text(c: &mut Criterion) {
    let mut group = c.benchmark_group("UTF-7 decode");
    for language in LANGUAGES {
        let octets = Charset::UTF_7
            .encode(&language.prose(OCTETS, 1))
            .expect("UTF-7 has every character")
            .into_owned();
        group.throughput(Throughput::Bytes(octets.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(language.code), |b| {
            b.iter(|| Charset::UTF_7.decode(&octets))
        });
    }
    group.finish();
    let mut group = c.benchmark_group("UTF-7 encode");
    for language in LANGUAGES {
        let text = language.prose(OCTETS, 1);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(language.code), |b| {
            b.iter(|| Charset::UTF_7.encode(&text))
        });
    }
    group.finish();
}

fn names(c: &mut Criterion) {
    let names: Vec<String> =
        LANGUAGES.iter().flat_map(|language| language.mailboxes(200)).collect();
    let encoded: Vec<String> =
        names.iter().map(|name| mailbox_name::encode(name).into_owned()).collect();
    let length =
        |names: &[String]| Throughput::Bytes(names.iter().map(String::len).sum::<usize>() as u64);
    let mut group = c.benchmark_group("IMAP names");
    group.throughput(length(&encoded));
    group.bench_function("decode", |b| {
        b.iter(|| {
            encoded
                .iter()
                .map(|name| mailbox_name::decode(name.as_bytes()).text().len())
                .sum::<usize>()
        })
    });
    group.throughput(length(&names));
    group.bench_function("encode", |b| {
        b.iter(|| names.iter().map(|name| mailbox_name::encode(name).len()).sum::<usize>())
    });
    group.finish();
}

criterion_group!(benches, text, names);
criterion_main!(benches);
