//! Messages out of files of Outlook.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;

use sevenbit_outlook::pst::Found as Stored;
use sevenbit_outlook::{Fault, Message, Store};

use super::source::{Damage, Found, Mail, Mails};

/// The message in a file of Outlook as mail, and what of it could not be read.
pub fn message(file: &[u8]) -> Result<(Vec<u8>, Option<String>), String> {
    let message = Message::read_msg(file).map_err(|why| format!("cannot be read: {why}"))?;
    Ok((message.compose().into_octets(), faults_of(&message.faults)))
}

/// For `sevenbit.lake`: how many messages a store has. They are not read for that.
#[pyfunction(name = "_messages_in")]
pub fn messages_in(py: Python<'_>, path: PathBuf) -> PyResult<u64> {
    py.detach(|| {
        let store = Store::open(File::open(path)?).map_err(io::Error::other)?;
        Ok(store.into_messages().pass(u64::MAX))
    })
}

/// The messages of a store, folder by folder, that are in a range of all, counted from 0. The offset of a message is the
/// number of its node.
pub fn messages(
    file: impl Read + Seek + Send + Sync + 'static,
    range: Range<u64>,
    most_octets: usize,
) -> Result<Mails, String> {
    let store = Store::open(file).map_err(|error| error.to_string())?;
    let code_page = store.code_page();
    // They belong to the first range.
    let damaged: Vec<_> = store
        .damaged_folders()
        .iter()
        .filter(|_| range.start == 0)
        .map(|(node, error)| Err(Damage { offset: u64::from(*node), error: error.to_string() }))
        .collect();
    let mut messages = store.into_messages();
    messages.pass(range.start);
    let most = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
    let mails = messages.take(most).map(move |Stored { folder, node, message }| {
        let offset = u64::from(node);
        let folder: Arc<str> = folder.safe_path(code_page).display().to_string().into();
        let message =
            message.map_err(|error| Damage { offset, error: format!("{folder}: {error}") })?;
        let mut octets = message.compose().into_octets();
        let is_whole = octets.len() <= most_octets;
        octets.truncate(most_octets);
        let error = faults_of(&message.faults);
        let octets = Cow::Owned(octets);
        Ok(Found::Mail(Mail {
            offset,
            octets,
            is_whole,
            folder: Some(folder),
            error,
            ..Mail::default()
        }))
    });
    Ok(Box::new(damaged.into_iter().chain(mails)))
}

/// What could not be read of a message, in words.
pub fn faults_of(faults: &[Fault]) -> Option<String> {
    let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    (!faults.is_empty()).then(|| format!("is not read whole: {}", faults.join("; ")))
}
