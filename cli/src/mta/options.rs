//! The options of a running filter: those of the command line, and those of `--config`, which
//! SIGHUP reads again.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustix::process::{Resource, getrlimit};
use tracing::{error, info, warn};

use super::filter::{Action, Fate, Filter, OnFailure, Only, Record, codes};
use super::gateway::History;
use super::http::Watched;
use super::metrics::{Metrics, OpenConnection};
use super::octets::{Octets, Path as MailPath};
use super::policy::Policies;
use super::report::{Origin, Report};
use super::rules::{self, Described};
use super::service::{Admission, Link, Listener, Refusal};
use super::{http, log};
use crate::args::{
    ActionChoice, AddressChoice, Cli, Endpoint, ExtensionChoice, FailureChoice, FilterArgs,
    OnlyChoice, ServiceArgs, is_of_messages,
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
    /// The settings of the file in force: names, and words.
    settings: Mutex<Vec<(String, String)>>,
}

impl Shared {
    /// Starts the log and the counters, which live as long as the process.
    ///
    /// # Errors
    /// The address for counters cannot be listened on; the report cannot be opened.
    pub fn start(
        filter: &FilterArgs,
        service: &ServiceArgs,
        console: &Console,
        watched: Watched,
    ) -> Result<Arc<Self>, Failure> {
        log::start(service.log, console.is_quiet());
        let metrics = Arc::new(Metrics::new());
        if let Some(address) = service.metrics {
            let place = address.to_string();
            let served = http::serve(address, Arc::clone(&metrics), watched);
            served.map_err(|error| Failure::creating(Path::new(&place), &error))?;
        }
        for option in &service.overruled {
            warn!(option, "overruled by the command line");
        }
        let open =
            |path: &PathBuf| Report::open(path).map_err(|error| Failure::creating(path, &error));
        let report = service.report.as_ref().map(open).transpose()?;
        let policies = policies_of(filter).recording_headers(report.is_some());
        let policies = RwLock::new(Arc::new(policies));
        let settings = Mutex::new(service.settings.clone());
        Ok(Arc::new(Self { policies, metrics, report, addresses: service.log_addresses, settings }))
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

    /// Counts a connection, which is open as long as the result lives.
    pub fn connected(&self) -> OpenConnection<'_> {
        self.metrics.connected()
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

    /// Counts a connection to a next hop that a conversation uses.
    pub fn next_hop_connected(&self, history: History) {
        self.metrics.next_hop_connected(match history {
            History::New => "new",
            History::Kept { .. } => "kept",
        });
    }

    /// Uses other options, if they are valid, from the next message on, and says of each that has
    /// changed whether it is in force.
    pub fn reload(&self) {
        match Cli::filter_again() {
            Ok((args, settings)) => {
                let policies =
                    Arc::new(policies_of(&args).recording_headers(self.report.is_some()));
                *self.policies.write().unwrap_or_else(PoisonError::into_inner) = policies;
                self.tell_changes(settings);
                self.metrics.reloaded(true);
                info!("options read again");
            }
            Err(error) => {
                self.metrics.reloaded(false);
                error!(%error, "the options are wrong: those of before stay in force");
            }
        }
        if let Some(Err(error)) = self.report.as_ref().map(Report::reopen) {
            error!(%error, "the report cannot be opened again");
        }
    }
}

impl Shared {
    /// Logs which settings of the file have changed, and keeps those that are in force now.
    fn tell_changes(&self, now: Vec<(String, String)>) {
        let mut settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        let words = |settings: &[(String, String)], name: &str| {
            let of_name = settings.iter().filter(|(of, _)| of == name);
            of_name.map(|(_, word)| word.clone()).collect::<Vec<_>>()
        };
        let names: BTreeSet<String> =
            settings.iter().chain(&now).map(|(name, _)| name.clone()).collect();
        for option in names {
            if words(&settings, &option) == words(&now, &option) {
                continue;
            }
            if is_of_messages(&option) {
                info!(option, "changed, and in force");
                settings.retain(|(name, _)| *name != option);
                settings.extend(now.iter().filter(|(name, _)| *name == option).cloned());
            } else {
                warn!(option, "changed, and not in force: it needs a restart");
            }
        }
    }

    /// Logs that the file of tokens cannot be read again.
    #[cfg(feature = "hooks")]
    pub fn tokens_failed(&self, path: &Path, error: &io::Error) {
        self.metrics.reloaded(false);
        error!(%error, file = %path.display(), "the tokens of before stay in force");
    }

    /// Logs that a certificate cannot be read again, or why it will not serve.
    pub fn certificate_failed(&self, error: &str) {
        self.metrics.reloaded(false);
        error!(error, "the certificate of before stays in force");
    }
}

/// Warns if the system lets this process open fewer files than its connections may need.
pub fn check_open_files(service: &ServiceArgs, files_of_each: usize) {
    // Those of listeners, of the log and of the report are among these.
    const OTHERS: usize = 32;
    let needed = service.max_connections.saturating_mul(files_of_each).saturating_add(OTHERS);
    let Some(limit) = getrlimit(Resource::Nofile).current else { return };
    if limit < needed as u64 {
        let carried =
            usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(OTHERS) / files_of_each;
        warn!(
            nofile = limit,
            needed,
            max_connections = service.max_connections,
            "the limit of open files carries {carried} connections: raise it (LimitNOFILE=), or lower --max-connections"
        );
    }
}

fn policies_of(args: &FilterArgs) -> Policies {
    rules::policies(Filter::from(args), &args.rules, &args.local_domain)
}

/// Says that the configuration is right, and prints what becomes of the messages to explain.
///
/// # Errors
/// A message that is not described as it has to be.
pub fn check(
    filter: &FilterArgs,
    service: &ServiceArgs,
    console: &Console,
) -> Result<Exit, Failure> {
    if service.explain.is_empty() {
        console.say("the configuration is right");
    }
    let policies = policies_of(filter);
    for text in &service.explain {
        let message: Described = text.parse().map_err(Failure::usage)?;
        let chosen = policies.of(&message.facts());
        let rule =
            chosen.rule.as_deref().map_or("no rule".to_owned(), |rule| format!("rule {rule}"));
        let what = if chosen.skip {
            "passes as it is"
        } else if chosen.dry_run {
            "passes as it is, and is reported (dry run)"
        } else if message.octets().is_some() {
            "is judged by what is in it"
        } else {
            "is mended"
        };
        println!("{text}: {rule}: {what}; {}", chosen.described());
        if let Some(octets) = message.octets()
            && !chosen.skip
        {
            println!("{}", explained(&chosen, octets));
        }
    }
    Ok(Exit::Done)
}

/// Returns what becomes of a message: each code that is found, with what `on` and `only` say of it,
/// and the decision.
fn explained(filter: &Filter, octets: &[u8]) -> String {
    let plan = filter.normalizer.plan(octets);
    let codes = codes(plan.report());
    let found =
        codes.iter().map(|&code| format!("{code} ({:?})", filter.action(code)).to_lowercase());
    let found = found.collect::<Vec<_>>().join(", ");

    let facts = || {
        let mut facts = Octets::default();
        io::Write::write_all(&mut facts, octets).ok().map(|()| Cow::Owned(facts))
    };
    let fate = filter.judged(Fate::of(plan.report()), plan.report(), &codes, filter.carries, facts);
    let refusal = (fate == Fate::Rejected).then(|| filter.refusal(plan.report(), octets));
    let reply = refusal.map_or(String::new(), |refusal| format!(", {refusal}"));
    let found = if found.is_empty() { "nothing" } else { &found };
    format!("  {}{reply}; found: {found}", fate.as_str())
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
            reject_texts: args.reject_text.clone(),
            own_fields: Vec::new(),
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
