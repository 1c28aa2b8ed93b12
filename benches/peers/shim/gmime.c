/* GMime, used as in its manual, behind six plain functions; stubs if it is not installed. */
#include <stddef.h>

#ifdef INSTALLED
#include <gmime/gmime.h>
#include <string.h>

static GMimeFormatOptions *crlf;

/* Complaints about odd mail are no part of the work. */
static void silent(const gchar *domain, GLogLevelFlags level, const gchar *text, gpointer user) {
    (void)domain; (void)level; (void)text; (void)user;
}

int gmime_open(void) {
    g_mime_init();
    g_log_set_default_handler(silent, NULL);
    crlf = g_mime_format_options_new();
    g_mime_format_options_set_newline_format(crlf, GMIME_NEWLINE_FORMAT_DOS);
    return 1;
}

/* A message, and the array over the caller's octets that its parts read from. */
typedef struct {
    GByteArray *array;
    GMimeMessage *message;
} Parsed;

static Parsed parse(const char *octets, size_t length) {
    Parsed parsed = { g_byte_array_new_take((guint8 *)octets, length), NULL };
    GMimeStream *stream = g_mime_stream_mem_new();
    g_mime_stream_mem_set_byte_array((GMimeStreamMem *)stream, parsed.array);
    g_mime_stream_mem_set_owner((GMimeStreamMem *)stream, FALSE);
    GMimeParser *parser = g_mime_parser_new_with_stream(stream);
    parsed.message = g_mime_parser_construct_message(parser, NULL);
    g_object_unref(parser);
    g_object_unref(stream);
    return parsed;
}

/* The octets stay the caller's. */
static void forget(Parsed parsed) {
    if (parsed.message != NULL) g_object_unref(parsed.message);
    g_byte_array_free(parsed.array, FALSE);
}

long gmime_parse(const char *octets, size_t length) {
    Parsed parsed = parse(octets, length);
    long found = parsed.message == NULL ? -1 : 1;
    forget(parsed);
    return found;
}

static void decode_leaf(GMimeObject *parent, GMimeObject *part, gpointer user) {
    long *octets = user;
    (void)parent;
    if (GMIME_IS_MESSAGE_PART(part)) {
        GMimeMessage *inner = g_mime_message_part_get_message((GMimeMessagePart *)part);
        if (inner != NULL) g_mime_message_foreach(inner, decode_leaf, user);
    } else if (GMIME_IS_TEXT_PART(part)) {
        char *text = g_mime_text_part_get_text((GMimeTextPart *)part);
        if (text != NULL) *octets += strlen(text);
        g_free(text);
    } else if (GMIME_IS_PART(part)) {
        GMimeDataWrapper *content = g_mime_part_get_content((GMimePart *)part);
        GMimeStream *out = g_mime_stream_mem_new();
        if (content != NULL) *octets += g_mime_data_wrapper_write_to_stream(content, out);
        g_object_unref(out);
    }
}

/* Subject, From, Date, and every leaf decoded. */
static long read_all(GMimeMessage *message) {
    const char *subject = g_mime_message_get_subject(message);
    long found = subject == NULL ? 0 : strlen(subject);
    InternetAddressList *from = g_mime_message_get_from(message);
    if (from != NULL && internet_address_list_length(from) > 0) {
        const char *name = internet_address_get_name(internet_address_list_get_address(from, 0));
        if (name != NULL) found += strlen(name);
    }
    found += g_mime_message_get_date(message) != NULL;
    g_mime_message_foreach(message, decode_leaf, &found);
    return found;
}

long gmime_view(const char *octets, size_t length) {
    Parsed parsed = parse(octets, length);
    long found = -1;
    if (parsed.message != NULL) found = read_all(parsed.message);
    forget(parsed);
    return found;
}

/* Encoded for a 7-bit way and written with CRLF. `take` gets the octets, if anybody wants them. */
long gmime_rewrite(const char *octets, size_t length, void (*take)(void *, const unsigned char *, size_t), void *user) {
    Parsed parsed = parse(octets, length);
    long written = -1;
    if (parsed.message != NULL) {
        GMimeObject *object = (GMimeObject *)parsed.message;
        g_mime_object_encode(object, GMIME_ENCODING_CONSTRAINT_7BIT);
        GMimeStream *out = g_mime_stream_mem_new();
        written = g_mime_object_write_to_stream(object, crlf, out);
        GByteArray *array = g_mime_stream_mem_get_byte_array((GMimeStreamMem *)out);
        if (take != NULL) take(user, array->data, array->len);
        g_object_unref(out);
    }
    forget(parsed);
    return written;
}

static GMimeContentEncoding named(int base64) {
    return base64 ? GMIME_CONTENT_ENCODING_BASE64 : GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE;
}

long gmime_encode(int base64, const char *octets, size_t length, char *out) {
    GMimeEncoding state;
    g_mime_encoding_init_encode(&state, named(base64));
    return g_mime_encoding_flush(&state, octets, length, out);
}

long gmime_decode(int base64, const char *octets, size_t length, char *out) {
    GMimeEncoding state;
    g_mime_encoding_init_decode(&state, named(base64));
    return g_mime_encoding_flush(&state, octets, length, out);
}

#else

int gmime_open(void) { return 0; }
long gmime_parse(const char *octets, size_t length) { return -1; }
long gmime_view(const char *octets, size_t length) { return -1; }
long gmime_rewrite(const char *octets, size_t length, void (*take)(void *, const unsigned char *, size_t), void *user) { return -1; }
long gmime_encode(int base64, const char *octets, size_t length, char *out) { return -1; }
long gmime_decode(int base64, const char *octets, size_t length, char *out) { return -1; }

#endif
