//! One call for the ordinary case: octets in, normalised octets and a report out.

use std::borrow::Cow;

use library::Report;

use crate::SevenbitStatus;
use crate::decoded::SevenbitBuffer;
use crate::guard::{free, get, guard, lend, make, put};
use crate::issue::{Issues, SevenbitIssue};
use crate::options::{SevenbitOptions, normalizer};
use crate::text::{SevenbitOctets, octets};

/// A message in its normal form, with the report.
pub struct SevenbitResult {
    octets: Cow<'static, [u8]>,
    issues: Issues,
}

/// Normalises the message of `length` octets. Any octets give a result.
///
/// The result borrows the octets: keep them, unchanged, until sevenbit_result_free.
///
/// # Safety
/// `message` points to `length` octets; `options` is NULL or was filled in by sevenbit_options_init; `result` may be
/// written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_normalize(
    message: *const u8,
    length: usize,
    options: *const SevenbitOptions,
    result: *mut *mut SevenbitResult,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above; the header requires the octets to outlive the result, so they may be called static in it.
        let (message, normalizer) = unsafe { (octets(message, length)?, normalizer(options)?) };
        let (octets, report) = normalizer.normalize(message).into_parts();
        Ok(SevenbitResult { octets, issues: report.into() })
    };
    // SAFETY: as above.
    unsafe { make(result, work) }
}

/// The octets of the normalised message: the input itself, if nothing changes.
///
/// # Safety
/// `result` is a result, `octets` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_result_octets(
    result: *const SevenbitResult,
    octets: *mut SevenbitOctets,
) -> SevenbitStatus {
    // SAFETY: as above.
    guard(|| unsafe { put(octets, get(result)?.octets.as_ref().into()) })
}

/// Whether the octets differ from the input; false for NULL.
///
/// # Safety
/// `result` is a result or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_result_changed(result: *const SevenbitResult) -> bool {
    // SAFETY: as above.
    unsafe { get(result) }
        .is_ok_and(|result| result.issues.report().is_some_and(Report::is_changed))
}

/// Whether the message is returned as it was for the sake of a signature (SEVENBIT_SIGNED_REFUSE); false for NULL.
///
/// # Safety
/// `result` is a result or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_result_refused(result: *const SevenbitResult) -> bool {
    // SAFETY: as above.
    unsafe { get(result) }
        .is_ok_and(|result| result.issues.report().is_some_and(Report::is_refused))
}

/// How many issues the report has; 0 for NULL.
///
/// # Safety
/// `result` is a result or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_result_issue_count(result: *const SevenbitResult) -> usize {
    // SAFETY: as above.
    unsafe { get(result) }.map_or(0, |result| result.issues.len())
}

/// The issue of that number, from 0; NULL if there is none.
///
/// # Safety
/// `result` is a result or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_result_issue(
    result: *const SevenbitResult,
    number: usize,
) -> *const SevenbitIssue {
    // SAFETY: as above.
    lend(|| unsafe { get(result) }?.issues.at(number))
}

/// The report as one line of JSON: `changed`, `refused`, and `issues`, each with `code`, `severity`, `rule`, `part`, `span` and
/// `detail`, as in `sevenbit normalize --report`.
///
/// # Safety
/// `result` is a result, `report` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_result_json(
    result: *const SevenbitResult,
    report: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let result = unsafe { get(result) }?;
        let json =
            serde_json::to_vec(&result.issues.report()).expect("a report has a form in JSON");
        Ok(SevenbitBuffer::new(json))
    };
    // SAFETY: as above.
    unsafe { make(report, work) }
}

/// Frees a result.
///
/// # Safety
/// `result` is a result that was not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_result_free(result: *mut SevenbitResult) {
    // SAFETY: as above.
    unsafe { free(result) };
}
