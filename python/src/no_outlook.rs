//! Files of Outlook, in a build without the feature `outlook`: refused by name.

use pyo3::exceptions::PyNotImplementedError;
use pyo3::prelude::*;

/// Why nothing of Outlook is read.
pub const REASON: &str =
    "this build of sevenbit has no support for files of Outlook (feature `outlook`)";

/// Opens a file of Outlook: a NotImplementedError in this build.
#[pyfunction]
pub fn read_outlook(file: &Bound<'_, PyAny>) -> PyResult<()> {
    let _ = file;
    Err(PyNotImplementedError::new_err(REASON))
}

/// The messages of a store of Outlook, of which there are none in this build.
#[pyclass(module = "sevenbit", frozen)]
pub struct OutlookMessages;
