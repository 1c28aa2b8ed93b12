//! The options of a running filter: those of the command line, and those of `--config`, which SIGHUP reads again.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tracing::{error, info, warn};

use super::filter::{Action, Filter, OnFailure, Only, Record};
use super::metrics::Metrics;
use super::octets::Path as MailPath;
use super::policy::Policies;
use super::report::{Origin, Report};
use super::rules::{self, Described};
use super::service::{Admission, Link, Listener, Refusal};
use super::{http, log};
use crate::args::{
    ActionChoice, AddressChoice, Cli, Endpoint, ExtensionChoice, FailureChoice, FilterArgs, OnlyChoice,
    ServiceArgs,
};
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// The state that the connections of a filter share.
#[derive(Debug)]
pub struct Shared {
    policies: RwLock<Arc<Policies>>,
    metrics: Arc<Metrics>,
    report: Option<Report>,
    addresses: AddressChoice,
}

impl Shared {
    /// Starts the log and the counters, which live as long as the process. `ready` tells whether mail can go on from here.
    ///
    /// # Errors
    /// The address for counters cannot be listened on; the report cannot be opened.
    pub fn start(
        filter: &FilterArgs,
        service: &ServiceArgs,
        console: &Console,
        ready: impl Fn() -> io::Result<()> + Send + Sync + 'static,
    ) -> Result<Arc<Self>, Failure> {
        log::start(service.log, console.is_quiet());
        let metrics = Arc::new(Metrics::new());
        if let Some(address) = service.metrics {
            let place = address.to_string();
            let served = http::serve(address, Arc::clone(&metrics), ready);
            served.map_err(|error| Failure::creating(Path::new(&place), &error))?;
        }
        for option in &service.overruled {
            warn!(option, "overruled by the command line");
        }
        let open = |path: &PathBuf| Report::open(path).map_err(|error| Failure::creating(path, &error));
        let report = service.report.as_ref().map(open).transpose()?;
        let policies = RwLock::new(Arc::new(policies_of(filter)));
        Ok(Arc::new(Self { policies, metrics, report, addresses: service.log_addresses }))
    }

    /// The options for the next message.
    pub fn policies(&self) -> Arc<Policies> {
        Arc::clone(&self.policies.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Logs what became of a message, reports it, and counts it.
    pub fn record(&self, link: &Link, record: &Record) {
        self.metrics.count(record);
        log::message(link, record, self.addresses);
        if let Some(Err(error)) = self.report.as_ref().map(|report| {
            let from = Origin { connection: link.number(), peer: link.stream().place() };
            report.add(from, record, self.addresses)
        }) {
            error!(%error, "the report lacks a message");
        }
    }

    /// Counts a connection.
    pub fn connected(&self) {
        self.metrics.connected();
    }

    /// Counts a client that is turned away.
    pub fn turned_away(&self, why: Refusal) {
        self.metrics.turned_away(why.as_str());
    }

    /// Logs why a connection has ended early, and counts it.
    pub fn ended(&self, link: &Link, error: &io::Error, what: &str) {
        self.metrics.ended(log::reason(error));
        log::ended(link, error, what);
    }

    /// Logs what the next hop has failed in, and counts it.
    pub fn next_hop_failed(&self, link: &Link, next: &[Endpoint], error: &io::Error, what: &str) {
        self.metrics.next_hop_failed();
        log::next_hop_failed(link, next, error, what);
    }

    /// Uses other options, if they are valid, from the next message on.
    pub fn reload(&self) {
        match Cli::filter_again() {
            Ok(args) => {
                let policies = Arc::new(policies_of(&args));
                *self.policies.write().unwrap_or_else(PoisonError::into_inner) = policies;
                info!("options read again");
            }
            Err(error) => error!(%error, "the options are wrong: those of before stay in force"),
        }
        if let Some(Err(error)) = self.report.as_ref().map(Report::reopen) {
            error!(%error, "the report cannot be opened again");
        }
    }
}

fn policies_of(args: &FilterArgs) -> Policies {
    rules::policies(Filter::from(args), &args.rules, &args.local_domain)
}

/// Prints what `--check-config` asks for: nothing if there is no message to explain.
///
/// # Errors
/// A message that is not described as it has to be.
pub fn check(filter: &FilterArgs, service: &ServiceArgs) -> Result<Exit, Failure> {
    let policies = policies_of(filter);
    for text in &service.explain {
        let message: Described = text.parse().map_err(Failure::usage)?;
        let chosen = policies.of(&message.facts());
        let rule = chosen.rule.as_deref().map_or("no rule".to_owned(), |rule| format!("rule {rule}"));
        let what = match () {
            () if chosen.skip => "passes as it is",
            () if chosen.dry_run => "passes as it is, and is reported (dry run)",
            () => "is mended",
        };
        println!("{text}: {rule}: {what}; {}", chosen.described());
    }
    Ok(Exit::Done)
}

/// The sockets to listen on.
///
/// # Errors
/// No socket is named; one cannot be listened on.
pub fn listeners(places: &[Endpoint], service: &ServiceArgs) -> Result<Vec<Listener>, Failure> {
    let bind = |place: &Endpoint| {
        Listener::bind(place, service.socket_mode)
            .map_err(|error| Failure::creating(Path::new(&place.to_string()), &error))
    };
    match places {
        [] => Err(Failure::usage("--listen is missing")),
        places => places.iter().map(bind).collect(),
    }
}

impl From<&FilterArgs> for Filter {
    fn from(args: &FilterArgs) -> Self {
        Self {
            normalizer: args.normalizer(),
            form: args.form.words(),
            max_message: args.max_message,
            max_output: args.max_output.unwrap_or(u64::MAX),
            on_too_large: args.on_too_large.into(),
            on_error: args.on_error.into(),
            header_report: args.header_report.clone(),
            only: match args.only {
                OnlyChoice::OneReading => Only::OneReading,
                OnlyChoice::Unsafe => Only::Unsafe,
            },
            carries: MailPath {
                eight_bit: !args.carries.is_empty(),
                smtputf8: args.carries.contains(&ExtensionChoice::SmtpUtf8),
            },
            on: args.on.iter().map(|&(code, choice)| (code, choice.into())).collect(),
            dry_run: args.dry_run,
            skip: args.skip,
            rule: None,
        }
    }
}

impl From<ActionChoice> for Action {
    fn from(choice: ActionChoice) -> Self {
        match choice {
            ActionChoice::Fix => Self::Fix,
            ActionChoice::Leave => Self::Leave,
            ActionChoice::Reject => Self::Reject,
            ActionChoice::Quarantine => Self::Quarantine,
            ActionChoice::Tag => Self::Tag,
        }
    }
}

impl From<FailureChoice> for OnFailure {
    fn from(choice: FailureChoice) -> Self {
        match choice {
            FailureChoice::Accept => Self::Accept,
            FailureChoice::Reject => Self::Reject,
            FailureChoice::TempFail => Self::TempFail,
            FailureChoice::Quarantine => Self::Quarantine,
        }
    }
}

impl From<&ServiceArgs> for Admission {
    fn from(args: &ServiceArgs) -> Self {
        Self {
            allow: args.allow.clone(),
            max_connections: args.max_connections,
            max_of_one: args.max_per_client.unwrap_or(args.max_connections),
            timeout: args.timeout,
        }
    }
}

/// The result of a service that has ended.
pub fn ended(served: io::Result<()>) -> Result<Exit, Failure> {
    match served {
        Ok(()) => Ok(Exit::Done),
        Err(error) => Err(Failure::try_again(error.to_string())),
    }
}
