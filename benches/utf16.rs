//! UTF-16, one language at a time, compared with encoding_rs.

mod support;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sevenbit::Charset;
use support::text::LANGUAGES;

const OCTETS: usize = 64 << 10;

fn decode(c: &mut Criterion) {
    let charset = Charset::for_label("utf-16le").expect("UTF-16LE");
    let mut group = c.benchmark_group("UTF-16LE decode");
    for language in LANGUAGES {
        let octets: Vec<u8> =
            language.prose(OCTETS, 1).encode_utf16().flat_map(u16::to_le_bytes).collect();
        group.throughput(Throughput::Bytes(octets.len() as u64));
        group.bench_function(BenchmarkId::new("sevenbit", language.code), |b| {
            b.iter(|| charset.decode(&octets))
        });
        group.bench_function(BenchmarkId::new("encoding_rs", language.code), |b| {
            b.iter(|| encoding_rs::UTF_16LE.decode_without_bom_handling(&octets))
        });
    }
    group.finish();
}

/// encoding_rs writes units, not octets.
fn encode(c: &mut Criterion) {
    let charset = Charset::for_label("utf-16le").expect("UTF-16LE");
    let mut group = c.benchmark_group("UTF-16LE encode");
    for language in LANGUAGES {
        let text = language.prose(OCTETS, 1);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("sevenbit", language.code), |b| {
            b.iter(|| charset.encode(&text))
        });
        group.bench_function(BenchmarkId::new("encoding_rs", language.code), |b| {
            b.iter(|| {
                let mut units = vec![0; text.len() + 1];
                encoding_rs::mem::convert_str_to_utf16(&text, &mut units);
                units
            })
        });
    }
    group.finish();
}

criterion_group!(benches, decode, encode);
criterion_main!(benches);
