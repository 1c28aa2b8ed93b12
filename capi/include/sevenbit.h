/*
 * sevenbit: mail in any charset in, the same message normalised and 7-bit safe out.
 *
 * Texts are UTF-8 and octets are octets; both come with their length. A NUL follows every text that the library returns, which
 * the length does not count; of octets, a comment says whether one does. For an argument of a pointer and a length, NULL with
 * the length 0 means empty, and for a text the length may be SEVENBIT_NUL_TERMINATED.
 *
 * What a function returns through a handle is valid until the handle is freed; every _free function accepts NULL. Structs that
 * are returned by pointer belong to the handle, and may grow at their end in later versions: never copy an array of them.
 * No function keeps state of its own: different threads may use different handles at the same time, and share one handle that
 * none of them changes.
 */

#ifndef SEVENBIT_H
#define SEVENBIT_H

/* Made by cbindgen from capi/src; capi/make-header.sh makes it again. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__GNUC__) || defined(__clang__)
/* A call whose status must not be ignored. */
#define SEVENBIT_WARN_UNUSED __attribute__((warn_unused_result))
#else
#define SEVENBIT_WARN_UNUSED
#endif

/**
 * In place of the length of a label, a name or another text that is passed in: the text goes up to its NUL.
 */
#define SEVENBIT_NUL_TERMINATED SIZE_MAX

/**
 * The version of the header; sevenbit_version has that of the library.
 */
#define SEVENBIT_VERSION_MAJOR 1

/**
 * See SEVENBIT_VERSION_MAJOR.
 */
#define SEVENBIT_VERSION_MINOR 0

/**
 * See SEVENBIT_VERSION_MAJOR.
 */
#define SEVENBIT_VERSION_PATCH 0

/**
 * Worth knowing; nothing changed its meaning.
 */
#define SEVENBIT_SEVERITY_NOTE 0

/**
 * Something was wrong, and was repaired.
 */
#define SEVENBIT_SEVERITY_REPAIR 1

/**
 * Something was lost.
 */
#define SEVENBIT_SEVERITY_LOSS 2

/**
 * The parts shown where plain text is preferred: text/plain, and anything without a plain alternative.
 */
#define SEVENBIT_BODY_PLAIN 0

/**
 * The parts shown where HTML is preferred: text/html, and anything without an HTML alternative.
 */
#define SEVENBIT_BODY_HTML 1

/**
 * The parts offered as files.
 */
#define SEVENBIT_BODY_ATTACHMENTS 2

/**
 * The offset of a date whose clock is not known.
 */
#define SEVENBIT_OFFSET_UNKNOWN INT32_MIN

/**
 * Every header and every inline text becomes US-ASCII or UTF-8: for archives, webmail stores, indexing.
 */
#define SEVENBIT_PROFILE_ARCHIVE 0

/**
 * Only what is not 7-bit safe or is ambiguous changes: for mail transfer agents and filters.
 */
#define SEVENBIT_PROFILE_TRANSPORT 1

/**
 * Signed content that is not 7-bit safe is made so; `signature-broken` is reported.
 */
#define SEVENBIT_SIGNED_BREAK 0

/**
 * A message with signed content that is not 7-bit safe is returned as it was; `refused` is reported.
 */
#define SEVENBIT_SIGNED_REFUSE 1

/**
 * Text is written in 7bit, quoted-printable or base64.
 */
#define SEVENBIT_TEXT_ENCODING_MIME 0

/**
 * Text is also written in UTF-7, if that is shorter.
 */
#define SEVENBIT_TEXT_ENCODING_UTF7 1

/**
 * Text that does not decode under its label keeps its octets and its label.
 */
#define SEVENBIT_UNDECODABLE_KEEP 0

/**
 * U+FFFD is written for each ill-formed sequence, and reported as a loss.
 */
#define SEVENBIT_UNDECODABLE_REPLACE 1

/**
 * Charset declarations inside HTML and XML follow the charset.
 */
#define SEVENBIT_MARKUP_REWRITE 0

/**
 * Charset declarations inside HTML and XML stay.
 */
#define SEVENBIT_MARKUP_KEEP 1

/**
 * In transport, 8-bit text without a label is labelled `unknown-8bit`.
 */
#define SEVENBIT_UNLABELLED_KEEP 0

/**
 * In transport, 8-bit text without a label gets the label of the charset it is guessed to be in, if sure; the octets stay.
 */
#define SEVENBIT_UNLABELLED_GUESS 1

/**
 * Text that reads as mojibake stays; `label-doubtful` is reported.
 */
#define SEVENBIT_DOUBTFUL_NOTE 0

/**
 * Text that reads as mojibake stays, and nothing is reported.
 */
#define SEVENBIT_DOUBTFUL_KEEP 1

/**
 * Text that reads as mojibake is written as it was meant; `text-repaired` is reported.
 */
#define SEVENBIT_DOUBTFUL_REPAIR 2

/**
 * The name in `ada@example.org (Ada)` stays in its comment.
 */
#define SEVENBIT_COMMENT_NAMES_KEEP 0

/**
 * The name is written before the address: `Ada <ada@example.org>`.
 */
#define SEVENBIT_COMMENT_NAMES_REWRITE 1

/**
 * The field stays.
 */
#define SEVENBIT_FIELD_KEPT 0

/**
 * Its value changes.
 */
#define SEVENBIT_FIELD_NEW_VALUE 1

/**
 * A field of another name replaces it.
 */
#define SEVENBIT_FIELD_NEW_NAME 2

/**
 * It is dropped.
 */
#define SEVENBIT_FIELD_DROPPED 3

/**
 * Several fields replace it.
 */
#define SEVENBIT_FIELD_SPLIT 4

/**
 * It is new: it is inserted after the one before it in the list.
 */
#define SEVENBIT_FIELD_INSERTED 5

/**
 * Octets that were produced.
 */
typedef struct sevenbit_buffer sevenbit_buffer;

/**
 * A text that was decoded, and what was odd about it.
 */
typedef struct sevenbit_decoded sevenbit_decoded;

/**
 * A decoder that is fed piece by piece; pieces may end anywhere.
 */
typedef struct sevenbit_decoder sevenbit_decoder;

/**
 * The mailboxes of a field.
 */
typedef struct sevenbit_mailboxes sevenbit_mailboxes;

/**
 * The messages of an mbox file, one after the other.
 */
typedef struct sevenbit_mbox sevenbit_mbox;

/**
 * A parsed message. Its parts have numbers in the order of the message; the message itself is part 0.
 */
typedef struct sevenbit_message sevenbit_message;

/**
 * The passages of a text.
 */
typedef struct sevenbit_passages sevenbit_passages;

/**
 * The changes planned for a message.
 */
typedef struct sevenbit_plan sevenbit_plan;

/**
 * A message in its normal form, with the report.
 */
typedef struct sevenbit_result sevenbit_result;

/**
 * A message that is normalised as its pieces arrive.
 */
typedef struct sevenbit_stream sevenbit_stream;

/**
 * Texts, in order.
 */
typedef struct sevenbit_texts sevenbit_texts;

/**
 * The result of a call.
 */
typedef int32_t sevenbit_status;

/**
 * Lines of a text that belong together. Later versions may add members at the end.
 */
typedef struct {
    /**
     * Its first octet in the text.
     */
    size_t start;
    /**
     * The octet after its last one.
     */
    size_t end;
    /**
     * How many quote marks (`>`) each of its lines begins with; 0 for the sender's own.
     */
    size_t quote_depth;
    /**
     * Whether it is the signature: from a line `-- ` to the end.
     */
    bool is_signature;
} sevenbit_passage;

/**
 * Text in UTF-8. A NUL follows, which the length does not count, and the text may contain one. `data` is NULL only if there
 * is no such text at all.
 */
typedef struct {
    /**
     * The first octet.
     */
    const char *data;
    /**
     * Its length in octets.
     */
    size_t length;
} sevenbit_text;

/**
 * Something that was found in a message or a text, and what was done about it. Later versions may add members at the end.
 */
typedef struct {
    /**
     * A stable word, such as `charset-guessed`.
     */
    sevenbit_text code;
    /**
     * SEVENBIT_SEVERITY_NOTE, SEVENBIT_SEVERITY_REPAIR or SEVENBIT_SEVERITY_LOSS.
     */
    uint32_t severity;
    /**
     * The rule of docs/normal-form.md, such as `H3`; empty if none applies.
     */
    sevenbit_text rule;
    /**
     * The IMAP section of the part: `1.2`; `0` is the header of the message, or a text outside of any.
     */
    sevenbit_text part;
    /**
     * Its first octet in the input.
     */
    size_t start;
    /**
     * The octet after its last one.
     */
    size_t end;
    /**
     * For example which charset, or how often; may be empty.
     */
    sevenbit_text detail;
    /**
     * In a few words, for people.
     */
    sevenbit_text summary;
    /**
     * What is done about it, in a sentence for people.
     */
    sevenbit_text effect;
    /**
     * The charset that was guessed, of a `charset-guessed`; empty for others, and if nobody knows it.
     */
    sevenbit_text charset;
} sevenbit_issue;

/**
 * Octets. `data` is NULL only if there are no such octets at all.
 */
typedef struct {
    /**
     * The first one.
     */
    const uint8_t *data;
    /**
     * How many there are.
     */
    size_t length;
} sevenbit_octets;

/**
 * The properties of a part. Later versions may add members at the end.
 */
typedef struct {
    /**
     * The IMAP section, `1.2`; empty for the message itself if it has parts.
     */
    sevenbit_text path;
    /**
     * In lower case, `text/plain` if none was given.
     */
    sevenbit_text media_type;
    /**
     * The charset label as given; NULL if there is none.
     */
    sevenbit_text charset_label;
    /**
     * The name of the charset that the label means; NULL if it means none.
     */
    sevenbit_text charset;
    /**
     * `attachment`, `inline`...; NULL if there is none.
     */
    sevenbit_text disposition;
    /**
     * NULL if there is none. Never use it as a path.
     */
    sevenbit_text filename;
    /**
     * Whether it has octets of its own, and no parts.
     */
    bool is_leaf;
    /**
     * 0 for the message itself.
     */
    size_t depth;
    /**
     * The first octet of its body in the message.
     */
    size_t start;
    /**
     * The octet after its last one.
     */
    size_t end;
    /**
     * Whether it is a multipart. A part that is neither that nor a leaf is a message in the message.
     */
    bool is_multipart;
    /**
     * `7bit`, `8bit`, `binary`, `quoted-printable`, `base64`, or a word that means none of them.
     */
    sevenbit_text transfer_encoding;
    /**
     * The id by which `cid:` in HTML names it, without angle brackets; NULL if there is none.
     */
    sevenbit_text content_id;
} sevenbit_part;

/**
 * Returns the address of the part that HTML names by its Content-ID: a text in UTF-8 with a NUL at its end, which stays
 * until the next call, or NULL to leave the reference as it is. `context` is what was given along with the function, `id` the
 * Content-ID without angle brackets, with a NUL at its end.
 */
typedef const char *(*sevenbit_resolve)(void *context, const char *id);

/**
 * A file of a message. Later versions may add members at the end.
 */
typedef struct {
    /**
     * The number of the part that it is, or is in: an argument for sevenbit_message_part.
     */
    size_t part;
    /**
     * In lower case.
     */
    sevenbit_text media_type;
    /**
     * The name as the sender gave it; NULL if there is none. Never use it as a path.
     */
    sevenbit_text name;
    /**
     * A name to save it under: no path, nothing that is special to a file system. No two files of a message have the same one.
     */
    sevenbit_text safe_name;
    /**
     * The id by which `cid:` in HTML names it; NULL if there is none.
     */
    sevenbit_text content_id;
    /**
     * Whether it belongs to the text rather than beside it, as a picture in HTML does.
     */
    bool is_inline;
    /**
     * How many octets it has.
     */
    size_t size;
    /**
     * How it was put into the message: `part`; `text` if it was uuencoded or written in yEnc; `tnef` if it was in a
     * winmail.dat.
     */
    sevenbit_text origin;
    /**
     * The media type that the extension of its name stands for; NULL if for none.
     */
    sevenbit_text type_by_name;
    /**
     * The media type that its octets begin like; NULL if they are of no known kind, as text is.
     */
    sevenbit_text type_by_octets;
} sevenbit_attachment;

/**
 * A mailbox of a field. Later versions may add members at the end.
 */
typedef struct {
    /**
     * The display name; empty if there is none.
     */
    sevenbit_text name;
    /**
     * The addr-spec, never decoded.
     */
    sevenbit_text address;
} sevenbit_mailbox;

/**
 * How messages are normalised. Let sevenbit_options_init fill it in, then change what should differ; NULL in place
 * of the options means these defaults.
 */
typedef struct {
    /**
     * `sizeof(sevenbit_options)` of the header that the caller was compiled with.
     */
    size_t size;
    /**
     * SEVENBIT_PROFILE_...
     */
    uint32_t profile;
    /**
     * SEVENBIT_SIGNED_...
     */
    uint32_t signed_content;
    /**
     * SEVENBIT_TEXT_ENCODING_...
     */
    uint32_t text_encoding;
    /**
     * SEVENBIT_UNDECODABLE_...
     */
    uint32_t undecodable;
    /**
     * SEVENBIT_MARKUP_...
     */
    uint32_t markup;
    /**
     * SEVENBIT_UNLABELLED_...
     */
    uint32_t unlabelled;
    /**
     * How deep parts may be nested before they are carried unread.
     */
    size_t max_depth;
    /**
     * How many parts are read.
     */
    size_t max_parts;
    /**
     * How many octets of one header section are parsed.
     */
    size_t max_header_octets;
    /**
     * SEVENBIT_DOUBTFUL_...
     */
    uint32_t doubtful;
    /**
     * The label of the charset in which all text that is not ASCII is read, whatever its own label says; it ends with a
     * NUL, and is there as long as the options are used. NULL: text is read as it is labelled.
     */
    const char *read_as;
    /**
     * SEVENBIT_COMMENT_NAMES_...
     */
    uint32_t comment_names;
} sevenbit_options;

/**
 * A field of the message's own header, as it is and what it becomes. Later versions may add members at the end.
 */
typedef struct {
    /**
     * The name in the input; empty if the field is inserted, and for a line that is not a field.
     */
    sevenbit_octets name;
    /**
     * From 1 among the fields of that name, ignoring case, as milters count; 0 if it is inserted, or not a field.
     */
    size_t number;
    /**
     * SEVENBIT_FIELD_...
     */
    uint32_t change;
    /**
     * Its first octet in the input.
     */
    size_t start;
    /**
     * The octet after its last one.
     */
    size_t end;
    /**
     * How many fields are written in its place: 0 if it is dropped, more than 1 if it is split.
     */
    size_t written;
} sevenbit_field;

/**
 * A function of the caller's that takes `length` octets; false ends the writing. `context` is as it was given.
 */
typedef bool (*sevenbit_write)(void *context, const uint8_t *data, size_t length);

/**
 * A header field as octets. Later versions may add members at the end.
 */
typedef struct {
    /**
     * Its name as it is written.
     */
    sevenbit_text name;
    /**
     * What stands after the colon, white space and folds included, without the last line end. No NUL follows.
     */
    sevenbit_octets value;
} sevenbit_raw_header;

/**
 * Success.
 */
#define SEVENBIT_OK 0

/**
 * A pointer is NULL that must not be.
 */
#define SEVENBIT_ERROR_NULL_ARGUMENT 1

/**
 * An option has an unknown value, or a `size` that is not a size of the struct.
 */
#define SEVENBIT_ERROR_BAD_OPTIONS 2

/**
 * Text that should be UTF-8 is not.
 */
#define SEVENBIT_ERROR_NOT_UTF8 3

/**
 * No charset has that label, or it cannot be decoded or encoded.
 */
#define SEVENBIT_ERROR_UNKNOWN_CHARSET 4

/**
 * A character that the charset lacks.
 */
#define SEVENBIT_ERROR_UNENCODABLE 5

/**
 * There is no such item: of that number, of that name, of that kind.
 */
#define SEVENBIT_ERROR_ABSENT 6

/**
 * A bug of sevenbit: please report it. The handle, if there is one, may only be freed.
 */
#define SEVENBIT_ERROR_PANIC 7

/**
 * The caller's function for writing returned false.
 */
#define SEVENBIT_ERROR_WRITE 8

/**
 * A length is larger than any object can be: a negative number was passed.
 */
#define SEVENBIT_ERROR_TOO_LONG 9

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library, such as `1.0.0`; ends with a NUL.
 */
const char *sevenbit_version(void);

/**
 * Describes a status in a sentence for people; ends with a NUL.
 */
const char *sevenbit_status_message(sevenbit_status status);

/**
 * Everything that the message says, as one line of JSON: threads, the mailing list, hops, authentication results, delivery
 * reports, groups of addresses, files, all header fields, issues. The members are those that `sevenbit inspect --json
 * --headers` writes, without `input` and the digests; docs/cli.md lists them.
 *
 * What the caller promises:
 * `message` is a message, `json` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_message_json(const sevenbit_message *message,
                                      sevenbit_buffer **json);

/**
 * The readings of each text of the message, as a JSON array, for a person who finds it unreadable: objects with `part`, the
 * section of the part, its `label`, and `readings`, the most probable first. A reading has its `charset`, `sureness` from 0
 * to 1, 300 characters of its `text`, and `by`: a `label` is written with the option `doubtful` as `keep`, a `guess` with its
 * charset as `read-as`, a `repair` with `doubtful` as `repair`; `undone` says in words what a repair undoes.
 *
 * What the caller promises:
 * `message` is a message, `json` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_message_readings(const sevenbit_message *message,
                                          sevenbit_buffer **json);

/**
 * A text as it was meant: what was read in a wrong charset, once or several times over, is undone where that is sure; the
 * rest is the same text.
 *
 * What the caller promises:
 * `garbled` points to `length` octets, `repaired` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_repair_text(const char *garbled,
                                     size_t length,
                                     sevenbit_buffer **repaired);

/**
 * The method of a calendar part in upper case: `REQUEST`, `REPLY`, `CANCEL`. SEVENBIT_ERROR_ABSENT if the part is no
 * calendar, or has none.
 *
 * What the caller promises:
 * `message` is a message, `method` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_part_calendar_method(const sevenbit_message *message,
                                              size_t number,
                                              sevenbit_buffer **method);

/**
 * Whether the day, the year or the zone of the date that sevenbit_part_date returns is a guess, read as the clients of people
 * read it; false if there is none.
 *
 * What the caller promises:
 * `message` is a message or NULL.
 */
bool sevenbit_part_date_is_guess(const sevenbit_message *message,
                                 size_t number);

/**
 * A name that is safe to store any file under: no path, no control, no device of Windows, never empty.
 *
 * What the caller promises:
 * `name` points to `length` octets, `safe` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_safe_file_name(const char *name,
                                        size_t length,
                                        sevenbit_buffer **safe);

/**
 * A subject without `Re:`, `Fwd:`, `Aw:` and the like before it.
 *
 * What the caller promises:
 * `subject` points to `length` octets, `base` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_base_subject(const char *subject,
                                      size_t length,
                                      sevenbit_buffer **base);

/**
 * A message whose parts in TNEF (winmail.dat) were replaced by the parts that are in them: normalise it, since names of files
 * are in it as UTF-8. SEVENBIT_ERROR_ABSENT if there is no such part. Signed and encrypted content stays as it is.
 *
 * What the caller promises:
 * `data` points to `length` octets, `unpacked` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_unpack_tnef(const uint8_t *data,
                                     size_t length,
                                     sevenbit_buffer **unpacked);

/**
 * A message of Outlook (.msg, .oft) as mail: normalise it, since its header is in UTF-8. SEVENBIT_ERROR_ABSENT if the octets are no
 * such file, or one that cannot be read.
 *
 * What the caller promises:
 * `data` points to `length` octets, `message` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_outlook_message(const uint8_t *data,
                                         size_t length,
                                         sevenbit_buffer **message);

/**
 * Cuts a text, as sevenbit_message_text returns it, into the sender's own lines, quotations and the signature. Together
 * they are the whole text; the passages do not refer to it.
 *
 * What the caller promises:
 * `data` points to `length` octets, `passages` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_passages_new(const char *data,
                                      size_t length,
                                      sevenbit_passages **passages);

/**
 * How many passages there are; 0 for NULL.
 *
 * What the caller promises:
 * `passages` are passages or NULL.
 */
size_t sevenbit_passages_count(const sevenbit_passages *passages);

/**
 * The passage of that number, from 0; NULL if there is none.
 *
 * What the caller promises:
 * `passages` are passages or NULL.
 */
const sevenbit_passage *sevenbit_passages_at(const sevenbit_passages *passages, size_t number);

/**
 * Frees passages.
 *
 * What the caller promises:
 * `passages` are passages that were not freed, or NULL.
 */
void sevenbit_passages_free(sevenbit_passages *passages);

/**
 * The name of the charset that a label means: `UTF-8` of `utf8`. SEVENBIT_ERROR_UNKNOWN_CHARSET if it means none.
 *
 * What the caller promises:
 * `label` points to `length` octets; `name` may be written to. The name is valid for ever.
 */
sevenbit_status sevenbit_charset_name(const char *label,
                                      size_t length,
                                      sevenbit_text *name);

/**
 * The charset that octets without a label seem to be in: its name is valid for ever.
 *
 * What the caller promises:
 * `data` points to `length` octets; `name` may be written to.
 */
sevenbit_status sevenbit_charset_detect(const uint8_t *data, size_t length, sevenbit_text *name);

/**
 * Decodes octets in the charset that a label means; U+FFFD replaces ill-formed octets, and the issues say where.
 *
 * What the caller promises:
 * `label` and `data` point to as many octets as their lengths say; `decoded` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_charset_decode(const char *label,
                                        size_t label_length,
                                        const uint8_t *data,
                                        size_t length,
                                        sevenbit_decoded **decoded);

/**
 * Encodes text in the charset that a label means. SEVENBIT_ERROR_UNENCODABLE for a character that it lacks, with the
 * character's first octet in `*offset`, unless that is NULL.
 *
 * What the caller promises:
 * `label` and `data` point to as many octets as their lengths say; `encoded` may be written to, and `offset` unless it is
 * NULL.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_charset_encode(const char *label,
                                        size_t label_length,
                                        const char *data,
                                        size_t length,
                                        size_t *offset,
                                        sevenbit_buffer **encoded);

/**
 * Makes a decoder for the charset that a label means.
 *
 * What the caller promises:
 * `label` points to `length` octets; `decoder` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_decoder_new(const char *label,
                                     size_t length,
                                     sevenbit_decoder **decoder);

/**
 * Decodes one more piece. `text` is the decoded text, valid until the next call for this decoder.
 *
 * What the caller promises:
 * `decoder` is a decoder, `data` points to `length` octets, `text` may be written to.
 */
sevenbit_status sevenbit_decoder_push(sevenbit_decoder *decoder,
                                      const uint8_t *data,
                                      size_t length,
                                      sevenbit_text *text);

/**
 * Ends the input. `text` is the remaining text, valid until the decoder is freed; the issues of all pieces are then
 * available, with offsets in all of them together. Further pieces give no text.
 *
 * What the caller promises:
 * `decoder` is a decoder, `text` may be written to.
 */
sevenbit_status sevenbit_decoder_finish(sevenbit_decoder *decoder,
                                        sevenbit_text *text);

/**
 * How many issues were found, once the decoder is finished; 0 for NULL.
 *
 * What the caller promises:
 * `decoder` is a decoder or NULL.
 */
size_t sevenbit_decoder_issue_count(const sevenbit_decoder *decoder);

/**
 * The issue of that number, from 0; NULL if there is none.
 *
 * What the caller promises:
 * `decoder` is a decoder or NULL.
 */
const sevenbit_issue *sevenbit_decoder_issue(const sevenbit_decoder *decoder, size_t number);

/**
 * Frees a decoder.
 *
 * What the caller promises:
 * `decoder` is a decoder that was not freed, or NULL.
 */
void sevenbit_decoder_free(sevenbit_decoder *decoder);

/**
 * The text, in UTF-8.
 *
 * What the caller promises:
 * `decoded` is a decoded text, `text` may be written to.
 */
sevenbit_status sevenbit_decoded_text(const sevenbit_decoded *decoded, sevenbit_text *text);

/**
 * How many issues it has; 0 for NULL.
 *
 * What the caller promises:
 * `decoded` is a decoded text or NULL.
 */
size_t sevenbit_decoded_issue_count(const sevenbit_decoded *decoded);

/**
 * The issue of that number, from 0; NULL if there is none.
 *
 * What the caller promises:
 * `decoded` is a decoded text or NULL.
 */
const sevenbit_issue *sevenbit_decoded_issue(const sevenbit_decoded *decoded, size_t number);

/**
 * Frees a decoded text.
 *
 * What the caller promises:
 * `decoded` is a decoded text that was not freed, or NULL.
 */
void sevenbit_decoded_free(sevenbit_decoded *decoded);

/**
 * The octets of a buffer. A NUL follows, which the length does not count.
 *
 * What the caller promises:
 * `buffer` is a buffer, `octets` may be written to.
 */
sevenbit_status sevenbit_buffer_octets(const sevenbit_buffer *buffer, sevenbit_octets *octets);

/**
 * Frees a buffer.
 *
 * What the caller promises:
 * `buffer` is a buffer that was not freed, or NULL.
 */
void sevenbit_buffer_free(sevenbit_buffer *buffer);

/**
 * Reads the value of an unstructured header field, with its encoded-words and raw octets.
 *
 * What the caller promises:
 * `value` points to `length` octets; `decoded` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_decode_header(const uint8_t *value,
                                       size_t length,
                                       sevenbit_decoded **decoded);

/**
 * Writes text as the value of an unstructured header field: plain if possible, else in encoded-words.
 *
 * What the caller promises:
 * `value` points to `length` octets of UTF-8; `encoded` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_encode_header(const char *value,
                                       size_t length,
                                       sevenbit_buffer **encoded);

/**
 * Reads an IMAP mailbox name in modified UTF-7 (RFC 3501, 5.1.3), leniently.
 *
 * What the caller promises:
 * `name` points to `length` octets; `decoded` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_mailbox_name_decode(const uint8_t *name,
                                             size_t length,
                                             sevenbit_decoded **decoded);

/**
 * Writes an IMAP mailbox name in modified UTF-7.
 *
 * What the caller promises:
 * `name` points to `length` octets of UTF-8; `encoded` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_mailbox_name_encode(const char *name,
                                             size_t length,
                                             sevenbit_buffer **encoded);

/**
 * Whether octets are an mbox of several messages; false for NULL.
 *
 * What the caller promises:
 * `data` points to `length` octets.
 */
bool sevenbit_is_mbox(const uint8_t *data, size_t length);

/**
 * Cuts an mbox of any dialect into its messages. The mbox borrows the octets: keep them, unchanged, until
 * sevenbit_mbox_free.
 *
 * What the caller promises:
 * `data` points to `length` octets; `mbox` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_mbox_new(const uint8_t *data,
                                  size_t length,
                                  sevenbit_mbox **mbox);

/**
 * The next message, without its separator and quoting: valid until the next call for this mbox. SEVENBIT_ERROR_ABSENT after
 * the last one.
 *
 * What the caller promises:
 * `mbox` is an mbox, `message` may be written to.
 */
sevenbit_status sevenbit_mbox_next(sevenbit_mbox *mbox,
                                   sevenbit_octets *message);

/**
 * Frees an mbox.
 *
 * What the caller promises:
 * `mbox` is an mbox that was not freed, or NULL.
 */
void sevenbit_mbox_free(sevenbit_mbox *mbox);

/**
 * Parses a message; any octets are one. The message borrows them: keep them, unchanged, until sevenbit_message_free.
 *
 * What the caller promises:
 * `data` points to `length` octets; `message` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_parse(const uint8_t *data,
                               size_t length,
                               sevenbit_message **message);

/**
 * Parses a message as sevenbit_parse does. Texts of its parts, and what is made of them, have U+FFFD for each U+0000, which
 * databases and JSON columns refuse; that is among the issues as `control-replaced`. Octets stay as they are.
 *
 * What the caller promises:
 * `data` points to `length` octets; `message` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_parse_replacing_nul(const uint8_t *data,
                                             size_t length,
                                             sevenbit_message **message);

/**
 * How many parts there are, the message itself included; 0 for NULL.
 *
 * What the caller promises:
 * `message` is a message or NULL.
 */
size_t sevenbit_message_part_count(const sevenbit_message *message);

/**
 * The properties of the part with that number; NULL if there is none.
 *
 * What the caller promises:
 * `message` is a message or NULL.
 */
const sevenbit_part *sevenbit_message_part(const sevenbit_message *message, size_t number);

/**
 * How many parts the body has on one side (SEVENBIT_BODY_PLAIN, SEVENBIT_BODY_HTML), or how many attachments there are
 * (SEVENBIT_BODY_ATTACHMENTS); 0 for NULL. The parts of a side are shown one after the other.
 *
 * What the caller promises:
 * `message` is a message or NULL.
 */
size_t sevenbit_message_body_count(const sevenbit_message *message,
                                   uint32_t side);

/**
 * The number of a part of the body, or of an attachment, in their order from 0: an argument for sevenbit_message_part.
 *
 * What the caller promises:
 * `message` is a message, `number` may be written to.
 */
sevenbit_status sevenbit_message_body(const sevenbit_message *message,
                                      uint32_t side,
                                      size_t place,
                                      size_t *number);

/**
 * The text of the message as it reads: the text parts that are shown, one after the other; of a message without any, the
 * words of its HTML.
 *
 * What the caller promises:
 * `message` is a message, `text` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_message_text(const sevenbit_message *message,
                                      sevenbit_buffer **text);

/**
 * The HTML of the message; links to its own parts (`cid:`) stay as they are. SEVENBIT_ERROR_ABSENT if it has none. It is
 * as the sender wrote it: show it only where nothing of it can run or load.
 *
 * What the caller promises:
 * `message` is a message, `html` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_message_html(const sevenbit_message *message,
                                      sevenbit_buffer **html);

/**
 * The HTML of the message as sevenbit_message_html returns it, with the address that `resolve` returns for each `cid:`.
 * SEVENBIT_ERROR_ABSENT if it has none, SEVENBIT_ERROR_NOT_UTF8 if an address is not UTF-8.
 *
 * What the caller promises:
 * `message` is a message, `resolve` may be called with `context` and does not unwind, `html` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_message_resolved_html(const sevenbit_message *message,
                                               sevenbit_resolve resolve,
                                               void *context,
                                               sevenbit_buffer **html);

/**
 * How many files the message has: attachments, pictures of its HTML, files inside winmail.dat and uuencoded ones; 0 for NULL.
 *
 * What the caller promises:
 * `message` is a message or NULL.
 */
size_t sevenbit_message_attachment_count(const sevenbit_message *message);

/**
 * The file of that number, from 0; NULL if there is none.
 *
 * What the caller promises:
 * `message` is a message or NULL.
 */
const sevenbit_attachment *sevenbit_message_attachment(const sevenbit_message *message,
                                                       size_t number);

/**
 * The octets of the file of that number.
 *
 * What the caller promises:
 * `message` is a message, `octets` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_attachment_octets(const sevenbit_message *message,
                                           size_t number,
                                           sevenbit_buffer **octets);

/**
 * The text of a text part, with anything odd about it. SEVENBIT_ERROR_ABSENT if the part is not text.
 *
 * What the caller promises:
 * `message` is a message, `decoded` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_part_text(const sevenbit_message *message,
                                   size_t number,
                                   sevenbit_decoded **decoded);

/**
 * The octets of a part without their transfer encoding.
 *
 * What the caller promises:
 * `message` is a message, `buffer` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_part_octets(const sevenbit_message *message,
                                     size_t number,
                                     sevenbit_buffer **buffer);

/**
 * The text of the first field of that name, ignoring case. SEVENBIT_ERROR_ABSENT if there is none.
 *
 * What the caller promises:
 * `message` is a message, `name` points to `length` octets, `value` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_part_header(const sevenbit_message *message,
                                     size_t number,
                                     const char *name,
                                     size_t length,
                                     sevenbit_buffer **value);

/**
 * The texts of all fields of that name, ignoring case, in order: none if there are none.
 *
 * What the caller promises:
 * `message` is a message, `name` points to `length` octets, `values` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_part_headers(const sevenbit_message *message,
                                      size_t number,
                                      const char *name,
                                      size_t length,
                                      sevenbit_texts **values);

/**
 * The ids in all fields of that name, without angle brackets, in order: of Message-ID, In-Reply-To, References.
 *
 * What the caller promises:
 * `message` is a message, `name` points to `length` octets, `ids` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_part_ids(const sevenbit_message *message,
                                  size_t number,
                                  const char *name,
                                  size_t length,
                                  sevenbit_texts **ids);

/**
 * When the part was dated: seconds since 1970-01-01 00:00 UTC, and unless `offset` is NULL, how many minutes the sender's
 * clock was ahead of UTC, or SEVENBIT_OFFSET_UNKNOWN. SEVENBIT_ERROR_ABSENT if there is no date that can be read.
 *
 * What the caller promises:
 * `message` is a message, `timestamp` may be written to, and `offset` unless it is NULL.
 */
sevenbit_status sevenbit_part_date(const sevenbit_message *message,
                                   size_t number,
                                   int64_t *timestamp,
                                   int32_t *offset);

/**
 * The mailboxes of all fields of that name, in order: of From, To, Cc and so on.
 *
 * What the caller promises:
 * `message` is a message, `name` points to `length` octets, `mailboxes` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_part_mailboxes(const sevenbit_message *message,
                                        size_t number,
                                        const char *name,
                                        size_t length,
                                        sevenbit_mailboxes **mailboxes);

/**
 * How many mailboxes there are; 0 for NULL.
 *
 * What the caller promises:
 * `mailboxes` are mailboxes or NULL.
 */
size_t sevenbit_mailboxes_count(const sevenbit_mailboxes *mailboxes);

/**
 * The mailbox of that number, from 0; NULL if there is none.
 *
 * What the caller promises:
 * `mailboxes` are mailboxes or NULL.
 */
const sevenbit_mailbox *sevenbit_mailboxes_at(const sevenbit_mailboxes *mailboxes, size_t number);

/**
 * Frees mailboxes.
 *
 * What the caller promises:
 * `mailboxes` are mailboxes that were not freed, or NULL.
 */
void sevenbit_mailboxes_free(sevenbit_mailboxes *mailboxes);

/**
 * Frees a message.
 *
 * What the caller promises:
 * `message` is a message that was not freed, or NULL.
 */
void sevenbit_message_free(sevenbit_message *message);

/**
 * Normalises the message of `length` octets. Any octets give a result.
 *
 * The result borrows the octets: keep them, unchanged, until sevenbit_result_free.
 *
 * What the caller promises:
 * `message` points to `length` octets; `options` is NULL or was filled in by sevenbit_options_init; `result` may be
 * written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_normalize(const uint8_t *message,
                                   size_t length,
                                   const sevenbit_options *options,
                                   sevenbit_result **result);

/**
 * The octets of the normalised message: the input itself, if nothing changes.
 *
 * What the caller promises:
 * `result` is a result, `octets` may be written to.
 */
sevenbit_status sevenbit_result_octets(const sevenbit_result *result, sevenbit_octets *octets);

/**
 * Whether the octets differ from the input; false for NULL.
 *
 * What the caller promises:
 * `result` is a result or NULL.
 */
bool sevenbit_result_changed(const sevenbit_result *result);

/**
 * Whether the message is returned as it was for the sake of a signature (SEVENBIT_SIGNED_REFUSE); false for NULL.
 *
 * What the caller promises:
 * `result` is a result or NULL.
 */
bool sevenbit_result_refused(const sevenbit_result *result);

/**
 * How many issues the report has; 0 for NULL.
 *
 * What the caller promises:
 * `result` is a result or NULL.
 */
size_t sevenbit_result_issue_count(const sevenbit_result *result);

/**
 * The issue of that number, from 0; NULL if there is none.
 *
 * What the caller promises:
 * `result` is a result or NULL.
 */
const sevenbit_issue *sevenbit_result_issue(const sevenbit_result *result, size_t number);

/**
 * The report as one line of JSON: `changed`, `refused`, and `issues`, each with `code`, `severity`, `rule`, `part`, `span` and
 * `detail`, as in `sevenbit normalize --report`.
 *
 * What the caller promises:
 * `result` is a result, `report` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_result_json(const sevenbit_result *result,
                                     sevenbit_buffer **report);

/**
 * Frees a result.
 *
 * What the caller promises:
 * `result` is a result that was not freed, or NULL.
 */
void sevenbit_result_free(sevenbit_result *result);

/**
 * Fills in the defaults: the archive profile, signatures broken where they must be, nothing replaced. `size` is
 * `sizeof(sevenbit_options)`: a library of a later version, which knows more options, writes no further than that, and
 * takes its defaults for the options that the caller does not know.
 * SEVENBIT_ERROR_BAD_OPTIONS if the struct is shorter than that of version 1.0, or longer than the library's.
 *
 * What the caller promises:
 * `options` is NULL, or `size` octets may be written to it.
 */
sevenbit_status sevenbit_options_init(sevenbit_options *options,
                                      size_t size);

/**
 * Sets an option by its name and the word of its value, as the command has them: `"profile"` to `"transport"`,
 * `"unlabelled"` to `"guess"`; `"read-as"` to a label of a charset, which has to stay where it is. Both end with a NUL.
 * SEVENBIT_ERROR_ABSENT if there is no such option, SEVENBIT_ERROR_BAD_OPTIONS if it has no such value, or if the struct is
 * too short for it.
 *
 * What the caller promises:
 * `options` was filled in by sevenbit_options_init; `name` and `word` are texts that end with a NUL.
 */
sevenbit_status sevenbit_options_set(sevenbit_options *options,
                                     const char *name,
                                     const char *word);

/**
 * Decides what must change in the message of `length` octets, and changes nothing.
 *
 * The plan borrows the octets: keep them, unchanged, until sevenbit_plan_free.
 *
 * What the caller promises:
 * As for sevenbit_normalize.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_plan_new(const uint8_t *message,
                                  size_t length,
                                  const sevenbit_options *options,
                                  sevenbit_plan **plan);

/**
 * Whether the message is already in its normal form; false for NULL.
 *
 * What the caller promises:
 * `plan` is a plan or NULL.
 */
bool sevenbit_plan_is_clean(const sevenbit_plan *plan);

/**
 * Whether the message is to be left as it was for the sake of a signature; false for NULL.
 *
 * What the caller promises:
 * `plan` is a plan or NULL.
 */
bool sevenbit_plan_is_refused(const sevenbit_plan *plan);

/**
 * How many fields sevenbit_plan_field can return; 0 for NULL.
 *
 * What the caller promises:
 * `plan` is a plan or NULL.
 */
size_t sevenbit_plan_field_count(const sevenbit_plan *plan);

/**
 * The field at that place, from 0, in the order of the new header; dropped ones keep their places.
 *
 * A filter that counts fields by name makes its changes and removals from the last to the first, then its insertions
 * from the first to the last. NULL if there is none at that place.
 *
 * What the caller promises:
 * `plan` is a plan or NULL.
 */
const sevenbit_field *sevenbit_plan_field(const sevenbit_plan *plan,
                                          size_t place);

/**
 * The field that replaces the one at `place`; of several, the one with that `number`, from 0. `name`
 * and `value` may be NULL if they are not wanted. The value has its folds (CR LF) and the white space after the colon,
 * but no line end.
 *
 * What the caller promises:
 * `plan` is a plan; `name` and `value` may be written to, or are NULL.
 */
sevenbit_status sevenbit_plan_written(const sevenbit_plan *plan,
                                      size_t place,
                                      size_t number,
                                      sevenbit_octets *name,
                                      sevenbit_octets *value);

/**
 * Whether anything after the header changes; false for NULL.
 *
 * What the caller promises:
 * `plan` is a plan or NULL.
 */
bool sevenbit_plan_changes_body(const sevenbit_plan *plan);

/**
 * The new body: everything after the header and its empty line. It is made at the first call, which is why the plan
 * is not const.
 *
 * What the caller promises:
 * `plan` is a plan that no other thread uses, `body` may be written to.
 */
sevenbit_status sevenbit_plan_body(sevenbit_plan *plan,
                                   sevenbit_octets *body);

/**
 * How many issues were found; 0 for NULL.
 *
 * What the caller promises:
 * `plan` is a plan or NULL.
 */
size_t sevenbit_plan_issue_count(const sevenbit_plan *plan);

/**
 * The issue of that number, from 0; NULL if there is none.
 *
 * What the caller promises:
 * `plan` is a plan or NULL.
 */
const sevenbit_issue *sevenbit_plan_issue(const sevenbit_plan *plan, size_t number);

/**
 * Passes the whole normalised message to `write` in pieces; SEVENBIT_ERROR_WRITE if that returns false.
 *
 * What the caller promises:
 * `plan` is a plan; `write` may be called with `context`.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_plan_write(const sevenbit_plan *plan,
                                    sevenbit_write write,
                                    void *context);

/**
 * Frees a plan.
 *
 * What the caller promises:
 * `plan` is a plan that was not freed, or NULL.
 */
void sevenbit_plan_free(sevenbit_plan *plan);

/**
 * How many fields the header of a part has; 0 for NULL. Lines that are not fields do not count.
 *
 * What the caller promises:
 * `message` is a message or NULL.
 */
size_t sevenbit_part_raw_header_count(const sevenbit_message *message, size_t number);

/**
 * A field of a part as octets: the one at `place`, from 0, in the order of the header; NULL if there is none.
 *
 * What the caller promises:
 * `message` is a message or NULL.
 */
const sevenbit_raw_header *sevenbit_part_raw_header(const sevenbit_message *message,
                                                    size_t number,
                                                    size_t place);

/**
 * Begins a message that comes in pieces.
 *
 * What the caller promises:
 * `options` is NULL or was filled in by sevenbit_options_init; `stream` may be written to.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_stream_new(const sevenbit_options *options,
                                    sevenbit_stream **stream);

/**
 * Adds a piece, which may begin and end anywhere; it is copied.
 *
 * What the caller promises:
 * `stream` is a stream, `data` points to `length` octets.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_stream_push(sevenbit_stream *stream,
                                     const uint8_t *data,
                                     size_t length);

/**
 * Ends the message: passes its normal form to `write` in pieces, and makes the report available. The stream then begins
 * the next message. SEVENBIT_ERROR_WRITE if `write` returned false; SEVENBIT_ERROR_NULL_ARGUMENT if there is no `write`: the
 * message then stays in the stream.
 *
 * What the caller promises:
 * `stream` is a stream; `write` may be called with `context`, and does not use the stream.
 */
SEVENBIT_WARN_UNUSED
sevenbit_status sevenbit_stream_finish(sevenbit_stream *stream,
                                       sevenbit_write write,
                                       void *context);

/**
 * Whether the normal form of the last message differs from what came in; false for NULL.
 *
 * What the caller promises:
 * `stream` is a stream or NULL.
 */
bool sevenbit_stream_changed(const sevenbit_stream *stream);

/**
 * Whether the last message was written as it was for the sake of a signature; false for NULL.
 *
 * What the caller promises:
 * `stream` is a stream or NULL.
 */
bool sevenbit_stream_refused(const sevenbit_stream *stream);

/**
 * How many issues the last message had; 0 for NULL.
 *
 * What the caller promises:
 * `stream` is a stream or NULL.
 */
size_t sevenbit_stream_issue_count(const sevenbit_stream *stream);

/**
 * The issue of that number, from 0, valid until the next call that changes the stream; NULL if there is none.
 *
 * What the caller promises:
 * `stream` is a stream or NULL.
 */
const sevenbit_issue *sevenbit_stream_issue(const sevenbit_stream *stream,
                                            size_t number);

/**
 * Frees a stream.
 *
 * What the caller promises:
 * `stream` is a stream that was not freed, or NULL.
 */
void sevenbit_stream_free(sevenbit_stream *stream);

/**
 * How many texts there are; 0 for NULL.
 *
 * What the caller promises:
 * `texts` are texts or NULL.
 */
size_t sevenbit_texts_count(const sevenbit_texts *texts);

/**
 * The text of that number, from 0; NULL if there is none.
 *
 * What the caller promises:
 * `texts` are texts or NULL.
 */
const sevenbit_text *sevenbit_texts_at(const sevenbit_texts *texts, size_t number);

/**
 * Frees texts.
 *
 * What the caller promises:
 * `texts` are texts that were not freed, or NULL.
 */
void sevenbit_texts_free(sevenbit_texts *texts);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SEVENBIT_H */
