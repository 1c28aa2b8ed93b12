//! A message to be read: header texts, mailboxes, parts.

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::OnceLock;

use library::{Attachment, BodyParts, Message, Origin, Part};

use crate::decoded::{SevenbitBuffer, SevenbitDecoded};
use crate::guard::{free, get, guard, lend, make, put};
use crate::kept::{Kept, Texts};
use crate::raw_header::SevenbitRawHeader;
use crate::text::{SevenbitText, charset_name, octets, text};
use crate::texts::SevenbitTexts;
use crate::{
    SEVENBIT_ERROR_ABSENT, SEVENBIT_ERROR_NOT_UTF8, SEVENBIT_ERROR_NULL_ARGUMENT, SevenbitStatus,
};

/// The parts shown where plain text is preferred: text/plain, and anything without a plain alternative.
pub const SEVENBIT_BODY_PLAIN: u32 = 0;
/// The parts shown where HTML is preferred: text/html, and anything without an HTML alternative.
pub const SEVENBIT_BODY_HTML: u32 = 1;
/// The parts offered as files.
pub const SEVENBIT_BODY_ATTACHMENTS: u32 = 2;

/// A parsed message. Its parts have numbers in the order of the message; the message itself is part 0.
pub struct SevenbitMessage {
    parts: Vec<Part<'static>>,
    /// The properties of each part.
    rows: Kept<SevenbitPart>,
    /// The numbers of the parts that are shown as plain text, those shown as HTML, and the attachments.
    body: [Vec<usize>; 3],
    /// The files, and their form for C; made on request.
    files: OnceLock<(Vec<Attachment<'static>>, Kept<SevenbitAttachment>)>,
    /// The fields of each part as octets; made on request.
    pub(crate) raw_headers: Vec<OnceLock<Kept<SevenbitRawHeader>>>,
    /// The message that the parts refer to: made by [`Box::into_raw`], freed after them.
    message: *mut Message<'static>,
}

/// The parts of a message handle may be shared and sent, so the handle may be, too.
const _: () = {
    const fn shared_by_threads<Lent: Send + Sync>() {}
    shared_by_threads::<Message<'static>>();
    shared_by_threads::<Part<'static>>();
    shared_by_threads::<Attachment<'static>>();
};

// SAFETY: only the pointer keeps the compiler from seeing it. It is a `Box<Message>` that the handle owns, and is
// followed only in `drop`, when no other thread has the handle any more; the parts hold references, which are checked above.
unsafe impl Send for SevenbitMessage {}
// SAFETY: as above; nothing is changed through a shared handle.
unsafe impl Sync for SevenbitMessage {}

impl SevenbitMessage {
    fn new(message: Message<'static>) -> Self {
        let message = Box::into_raw(Box::new(message));
        // SAFETY: it was just made, is never changed, and stays until `drop`.
        let lent: &'static Message<'static> = unsafe { &*message };
        let parts: Vec<_> = lent.parts().collect();
        Self {
            body: numbers_of(&lent.body_parts()),
            rows: Kept::new(&parts, row),
            raw_headers: parts.iter().map(|_| OnceLock::new()).collect(),
            parts,
            files: OnceLock::new(),
            message,
        }
    }

    /// The numbers of the parts on one side of the body, or of the attachments.
    fn body(&self, side: u32) -> Result<&[usize], SevenbitStatus> {
        match side {
            SEVENBIT_BODY_PLAIN => Ok(&self.body[0]),
            SEVENBIT_BODY_HTML => Ok(&self.body[1]),
            SEVENBIT_BODY_ATTACHMENTS => Ok(&self.body[2]),
            _ => Err(SEVENBIT_ERROR_ABSENT),
        }
    }

    /// The message, which lives as long as the handle.
    pub(crate) fn message(&self) -> &Message<'static> {
        // SAFETY: it is changed by nobody, and stays until `drop`.
        unsafe { &*self.message }
    }

    fn files(&self) -> &(Vec<Attachment<'static>>, Kept<SevenbitAttachment>) {
        self.files.get_or_init(|| {
            // SAFETY: as in `message`; the files are freed before it.
            let lent: &'static Message<'static> = unsafe { &*self.message };
            let files = lent.attachments();
            let rows = Kept::new(&files, attachment_row);
            (files, rows)
        })
    }

    pub(crate) fn part(&self, number: usize) -> Result<&Part<'static>, SevenbitStatus> {
        self.parts.get(number).ok_or(SEVENBIT_ERROR_ABSENT)
    }
}

/// The numbers of the parts that are shown as plain text, those shown as HTML, and the attachments.
fn numbers_of(body: &BodyParts<'_>) -> [Vec<usize>; 3] {
    [body.plain(), body.html(), body.attachments()]
        .map(|parts| parts.iter().map(|part| part.number()).collect())
}

impl Drop for SevenbitMessage {
    fn drop(&mut self) {
        drop(self.files.take());
        self.parts.clear();
        // SAFETY: it came from `Box::into_raw`, and nothing refers to it any more.
        drop(unsafe { Box::from_raw(self.message) });
    }
}

/// The properties of a part. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitPart {
    /// The IMAP section, `1.2`; empty for the message itself if it has parts.
    pub path: SevenbitText,
    /// In lower case, `text/plain` if none was given.
    pub media_type: SevenbitText,
    /// The charset label as given; NULL if there is none.
    pub charset_label: SevenbitText,
    /// The name of the charset that the label means; NULL if it means none.
    pub charset: SevenbitText,
    /// `attachment`, `inline`...; NULL if there is none.
    pub disposition: SevenbitText,
    /// NULL if there is none. Never use it as a path.
    pub filename: SevenbitText,
    /// Whether it has octets of its own, and no parts.
    pub is_leaf: bool,
    /// 0 for the message itself.
    pub depth: usize,
    /// The first octet of its body in the message.
    pub start: usize,
    /// The octet after its last one.
    pub end: usize,
    /// Whether it is a multipart. A part that is neither that nor a leaf is a message in the message.
    pub is_multipart: bool,
    /// `7bit`, `8bit`, `binary`, `quoted-printable`, `base64`, or a word that means none of them.
    pub transfer_encoding: SevenbitText,
    /// The id by which `cid:` in HTML names it, without angle brackets; NULL if there is none.
    pub content_id: SevenbitText,
}

fn row(part: &Part<'_>, texts: &mut Texts) -> SevenbitPart {
    SevenbitPart {
        path: texts.text(&part.path()),
        media_type: texts.text(part.media_type()),
        charset_label: texts.maybe(part.charset_label()),
        charset: part.charset().map_or(SevenbitText::NONE, charset_name),
        disposition: texts.maybe(part.disposition()),
        filename: texts.maybe(part.filename()),
        is_leaf: part.is_leaf(),
        depth: part.depth(),
        start: part.span().start,
        end: part.span().end,
        is_multipart: part.is_multipart(),
        transfer_encoding: texts.text(part.transfer_encoding()),
        content_id: texts.maybe(part.content_id().as_deref()),
    }
}

/// Parses a message; any octets are one. The message borrows them: keep them, unchanged, until sevenbit_message_free.
///
/// # Safety
/// `data` points to `length` octets; `message` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_parse(
    data: *const u8,
    length: usize,
    message: *mut *mut SevenbitMessage,
) -> SevenbitStatus {
    // SAFETY: as above; the header requires the octets to outlive the message, so they may be called static in it.
    unsafe { make(message, || Ok(SevenbitMessage::new(Message::parse(octets(data, length)?)))) }
}

/// Parses a message as sevenbit_parse does. Texts of its parts, and what is made of them, have U+FFFD for each U+0000, which
/// databases and JSON columns refuse; that is among the issues as `control-replaced`. Octets stay as they are.
///
/// # Safety
/// `data` points to `length` octets; `message` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_parse_replacing_nul(
    data: *const u8,
    length: usize,
    message: *mut *mut SevenbitMessage,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as for sevenbit_parse.
        let octets = unsafe { octets(data, length) }?;
        Ok(SevenbitMessage::new(Message::parse(octets).replacing_nul()))
    };
    // SAFETY: as above.
    unsafe { make(message, work) }
}

/// How many parts there are, the message itself included; 0 for NULL.
///
/// # Safety
/// `message` is a message or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_message_part_count(message: *const SevenbitMessage) -> usize {
    // SAFETY: as above.
    unsafe { get(message) }.map_or(0, |message| message.parts.len())
}

/// The properties of the part with that number; NULL if there is none.
///
/// # Safety
/// `message` is a message or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_message_part(
    message: *const SevenbitMessage,
    number: usize,
) -> *const SevenbitPart {
    // SAFETY: as above.
    lend(|| unsafe { get(message) }?.rows.get(number).ok_or(SEVENBIT_ERROR_ABSENT))
}

/// How many parts the body has on one side (SEVENBIT_BODY_PLAIN, SEVENBIT_BODY_HTML), or how many attachments there are
/// (SEVENBIT_BODY_ATTACHMENTS); 0 for NULL. The parts of a side are shown one after the other.
///
/// # Safety
/// `message` is a message or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_message_body_count(
    message: *const SevenbitMessage,
    side: u32,
) -> usize {
    // SAFETY: as above.
    unsafe { get(message) }.and_then(|message| message.body(side)).map_or(0, <[usize]>::len)
}

/// The number of a part of the body, or of an attachment, in their order from 0: an argument for sevenbit_message_part.
///
/// # Safety
/// `message` is a message, `number` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_message_body(
    message: *const SevenbitMessage,
    side: u32,
    place: usize,
    number: *mut usize,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let side = unsafe { get(message) }?.body(side)?;
        // SAFETY: as above.
        unsafe { put(number, *side.get(place).ok_or(SEVENBIT_ERROR_ABSENT)?) }
    })
}

/// The text of the message as it reads: the text parts that are shown, one after the other; of a message without any, the
/// words of its HTML.
///
/// # Safety
/// `message` is a message, `text` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_message_text(
    message: *const SevenbitMessage,
    text: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    // SAFETY: as above.
    let work = || Ok(SevenbitBuffer::new(unsafe { get(message) }?.message().text().into_owned()));
    // SAFETY: as above.
    unsafe { make(text, work) }
}

/// The HTML of the message; links to its own parts (`cid:`) stay as they are. SEVENBIT_ERROR_ABSENT if it has none. It is
/// as the sender wrote it: show it only where nothing of it can run or load.
///
/// # Safety
/// `message` is a message, `html` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_message_html(
    message: *const SevenbitMessage,
    html: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let found = unsafe { get(message) }?.message().html(|_| None);
        found.map(SevenbitBuffer::new).ok_or(SEVENBIT_ERROR_ABSENT)
    };
    // SAFETY: as above.
    unsafe { make(html, work) }
}

/// Returns the address of the part that HTML names by its Content-ID: a text in UTF-8 with a NUL at its end, which stays
/// until the next call, or NULL to leave the reference as it is. `context` is what was given along with the function, `id` the
/// Content-ID without angle brackets, with a NUL at its end.
pub type SevenbitResolve =
    Option<unsafe extern "C" fn(context: *mut c_void, id: *const c_char) -> *const c_char>;

/// The HTML of the message as sevenbit_message_html returns it, with the address that `resolve` returns for each `cid:`.
/// SEVENBIT_ERROR_ABSENT if it has none, SEVENBIT_ERROR_NOT_UTF8 if an address is not UTF-8.
///
/// # Safety
/// `message` is a message, `resolve` may be called with `context` and does not unwind, `html` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_message_resolved_html(
    message: *const SevenbitMessage,
    resolve: SevenbitResolve,
    context: *mut c_void,
    html: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        let resolve = resolve.ok_or(SEVENBIT_ERROR_NULL_ARGUMENT)?;
        let mut is_utf8 = true;
        let address = |id: &str| {
            // An id with a NUL names no part.
            let id = CString::new(id).ok()?;
            // SAFETY: as above.
            let address = unsafe { resolve(context, id.as_ptr()) };
            if address.is_null() {
                return None;
            }
            // SAFETY: a text with a NUL at its end, until the next call.
            let address = unsafe { CStr::from_ptr(address) }.to_str();
            is_utf8 &= address.is_ok();
            address.ok().map(str::to_owned)
        };
        // SAFETY: as above.
        let found = unsafe { get(message) }?.message().html(address);
        if !is_utf8 {
            return Err(SEVENBIT_ERROR_NOT_UTF8);
        }
        found.map(SevenbitBuffer::new).ok_or(SEVENBIT_ERROR_ABSENT)
    };
    // SAFETY: as above.
    unsafe { make(html, work) }
}

/// A file of a message. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitAttachment {
    /// The number of the part that it is, or is in: an argument for sevenbit_message_part.
    pub part: usize,
    /// In lower case.
    pub media_type: SevenbitText,
    /// The name as the sender gave it; NULL if there is none. Never use it as a path.
    pub name: SevenbitText,
    /// A name to save it under: no path, nothing that is special to a file system. No two files of a message have the same one.
    pub safe_name: SevenbitText,
    /// The id by which `cid:` in HTML names it; NULL if there is none.
    pub content_id: SevenbitText,
    /// Whether it belongs to the text rather than beside it, as a picture in HTML does.
    pub is_inline: bool,
    /// How many octets it has.
    pub size: usize,
    /// How it was put into the message: `part`; `text` if it was uuencoded or written in yEnc; `tnef` if it was in a
    /// winmail.dat.
    pub origin: SevenbitText,
    /// The media type that the extension of its name stands for; NULL if for none.
    pub type_by_name: SevenbitText,
    /// The media type that its octets begin like; NULL if they are of no known kind, as text is.
    pub type_by_octets: SevenbitText,
}

fn attachment_row(file: &Attachment<'_>, texts: &mut Texts) -> SevenbitAttachment {
    let octets = file.octets();
    SevenbitAttachment {
        part: file.part().number(),
        media_type: texts.text(file.media_type()),
        name: texts.maybe(file.name()),
        safe_name: texts.text(file.safe_name()),
        content_id: texts.maybe(file.content_id()),
        is_inline: file.is_inline(),
        size: octets.len(),
        origin: texts.text(match file.origin() {
            Origin::Text => "text",
            Origin::Tnef => "tnef",
            _ => "part",
        }),
        type_by_name: texts.maybe(file.type_by_name()),
        type_by_octets: texts.maybe(library::file_type(&octets)),
    }
}

/// How many files the message has: attachments, pictures of its HTML, files inside winmail.dat and uuencoded ones; 0 for NULL.
///
/// # Safety
/// `message` is a message or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_message_attachment_count(
    message: *const SevenbitMessage,
) -> usize {
    let mut count = 0;
    guard(|| {
        // SAFETY: as above.
        count = unsafe { get(message) }?.files().1.len();
        Ok(())
    });
    count
}

/// The file of that number, from 0; NULL if there is none.
///
/// # Safety
/// `message` is a message or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_message_attachment(
    message: *const SevenbitMessage,
    number: usize,
) -> *const SevenbitAttachment {
    // SAFETY: as above.
    lend(|| unsafe { get(message) }?.files().1.get(number).ok_or(SEVENBIT_ERROR_ABSENT))
}

/// The octets of the file of that number.
///
/// # Safety
/// `message` is a message, `octets` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_attachment_octets(
    message: *const SevenbitMessage,
    number: usize,
    octets: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let file = unsafe { get(message) }?.files().0.get(number).ok_or(SEVENBIT_ERROR_ABSENT)?;
        Ok(SevenbitBuffer::new(file.octets()))
    };
    // SAFETY: as above.
    unsafe { make(octets, work) }
}

/// The text of a text part, with anything odd about it. SEVENBIT_ERROR_ABSENT if the part is not text.
///
/// # Safety
/// `message` is a message, `decoded` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_part_text(
    message: *const SevenbitMessage,
    number: usize,
    decoded: *mut *mut SevenbitDecoded,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let part = unsafe { get(message) }?.part(number)?;
        part.decoded().map(SevenbitDecoded::from).ok_or(SEVENBIT_ERROR_ABSENT)
    };
    // SAFETY: as above.
    unsafe { make(decoded, work) }
}

/// The octets of a part without their transfer encoding.
///
/// # Safety
/// `message` is a message, `buffer` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_part_octets(
    message: *const SevenbitMessage,
    number: usize,
    buffer: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    // SAFETY: as above.
    unsafe { make(buffer, || Ok(SevenbitBuffer::new(get(message)?.part(number)?.octets()))) }
}

/// The text of the first field of that name, ignoring case. SEVENBIT_ERROR_ABSENT if there is none.
///
/// # Safety
/// `message` is a message, `name` points to `length` octets, `value` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_part_header(
    message: *const SevenbitMessage,
    number: usize,
    name: *const c_char,
    length: usize,
    value: *mut *mut SevenbitBuffer,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let (part, name) = unsafe { (get(message)?.part(number)?, text(name, length)?) };
        let value = part.header(name).ok_or(SEVENBIT_ERROR_ABSENT)?;
        Ok(SevenbitBuffer::new(value.into_owned()))
    };
    // SAFETY: as above.
    unsafe { make(value, work) }
}

/// The texts of all fields of that name, ignoring case, in order: none if there are none.
///
/// # Safety
/// `message` is a message, `name` points to `length` octets, `values` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_part_headers(
    message: *const SevenbitMessage,
    number: usize,
    name: *const c_char,
    length: usize,
    values: *mut *mut SevenbitTexts,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let (part, name) = unsafe { (get(message)?.part(number)?, text(name, length)?) };
        Ok(SevenbitTexts::new(part.headers_named(name)))
    };
    // SAFETY: as above.
    unsafe { make(values, work) }
}

/// The ids in all fields of that name, without angle brackets, in order: of Message-ID, In-Reply-To, References.
///
/// # Safety
/// `message` is a message, `name` points to `length` octets, `ids` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_part_ids(
    message: *const SevenbitMessage,
    number: usize,
    name: *const c_char,
    length: usize,
    ids: *mut *mut SevenbitTexts,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let (part, name) = unsafe { (get(message)?.part(number)?, text(name, length)?) };
        Ok(SevenbitTexts::new(part.ids(name)))
    };
    // SAFETY: as above.
    unsafe { make(ids, work) }
}

/// The offset of a date whose clock is not known.
pub const SEVENBIT_OFFSET_UNKNOWN: i32 = i32::MIN;

/// When the part was dated: seconds since 1970-01-01 00:00 UTC, and unless `offset` is NULL, how many minutes the sender's
/// clock was ahead of UTC, or SEVENBIT_OFFSET_UNKNOWN. SEVENBIT_ERROR_ABSENT if there is no date that can be read.
///
/// # Safety
/// `message` is a message, `timestamp` may be written to, and `offset` unless it is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_part_date(
    message: *const SevenbitMessage,
    number: usize,
    timestamp: *mut i64,
    offset: *mut i32,
) -> SevenbitStatus {
    guard(|| {
        // SAFETY: as above.
        let date = unsafe { get(message) }?.part(number)?.date().ok_or(SEVENBIT_ERROR_ABSENT)?;
        if !offset.is_null() {
            // SAFETY: as above.
            unsafe { put(offset, date.offset().map_or(SEVENBIT_OFFSET_UNKNOWN, i32::from)) }?;
        }
        // SAFETY: as above.
        unsafe { put(timestamp, date.timestamp()) }
    })
}

/// A mailbox of a field. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitMailbox {
    /// The display name; empty if there is none.
    pub name: SevenbitText,
    /// The addr-spec, never decoded.
    pub address: SevenbitText,
}

/// The mailboxes of a field.
pub struct SevenbitMailboxes(Kept<SevenbitMailbox>);

/// The mailboxes of all fields of that name, in order: of From, To, Cc and so on.
///
/// # Safety
/// `message` is a message, `name` points to `length` octets, `mailboxes` may be written to.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn sevenbit_part_mailboxes(
    message: *const SevenbitMessage,
    number: usize,
    name: *const c_char,
    length: usize,
    mailboxes: *mut *mut SevenbitMailboxes,
) -> SevenbitStatus {
    let work = || {
        // SAFETY: as above.
        let (part, name) = unsafe { (get(message)?.part(number)?, text(name, length)?) };
        Ok(SevenbitMailboxes(Kept::new(part.mailboxes(name), |mailbox, texts| SevenbitMailbox {
            name: texts.text(mailbox.name()),
            address: texts.text(mailbox.address()),
        })))
    };
    // SAFETY: as above.
    unsafe { make(mailboxes, work) }
}

/// How many mailboxes there are; 0 for NULL.
///
/// # Safety
/// `mailboxes` are mailboxes or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_mailboxes_count(mailboxes: *const SevenbitMailboxes) -> usize {
    // SAFETY: as above.
    unsafe { get(mailboxes) }.map_or(0, |mailboxes| mailboxes.0.len())
}

/// The mailbox of that number, from 0; NULL if there is none.
///
/// # Safety
/// `mailboxes` are mailboxes or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_mailboxes_at(
    mailboxes: *const SevenbitMailboxes,
    number: usize,
) -> *const SevenbitMailbox {
    // SAFETY: as above.
    lend(|| unsafe { get(mailboxes) }?.0.get(number).ok_or(SEVENBIT_ERROR_ABSENT))
}

/// Frees mailboxes.
///
/// # Safety
/// `mailboxes` are mailboxes that were not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_mailboxes_free(mailboxes: *mut SevenbitMailboxes) {
    // SAFETY: as above.
    unsafe { free(mailboxes) };
}

/// Frees a message.
///
/// # Safety
/// `message` is a message that was not freed, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sevenbit_message_free(message: *mut SevenbitMessage) {
    // SAFETY: as above.
    unsafe { free(message) };
}
