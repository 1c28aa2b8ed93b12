//! Many messages: the lock is released once per batch, not once per message.

use std::vec::IntoIter;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};

use crate::normalize::{Done, Normalized, Normalizer, done};
use crate::octets::{Mail, Octets};
use crate::options::Limits;
use crate::reading::ReadAs;

/// How many octets are taken together: few enough for the processor's cache, enough that the lock does not count.
const BATCH_OCTETS: usize = 256 << 10;
const BATCH_MESSAGES: usize = 256;

/// An iterator over messages in their normal form.
#[pyclass(module = "sevenbit", name = "_Many")]
pub struct Many {
    normalizer: sevenbit::Normalizer,
    messages: Py<PyIterator>,
    ready: IntoIter<(Octets, Done)>,
    /// The exception with which the messages ended, to be raised after the results before it.
    failed: Option<PyErr>,
    ended: bool,
}

impl Many {
    /// The normal forms of `messages`, which is any iterable of buffers.
    ///
    /// # Errors
    /// A TypeError if it is not iterable.
    pub fn new(normalizer: sevenbit::Normalizer, messages: &Bound<'_, PyAny>) -> PyResult<Self> {
        let messages = messages.try_iter()?.unbind();
        Ok(Self { normalizer, messages, ready: Vec::new().into_iter(), failed: None, ended: false })
    }

    /// Takes the next messages and processes them.
    fn fill(&mut self, py: Python<'_>) {
        let batch = self.take(py);
        let normalizer = &self.normalizer;
        let work = || {
            let each = |message: Octets| {
                let done = done(normalizer, message.as_slice());
                (message, done)
            };
            batch.into_iter().map(each).collect::<Vec<_>>()
        };
        self.ready = py.detach(work).into_iter();
    }

    fn take(&mut self, py: Python<'_>) -> Vec<Octets> {
        let (mut batch, mut octets) = (Vec::new(), 0);
        let mut messages = self.messages.bind(py).clone();
        while octets < BATCH_OCTETS && batch.len() < BATCH_MESSAGES {
            match messages.next().map(|next| next.and_then(|next| message_of(&next))) {
                Some(Ok(message)) => {
                    octets += message.as_slice().len();
                    batch.push(message);
                }
                Some(Err(error)) => {
                    (self.failed, self.ended) = (Some(error), true);
                    break;
                }
                None => {
                    self.ended = true;
                    break;
                }
            }
        }
        batch
    }
}

/// An item of the iterable as a message.
fn message_of(item: &Bound<'_, PyAny>) -> PyResult<Octets> {
    let message = Mail::of(item, "messages")?;
    message.warn_of_mbox(item.py())?;
    Ok(message.0)
}

#[pymethods]
impl Many {
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        slf.clone()
    }

    fn __next__(slf: &Bound<'_, Self>) -> PyResult<Option<Normalized>> {
        let py = slf.py();
        let mut many = slf.try_borrow_mut().map_err(|_| {
            PyRuntimeError::new_err(
                "another thread is taking from this iterator: share the messages out instead, \
                 and call normalize_many in each thread",
            )
        })?;
        loop {
            if let Some((message, (octets, report))) = many.ready.next() {
                return Normalized::new(py, message, octets, report).map(Some);
            }
            if many.ended {
                return many.failed.take().map_or(Ok(None), Err);
            }
            many.fill(py);
        }
    }
}

/// Many messages in their normal form, in order, produced on demand; the options are those of `normalize`.
///
/// Up to a quarter of a megabyte of messages is taken from the iterable and processed together: faster than one by one, and
/// other threads run meanwhile.
///
/// >>> [done.changed for done in normalize_many([b"A: b\r\n\r\n", b"A: \xc3\xa9\r\n\r\n"])]
/// [False, True]
#[pyfunction]
#[pyo3(signature = (messages, *, limits = None, read_as = None, **options))]
pub fn normalize_many(
    messages: &Bound<'_, PyAny>,
    limits: Option<&Bound<'_, Limits>>,
    read_as: Option<ReadAs>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Many> {
    Many::new(Normalizer::of("normalize_many", limits, read_as, options)?.0, messages)
}
