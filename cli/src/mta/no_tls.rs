//! Encryption in a command that was built without the feature `tls`: there is none.

use std::io::{self, Read, Write};
use std::time::Duration;

use crate::args::Gateway;

/// How a connection may be encrypted: not at all.
#[derive(Clone, Debug)]
pub enum Offer {}

/// A connection that is encrypted.
pub enum Session {}

/// The encryption offered to the two sides of a gateway: none.
#[derive(Debug)]
pub struct Offers;

impl Offers {
    /// Those of the options.
    ///
    /// # Errors
    /// None.
    pub fn of(_: &Gateway) -> Result<Self, String> {
        Ok(Self)
    }

    /// For a client.
    pub fn for_client(&self) -> Option<Offer> {
        None
    }

    /// For a next hop, by its number.
    pub fn for_next(&self, _: usize) -> Option<Offer> {
        None
    }

    /// Reads the files again.
    ///
    /// # Errors
    /// None.
    pub fn reload(&self) -> Result<(), String> {
        Ok(())
    }
}

impl Offers {
    /// None: there is no certificate.
    pub fn expiry(&self) -> Option<i64> {
        None
    }

    /// There is nothing to be wrong.
    ///
    /// # Errors
    /// None.
    pub fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

impl Offer {
    /// Does not happen.
    pub fn start(&self, _: &mut (impl Read + Write), _: Duration) -> io::Result<Session> {
        match *self {}
    }
}

impl Session {
    /// Does not happen.
    pub fn read(
        &mut self,
        _: &mut (impl Read + Write),
        _: &mut [u8],
        _: Duration,
    ) -> io::Result<usize> {
        match *self {}
    }

    /// Does not happen.
    pub fn write(&mut self, _: &mut (impl Read + Write), _: &[u8]) -> io::Result<usize> {
        match *self {}
    }

    /// Does not happen.
    pub fn close(&mut self, _: &mut (impl Read + Write)) {
        match *self {}
    }
}
