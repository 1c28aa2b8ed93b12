//! Options as C has them: numbers in a struct that begins with its size, so that it may grow.

use std::ffi::c_char;

use library::{Limits, Normalizer};

use crate::charset::readable;
use crate::guard::guard;
use crate::text::text;
use crate::{
    NUL_TERMINATED, SEVENBIT_ERROR_ABSENT, SEVENBIT_ERROR_BAD_OPTIONS,
    SEVENBIT_ERROR_NULL_ARGUMENT, SevenbitStatus,
};

/// Every header and every inline text becomes US-ASCII or UTF-8: for archives, webmail stores, indexing.
pub const SEVENBIT_PROFILE_ARCHIVE: u32 = 0;
/// Only what is not 7-bit safe or is ambiguous changes: for mail transfer agents and filters.
pub const SEVENBIT_PROFILE_TRANSPORT: u32 = 1;

/// Signed content that is not 7-bit safe is made so; `signature-broken` is reported.
pub const SEVENBIT_SIGNED_BREAK: u32 = 0;
/// A message with signed content that is not 7-bit safe is returned as it was; `refused` is reported.
pub const SEVENBIT_SIGNED_REFUSE: u32 = 1;

/// Text is written in 7bit, quoted-printable or base64.
pub const SEVENBIT_TEXT_ENCODING_MIME: u32 = 0;
/// Text is also written in UTF-7, if that is shorter.
pub const SEVENBIT_TEXT_ENCODING_UTF7: u32 = 1;

/// Text that does not decode under its label keeps its octets and its label.
pub const SEVENBIT_UNDECODABLE_KEEP: u32 = 0;
/// U+FFFD is written for each ill-formed sequence, and reported as a loss.
pub const SEVENBIT_UNDECODABLE_REPLACE: u32 = 1;

/// Charset declarations inside HTML and XML follow the charset.
pub const SEVENBIT_MARKUP_REWRITE: u32 = 0;
/// Charset declarations inside HTML and XML stay.
pub const SEVENBIT_MARKUP_KEEP: u32 = 1;

/// In transport, 8-bit text without a label is labelled `unknown-8bit`.
pub const SEVENBIT_UNLABELLED_KEEP: u32 = 0;
/// In transport, 8-bit text without a label gets the label of the charset it is guessed to be in, if sure; the octets stay.
pub const SEVENBIT_UNLABELLED_GUESS: u32 = 1;

/// Text that reads as mojibake stays; `label-doubtful` is reported.
pub const SEVENBIT_DOUBTFUL_NOTE: u32 = 0;
/// Text that reads as mojibake stays, and nothing is reported.
pub const SEVENBIT_DOUBTFUL_KEEP: u32 = 1;
/// Text that reads as mojibake is written as it was meant; `text-repaired` is reported.
pub const SEVENBIT_DOUBTFUL_REPAIR: u32 = 2;

/// The name in `ada@example.org (Ada)` stays in its comment.
pub const SEVENBIT_COMMENT_NAMES_KEEP: u32 = 0;
/// The name is written before the address: `Ada <ada@example.org>`.
pub const SEVENBIT_COMMENT_NAMES_REWRITE: u32 = 1;

/// How messages are normalised. Let sevenbit_options_init fill it in, then change what should differ; NULL in place
/// of the options means these defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitOptions {
    /// `sizeof(sevenbit_options)` of the header that the caller was compiled with.
    pub size: usize,
    /// SEVENBIT_PROFILE_...
    pub profile: u32,
    /// SEVENBIT_SIGNED_...
    pub signed_content: u32,
    /// SEVENBIT_TEXT_ENCODING_...
    pub text_encoding: u32,
    /// SEVENBIT_UNDECODABLE_...
    pub undecodable: u32,
    /// SEVENBIT_MARKUP_...
    pub markup: u32,
    /// SEVENBIT_UNLABELLED_...
    pub unlabelled: u32,
    /// How deep parts may be nested before they are carried unread.
    pub max_depth: usize,
    /// How many parts are read.
    pub max_parts: usize,
    /// How many octets of one header section are parsed.
    pub max_header_octets: usize,
    /// SEVENBIT_DOUBTFUL_...
    pub doubtful: u32,
    /// The label of the charset in which all text that is not ASCII is read, whatever its own label says; it ends with a
    /// NUL, and is there as long as the options are used. NULL: text is read as it is labelled.
    pub read_as: *const c_char,
    /// SEVENBIT_COMMENT_NAMES_...
    pub comment_names: u32,
}

/// The size of the struct in version 1.0: a caller that was compiled with any header knows as much.
const FIRST_SIZE: usize =
    std::mem::offset_of!(SevenbitOptions, max_header_octets) + size_of::<usize>();

/// Fills in the defaults: the archive profile, signatures broken where they must be, nothing replaced. `size` is
/// `sizeof(sevenbit_options)`: a library of a later version, which knows more options, writes no further than that, and
/// takes its defaults for the options that the caller does not know.
/// SEVENBIT_ERROR_BAD_OPTIONS if the struct is shorter than that of version 1.0, or longer than the library's.
///
/// # Safety
/// `options` is NULL, or `size` octets may be written to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_options_init(
    options: *mut SevenbitOptions,
    size: usize,
) -> SevenbitStatus {
    guard(|| {
        if options.is_null() {
            return Err(SEVENBIT_ERROR_NULL_ARGUMENT);
        }
        if !(FIRST_SIZE..=size_of::<SevenbitOptions>()).contains(&size) {
            return Err(SEVENBIT_ERROR_BAD_OPTIONS);
        }
        let defaults = SevenbitOptions { size, ..defaults() };
        // SAFETY: as above; both are plain data, and `size` is at most that of the source.
        unsafe {
            std::ptr::copy_nonoverlapping((&raw const defaults).cast::<u8>(), options.cast(), size)
        };
        Ok(())
    })
}

/// Sets an option by its name and the word of its value, as the command has them: `"profile"` to `"transport"`,
/// `"unlabelled"` to `"guess"`; `"read-as"` to a label of a charset, which has to stay where it is. Both end with a NUL.
/// SEVENBIT_ERROR_ABSENT if there is no such option, SEVENBIT_ERROR_BAD_OPTIONS if it has no such value, or if the struct is
/// too short for it.
///
/// # Safety
/// `options` was filled in by sevenbit_options_init; `name` and `word` are texts that end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_options_set(
    options: *mut SevenbitOptions,
    name: *const c_char,
    word: *const c_char,
) -> SevenbitStatus {
    guard(|| {
        if options.is_null() || name.is_null() || word.is_null() {
            return Err(SEVENBIT_ERROR_NULL_ARGUMENT);
        }
        // SAFETY: as above.
        let (name, label) = (unsafe { text(name, NUL_TERMINATED) }?, word);
        // SAFETY: as above.
        let word = unsafe { text(word, NUL_TERMINATED) }?;
        // SAFETY: as above.
        let mut changed = unsafe { read(options) }?;
        if name == "read-as" {
            readable(word).map_err(|_| SEVENBIT_ERROR_BAD_OPTIONS)?;
            let end = std::mem::offset_of!(SevenbitOptions, read_as) + size_of::<*const c_char>();
            if end > changed.size {
                return Err(SEVENBIT_ERROR_BAD_OPTIONS);
            }
            changed.read_as = label;
        } else {
            set_choice(&mut changed, name, word)?;
        }
        // SAFETY: as above; `size` is at most that of the source, which `read` has made sure of.
        unsafe {
            std::ptr::copy_nonoverlapping(
                (&raw const changed).cast::<u8>(),
                options.cast(),
                changed.size,
            )
        };
        Ok(())
    })
}

/// Sets an option that is one of several words.
fn set_choice(options: &mut SevenbitOptions, name: &str, word: &str) -> Result<(), SevenbitStatus> {
    let choice = CHOICES.iter().find(|choice| choice.name == name).ok_or(SEVENBIT_ERROR_ABSENT)?;
    let mut normalizer = Normalizer::new();
    normalizer.set(name, word).map_err(|_| SEVENBIT_ERROR_BAD_OPTIONS)?;
    let value = choice.value_of(normalizer.option(name)).ok_or(SEVENBIT_ERROR_BAD_OPTIONS)?;
    let (start, size) = (std::ptr::from_ref(options).addr(), options.size);
    let member = (choice.member)(options);
    let end = std::ptr::from_ref(member).addr() + size_of::<u32>() - start;
    if end > size {
        return Err(SEVENBIT_ERROR_BAD_OPTIONS);
    }
    *member = value;
    Ok(())
}

fn defaults() -> SevenbitOptions {
    let limits = Limits::default();
    let mut options = SevenbitOptions {
        size: size_of::<SevenbitOptions>(),
        profile: 0,
        signed_content: 0,
        text_encoding: 0,
        undecodable: 0,
        markup: 0,
        unlabelled: 0,
        max_depth: limits.depth,
        max_parts: limits.parts,
        max_header_octets: limits.header_octets,
        doubtful: 0,
        read_as: std::ptr::null(),
        comment_names: 0,
    };
    let normalizer = Normalizer::new();
    for choice in &CHOICES {
        let value = choice.value_of(normalizer.option(choice.name));
        *(choice.member)(&mut options) = value.unwrap_or_default();
    }
    options
}

/// An option that is one of several words: its name in the library, its member, and the member's values with their words.
struct Choice {
    name: &'static str,
    member: fn(&mut SevenbitOptions) -> &mut u32,
    values: &'static [(u32, &'static str)],
}

impl Choice {
    /// Returns the value that has a word.
    fn value_of(&self, word: Option<&str>) -> Option<u32> {
        self.values.iter().find(|(_, known)| Some(*known) == word).map(|(value, _)| *value)
    }

    /// Returns the word of a value.
    fn word_of(&self, value: u32) -> Option<&'static str> {
        self.values.iter().find(|(known, _)| *known == value).map(|(_, word)| *word)
    }
}

/// The values stay what they are for ever, whatever the library calls or adds.
const CHOICES: [Choice; 8] = [
    Choice {
        name: "profile",
        member: |options| &mut options.profile,
        values: &[(SEVENBIT_PROFILE_ARCHIVE, "archive"), (SEVENBIT_PROFILE_TRANSPORT, "transport")],
    },
    Choice {
        name: "signed",
        member: |options| &mut options.signed_content,
        values: &[(SEVENBIT_SIGNED_BREAK, "break"), (SEVENBIT_SIGNED_REFUSE, "refuse")],
    },
    Choice {
        name: "text-encoding",
        member: |options| &mut options.text_encoding,
        values: &[(SEVENBIT_TEXT_ENCODING_MIME, "mime"), (SEVENBIT_TEXT_ENCODING_UTF7, "utf-7")],
    },
    Choice {
        name: "undecodable",
        member: |options| &mut options.undecodable,
        values: &[(SEVENBIT_UNDECODABLE_KEEP, "keep"), (SEVENBIT_UNDECODABLE_REPLACE, "replace")],
    },
    Choice {
        name: "markup",
        member: |options| &mut options.markup,
        values: &[(SEVENBIT_MARKUP_REWRITE, "rewrite"), (SEVENBIT_MARKUP_KEEP, "keep")],
    },
    Choice {
        name: "unlabelled",
        member: |options| &mut options.unlabelled,
        values: &[(SEVENBIT_UNLABELLED_KEEP, "keep"), (SEVENBIT_UNLABELLED_GUESS, "guess")],
    },
    Choice {
        name: "doubtful",
        member: |options| &mut options.doubtful,
        values: &[
            (SEVENBIT_DOUBTFUL_KEEP, "keep"),
            (SEVENBIT_DOUBTFUL_NOTE, "note"),
            (SEVENBIT_DOUBTFUL_REPAIR, "repair"),
        ],
    },
    Choice {
        name: "comment-names",
        member: |options| &mut options.comment_names,
        values: &[
            (SEVENBIT_COMMENT_NAMES_KEEP, "keep"),
            (SEVENBIT_COMMENT_NAMES_REWRITE, "rewrite"),
        ],
    },
];

/// Reads the options of a caller: those that its header does not have are the defaults.
///
/// # Safety
/// `options` points to a struct as long as its `size` says.
unsafe fn read(options: *const SevenbitOptions) -> Result<SevenbitOptions, SevenbitStatus> {
    // SAFETY: as above; `size` is the first member.
    let size = unsafe { (&raw const (*options).size).read() };
    if !(FIRST_SIZE..=size_of::<SevenbitOptions>()).contains(&size) {
        return Err(SEVENBIT_ERROR_BAD_OPTIONS);
    }
    let mut read = defaults();
    // SAFETY: as above; both are plain data, and the struct is read no further than its size, which fits into the target.
    unsafe { std::ptr::copy_nonoverlapping(options.cast::<u8>(), (&raw mut read).cast(), size) };
    Ok(read)
}

/// The normaliser that a caller's options describe.
///
/// # Safety
/// `options` is NULL, or points to a struct as long as its `size` says.
pub(crate) unsafe fn normalizer(
    options: *const SevenbitOptions,
) -> Result<Normalizer, SevenbitStatus> {
    if options.is_null() {
        return Ok(Normalizer::new());
    }
    // SAFETY: as above.
    let mut options = unsafe { read(options) }?;
    let mut normalizer = Normalizer::new();
    for choice in &CHOICES {
        let word =
            choice.word_of(*(choice.member)(&mut options)).ok_or(SEVENBIT_ERROR_BAD_OPTIONS)?;
        normalizer.set(choice.name, word).map_err(|_| SEVENBIT_ERROR_BAD_OPTIONS)?;
    }
    let limits = Limits::new()
        .with_depth(options.max_depth)
        .with_parts(options.max_parts)
        .with_header_octets(options.max_header_octets);
    let normalizer = normalizer.limits(limits);
    if options.read_as.is_null() {
        return Ok(normalizer);
    }
    // SAFETY: a text that ends with a NUL, as the struct says of it.
    let label = unsafe { text(options.read_as, NUL_TERMINATED) }?;
    let charset = readable(label).map_err(|_| SEVENBIT_ERROR_BAD_OPTIONS)?;
    Ok(normalizer.read_as(Some(charset)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SEVENBIT_OK;

    /// Every word of the library's table has a number here, and every number a word there.
    #[test]
    fn the_numbers_are_those_of_the_library() {
        assert_eq!(CHOICES.len(), Normalizer::OPTIONS.len());
        for option in Normalizer::OPTIONS {
            let choice =
                CHOICES.iter().find(|choice| choice.name == option.name).expect("a member");
            let mut words: Vec<_> = option.values.iter().map(|value| value.word).collect();
            let mut known: Vec<_> = choice.values.iter().map(|(_, word)| *word).collect();
            words.sort_unstable();
            known.sort_unstable();
            assert_eq!(words, known, "{}", option.name);
        }
    }

    /// A caller that was compiled with an older header has no room for what came later.
    #[test]
    fn no_option_is_set_beyond_the_struct() {
        let set = |size: usize, name: &std::ffi::CStr, word: &std::ffi::CStr| {
            let mut options = defaults();
            // SAFETY: the struct is as long as the library's, and `size` at most that.
            unsafe { sevenbit_options_init(&raw mut options, size) };
            // SAFETY: it was filled in; both texts end with a NUL.
            let status =
                unsafe { sevenbit_options_set(&raw mut options, name.as_ptr(), word.as_ptr()) };
            (status, options.doubtful, options.comment_names)
        };
        let whole = size_of::<SevenbitOptions>();
        let later =
            [(c"doubtful", c"repair"), (c"comment-names", c"rewrite"), (c"read-as", c"koi8-r")];
        for (name, word) in later {
            let short = set(FIRST_SIZE, name, word);
            let untouched = (SEVENBIT_DOUBTFUL_NOTE, SEVENBIT_COMMENT_NAMES_KEEP);
            assert_eq!(short, (SEVENBIT_ERROR_BAD_OPTIONS, untouched.0, untouched.1), "{name:?}");
            assert_eq!(set(whole, name, word).0, SEVENBIT_OK, "{name:?}");
        }
        assert_eq!(set(FIRST_SIZE, c"profile", c"transport").0, SEVENBIT_OK);
    }
}
