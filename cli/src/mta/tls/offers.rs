//! The encryption offered to the two sides of a gateway, as its options say.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, ServerConfig};

use super::Offer;
use super::unverified::Unverified;
use crate::args::{Endpoint, Gateway, NextTls, TlsArgs};

/// The offers to clients and to next hops.
#[derive(Debug)]
pub struct Offers {
    args: TlsArgs,
    client: RwLock<Option<Served>>,
    next: Vec<Option<Offer>>,
}

impl Offers {
    /// Those of the options.
    ///
    /// # Errors
    /// A file cannot be read, or holds no certificate or key; a next hop has no name that a
    /// certificate could have.
    pub fn of(args: &Gateway) -> Result<Self, String> {
        let client = RwLock::new(server(&args.tls)?);
        let config = client_config(&args.tls)?;
        let offer = |next: &Endpoint| match &config {
            Some(config) => name(next).map(|name| Some(Offer::Client(Arc::clone(config), name))),
            None => Ok(None),
        };
        let next = args.next.iter().map(offer).collect::<Result<_, String>>()?;
        Ok(Self { args: args.tls.clone(), client, next })
    }

    /// For a client.
    pub fn for_client(&self) -> Option<Offer> {
        self.client
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(|served| served.offer.clone())
    }

    /// For a next hop, by its number.
    pub fn for_next(&self, number: usize) -> Option<Offer> {
        self.next.get(number).cloned().flatten()
    }

    /// Reads certificate and key again: they are renewed every few months.
    ///
    /// # Errors
    /// As those of [`of`](Self::of); then the old ones stay.
    pub fn reload(&self) -> Result<(), String> {
        let client = server(&self.args)?;
        client.iter().try_for_each(|served| served.check(&self.args))?;
        *self.client.write().unwrap_or_else(PoisonError::into_inner) = client;
        Ok(())
    }
}

/// What clients are offered, and when its certificate expires, in seconds since 1970.
#[derive(Clone, Debug)]
struct Served {
    offer: Offer,
    expiry: i64,
}

impl Served {
    fn check(&self, args: &TlsArgs) -> Result<(), String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        if i64::try_from(now).is_ok_and(|now| now < self.expiry) {
            return Ok(());
        }
        let file = args.tls_certificate.as_deref().unwrap_or(Path::new("--tls-certificate"));
        Err(wrong(file, &"the certificate has expired"))
    }
}

impl Offers {
    /// When the certificate for clients expires, in seconds since 1970.
    pub fn expiry(&self) -> Option<i64> {
        self.client
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(|served| served.expiry)
    }

    /// Whether the certificate for clients is valid.
    ///
    /// # Errors
    /// It has expired.
    pub fn check(&self) -> Result<(), String> {
        let client = self.client.read().unwrap_or_else(PoisonError::into_inner);
        client.iter().try_for_each(|served| served.check(&self.args))
    }
}

fn expiry(file: &Path, chain: &[CertificateDer<'_>]) -> Result<i64, String> {
    let first = chain.first().ok_or_else(|| wrong(file, &"no certificate in it"))?;
    let (_, read) =
        x509_parser::parse_x509_certificate(first).map_err(|error| wrong(file, &error))?;
    Ok(read.validity().not_after.timestamp())
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

fn server(args: &TlsArgs) -> Result<Option<Served>, String> {
    let (certificate, key) = match (&args.tls_certificate, &args.tls_key) {
        (None, None) => return Ok(None),
        (Some(certificate), Some(key)) => (certificate, key),
        _ => return Err("--tls-certificate and --tls-key belong together".to_owned()),
    };
    let chain = certificates(certificate)?;
    let expiry = expiry(certificate, &chain)?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, &error))?;
    let config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, secret))
        .map_err(|error| wrong(certificate, &error))?;
    Ok(Some(Served { offer: Offer::Server(Arc::new(config)), expiry }))
}

fn client_config(args: &TlsArgs) -> Result<Option<Arc<ClientConfig>>, String> {
    let builder = || {
        ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())
    };
    let config = match args.next_tls {
        NextTls::None => return Ok(None),
        NextTls::Encrypt => {
            let verifier = Arc::new(Unverified(provider()));
            builder()?.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
        }
        NextTls::Verify => {
            let file = args.next_ca.as_deref().ok_or_else(|| {
                "--next-tls verify needs --next-ca, as /etc/ssl/certs/ca-certificates.crt"
                    .to_owned()
            })?;
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(certificates(file)?);
            if roots.is_empty() {
                return Err(wrong(file, &"no authority in it"));
            }
            builder()?.with_root_certificates(roots).with_no_client_auth()
        }
    };
    Ok(Some(Arc::new(config)))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    let found: Vec<_> = read.map_err(|error| wrong(file, &error))?;
    if found.is_empty() { Err(wrong(file, &"no certificate in it")) } else { Ok(found) }
}

/// The name that the certificate of a next hop has to have.
fn name(next: &Endpoint) -> Result<ServerName<'static>, String> {
    let host = match next {
        Endpoint::Inet(place) => {
            place.rsplit_once(':').map(|(host, _)| host.trim_matches(['[', ']']))
        }
        Endpoint::Unix(_) | Endpoint::Systemd => None,
    };
    let name = host.and_then(|host| ServerName::try_from(host.to_owned()).ok());
    name.ok_or_else(|| format!("--next-tls: {next} has no name that a certificate could have"))
}

fn wrong(file: &Path, why: &dyn std::fmt::Display) -> String {
    format!("{}: {why}", file.display())
}
