//! The options of a running filter: those of the command line, and those of `--config`, which SIGHUP reads again.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use tracing::{error, info};

use super::filter::{Filter, OnFailure, Record};
use super::log;
use super::metrics::Metrics;
use super::service::Admission;
use crate::args::{FailureChoice, FilterArgs, ServiceArgs};
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// What the connections of a filter share.
#[derive(Debug)]
pub struct Shared {
    filter: RwLock<Arc<Filter>>,
    metrics: Arc<Metrics>,
}

impl Shared {
    /// Starts the log and the counters, which live as long as the process.
    ///
    /// # Errors
    /// The address for counters cannot be listened on.
    pub fn start(
        filter: &FilterArgs,
        service: &ServiceArgs,
        console: &Console,
    ) -> Result<Arc<Self>, Failure> {
        log::start(service.log, console.is_quiet());
        let metrics = Arc::new(Metrics::new());
        if let Some(address) = service.metrics {
            let place = address.to_string();
            metrics.serve(address).map_err(|error| Failure::creating(Path::new(&place), &error))?;
        }
        Ok(Arc::new(Self { filter: RwLock::new(Arc::new(Filter::from(filter))), metrics }))
    }

    /// The options for the next message.
    pub fn filter(&self) -> Arc<Filter> {
        Arc::clone(&self.filter.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Logs what became of a message, and counts it.
    pub fn record(&self, record: &Record) {
        self.metrics.count(record);
        log::message(record);
    }

    /// Uses other options, if they are valid, from the next message on.
    pub fn reload(&self, read: impl FnOnce() -> Result<FilterArgs, String>) {
        match read() {
            Ok(args) => {
                let filter = Arc::new(Filter::from(&args));
                *self.filter.write().unwrap_or_else(PoisonError::into_inner) = filter;
                info!("options read again");
            }
            Err(error) => error!(%error, "the options are wrong: those of before stay in force"),
        }
    }
}

impl From<&FilterArgs> for Filter {
    fn from(args: &FilterArgs) -> Self {
        Self {
            normalizer: args.normalizer(),
            max_message: args.max_message,
            on_error: args.on_error.into(),
            header_report: args.header_report.clone(),
        }
    }
}

impl From<FailureChoice> for OnFailure {
    fn from(choice: FailureChoice) -> Self {
        match choice {
            FailureChoice::Accept => Self::Accept,
            FailureChoice::TempFail => Self::TempFail,
            FailureChoice::Quarantine => Self::Quarantine,
        }
    }
}

impl From<&ServiceArgs> for Admission {
    fn from(args: &ServiceArgs) -> Self {
        Self { allow: args.allow.clone(), max_connections: args.max_connections, timeout: args.timeout }
    }
}

/// The result of a service that has ended.
pub fn ended(served: std::io::Result<()>) -> Result<Exit, Failure> {
    match served {
        Ok(()) => Ok(Exit::Done),
        Err(error) => Err(Failure::try_again(error.to_string())),
    }
}
