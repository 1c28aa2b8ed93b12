//! Tables, batch after batch.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator};

use super::column::Buffers;
use super::row::{Mode, Table, Unread, Wanted};
use super::source::{DialectOption, Found, Item, Mail, Mails, Outage, Reading, cuts, too_long};
use crate::normalize::Normalizer;
use crate::octets::Octets;

/// A batch ends after this many messages, or this many octets of them: it stays in the processor's cache, and far below
/// the limit of its offsets.
const BATCH_ROWS: usize = 1000;
const BATCH_OCTETS: usize = 4 << 20;

/// The longest message: its output has to fit into an offset of 32 bits.
const MAX_OCTETS: usize = 512 << 20;

/// For `sevenbit.lake`: reads the messages of files, and returns a batch of rows at a time, as the buffers of its columns.
#[pyclass(module = "sevenbit", name = "_Rows")]
pub struct Rows {
    wanted: Wanted,
    reading: Reading,
    items: Py<PyIterator>,
    /// Whether places that cannot be read are left out.
    ignore_errors: bool,
    /// The current file.
    open: Option<Open>,
    ended: bool,
}

/// A file that is being read.
struct Open {
    path: String,
    /// Its remaining messages. Python may ask for these from any thread, one at a time.
    mails: Mutex<Mails>,
    outage: Outage,
}

#[pymethods]
impl Rows {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    #[pyo3(signature = (items, columns, normalizer, *, dialect, most_octets, dates, mode, ignore_errors))]
    fn new(
        items: &Bound<'_, PyAny>,
        columns: Vec<String>,
        normalizer: &Bound<'_, Normalizer>,
        dialect: DialectOption,
        most_octets: usize,
        dates: Option<(i64, i64)>,
        mode: Mode,
        ignore_errors: bool,
    ) -> PyResult<Self> {
        let wanted = Wanted::new(&columns, normalizer.get().0.clone(), dates, mode)?;
        let reading = Reading {
            dialect: dialect.0,
            most_octets: most_octets.min(MAX_OCTETS),
            keeps_others: wanted.wants_others(),
        };
        Ok(Self {
            wanted,
            reading,
            items: items.try_iter()?.unbind(),
            ignore_errors,
            open: None,
            ended: false,
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<(usize, Vec<Buffers>)>> {
        let table = py.detach(|| self.batch())?;
        Ok((table.rows > 0).then(|| (table.rows, table.into_buffers(py))))
    }
}

impl Rows {
    /// The next rows; none at the end.
    fn batch(&mut self) -> PyResult<Table> {
        let mut table = self.wanted.table();
        while table.rows < BATCH_ROWS && table.octets < BATCH_OCTETS && !self.ended {
            let Some(Open { path, mails, outage }) = &mut self.open else {
                self.open_next(&mut table)?;
                continue;
            };
            let found = mails.get_mut().unwrap_or_else(PoisonError::into_inner).next();
            if let Some(error) = outage.take() {
                self.open = None;
                return Err(error.into());
            }
            match found {
                Some(Ok(Found::Other(other))) => {
                    self.wanted.push_other(&mut table, path, &other)?
                }
                Some(Ok(Found::Mail(mail))) if mail.is_whole => {
                    self.wanted.push(&mut table, path, &mail)?
                }
                Some(Ok(Found::Mail(mail))) => {
                    let error = too_long(self.reading.most_octets);
                    let unread =
                        Unread { offset: mail.offset, error: &error, beginning: Some(&mail) };
                    self.wanted.push_unread(&mut table, path, &unread)?;
                }
                Some(Err(place)) if !self.ignore_errors => {
                    let unread =
                        Unread { offset: place.offset, error: &place.error, beginning: None };
                    self.wanted.push_unread(&mut table, path, &unread)?;
                }
                Some(Err(_)) => {}
                None => self.open = None,
            }
        }
        Ok(table)
    }

    /// Opens the next file that Python names.
    fn open_next(&mut self, table: &mut Table) -> PyResult<()> {
        let item = Python::attach(|py| {
            let next = self.items.bind(py).clone().next();
            next.map(|next| next.and_then(|next| next.extract::<Item>())).transpose()
        });
        let Some(item) = item? else {
            self.ended = true;
            return Ok(());
        };
        let (path, outage) = (item.path.clone(), Outage::default());
        let found = item.mails(self.reading, &outage);
        if let Some(error) = outage.take() {
            return Err(error.into());
        }
        match found {
            Ok(mails) => self.open = Some(Open { path, mails: Mutex::new(mails), outage }),
            Err(_) if self.ignore_errors => {}
            Err(error) => {
                let unread = Unread { offset: 0, error: &error.to_string(), beginning: None };
                self.wanted.push_unread(table, &path, &unread)?;
            }
        }
        Ok(())
    }
}

/// For `sevenbit.lake`: the columns of messages that are one after the other in one buffer, as Arrow has them; `ends`
/// says where each begins and the last ends, as 64-bit numbers.
#[pyfunction(name = "_columns_of")]
pub fn columns_of(
    py: Python<'_>,
    octets: Octets,
    ends: Octets,
    columns: Vec<String>,
    normalizer: &Bound<'_, Normalizer>,
) -> PyResult<Vec<Buffers>> {
    let wanted = Wanted::new(&columns, normalizer.get().0.clone(), None, Mode::Permissive)?;
    let (octets, ends) = (octets.as_slice(), ends.as_slice());
    let table = py.detach(|| {
        let mut table = wanted.table();
        let (ends, _) = ends.as_chunks::<8>();
        let ends: Vec<usize> = ends.iter().map(|end| i64::from_le_bytes(*end) as usize).collect();
        for range in ends.windows(2) {
            let message = octets.get(range[0]..range[1]).unwrap_or_default();
            if message.len() <= MAX_OCTETS {
                wanted.push(&mut table, "", &Mail::of(message))?;
            } else {
                let unread = Unread { offset: 0, error: &too_long(MAX_OCTETS), beginning: None };
                wanted.push_unread(&mut table, "", &unread)?;
            }
            if let Some(full) = table.full_column() {
                let why = format!(
                    "column '{}' has 2 GiB or more: give fewer messages at a time",
                    columns[full]
                );
                return Err(PyValueError::new_err(why));
            }
        }
        Ok::<_, PyErr>(table)
    })?;
    Ok(table.into_buffers(py))
}

/// For `sevenbit.spark`: a message in the form of an mbox file, mboxrd.
#[pyfunction(name = "_quote_mbox")]
pub fn quote_mbox<'py>(py: Python<'py>, message: Octets) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &sevenbit::mbox::quote(message.as_slice()))
}

/// For `sevenbit.lake`: where a packed mailbox on the disk can be cut into ranges of about `step` unpacked octets. Of each cut
/// the unpacked octet, and where the piece that is read for it begins, packed and unpacked.
#[pyfunction(name = "_cuts_of")]
pub fn cuts_of(py: Python<'_>, path: PathBuf, step: u64) -> PyResult<Vec<(u64, u64, u64)>> {
    let found = py.detach(|| cuts(File::open(&path)?, &path, step.max(1)))?;
    Ok(found.into_iter().map(|(cut, piece)| (cut, piece.packed, piece.unpacked)).collect())
}
