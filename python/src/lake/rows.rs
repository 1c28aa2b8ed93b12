//! Tables, batch after batch.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator};

use super::column::Buffers;
use super::row::{Table, Wanted};
use super::source::{DialectOption, Item, Mails, Reading};
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
    /// The current file: its path, and its remaining messages.
    open: Option<(String, Mails)>,
    ended: bool,
}

#[pymethods]
impl Rows {
    #[new]
    #[pyo3(signature = (items, columns, normalizer, *, dialect, most_octets, dates))]
    fn new(
        items: &Bound<'_, PyAny>,
        columns: Vec<String>,
        normalizer: &Bound<'_, Normalizer>,
        dialect: DialectOption,
        most_octets: usize,
        dates: Option<(i64, i64)>,
    ) -> PyResult<Self> {
        let reading = Reading { dialect: dialect.0, most_octets: most_octets.min(MAX_OCTETS) };
        let wanted = Wanted::new(&columns, normalizer.get().0.clone(), dates)?;
        Ok(Self { wanted, reading, items: items.try_iter()?.unbind(), open: None, ended: false })
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
            match &mut self.open {
                Some((path, mails)) => match mails.next() {
                    Some(Ok(mail)) if mail.is_whole => {
                        self.wanted.push(&mut table, path, mail.offset, &mail.octets);
                    }
                    Some(Ok(mail)) => {
                        let error = too_long(self.reading.most_octets);
                        self.wanted.push_error(&mut table, path, mail.offset, &error, Some(&mail.octets));
                    }
                    Some(Err(error)) => {
                        // Nothing can be read after it: the file ends here, and says why.
                        self.wanted.push_error(&mut table, path, 0, &error.to_string(), None);
                        self.open = None;
                    }
                    None => self.open = None,
                },
                None => self.open_next(&mut table)?,
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
        let path = item.path.clone();
        match item.mails(self.reading) {
            Ok(mails) => self.open = Some((path, mails)),
            Err(error) => self.wanted.push_error(table, &path, 0, &error.to_string(), None),
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
    let wanted = Wanted::new(&columns, normalizer.get().0.clone(), None)?;
    let (octets, ends) = (octets.as_slice(), ends.as_slice());
    let table = py.detach(|| {
        let mut table = wanted.table();
        let (ends, _) = ends.as_chunks::<8>();
        let ends: Vec<usize> = ends.iter().map(|end| i64::from_le_bytes(*end) as usize).collect();
        for range in ends.windows(2) {
            let message = octets.get(range[0]..range[1]).unwrap_or_default();
            if message.len() <= MAX_OCTETS {
                wanted.push(&mut table, "", 0, message);
            } else {
                wanted.push_error(&mut table, "", 0, &too_long(MAX_OCTETS), None);
            }
        }
        table
    });
    Ok(table.into_buffers(py))
}

fn too_long(most: usize) -> String {
    format!("longer than {most} octets")
}

/// For `sevenbit.spark`: a message in the form of an mbox file, mboxrd.
#[pyfunction(name = "_quote_mbox")]
pub fn quote_mbox<'py>(py: Python<'py>, message: Octets) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &sevenbit::mbox::quote(message.as_slice()))
}
