//! `import sevenbit`: the library as Python sees it. This crate does what only Rust can do; what Python can do well itself
//! (registering codecs, mailboxes, Spark) is in `lib/sevenbit`.
//!
//! 1. Messages come as any buffer. `bytes` are borrowed for as long as the work takes; other buffers are copied first,
//!    because other code may write to them meanwhile.
//! 2. Work that takes longer than taking the lock again runs without it ([`octets::unlocked`]).
//! 3. A panic would be a bug; it becomes an exception, never an abort.
#![deny(unsafe_code)] // but in `units`, which says why
#![deny(clippy::undocumented_unsafe_blocks)]

mod batch;
mod charset;
mod header;
mod issue;
mod lake;
mod message;
mod normalize;
mod octets;
mod options;
#[cfg_attr(not(feature = "outlook"), path = "no_outlook.rs")]
mod outlook;
mod part;
mod reading;
mod stream;
mod text;
mod units;
mod utf7;
mod view;

/// The contents of `sevenbit`; import that instead.
#[pyo3::pymodule(gil_used = false)]
mod _sevenbit {
    #[pymodule_export]
    use crate::batch::{Many, normalize_many};
    #[pymodule_export]
    use crate::charset::{Charset, Guess, detect, detect_all};
    #[pymodule_export]
    use crate::header::{
        decode_header, decode_mailbox_name, encode_header, encode_mailbox_name, repair_text,
    };
    #[pymodule_export]
    use crate::issue::Issue;
    #[pymodule_export]
    use crate::lake::{Rows, columns_of, cuts_in, cuts_of, index_of, messages_in, quote_mbox};
    #[pymodule_export]
    use crate::message::{Mailbox, Message, parse};
    #[pymodule_export]
    use crate::normalize::{Normalized, Normalizer, normalize};
    #[pymodule_export]
    use crate::octets::MailboxWarning;
    #[pymodule_export]
    use crate::options::Limits;
    #[pymodule_export]
    use crate::outlook::{OutlookMessages, read_outlook};
    #[pymodule_export]
    use crate::part::Part;
    #[pymodule_export]
    use crate::reading::{Reading, readings};
    #[pymodule_export]
    use crate::stream::{Decoder, Encoder};
    #[pymodule_export]
    use crate::utf7::{decode_utf7, encode_utf7};
    #[pymodule_export]
    use crate::view::{
        Attachment, AuthenticationResult, AuthenticationResults, Group, Hop, MailingList, Passage,
        Report, ReportedRecipient, base_subject, passages, safe_file_name, unpack_tnef,
    };

    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let words = sevenbit::Message::WORDS.iter().map(|word| word.name);
        module.add("_WORDS", PyTuple::new(module.py(), words)?)?;
        let options = sevenbit::Normalizer::OPTIONS
            .iter()
            .map(|option| (crate::options::in_python(option.name), crate::options::words(option)));
        module.add("_OPTIONS", PyTuple::new(module.py(), options.collect::<Vec<_>>())?)
    }
}
