//! `sevenbit milter`, and what it has in common with `sevenbit gateway` and `sevenbit hooks`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use ipnet::IpNet;
use sevenbit::{Code, Normalizer};

use super::Endpoint;
use super::rules::{ActionChoice, When, on_code, reject_text};
use super::{LimitArgs, TransportForm};

/// Make mail 7-bit safe as a milter of Postfix or Sendmail
///
/// The mail server shows each message to the milter and is told which fields change, and the new
/// body; of a clean message, nothing. `sevenbit pages config milter` prints a commented configuration
/// file, `--print-postfix` the commands for Postfix. docs/mta.md has the set-up of other servers, and
/// says where a gateway serves better.
#[derive(Args, Debug)]
#[command(args_override_self = true, subcommand_negates_reqs = true, after_help = MILTER_EXAMPLES)]
pub struct Milter {
    /// The command that takes the place of running.
    #[command(subcommand)]
    pub command: Option<FilterCommand>,

    /// The socket to listen on: unix:PATH, inet:HOST:PORT, or systemd for one that systemd hands
    /// over; repeatable
    #[arg(long, value_name = "SOCKET", required_unless_present_any = ["config", "print_postfix"])]
    pub listen: Vec<Endpoint>,

    /// Print the commands that make Postfix use this milter, and end; with --dry-run, those for a
    /// trial
    #[arg(long)]
    pub print_postfix: bool,

    /// What is done to messages.
    #[command(flatten)]
    pub filter: FilterArgs,

    /// How it runs.
    #[command(flatten)]
    pub service: ServiceArgs,
}

/// The commands that take the place of running a filter: the same for each of them.
#[derive(Debug, Subcommand)]
pub enum FilterCommand {
    /// Sum up a file of --report: how many messages changed or would change, why, and who sent them
    Report {
        /// The file, of a milter or a gateway
        file: PathBuf,
    },
    /// Ask a running milter, gateway or hooks whether mail can go on from it; the exit status is 75
    /// if not. Health checks of containers use it
    Health {
        /// The address of its --metrics, as 127.0.0.1:9191
        address: SocketAddr,
    },
}

/// What is done to messages.
#[derive(Args, Clone, Debug)]
pub struct FilterArgs {
    /// How messages are written.
    #[command(flatten)]
    pub form: TransportForm,

    /// Add a header field of this name that lists the codes of what was found
    #[arg(long, value_name = "NAME", value_parser = field_name, help_heading = "Normal form")]
    pub header_report: Option<String>,

    /// The action on messages in which a code was found: fix, leave, reject, quarantine or tag, as
    /// duplicate-field=reject. `sevenbit pages codes` lists the codes; repeatable
    #[arg(long, value_name = "CODE=ACTION", value_parser = on_code)]
    pub on: Vec<(Code, ActionChoice)>,

    /// The text of the answer `554 5.6.0` to a message that is rejected for a code; repeatable
    #[arg(long, value_name = "CODE=TEXT", value_parser = reject_text)]
    pub reject_text: Vec<(Code, String)>,

    /// The content that is mended in messages
    #[arg(long, value_name = "WORD", default_value = "one-reading")]
    pub only: OnlyChoice,

    /// An SMTP extension that all servers after a milter or hooks offer; repeatable. What these carry
    /// stays as it is, unless something else has to be mended. A gateway hears it from its next hop
    #[arg(long, value_name = "EXTENSION")]
    pub carries: Vec<ExtensionChoice>,

    /// Let all messages pass as they are; only log, count and report what would become of them
    #[arg(long, num_args = 0..=1, require_equals = true, value_name = "BOOL", hide_possible_values = true,
        default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub dry_run: bool,

    /// Let messages pass as they are, and do not look at them (in a rule)
    #[arg(long, num_args = 0..=1, require_equals = true, hide = true,
        default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub skip: bool,

    /// A domain whose mail is received here; rules about incoming and outgoing mail use it;
    /// repeatable
    #[arg(long, value_name = "DOMAIN")]
    pub local_domain: Vec<String>,

    /// The rules of the configuration file.
    #[arg(skip)]
    pub rules: Vec<RuleArgs>,

    /// What becomes of a message that cannot be processed because of a defect in sevenbit
    #[arg(long, value_name = "POLICY", default_value = "tempfail")]
    pub on_error: FailureChoice,

    /// What becomes of a message that is longer than --max-message, or would become longer than
    /// --max-output
    #[arg(long, value_name = "POLICY", default_value = "reject")]
    pub on_too_large: FailureChoice,

    /// The longest message that is processed, in octets; --on-too-large says what becomes of others
    #[arg(long, value_name = "OCTETS", default_value = "64M", value_parser = octets, help_heading = "Limits")]
    pub max_message: u64,

    /// The longest message that the server after this one takes, in octets (Postfix:
    /// message_size_limit). A gateway hears it from its next hop
    #[arg(long, value_name = "OCTETS", value_parser = octets, help_heading = "Limits")]
    pub max_output: Option<u64>,

    /// Bounds on what is parsed.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// How a filter runs.
#[derive(Args, Clone, Debug)]
pub struct ServiceArgs {
    /// A file of options and rules, in TOML. On SIGHUP the options about messages are read again
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    pub config: Option<PathBuf>,

    /// Say whether the options are right, and end
    #[arg(long, help_heading = "Service")]
    pub check_config: bool,

    /// With --check-config: say which rule applies to a message, described as 'client=192.0.2.1
    /// from=a@example.org rcpt=b@example.org login'. With 'message=FILE' at the end, also say what
    /// becomes of that message; repeatable
    #[arg(long, value_name = "MESSAGE", requires = "check_config", help_heading = "Service")]
    pub explain: Vec<String>,

    /// The file to which a line of JSON is added for each message; `sevenbit milter report FILE` sums
    /// it up, also one of a gateway or of hooks
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    pub report: Option<PathBuf>,

    /// Options of the file that the command line overrules.
    #[arg(skip)]
    pub overruled: Vec<String>,

    /// The settings of the file that are in force: names, and words.
    #[arg(skip)]
    pub settings: Vec<(String, String)>,

    /// A network that may connect, as 192.0.2.0/24; repeatable [default: only this machine]
    #[arg(long, value_name = "NETWORK", help_heading = "Service")]
    pub allow: Vec<IpNet>,

    /// The mode of the Unix sockets that are made for --listen
    #[arg(long, value_name = "OCTAL", default_value = "660", value_parser = mode, help_heading = "Service")]
    pub socket_mode: u32,

    /// The maximum number of connections at a time
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Service")]
    pub max_connections: usize,

    /// The maximum number of connections from one address [default: that of --max-connections]
    #[arg(long, value_name = "N", help_heading = "Service")]
    pub max_per_client: Option<usize>,

    /// The octets of messages that all connections together hold in memory
    #[arg(long, value_name = "OCTETS", default_value = "512M", value_parser = octets, help_heading = "Limits")]
    pub memory_total: u64,

    /// The seconds that a message may take, from its beginning to the answer
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = seconds, help_heading = "Service")]
    pub message_timeout: Duration,

    /// The seconds that a connection may be silent, or take for one command. Mail servers keep one
    /// open for as long as their own client stays
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = seconds, help_heading = "Service")]
    pub timeout: Duration,

    /// The address that answers HTTP requests for /metrics, /healthz and /readyz, as 127.0.0.1:9191
    #[arg(long, value_name = "ADDRESS", help_heading = "Service")]
    pub metrics: Option<SocketAddr>,

    /// The form of the log, which has a line for each message, on standard error
    #[arg(long, value_name = "FORM", default_value = "text", help_heading = "Service")]
    pub log: LogFormat,

    /// The form of senders and recipients in the log and in --report, and of the Message-ID in
    /// --report, which has subjects only with `plain`
    #[arg(long, value_name = "FORM", default_value = "plain", help_heading = "Service")]
    pub log_addresses: AddressChoice,
}

/// `--only`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum OnlyChoice {
    /// Content that is not 7-bit safe, or that readers take in different ways
    OneReading,
    /// Content that the servers after this one cannot carry; every other message stays as it is
    Unsafe,
}

/// `--carries`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExtensionChoice {
    /// Octets above 7F in bodies
    #[value(name = "8bitmime")]
    EightBitMime,
    /// UTF-8 in header fields and addresses, if the client says SMTPUTF8; octets above 7F in bodies
    /// too
    #[value(name = "smtputf8")]
    SmtpUtf8,
}

/// `--log`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// An object a line
    Json,
}

/// `--log-addresses`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum AddressChoice {
    /// As they are
    Plain,
    /// The first 16 digits of the SHA-256 of each, in lower case: who knows an address can find it
    Hash,
    /// Not at all
    None,
}

/// `--on-error` and `--on-too-large`.
#[derive(Clone, Copy, Debug)]
pub enum FailureChoice {
    /// It passes as it is.
    Accept,
    /// Its sender is told that it does not pass.
    Reject,
    /// Its sender is to try again.
    TempFail,
    /// The mail server puts it aside.
    Quarantine,
}

impl ValueEnum for FailureChoice {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Accept, Self::Reject, Self::TempFail, Self::Quarantine]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let (word, help) = match self {
            Self::Accept => ("accept", "It passes as it is"),
            Self::Reject => ("reject", "It is refused for good (5xx)"),
            Self::TempFail => ("tempfail", "It is refused for now (4xx): its sender tries again"),
            Self::Quarantine => {
                let help = "The mail server puts it aside (milter, hooks of the draft); as tempfail (gateway, Stalwart)";
                ("quarantine", help)
            }
        };
        Some(clap::builder::PossibleValue::new(word).help(help))
    }
}

/// A rule of the configuration file.
#[derive(Clone, Debug)]
pub struct RuleArgs {
    /// Its name.
    pub name: Option<String>,
    /// What has to be so.
    pub when: When,
    /// What is done then.
    pub filter: FilterArgs,
}

impl FilterArgs {
    /// The library's normaliser with these options.
    pub fn normalizer(&self) -> Normalizer {
        self.form.normalizer().limits(self.limits.into())
    }
}

/// `64M`: a number of octets, or of 1,024 of them and so on.
pub(super) fn octets(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, unit)) if unit.is_ascii_alphabetic() => (&text[..at], unit.to_ascii_uppercase()),
        _ => (text, ' '),
    };
    let shift = match unit {
        ' ' => 0,
        'K' => 10,
        'M' => 20,
        'G' => 30,
        _ => return Err("expected a number, or one with K, M or G".to_owned()),
    };
    let number: u64 =
        number.parse().map_err(|_| "expected a number, or one with K, M or G".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too many octets".to_owned())
}

fn mode(text: &str) -> Result<u32, String> {
    match u32::from_str_radix(text, 8) {
        Ok(mode) if mode <= 0o777 => Ok(mode),
        _ => Err("expected an octal mode, as 660".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 1..) => Ok(Duration::from_secs(seconds)),
        _ => Err("expected a number of seconds from 1".to_owned()),
    }
}

/// `field-name = 1*ftext` (RFC 5322, 3.6.8).
pub(super) fn field_name(text: &str) -> Result<String, String> {
    let is_ftext = |octet: u8| octet.is_ascii_graphic() && octet != b':';
    if !text.is_empty() && text.bytes().all(is_ftext) {
        Ok(text.to_owned())
    } else {
        Err("expected the name of a header field".to_owned())
    }
}

const MILTER_EXAMPLES: &str = "\
Examples:
  For Postfix (smtpd_milters = unix:/run/sevenbit/milter.sock):
    sevenbit milter --listen unix:/run/sevenbit/milter.sock
  With counters for Prometheus, and a log in JSON:
    sevenbit milter --listen inet:127.0.0.1:8895 --metrics 127.0.0.1:9191 --log json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_have_units() {
        assert_eq!(octets("12"), Ok(12));
        assert_eq!(octets("8k"), Ok(8192));
        assert_eq!(octets("64M"), Ok(64 << 20));
        for wrong in ["", "M", "1T", "-1", "1.5M", "99999999999G", "é"] {
            assert!(octets(wrong).is_err(), "{wrong}");
        }
    }
}
