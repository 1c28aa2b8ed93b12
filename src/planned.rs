//! The operations common to all plans of a message, wherever it is.

use std::io::{self, Read, Seek, Write};

use crate::{AbridgedPlan, Edit, Plan, Report};

/// A plan of a message: a [`Plan`], whose message is in memory, or an [`AbridgedPlan`], whose
/// message is in a file. For code that takes either. No other type can implement it, so that
/// methods can be added.
///
/// ```
/// use std::io::{self, Cursor, Write};
/// use sevenbit::{Abridged, Normalizer, Planned};
///
/// fn write(plan: &mut dyn Planned, output: &mut dyn Write) -> io::Result<u64> {
///     if plan.report().is_changed() {
///         eprintln!("{} edits", plan.edits().count());
///     }
///     plan.write_to(output)
/// }
///
/// let (normalizer, mail) = (Normalizer::new(), "Subject: caf\u{e9}\r\n\r\nhi\r\n".as_bytes());
/// let (mut from_memory, mut from_file) = (Vec::new(), Vec::new());
/// write(&mut normalizer.plan(mail), &mut from_memory)?;
/// let mut message = Abridged::read(Cursor::new(mail))?;
/// write(&mut message.plan(&normalizer).expect("nothing was left out"), &mut from_file)?;
/// assert_eq!(from_memory, from_file);
/// # Ok::<(), io::Error>(())
/// ```
pub trait Planned: sealed::Sealed {
    /// Returns the edits of the original octets, ordered and disjoint: none if nothing changes.
    fn edits(&self) -> Box<dyn Iterator<Item = Edit<'_>> + '_>;

    /// Returns what was found.
    fn report(&self) -> &Report;

    /// Returns the charset labels of the message's leaves, in order; empty where there is none.
    fn charset_labels(&self) -> Box<dyn Iterator<Item = &str> + '_>;

    /// Writes the normalised message; returns the number of octets written.
    ///
    /// # Errors
    /// Those of `output`, and of the file that the message is in ([`AbridgedPlan::write_to`]).
    fn write_to(&mut self, output: &mut dyn Write) -> io::Result<u64>;

    /// Writes the normalised message with LF for each CR LF; returns the number of octets written.
    ///
    /// # Errors
    /// As for `write_to`.
    fn write_lf_to(&mut self, output: &mut dyn Write) -> io::Result<u64>;
}

mod sealed {
    pub trait Sealed {}
}

/// Each method is the one that the type has of its own.
macro_rules! planned {
    ($(($($bounds:tt)*) $name:ty,)+) => {$(
        impl $($bounds)* sealed::Sealed for $name {}

        impl $($bounds)* Planned for $name {
            fn edits(&self) -> Box<dyn Iterator<Item = Edit<'_>> + '_> {
                Box::new(<$name>::edits(self))
            }

            fn report(&self) -> &Report {
                <$name>::report(self)
            }

            fn charset_labels(&self) -> Box<dyn Iterator<Item = &str> + '_> {
                Box::new(<$name>::charset_labels(self))
            }

            fn write_to(&mut self, output: &mut dyn Write) -> io::Result<u64> {
                <$name>::write_to(self, output)
            }

            fn write_lf_to(&mut self, output: &mut dyn Write) -> io::Result<u64> {
                <$name>::write_lf_to(self, output)
            }
        }
    )+};
}

planned! {
    () Plan<'_>,
    (<R: Read + Seek>) AbridgedPlan<'_, R>,
}
