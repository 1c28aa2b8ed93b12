//! A plan by header fields: for milters and other filters that change a message field by field.

use std::ffi::c_void;

use library::{FieldChange, Plan, PlannedField};

use crate::SevenbitStatus;
use crate::guard::{free, get, guard, lend, make, put};
use crate::issue::{Issues, SevenbitIssue};
use crate::kept::Kept;
use crate::options::{SevenbitOptions, normalizer};
use crate::stream::{SevenbitWrite, write_through};
use crate::text::{SevenbitOctets, octets};
use crate::{SEVENBIT_ERROR_ABSENT, SEVENBIT_ERROR_NULL_ARGUMENT};

/// The field stays.
pub const SEVENBIT_FIELD_KEPT: u32 = 0;
/// Its value changes.
pub const SEVENBIT_FIELD_NEW_VALUE: u32 = 1;
/// A field of another name replaces it.
pub const SEVENBIT_FIELD_NEW_NAME: u32 = 2;
/// It is dropped.
pub const SEVENBIT_FIELD_DROPPED: u32 = 3;
/// Several fields replace it.
pub const SEVENBIT_FIELD_SPLIT: u32 = 4;
/// It is new: it is inserted after the one before it in the list.
pub const SEVENBIT_FIELD_INSERTED: u32 = 5;

/// The changes planned for a message.
pub struct SevenbitPlan {
    plan: Plan<'static>,
    fields: Kept<SevenbitField>,
    /// The fields that are written in place of each field.
    written: Vec<Vec<Written>>,
    issues: Issues,
    body: Option<Vec<u8>>,
}

/// A field that is written in place of another.
struct Written {
    name: Vec<u8>,
    value: Vec<u8>,
}

/// A field of the message's own header, as it is and what it becomes. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitField {
    /// The name in the input; empty if the field is inserted, and for a line that is not a field.
    pub name: SevenbitOctets,
    /// From 1 among the fields of that name, ignoring case, as milters count; 0 if it is inserted, or not a field.
    pub number: usize,
    /// SEVENBIT_FIELD_...
    pub change: u32,
    /// Its first octet in the input.
    pub start: usize,
    /// The octet after its last one.
    pub end: usize,
    /// How many fields are written in its place: 0 if it is dropped, more than 1 if it is split.
    pub written: usize,
}

impl SevenbitPlan {
    fn new(plan: Plan<'static>) -> Self {
        let planned = plan.header_fields();
        let written: Vec<_> = planned.iter().map(written).collect();
        let fields =
            Kept::new(planned.iter().zip(&written), |(field, written), texts| SevenbitField {
                name: texts.octets(field.name()),
                number: field.number().unwrap_or(0),
                change: number_of(field.change()),
                start: field.span().start,
                end: field.span().end,
                written: written.len(),
            });
        let issues = plan.report().issues().to_vec().into();
        Self { fields, written, issues, body: None, plan }
    }
}

fn written(field: &PlannedField<'_>) -> Vec<Written> {
    let new = field.written();
    new.map(|new| Written { name: new.name().to_vec(), value: new.value().to_vec() }).collect()
}

fn number_of(change: FieldChange) -> u32 {
    match change {
        FieldChange::NewValue => SEVENBIT_FIELD_NEW_VALUE,
        FieldChange::NewName => SEVENBIT_FIELD_NEW_NAME,
        FieldChange::Dropped => SEVENBIT_FIELD_DROPPED,
        FieldChange::Split => SEVENBIT_FIELD_SPLIT,
        FieldChange::Inserted => SEVENBIT_FIELD_INSERTED,
        _ => SEVENBIT_FIELD_KEPT,
    }
}

/// Decides what must change in the message of `length` octets, and changes nothing.
///
/// The plan borrows the octets: keep them, unchanged, until sevenbit_plan_free.
///
/// # Safety
/// As for sevenbit_normalize.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_plan_new(
    message: *const u8,
    length: usize,
    options: *const SevenbitOptions,
    plan: *mut *mut SevenbitPlan,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above; the header requires the octets to outlive the plan, so they may be called static in it.
        let (message, normalizer) = unsafe { (octets(message, length)?, normalizer(options)?) };
        Ok(SevenbitPlan::new(normalizer.plan(message)))
    };
    // SAFETY: as above.
    unsafe { make(plan, work) }
}

/// Whether the message is already in its normal form; false for NULL.
///
/// # Safety
/// `plan` is a plan or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_is_clean(plan: *const SevenbitPlan) -> bool {
    // SAFETY: as above.
    unsafe { get(plan) }
        .is_ok_and(|plan| !plan.plan.report().is_changed() && !plan.plan.report().is_refused())
}

/// Whether the message is to be left as it was for the sake of a signature; false for NULL.
///
/// # Safety
/// `plan` is a plan or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_is_refused(plan: *const SevenbitPlan) -> bool {
    // SAFETY: as above.
    unsafe { get(plan) }.is_ok_and(|plan| plan.plan.report().is_refused())
}

/// How many fields sevenbit_plan_field can return; 0 for NULL.
///
/// # Safety
/// `plan` is a plan or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_field_count(plan: *const SevenbitPlan) -> usize {
    // SAFETY: as above.
    unsafe { get(plan) }.map_or(0, |plan| plan.fields.len())
}

/// The field at that place, from 0, in the order of the new header; dropped ones keep their places.
///
/// A filter that counts fields by name makes its changes and removals from the last to the first, then its insertions
/// from the first to the last. NULL if there is none at that place.
///
/// # Safety
/// `plan` is a plan or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_field(
    plan: *const SevenbitPlan,
    place: usize,
) -> *const SevenbitField {
    // SAFETY: as above.
    lend(|| unsafe { get(plan) }?.fields.get(place).ok_or(SEVENBIT_ERROR_ABSENT))
}

/// The field that replaces the one at `place`; of several, the one with that `number`, from 0. `name`
/// and `value` may be NULL if they are not wanted. The value has its folds (CR LF) and the white space after the colon,
/// but no line end.
///
/// # Safety
/// `plan` is a plan; `name` and `value` may be written to, or are NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_written(
    plan: *const SevenbitPlan,
    place: usize,
    number: usize,
    name: *mut SevenbitOctets,
    value: *mut SevenbitOctets,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let plan = unsafe { get(plan) }?;
        let written =
            plan.written.get(place).and_then(|all| all.get(number)).ok_or(SEVENBIT_ERROR_ABSENT)?;
        for (to, octets) in [(name, &written.name), (value, &written.value)] {
            if !to.is_null() {
                // SAFETY: as above.
                unsafe { put(to, octets.as_slice().into()) }?;
            }
        }
        Ok(())
    })
}

/// Whether anything after the header changes; false for NULL.
///
/// # Safety
/// `plan` is a plan or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_changes_body(plan: *const SevenbitPlan) -> bool {
    // SAFETY: as above.
    unsafe { get(plan) }.is_ok_and(|plan| plan.plan.changes_body())
}

/// The new body: everything after the header and its empty line. It is made at the first call, which is why the plan
/// is not const.
///
/// # Safety
/// `plan` is a plan that no other thread uses, `body` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_body(
    plan: *mut SevenbitPlan,
    body: *mut SevenbitOctets,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let SevenbitPlan { plan, body: made, .. } =
            unsafe { plan.as_mut() }.ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)?;
        let octets = made.get_or_insert_with(|| {
            let mut octets = Vec::new();
            plan.write_body_to(&mut octets).expect("writing to memory does not fail");
            octets
        });
        // SAFETY: as above.
        unsafe { put(body, octets.as_slice().into()) }
    })
}

/// How many issues were found; 0 for NULL.
///
/// # Safety
/// `plan` is a plan or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_issue_count(plan: *const SevenbitPlan) -> usize {
    // SAFETY: as above.
    unsafe { get(plan) }.map_or(0, |plan| plan.issues.len())
}

/// The issue of that number, from 0; NULL if there is none.
///
/// # Safety
/// `plan` is a plan or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_issue(
    plan: *const SevenbitPlan,
    number: usize,
) -> *const SevenbitIssue {
    // SAFETY: as above.
    lend(|| unsafe { get(plan) }?.issues.at(number))
}

/// Passes the whole normalised message to `write` in pieces; SEVENBIT_ERROR_WRITE if that returns false.
///
/// # Safety
/// `plan` is a plan; `write` may be called with `context`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_plan_write(
    plan: *const SevenbitPlan,
    write: SevenbitWrite,
    context: *mut c_void,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let plan = unsafe { get(plan) }?;
        write_through(write, context, |output| plan.plan.write_to(output))
    })
}

/// Frees a plan.
///
/// # Safety
/// `plan` is a plan that was not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_plan_free(plan: *mut SevenbitPlan) {
    // SAFETY: as above.
    unsafe { free(plan) };
}
