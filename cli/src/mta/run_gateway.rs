//! `sevenbit gateway`: its conversations on their sockets.

use std::io::{self, Write};
use std::net::{IpAddr, ToSocketAddrs};
use std::slice;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ipnet::IpNet;
use tracing::warn;

use super::gateway::{
    Broken, Connection, Conversation, History, Host, Patience, Room, Wanted, probe,
};
use super::http::Watched;
use super::kept::Kept;
use super::memory::Memory;
use super::metrics::Observed;
use super::next_hops::{NextHops, PROBING, Reached};
use super::options::{Shared, check, check_open_files, ended, listeners};
use super::places::{check_directory, check_files, check_sockets, is_own_address};
use super::service::{Admission, Link, Protocol, Refusal, Securable, Stream, serve};
use super::tls::Offers;
use super::{commands, proxied};
use crate::args::{Endpoint, Gateway, ServiceArgs};
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// The time that a client may be silent between messages before the connection to the next hop is
/// given up: longer than a mail server needs for its next command, and shorter than the processes
/// of the next hop are missed elsewhere.
const IDLE: Duration = Duration::from_secs(3);

/// A connection to a next hop.
type Hop = Securable<Stream>;

/// Runs the gateway until it is told to stop.
///
/// # Errors
/// The gateway cannot listen; it would be an open relay, or its own next hop.
pub fn run(args: &Gateway, console: &Console) -> Result<Exit, Failure> {
    if let Some(command) = &args.command {
        return commands::run(command);
    }

    let next = args.next.clone();
    if next.is_empty() {
        return Err(Failure::usage("--next is missing"));
    }
    if let Some(option) = opens_relay(args)
        && next.iter().any(is_here)
        && !args.i_know
    {
        return Err(Failure::usage(format!(
            "{option} and a next hop on this machine are an open relay if that trusts 127.0.0.1: it sees the gateway's \
             address, not the client's. Tell it that (--xclient), or have it refuse relaying (docs/mta.md) and say --i-know"
        )));
    }
    check_sockets(&args.listen, args.service.metrics, &next)?;
    let offers = Arc::new(Offers::of(args).map_err(Failure::usage)?);
    let memory = usize::try_from(args.memory).unwrap_or(usize::MAX);
    let total = Memory::new(args.service.memory_total);
    let room = Room { memory, directory: args.temporary.clone(), total, files: Memory::default() };
    if args.service.check_config {
        offers.check().map_err(Failure::usage)?;
        check_files(&args.listen, &args.service)?;
        check_directory(&room.place()).map_err(|error| Failure::creating(&room.place(), &error))?;
        return check(&args.filter, &args.service, console);
    }
    let ServiceArgs { timeout, message_timeout, .. } = args.service;
    let patience =
        Patience { line: timeout, idle: IDLE.min(timeout / 2), message: message_timeout };
    let next = Arc::new(NextHops::new(next, args.service.timeout));
    let kept = Kept::start(args.keep_connections)
        .map_err(|error| Failure::try_again(error.to_string()))?;
    let watched = watched(args, &next, &kept, &offers, &room);
    let shared = Shared::start(&args.filter, &args.service, console, watched)?;
    if let Err(error) = offers.check() {
        warn!(error, "the certificate for clients");
    }
    // Its client, its next hop, and a long message.
    check_open_files(&args.service, 3);
    let listeners = listeners(&args.listen, &args.service)?;
    // Where systemd has it listen is known only now.
    let bound: Vec<Endpoint> =
        listeners.iter().filter_map(|listener| listener.place().parse().ok()).collect();
    check_sockets(&bound, None, next.places())?;
    room.check().map_err(|error| Failure::creating(&room.place(), &error))?;
    let admission = Admission::from(&args.service);
    let between = Between {
        shared,
        next,
        kept,
        name: args.name.clone(),
        room,
        patience,
        offers,
        proxies: args.proxy_from.clone(),
        trust: args.trust.clone(),
        tells_client: args.xclient,
        max_of_one: admission.max_of_one,
    };
    ended(serve(listeners, admission, Arc::new(between)))
}

/// What those who watch the gateway may ask for.
fn watched(
    args: &Gateway,
    next: &Arc<NextHops>,
    kept: &Arc<Kept<Hop>>,
    offers: &Arc<Offers>,
    room: &Room,
) -> Watched {
    let (name, tells_client) = (args.name.clone(), args.xclient);
    let (probed, probing) = (Arc::clone(next), Arc::clone(offers));
    let converse = move |number, stream: Stream| {
        let is_local = is_of_this_machine(stream.peer());
        let stream = Securable::new(stream, is_local, PROBING, probing.for_next(number));
        probe(stream, &name, tells_client, PROBING)
    };
    let (next, kept, offers) = (Arc::clone(next), Arc::clone(kept), Arc::clone(offers));
    let (memory, files) = (room.total.clone(), room.files.clone());
    Watched {
        ready: Box::new(move || probed.probe(&converse)),
        observe: Box::new(move || Observed {
            memory: memory.used(),
            memory_limit: memory.most(),
            files: files.used(),
            next_hops: next.places().len(),
            next_hops_up: next.count_up(),
            next_hop_waiting: kept.count(),
            certificate: offers.expiry(),
        }),
    }
}

/// The option by which more than a few servers may send through a next hop that does not know whose
/// mail this is.
fn opens_relay(args: &Gateway) -> Option<String> {
    let wide = |name: &str, networks: &[IpNet]| {
        let widest = networks.iter().min_by_key(|network| network.prefix_len())?;
        are_wide(networks).then(|| format!("--{name} {widest}"))
    };
    // Whom it trusts may say that it is anyone.
    let trusted = wide("trust", &args.trust);
    let proxied = args.proxy_from.first().map(|network| format!("--proxy-from {network}"));
    let hidden = wide("allow", &args.service.allow).or(proxied);
    if args.xclient { trusted } else { trusted.or(hidden) }
}

/// Whether networks are more than the few servers that send mail here: together larger than a /24
/// of IPv4, or a /64 of IPv6.
fn are_wide(networks: &[IpNet]) -> bool {
    let size = |network: &IpNet| {
        let most = if matches!(network, IpNet::V4(_)) { 24 } else { 64 };
        f64::from(most - i32::from(network.prefix_len())).exp2()
    };
    networks.iter().filter(|network| !network.network().is_loopback()).map(size).sum::<f64>() > 1.0
}

/// Whether a next hop is on this machine.
fn is_here(next: &Endpoint) -> bool {
    match next {
        Endpoint::Inet(address) => address
            .to_socket_addrs()
            .is_ok_and(|mut found| found.any(|address| is_own_address(address.ip()))),
        Endpoint::Unix(_) | Endpoint::Systemd => false,
    }
}

/// The state that every connection needs.
#[derive(Debug)]
struct Between {
    shared: Arc<Shared>,
    next: Arc<NextHops>,
    kept: Arc<Kept<Hop>>,
    name: String,
    room: Room,
    patience: Patience,
    offers: Arc<Offers>,
    proxies: Vec<IpNet>,
    trust: Vec<IpNet>,
    tells_client: bool,
    max_of_one: usize,
}

/// Whose connection it is.
struct Client {
    address: Option<IpAddr>,
    /// Whether a proxy has made the connection, and does not say for whom.
    is_unknown: bool,
    is_proxied: bool,
    /// Whether nothing of the connection leaves this machine.
    is_local: bool,
    is_trusted: bool,
}

/// Why a connection of a proxy does not go on.
enum Unproxied {
    /// The proxy does not say whose it is.
    Broken(io::Error),
    /// Its client has too many.
    TooMany(Refusal),
}

/// Whether a connection with this address does not leave the machine; a Unix socket has none.
fn is_of_this_machine(address: Option<IpAddr>) -> bool {
    address.is_none_or(|address| address.to_canonical().is_loopback())
}

fn is_among(address: IpAddr, networks: &[IpNet]) -> bool {
    networks.iter().any(|network| network.contains(&address))
}

impl Protocol for Between {
    fn converse(&self, link: &Link) {
        let _open = self.shared.connected();
        let client = match self.client_of(link) {
            Ok(client) => client,
            Err(Unproxied::Broken(error)) => {
                return self.shared.ended(
                    link,
                    &error,
                    "the proxy has not said whose connection this is",
                );
            }
            Err(Unproxied::TooMany(why)) => return self.turn_away(link.stream(), why),
        };
        let next = match self.connect(link, Wanted::Any) {
            Ok(next) => next,
            Err(_) => {
                return self.leave(link.stream(), "4.3.2", "the next hop is not there");
            }
        };
        let host = Host {
            name: &self.name,
            listener: link.listener(),
            peer: client.address,
            is_unknown: client.is_unknown,
            is_proxied: client.is_proxied,
            is_trusted: client.is_trusted,
            tells_client: self.tells_client,
            patience: self.patience,
            room: &self.room,
            connect: &|wanted| self.connect(link, wanted),
            give_back: &|connection| self.kept.give_back(connection),
            wait: &|time| {
                // One that has gone is seen when it is read.
                let _ = link.stream().set_timeout(time);
            },
            goes_on: &|is_busy| link.goes_on(is_busy),
            begins: &|| link.begins(),
        };
        let stream = Securable::new(
            link.stream(),
            client.is_local,
            self.patience.line,
            self.offers.for_client(),
        );
        let ended = Conversation::new(stream, next, host)
            .run(|| self.shared.policies(), |record| self.shared.record(link, &record));
        match ended {
            Ok(()) => {}
            Err(Broken::Client(error)) if error.kind() == io::ErrorKind::QuotaExceeded => {
                self.shared.ended(link, &error, "the client was sent away");
            }
            Err(Broken::Client(error)) => self.shared.ended(link, &error, "the client has gone"),
            Err(Broken::Next(error)) => {
                self.shared.next_hop_failed(
                    link,
                    self.next.places(),
                    &error,
                    "the next hop has gone",
                );
            }
        }
    }

    fn turn_away(&self, stream: &Stream, why: Refusal) {
        self.shared.turned_away(why);
        self.leave(stream, if why == Refusal::Stopping { "4.3.2" } else { "4.7.0" }, why.as_str());
    }

    fn reload(&self) {
        self.shared.reload();
        if let Err(error) = self.offers.reload() {
            self.shared.certificate_failed(&error);
        }
        self.kept.end_all();
    }

    fn stop(&self) {
        self.kept.stop();
    }
}

impl Between {
    /// Whose connection this is.
    fn client_of(&self, link: &Link) -> Result<Client, Unproxied> {
        let address = link.stream().peer();
        if !address.is_some_and(|address| is_among(address, &self.proxies)) {
            return Ok(Client {
                address,
                is_unknown: false,
                is_proxied: false,
                is_local: is_of_this_machine(address),
                is_trusted: self.trusts(address),
            });
        }
        let until = Instant::now() + self.patience.line;
        let said = proxied::client(&mut link.stream(), until).map_err(Unproxied::Broken)?;
        if let Some(client) = said {
            link.comes_from(client, self.max_of_one).map_err(Unproxied::TooMany)?;
        }
        // Of one that the proxy does not name nothing is known: it is not the proxy.
        Ok(Client {
            address: said,
            is_unknown: said.is_none(),
            is_proxied: said.is_some(),
            is_local: said.is_some() && is_of_this_machine(said) && is_of_this_machine(address),
            is_trusted: said.is_some_and(|client| self.trusts(Some(client))),
        })
    }

    /// Whether a client is believed who its own client is. A Unix socket has its mode.
    fn trusts(&self, address: Option<IpAddr>) -> bool {
        match address {
            None => true,
            Some(address) if self.trust.is_empty() => address.is_loopback(),
            Some(address) => is_among(address, &self.trust),
        }
    }

    /// A connection to a next hop; those that do not take it are logged.
    fn connect(&self, link: &Link, wanted: Wanted) -> io::Result<Connection<Hop>> {
        let failed = |place: &Endpoint, error: &io::Error| {
            self.shared.next_hop_failed(
                link,
                slice::from_ref(place),
                error,
                "the next hop is not there",
            );
        };
        let kept = |number| match wanted {
            Wanted::Any => self.kept.take(number),
            Wanted::New => None,
        };
        let connection = match self.next.connect(kept, failed)? {
            Reached::Kept(connection) => connection,
            Reached::New(number, stream) => self.new_connection(number, stream),
        };
        self.shared.next_hop_connected(connection.history);
        Ok(connection)
    }

    fn new_connection(&self, number: usize, stream: Stream) -> Connection<Hop> {
        let is_local = is_of_this_machine(stream.peer());
        let offer = self.offers.for_next(number);
        let channel = Securable::new(stream, is_local, self.patience.line, offer);
        Connection { number, channel, history: History::New }
    }

    /// Takes leave of a client; one that has gone need not hear it.
    fn leave(&self, mut stream: &Stream, code: &str, why: &str) {
        let _ = stream.write_all(format!("421 {code} {} {why}\r\n", self.name).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_wide_if_they_are_more_than_some_servers() {
        let is = |text: &str| {
            let networks = text.split(' ').map(|network| network.parse().expect("a network"));
            are_wide(&networks.collect::<Vec<_>>())
        };
        assert!(is("192.0.2.0/24 198.51.100.7/32") && is("2001:db8::/64 192.0.2.1/32"));
        assert!(
            !is("192.0.2.0/25 192.0.2.128/25 127.0.0.0/8") && !is("192.0.2.7/32 2001:db8::1/128")
        );
        assert!(
            is("0.0.0.0/0")
                && is("10.0.0.0/8")
                && is("192.0.2.0/23")
                && is("::/0")
                && is("2001:db8::/48")
        );
        assert!(
            !is("192.0.2.0/24") && !is("127.0.0.0/8") && !is("2001:db8::/64") && !is("::1/128")
        );
    }

    #[test]
    fn a_next_hop_is_on_this_machine_by_its_address() {
        let is = |text: &str| is_here(&text.parse().expect("an endpoint"));
        assert!(is("127.0.0.1:10026") && is("localhost:25") && is("[::1]:25") && is("0.0.0.0:25"));
        assert!(is("[::ffff:127.0.0.1]:25"));
        assert!(!is("192.0.2.1:25") && !is("unix:/run/dovecot/lmtp"));
    }
}
