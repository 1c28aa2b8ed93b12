//! Python strings from units of two octets, which it only copies.
//!
//! The function for that, `PyUnicode_FromKindAndData`, is documented and exported since Python 3.3 without a change, but not
//! part of the stable interface, which this module is built for so that one wheel serves every Python. So it is looked up
//! when first needed, and callers have another way if it is not available.
#![expect(unsafe_code, reason = "a function that is found at run time is called by its address")]

use std::ffi::{c_int, c_void};

use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

type FromKindAndData = unsafe extern "C" fn(c_int, *const c_void, Py_ssize_t) -> *mut PyObject;

/// `PyUnicode_2BYTE_KIND`.
const TWO_OCTETS: c_int = 2;

/// A string of these characters; nothing if there are surrogates, which would stay as they are, or no such function.
pub fn string<'py>(py: Python<'py>, units: &[u16]) -> Option<PyResult<Bound<'py, PyString>>> {
    static FUNCTION: PyOnceLock<Option<FromKindAndData>> = PyOnceLock::new();
    let function = (*FUNCTION.get_or_init(py, || find(py).ok()))?;
    let surrogates = units.iter().fold(false, |any, unit| any | (unit & 0xF800 == 0xD800));
    if surrogates {
        return None;
    }
    let length = units.len().try_into().ok()?;
    // SAFETY: the function is the one of that name, by the interpreter's own table of symbols. `py` says that the thread is
    // attached. It reads `length` units of two octets, which `units` has, and gives a new reference, or none with an error set.
    let made = unsafe {
        Bound::from_owned_ptr_or_err(py, function(TWO_OCTETS, units.as_ptr().cast(), length))
    };
    Some(made.and_then(|object| Ok(object.cast_into()?)))
}

/// Finds the function with `ctypes`, which knows where the interpreter's own functions are on every system.
fn find(py: Python<'_>) -> PyResult<FromKindAndData> {
    let ctypes = py.import("ctypes")?;
    let function = ctypes.getattr("pythonapi")?.getattr("PyUnicode_FromKindAndData")?;
    let address =
        ctypes.call_method1("cast", (function, ctypes.getattr("c_void_p")?))?.getattr("value")?;
    let address: usize = address.extract()?; // nothing for NULL, which is an error here
    // SAFETY: a function of that name has had this signature in every Python 3.
    Ok(unsafe {
        std::mem::transmute::<*const c_void, FromKindAndData>(std::ptr::with_exposed_provenance(
            address,
        ))
    })
}
