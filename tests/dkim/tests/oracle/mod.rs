//! mail-auth with one key, the public one of RFC 8463 (appendix A), and a resolver that is never
//! used.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Instant;

use mail_auth::arc::ArcSealer;
use mail_auth::crypto::Ed25519Key;
use mail_auth::dkim::{Canonicalization, DkimSigner, DomainKey, VerifySignature};
use mail_auth::dns::{NoCache, TxtRecordParser};
use mail_auth::headers::HeaderWriter;
use mail_auth::hickory_resolver::config::{ResolverConfig, ResolverOpts};
use mail_auth::{
    AuthenticatedMessage, AuthenticationResults, DkimResult, DnsCache, MessageAuthenticator, Parameters,
    ResolverCache, TxtRecord,
};
use tokio::runtime::Runtime;

const SEED: &str = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
const PUBLIC: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
const RECORD: &str = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
pub const DOMAIN: &str = "signer.example";

/// How a message is signed.
#[derive(Clone, Copy)]
pub struct Scheme {
    pub header: Canonicalization,
    pub body: Canonicalization,
    pub length: bool,
    /// The fields that are signed; one named twice is signed as absent the second time.
    pub fields: &'static [&'static str],
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}, {} fields", name(self.header), name(self.body), self.fields.len())?;
        f.write_str(if self.length { ", l=" } else { "" })
    }
}

/// Every name has the same key.
struct Keys;

impl ResolverCache<Box<str>, TxtRecord> for Keys {
    fn get<Q>(&self, _: &Q) -> Option<TxtRecord>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let key = DomainKey::parse(RECORD.as_bytes());
        Some(TxtRecord::DomainKey(Arc::new(key.expect("a key record"))))
    }

    fn remove<Q>(&self, _: &Q) -> Option<TxtRecord>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        None
    }

    fn insert(&self, _: Box<str>, _: TxtRecord, _: Instant) {}
}

impl DnsCache for Keys {
    type Txt = Keys;
    type Mx = NoCache;
    type Ipv4 = NoCache;
    type Ipv6 = NoCache;
    type Ptr = NoCache;

    fn txt(&self) -> Option<&Keys> {
        Some(&Keys)
    }

    fn mx(&self) -> Option<&NoCache> {
        None
    }

    fn ipv4(&self) -> Option<&NoCache> {
        None
    }

    fn ipv6(&self) -> Option<&NoCache> {
        None
    }

    fn ptr(&self) -> Option<&NoCache> {
        None
    }
}

/// Signs and verifies.
pub struct Oracle {
    runtime: Runtime,
    authenticator: MessageAuthenticator,
}

impl Oracle {
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let nowhere = ResolverConfig::from_parts(None, Vec::new(), Vec::new());
        let authenticator = runtime.block_on(async {
            MessageAuthenticator::new(nowhere, ResolverOpts::default()).expect("an authenticator")
        });
        Self { runtime, authenticator }
    }

    /// The DKIM-Signature field of a message, with its line end.
    pub fn sign(&self, message: &[u8], scheme: Scheme) -> Option<Vec<u8>> {
        let signer = DkimSigner::from_key(key())
            .domain(DOMAIN)
            .selector("s")
            .headers(scheme.fields.iter().copied())
            .body_length(scheme.length)
            .header_canonicalization(scheme.header)
            .body_canonicalization(scheme.body);
        Some(signer.sign(message).ok()?.to_header().into_bytes())
    }

    /// The fields of an ARC set around a message.
    pub fn seal(&self, message: &[u8], scheme: Scheme) -> Option<Vec<u8>> {
        let parsed = AuthenticatedMessage::parse_with_opts(message, None, false)?;
        let before =
            self.runtime.block_on(self.authenticator.verify_arc(Parameters::new(&parsed).with_cache(&Keys)));
        let results = AuthenticationResults::new("mx.example");
        let sealer = ArcSealer::from_key(key())
            .domain(DOMAIN)
            .selector("s")
            .headers(scheme.fields.iter().copied())
            .body_length(scheme.length)
            .header_canonicalization(scheme.header)
            .body_canonicalization(scheme.body);
        Some(sealer.seal(&parsed, &results, &before).ok()?.to_header().into_bytes())
    }

    /// Whether the signature of [`DOMAIN`] verifies.
    pub fn verifies(&self, message: &[u8]) -> bool {
        let Some(parsed) = AuthenticatedMessage::parse_with_opts(message, None, false) else { return false };
        let verify = self.authenticator.verify_dkim(Parameters::new(&parsed).with_cache(&Keys));
        let ours = |output: &&mail_auth::DkimOutput<'_>| {
            output.signature().is_some_and(|signature| signature.domain() == DOMAIN)
        };
        self.runtime
            .block_on(verify)
            .iter()
            .find(ours)
            .is_some_and(|output| *output.result() == DkimResult::Pass)
    }

    /// Whether the chain of ARC sets verifies.
    pub fn chain_verifies(&self, message: &[u8]) -> bool {
        let Some(parsed) = AuthenticatedMessage::parse_with_opts(message, None, false) else { return false };
        let verify = self.authenticator.verify_arc(Parameters::new(&parsed).with_cache(&Keys));
        *self.runtime.block_on(verify).result() == DkimResult::Pass
    }
}

fn key() -> Ed25519Key {
    Ed25519Key::from_seed_and_public_key(&octets(SEED), &octets(PUBLIC)).expect("the key of RFC 8463")
}

fn octets(hex: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(digits).collect()
}

fn name(form: Canonicalization) -> &'static str {
    match form {
        Canonicalization::Relaxed => "relaxed",
        Canonicalization::Simple => "simple",
    }
}
