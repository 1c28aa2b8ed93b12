//! Options as C has them: numbers in a struct that begins with its size, so that it may grow.

use library::{Limits, Markup, Normalizer, Profile, Signed, TextEncoding, Undecodable, Unlabelled};

use crate::guard::{guard, put};
use crate::{SEVENBIT_ERROR_BAD_OPTIONS, SevenbitStatus};

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
}

/// Fills in the defaults: the archive profile, signatures broken where they must be, nothing replaced.
///
/// # Safety
/// `options` may be written to, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_options_init(options: *mut SevenbitOptions) -> SevenbitStatus {
    // SAFETY: as above.
    guard(|| unsafe { put(options, defaults()) })
}

fn defaults() -> SevenbitOptions {
    let limits = Limits::default();
    SevenbitOptions {
        size: size_of::<SevenbitOptions>(),
        profile: SEVENBIT_PROFILE_ARCHIVE,
        signed_content: SEVENBIT_SIGNED_BREAK,
        text_encoding: SEVENBIT_TEXT_ENCODING_MIME,
        undecodable: SEVENBIT_UNDECODABLE_KEEP,
        markup: SEVENBIT_MARKUP_REWRITE,
        unlabelled: SEVENBIT_UNLABELLED_KEEP,
        max_depth: limits.depth,
        max_parts: limits.parts,
        max_header_octets: limits.header_octets,
    }
}

/// The normaliser that a caller's options describe.
///
/// # Safety
/// `options` is NULL, or points to a struct as long as its `size` says.
pub(crate) unsafe fn normalizer(options: *const SevenbitOptions) -> Result<Normalizer, SevenbitStatus> {
    let options = if options.is_null() {
        defaults()
    } else {
        // SAFETY: as above; a struct of another size is read no further than its size.
        let size = unsafe { (&raw const (*options).size).read() };
        if size != size_of::<SevenbitOptions>() {
            return Err(SEVENBIT_ERROR_BAD_OPTIONS);
        }
        // SAFETY: as above.
        unsafe { options.read() }
    };
    let mut limits = Limits::default();
    limits.depth = options.max_depth;
    limits.parts = options.max_parts;
    limits.header_octets = options.max_header_octets;
    Ok(Normalizer::new()
        .profile(match options.profile {
            SEVENBIT_PROFILE_ARCHIVE => Profile::Archive,
            SEVENBIT_PROFILE_TRANSPORT => Profile::Transport,
            _ => return Err(SEVENBIT_ERROR_BAD_OPTIONS),
        })
        .signed(match options.signed_content {
            SEVENBIT_SIGNED_BREAK => Signed::Break,
            SEVENBIT_SIGNED_REFUSE => Signed::Refuse,
            _ => return Err(SEVENBIT_ERROR_BAD_OPTIONS),
        })
        .text_encoding(match options.text_encoding {
            SEVENBIT_TEXT_ENCODING_MIME => TextEncoding::Mime,
            SEVENBIT_TEXT_ENCODING_UTF7 => TextEncoding::Utf7,
            _ => return Err(SEVENBIT_ERROR_BAD_OPTIONS),
        })
        .undecodable(match options.undecodable {
            SEVENBIT_UNDECODABLE_KEEP => Undecodable::Keep,
            SEVENBIT_UNDECODABLE_REPLACE => Undecodable::Replace,
            _ => return Err(SEVENBIT_ERROR_BAD_OPTIONS),
        })
        .markup(match options.markup {
            SEVENBIT_MARKUP_REWRITE => Markup::Rewrite,
            SEVENBIT_MARKUP_KEEP => Markup::Keep,
            _ => return Err(SEVENBIT_ERROR_BAD_OPTIONS),
        })
        .unlabelled(match options.unlabelled {
            SEVENBIT_UNLABELLED_KEEP => Unlabelled::Keep,
            SEVENBIT_UNLABELLED_GUESS => Unlabelled::Guess,
            _ => return Err(SEVENBIT_ERROR_BAD_OPTIONS),
        })
        .limits(limits))
}
