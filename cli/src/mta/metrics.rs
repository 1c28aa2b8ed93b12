//! The counters and gauges of a filter, for Prometheus.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::filter::Record;

type Label = [(&'static str, &'static str); 1];
type Labels = [(&'static str, &'static str); 2];

/// The buckets of times: the first one, in seconds, the factor from one to the next, how many; up to
/// 13 seconds.
const BUCKETS: (f64, f64, u16) = (0.000_05, 4.0, 10);

/// The counters and gauges of a filter; each has its help where it is registered.
#[derive(Debug)]
pub struct Metrics {
    messages: Family<Label, Counter>,
    codes: Family<Label, Counter>,
    outcomes: Family<Labels, Counter>,
    dry_runs: Counter,
    connections: Counter,
    turned_away: Family<Label, Counter>,
    ended: Family<Label, Counter>,
    next_hop_failures: Counter,
    next_hop_connections: Family<Label, Counter>,
    octets: Counter,
    time: Histogram,
    reloads: Family<Label, Counter>,
    open: Gauge,
    gauges: Gauges,
    registry: Registry,
}

/// The gauges that are set when somebody asks for them, from what is [`Observed`].
#[derive(Clone, Debug, Default)]
struct Gauges {
    memory: Gauge,
    memory_limit: Gauge,
    files: Gauge,
    next_hops: Gauge,
    next_hops_up: Gauge,
    next_hop_waiting: Gauge,
    certificate: Gauge,
}

/// The state of a filter at a moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observed {
    /// How many octets all connections hold in memory, and how many they may hold.
    pub memory: u64,
    pub memory_limit: u64,
    /// How many octets of messages are in temporary files.
    pub files: u64,
    /// How many next hops there are, and how many of them took the last conversation.
    pub next_hops: usize,
    pub next_hops_up: usize,
    /// The number of connections to them that wait for another conversation.
    pub next_hop_waiting: usize,
    /// When the certificate for clients expires, in seconds since 1970.
    pub certificate: Option<i64>,
}

/// An open connection, as long as it lives.
#[derive(Debug)]
pub struct OpenConnection<'m>(&'m Gauge);

impl Drop for OpenConnection<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// All counters at zero.
    pub fn new() -> Self {
        let (start, factor, count) = BUCKETS;
        let buckets =
            std::iter::successors(Some(start), |last| Some(last * factor)).take(count.into());
        let mut made = Self {
            messages: Family::default(),
            codes: Family::default(),
            outcomes: Family::default(),
            dry_runs: Counter::default(),
            connections: Counter::default(),
            turned_away: Family::default(),
            ended: Family::default(),
            next_hop_failures: Counter::default(),
            next_hop_connections: Family::default(),
            octets: Counter::default(),
            time: Histogram::new(buckets),
            reloads: Family::default(),
            open: Gauge::default(),
            gauges: Gauges::default(),
            registry: Registry::with_prefix("sevenbit"),
        };
        let (messages, codes) = (made.messages.clone(), made.codes.clone());
        made.registry.register("messages", "Messages, by what was done to them", messages);
        made.registry.register(
            "messages_with",
            "Messages in which this was found, by its code",
            codes,
        );
        let outcomes = made.outcomes.clone();
        made.registry.register(
            "outcomes",
            "Messages, by what their clients were told, and by whom",
            outcomes,
        );
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        made.registry.register("build", "The version that runs", build);
        let dry_runs = made.dry_runs.clone();
        made.registry.register(
            "dry_run_messages",
            "Messages that passed as they were in a dry run",
            dry_runs,
        );
        let connections = made.connections.clone();
        made.registry.register("connections", "Connections of clients", connections);
        let turned_away = made.turned_away.clone();
        made.registry.register("turned_away", "Clients that were turned away, by why", turned_away);
        let ended = made.ended.clone();
        made.registry.register(
            "connections_ended_early",
            "Connections that ended early, by why",
            ended,
        );
        let failures = made.next_hop_failures.clone();
        made.registry.register(
            "next_hop_failures",
            "Connections that the next hop ended, or did not take",
            failures,
        );
        let used = made.next_hop_connections.clone();
        made.registry.register(
            "next_hop_connections",
            "Connections to next hops that conversations have used, by where they were from",
            used,
        );
        let reloads = made.reloads.clone();
        made.registry.register(
            "reloads",
            "Times that options were read again, by the result",
            reloads,
        );
        let open = made.open.clone();
        made.registry.register("open_connections", "Connections of clients that are open", open);
        let Gauges {
            memory,
            memory_limit,
            files,
            next_hops,
            next_hops_up,
            next_hop_waiting,
            certificate,
        } = made.gauges.clone();
        for (name, help, unit, gauge) in [
            (
                "memory_used",
                "Octets that all connections hold in memory",
                Some(Unit::Bytes),
                memory,
            ),
            ("memory_limit", "Octets that they may hold", Some(Unit::Bytes), memory_limit),
            ("spool", "Octets of messages in temporary files", Some(Unit::Bytes), files),
            ("next_hops", "Next hops", None, next_hops),
            ("next_hops_up", "Next hops that took the last conversation", None, next_hops_up),
            (
                "next_hop_connections_waiting",
                "Connections to next hops that wait for another conversation",
                None,
                next_hop_waiting,
            ),
            (
                "certificate_expiry",
                "When the certificate for clients expires, since 1970; 0 without one",
                Some(Unit::Seconds),
                certificate,
            ),
        ] {
            match unit {
                Some(unit) => made.registry.register_with_unit(name, help, unit, gauge),
                None => made.registry.register(name, help, gauge),
            }
        }
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
        let outcome = [("outcome", record.outcome.as_str()), ("by", record.by.as_str())];
        self.outcomes.get_or_create(&outcome).inc();
        for code in &record.codes {
            self.codes.get_or_create(&[("code", code.as_str())]).inc();
        }
        self.dry_runs.inc_by(record.dry_run.into());
        self.octets.inc_by(record.octets);
        self.time.observe(record.time.as_secs_f64());
    }

    /// Counts a connection, which is open as long as the result lives.
    pub fn connected(&self) -> OpenConnection<'_> {
        self.connections.inc();
        self.open.inc();
        OpenConnection(&self.open)
    }

    /// Counts that options were read again.
    pub fn reloaded(&self, is_done: bool) {
        self.reloads.get_or_create(&[("result", if is_done { "applied" } else { "failed" })]).inc();
    }

    /// Sets the gauges to the state of the filter.
    pub fn observe(&self, observed: Observed) {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        self.gauges.memory.set(number(observed.memory));
        self.gauges.memory_limit.set(number(observed.memory_limit));
        self.gauges.files.set(number(observed.files));
        self.gauges.next_hops.set(number(observed.next_hops as u64));
        self.gauges.next_hops_up.set(number(observed.next_hops_up as u64));
        self.gauges.next_hop_waiting.set(number(observed.next_hop_waiting as u64));
        self.gauges.certificate.set(observed.certificate.unwrap_or(0));
    }

    /// Counts a client that was turned away.
    pub fn turned_away(&self, why: &'static str) {
        self.turned_away.get_or_create(&[("reason", why)]).inc();
    }

    /// Counts a connection that ended early.
    pub fn ended(&self, why: &'static str) {
        self.ended.get_or_create(&[("reason", why)]).inc();
    }

    /// Counts a failure of the next hop.
    pub fn next_hop_failed(&self) {
        self.next_hop_failures.inc();
    }

    /// Counts a connection to a next hop that a conversation uses.
    pub fn next_hop_connected(&self, from: &'static str) {
        self.next_hop_connections.get_or_create(&[("from", from)]).inc();
    }

    /// All counters, in the text format of OpenMetrics.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(_) => "# EOF\n".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::mta::filter::Fate;
    use crate::mta::laws::filter;
    use sevenbit::Code;

    #[test]
    fn counts_are_reported() {
        let metrics = Metrics::new();
        let (codes, time) = (vec![Code::ALL[0]], Duration::from_micros(60));
        let record = Record { fate: Fate::Changed, codes, time, ..Record::new(&filter(), 7) };
        metrics.count(&record);
        metrics.count(&record);
        let _open = metrics.connected();
        metrics.reloaded(false);
        metrics.observe(Observed {
            memory: 7,
            next_hops: 2,
            next_hops_up: 1,
            next_hop_waiting: 3,
            ..Observed::default()
        });
        metrics.turned_away("too many connections");
        metrics.next_hop_connected("kept");
        let text = metrics.text();
        let code = format!("sevenbit_messages_with_total{{code=\"{}\"}} 2\n", Code::ALL[0]);
        for line in [
            "sevenbit_messages_total{fate=\"changed\"} 2\n",
            "sevenbit_message_bytes_total 14\n",
            "sevenbit_message_seconds_count 2\n",
            "sevenbit_connections_total 1\n",
            "sevenbit_open_connections 1\n",
            "sevenbit_reloads_total{result=\"failed\"} 1\n",
            "sevenbit_memory_used_bytes 7\n",
            "sevenbit_next_hops_up 1\n",
            "sevenbit_next_hop_connections_waiting 3\n",
            "sevenbit_next_hop_connections_total{from=\"kept\"} 1\n",
            "sevenbit_turned_away_total{reason=\"too many connections\"} 1\n",
            "sevenbit_next_hop_failures_total 0\n",
            &format!("sevenbit_build_info{{version=\"{}\"}} 1\n", env!("CARGO_PKG_VERSION")),
            &code,
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
    }
}
