//! The certificates and keys that documents and packages name, for checks that read these files.

#[cfg(feature = "tls")]
use crate::tls::Certificate;

/// A certificate that stands for each one that is named.
pub struct NamedCertificates {
    #[cfg(feature = "tls")]
    certificate: Certificate,
}

impl NamedCertificates {
    /// Makes the files, in a build that reads them.
    pub fn new() -> Self {
        Self {
            #[cfg(feature = "tls")]
            certificate: Certificate::new("gateway.test"),
        }
    }

    /// Returns a text with these files in place of those that it names.
    #[cfg(feature = "tls")]
    pub fn put_into(&self, text: &str) -> String {
        const NAMED: [(&str, &str); 4] = [
            ("/etc/ssl/gateway.pem", "certificate"),
            ("/etc/ssl/private/gateway.key", "key"),
            ("/run/credentials/sevenbit-gateway.service/gateway.key", "key"),
            ("/etc/ssl/certs/ca-certificates.crt", "certificate"),
        ];
        NAMED.iter().fold(text.to_owned(), |text, (name, file)| {
            text.replace(name, &self.certificate.path(file))
        })
    }

    /// Returns the text: this build reads none of the files.
    #[cfg(not(feature = "tls"))]
    pub fn put_into(&self, text: &str) -> String {
        text.to_owned()
    }
}
