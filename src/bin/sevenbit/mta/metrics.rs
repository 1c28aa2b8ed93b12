//! Counters, read by Prometheus with a GET of `/metrics`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::filter::Record;

type Label = [(&'static str, &'static str); 1];

/// How long a client may take, and how much it may send.
const PATIENCE: Duration = Duration::from_secs(5);
const MAX_REQUEST: u64 = 8 << 10;

/// From 50 microseconds to 13 seconds.
const BUCKETS: (f64, f64, u16) = (0.000_05, 4.0, 10);

/// What is counted.
#[derive(Debug)]
pub struct Metrics {
    messages: Family<Label, Counter>,
    codes: Family<Label, Counter>,
    octets: Counter,
    time: Histogram,
    registry: Registry,
}

impl Metrics {
    /// All counters at zero.
    pub fn new() -> Self {
        let (start, factor, count) = BUCKETS;
        let buckets = std::iter::successors(Some(start), |last| Some(last * factor)).take(count.into());
        let mut made = Self {
            messages: Family::default(),
            codes: Family::default(),
            octets: Counter::default(),
            time: Histogram::new(buckets),
            registry: Registry::with_prefix("sevenbit"),
        };
        let (messages, codes) = (made.messages.clone(), made.codes.clone());
        made.registry.register("messages", "Messages, by what was done to them", messages);
        made.registry.register("messages_with", "Messages in which this was found, by its code", codes);
        made.registry.register_with_unit(
            "message",
            "Octets of messages, as they came",
            Unit::Bytes,
            made.octets.clone(),
        );
        made.registry.register_with_unit(
            "message",
            "Time to plan one message, in a milter to answer it too, without waiting for others",
            Unit::Seconds,
            made.time.clone(),
        );
        made
    }

    /// Counts a message.
    pub fn count(&self, record: &Record) {
        self.messages.get_or_create(&[("fate", record.fate.as_str())]).inc();
        for code in &record.codes {
            self.codes.get_or_create(&[("code", code.as_str())]).inc();
        }
        self.octets.inc_by(record.octets);
        self.time.observe(record.time.as_secs_f64());
    }

    /// All counters, in the text format of OpenMetrics.
    fn text(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(_) => "# EOF\n".to_owned(),
        }
    }

    /// Answers at `address` for as long as the process lives.
    ///
    /// # Errors
    /// Those of the system.
    pub fn serve(self: &Arc<Self>, address: SocketAddr) -> io::Result<()> {
        let listener = TcpListener::bind(address)?;
        let metrics = Arc::clone(self);
        let answer = move || {
            for stream in listener.incoming().flatten() {
                // A client that disconnects is not waited for.
                let _ = metrics.answer(&stream);
            }
        };
        thread::Builder::new().name("metrics".to_owned()).spawn(answer).map(drop)
    }

    /// One request (RFC 9112), one answer.
    fn answer(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut lines = BufReader::new(stream.take(MAX_REQUEST)).lines();
        let request = lines.next().transpose()?.unwrap_or_default();
        while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
        let mut words = request.split(' ');
        let (status, kind, body) = match (words.next(), words.next()) {
            (Some("GET"), Some("/metrics")) => {
                ("200 OK", "application/openmetrics-text; version=1.0.0; charset=utf-8", self.text())
            }
            _ => ("404 Not Found", "text/plain", "GET /metrics\n".to_owned()),
        };
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mta::filter::Fate;
    use sevenbit::Code;

    #[test]
    fn counts_are_reported() {
        let metrics = Metrics::new();
        let record = Record {
            id: String::new(),
            octets: 7,
            fate: Fate::Changed,
            codes: vec![Code::ALL[0]],
            time: Duration::from_micros(60),
            answer: String::new(),
        };
        metrics.count(&record);
        metrics.count(&record);
        let text = metrics.text();
        let code = format!("sevenbit_messages_with_total{{code=\"{}\"}} 2\n", Code::ALL[0]);
        for line in [
            "sevenbit_messages_total{fate=\"changed\"} 2\n",
            "sevenbit_message_bytes_total 14\n",
            "sevenbit_message_seconds_count 2\n",
            &code,
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
    }
}
