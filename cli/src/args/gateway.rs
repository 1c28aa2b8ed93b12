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
/// The next hop answers each command and the end of each message, so that the gateway itself is
/// responsible for no mail. It asks the next hop for SMTPUTF8 and 8BITMIME only if an address needs
/// them. `sevenbit pages config gateway` prints a commented configuration file; docs/mta.md has the
/// set-up of mail servers.
#[derive(Args, Debug)]
#[command(args_override_self = true, subcommand_negates_reqs = true, after_help = GATEWAY_EXAMPLES)]
pub struct Gateway {
    /// The command that takes the place of running.
    #[command(subcommand)]
    pub command: Option<FilterCommand>,

    /// The socket to listen on: HOST:PORT, unix:PATH, or systemd for one that systemd hands over;
    /// repeatable
    #[arg(long, value_name = "SOCKET", required_unless_present = "config")]
    pub listen: Vec<Endpoint>,

    /// The next hop, a server that mail goes on to: HOST:PORT or unix:PATH; repeatable: each is used
    /// while those before it cannot be reached
    #[arg(long, value_name = "SOCKET", required_unless_present = "config", value_parser = next_hop)]
    pub next: Vec<Endpoint>,

    /// A network of proxies (HAProxy, load balancers). Their connections begin with a PROXY header,
    /// v1 or v2, which has the address of the client; repeatable
    #[arg(long, value_name = "NETWORK")]
    pub proxy_from: Vec<IpNet>,

    /// A network of mail servers that may say who their client is (XFORWARD, XCLIENT); repeatable
    /// [default: only this machine]
    #[arg(long, value_name = "NETWORK")]
    pub trust: Vec<IpNet>,

    /// Tell the next hop the address of each client that is not in --trust, by XCLIENT. The next hop,
    /// which has to offer that, then treats the client as its own
    #[arg(long)]
    pub xclient: bool,

    /// The name of the gateway in its greeting. It differs from those of the mail servers around it: a
    /// server that is greeted with its own name sees a loop
    #[arg(long, default_value = "sevenbit.localhost", value_parser = domain)]
    pub name: String,

    /// Start also with a wide --allow, --trust or --proxy-from and a next hop on this machine. That
    /// sees the gateway's address, and has to refuse relaying for it (docs/mta.md)
    #[arg(long)]
    pub i_know: bool,

    /// How connections are encrypted.
    #[cfg(feature = "tls")]
    #[command(flatten)]
    pub tls: TlsArgs,

    /// The longest message that is held in memory, in octets; a longer one goes to a temporary file
    #[arg(long, value_name = "OCTETS", default_value = "12M", value_parser = octets, help_heading = "Limits")]
    pub memory: u64,

    /// The directory of temporary files [default: that of the system]
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub temporary: Option<PathBuf>,

    /// The connections to each next hop that stay open for another client, a few seconds long; 0 for
    /// none
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
    /// The certificate with which STARTTLS is offered to clients: a PEM file with its chain, read
    /// again on SIGHUP
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    pub tls_certificate: Option<PathBuf>,

    /// The private key of the certificate, a PEM file
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    pub tls_key: Option<PathBuf>,

    /// Whether connections to the next hop are encrypted (STARTTLS). If they are to be, no mail goes
    /// on to one that does not offer it
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
    /// They are not: for a next hop on this machine
    None,
    /// They are, with any certificate
    Encrypt,
    /// They are, with a certificate for the name in --next, issued by an authority of --next-ca
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
