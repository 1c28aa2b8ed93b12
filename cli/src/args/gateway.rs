//! `sevenbit gateway`.

use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "tls")]
use clap::ValueEnum;
use ipnet::IpNet;

use super::Endpoint;
use super::filters::{FilterArgs, FilterCommand, ServiceArgs, octets};

/// Make mail 7-bit safe as an SMTP or LMTP server in front of another one
///
/// Each command is answered by the next hop, and so is the end of each message: nothing is accepted
/// here. The next hop is no longer asked for SMTPUTF8 and 8BITMIME unless an address needs it.
/// `sevenbit pages config gateway` prints a commented configuration file; docs/mta.md has the set-up
/// of mail servers.
#[derive(Args, Debug)]
#[command(args_override_self = true, subcommand_negates_reqs = true, after_help = GATEWAY_EXAMPLES)]
pub struct Gateway {
    /// What to do instead of running.
    #[command(subcommand)]
    pub command: Option<FilterCommand>,

    /// Where to listen: HOST:PORT, unix:PATH, or systemd for the socket that it hands over;
    /// repeatable
    #[arg(long, value_name = "SOCKET", required_unless_present = "config")]
    pub listen: Vec<Endpoint>,

    /// The server that mail goes on to: HOST:PORT or unix:PATH; repeatable, for when those before
    /// cannot be reached
    #[arg(long, value_name = "SOCKET", required_unless_present = "config", value_parser = next_hop)]
    pub next: Vec<Endpoint>,

    /// Proxies (HAProxy, load balancers): their connections begin with a PROXY header, v1 or v2,
    /// that says whose they are; repeatable
    #[arg(long, value_name = "NETWORK")]
    pub proxy_from: Vec<IpNet>,

    /// Mail servers that are believed who their client is (XFORWARD, XCLIENT); loopback only if not
    /// said; repeatable
    #[arg(long, value_name = "NETWORK")]
    pub trust: Vec<IpNet>,

    /// Have the next hop treat a client that is not in --trust as its own: tell it the address by
    /// XCLIENT, which it has to offer
    #[arg(long)]
    pub xclient: bool,

    /// The name in the greeting; not that of a mail server beside it, which would take the gateway
    /// for itself
    #[arg(long, default_value = "sevenbit.localhost", value_parser = domain)]
    pub name: String,

    /// Start although everyone in a wide --allow may send through a next hop on this machine, which
    /// sees the gateway's address
    #[arg(long)]
    pub i_know: bool,

    /// How connections are encrypted.
    #[cfg(feature = "tls")]
    #[command(flatten)]
    pub tls: TlsArgs,

    /// How many octets of a message are held in memory; a longer one goes to a temporary file
    #[arg(long, value_name = "OCTETS", default_value = "8M", value_parser = octets, help_heading = "Limits")]
    pub memory: u64,

    /// Where temporary files are
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub temporary: Option<PathBuf>,

    /// Connections to each next hop that wait for another client, a few seconds long; 0 for none
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Limits")]
    pub keep_connections: usize,

    /// What is done to messages.
    #[command(flatten)]
    pub filter: FilterArgs,

    /// How it runs.
    #[command(flatten)]
    pub service: ServiceArgs,
}

/// How the connections of a gateway are encrypted.
#[cfg(feature = "tls")]
#[derive(Args, Clone, Debug)]
pub struct TlsArgs {
    /// Offer STARTTLS to clients, with this certificate: a PEM file with its chain; SIGHUP reads it
    /// again
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    pub tls_certificate: Option<PathBuf>,

    /// The private key of the certificate, a PEM file
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    pub tls_key: Option<PathBuf>,

    /// Whether connections to the next hop are encrypted (STARTTLS); nothing goes on to one that
    /// does not
    #[arg(long, value_name = "POLICY", default_value = "none", help_heading = "Encryption")]
    pub next_tls: NextTls,

    /// The authorities that may have issued the next hop's certificate: a PEM file
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    pub next_ca: Option<PathBuf>,
}

/// `--next-tls`.
#[cfg(feature = "tls")]
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum NextTls {
    /// Not: for one on this machine
    None,
    /// Yes, with any certificate
    Encrypt,
    /// Yes, with a certificate for the name in --next, by an authority of --next-ca
    Verify,
}

/// The server that mail is sent on to: systemd cannot pass it in.
fn next_hop(text: &str) -> Result<Endpoint, String> {
    match text.parse() {
        Ok(Endpoint::Systemd) | Err(_) => Err("expected HOST:PORT or unix:PATH".to_owned()),
        endpoint => endpoint,
    }
}

fn domain(text: &str) -> Result<String, String> {
    let is_part = |octet: u8| octet.is_ascii_alphanumeric() || b"-.[]:".contains(&octet);
    if !text.is_empty() && text.bytes().all(is_part) {
        Ok(text.to_owned())
    } else {
        Err("expected the name of a host".to_owned())
    }
}

const GATEWAY_EXAMPLES: &str = "\
Examples:
  After the queue of Postfix (content_filter = smtp:[127.0.0.1]:10025):
    sevenbit gateway --listen 127.0.0.1:10025 --next 127.0.0.1:10026
  LMTP in and LMTP out, in front of Dovecot:
    sevenbit gateway --listen unix:/run/sevenbit/lmtp --next unix:/run/dovecot/lmtp";
