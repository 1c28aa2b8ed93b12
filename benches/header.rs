//! Header text: encoded-words both ways, and addresses.

mod support;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mail_parser::parsers::MessageStream;
use sevenbit::{Message, decode_header, encode_header};
use support::text::LANGUAGES;

fn words(c: &mut Criterion) {
    let texts: Vec<String> = LANGUAGES
        .iter()
        .flat_map(|language| language.subjects(100))
        .filter(|text| !text.is_ascii())
        .collect();
    // With its line end: mail-parser reads up to there.
    let values: Vec<String> =
        texts.iter().map(|text| encode_header(text).into_owned() + "\n").collect();
    let length =
        |texts: &[String]| Throughput::Bytes(texts.iter().map(String::len).sum::<usize>() as u64);
    let mut group = c.benchmark_group("encoded-words");
    group.throughput(length(&values));
    group.bench_function("decode", |b| {
        b.iter(|| {
            values
                .iter()
                .map(|value| decode_header(value.trim_end().as_bytes()).text().len())
                .sum::<usize>()
        })
    });
    group.bench_function("decode, mail-parser", |b| {
        let decode = |value: &String| {
            MessageStream::new(value.as_bytes()).parse_unstructured().as_text().map_or(0, str::len)
        };
        b.iter(|| values.iter().map(decode).sum::<usize>())
    });
    group.throughput(length(&texts));
    group.bench_function("encode", |b| {
        b.iter(|| texts.iter().map(|text| encode_header(text).len()).sum::<usize>())
    });
    group.finish();
}

fn addresses(c: &mut Criterion) {
    let name =
        |text: &String| encode_header(&text.chars().take(10).collect::<String>()).into_owned();
    let mailboxes: Vec<String> = LANGUAGES
        .iter()
        .flat_map(|language| language.subjects(20))
        .map(|text| format!("{} <sorter@post.example>", name(&text)))
        .collect();
    let mail = format!("To: {}\r\n\r\n", mailboxes.join(",\r\n "));
    let message = Message::parse(mail.as_bytes());
    let mut group = c.benchmark_group("addresses");
    group.throughput(Throughput::Bytes(mail.len() as u64));
    group.bench_function("mailboxes", |b| b.iter(|| message.mailboxes("to")));
    group.finish();
}

criterion_group!(benches, words, addresses);
criterion_main!(benches);
