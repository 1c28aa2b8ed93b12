/* As GMime's own documents have it: a stream over the octets, its parser, its writer. */
#include <gmime/gmime.h>
#include <string.h>

#include "pass.h"

static GMimeFormatOptions *crlf;

/* Complaints about odd mail are no part of the work. */
static void silent(const gchar *domain, GLogLevelFlags level, const gchar *text, gpointer user)
{
    (void) domain, (void) level, (void) text, (void) user;
}

void begin(void)
{
    g_mime_init();
    g_log_set_default_handler(silent, NULL);
    crlf = g_mime_format_options_new();
    g_mime_format_options_set_newline_format(crlf, GMIME_NEWLINE_FORMAT_DOS);
}

static GMimeMessage *parsed(const char *octets, size_t length)
{
    GMimeStream *stream = g_mime_stream_mem_new_with_buffer(octets, length);
    GMimeParser *parser = g_mime_parser_new_with_stream(stream);
    GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
    g_object_unref(parser);
    g_object_unref(stream);
    return message;
}

long transport(const char *octets, size_t length)
{
    GMimeMessage *message = parsed(octets, length);
    GMimeStream *out;
    long written;
    if (message == NULL)
        return 0;
    out = g_mime_stream_mem_new();
    g_mime_object_encode((GMimeObject *) message, GMIME_ENCODING_CONSTRAINT_7BIT);
    written = (long) g_mime_object_write_to_stream((GMimeObject *) message, crlf, out);
    g_object_unref(out);
    g_object_unref(message);
    return written;
}

static void leaf(GMimeObject *parent, GMimeObject *part, gpointer user)
{
    long *found = user;
    (void) parent;
    if (GMIME_IS_MESSAGE_PART(part)) {
        GMimeMessage *inner = g_mime_message_part_get_message((GMimeMessagePart *) part);
        if (inner != NULL)
            g_mime_message_foreach(inner, leaf, user);
    } else if (GMIME_IS_TEXT_PART(part)) {
        char *text = g_mime_text_part_get_text((GMimeTextPart *) part);
        if (text != NULL)
            *found += (long) strlen(text);
        g_free(text);
    } else if (GMIME_IS_PART(part)) {
        GMimeDataWrapper *content = g_mime_part_get_content((GMimePart *) part);
        GMimeStream *out = g_mime_stream_mem_new();
        if (content != NULL)
            *found += (long) g_mime_data_wrapper_write_to_stream(content, out);
        g_object_unref(out);
    }
}

long view(const char *octets, size_t length)
{
    GMimeMessage *message = parsed(octets, length);
    InternetAddressList *from;
    const char *subject, *name;
    long found = 0;
    if (message == NULL)
        return 0;
    subject = g_mime_message_get_subject(message);
    if (subject != NULL)
        found += (long) strlen(subject);
    from = g_mime_message_get_from(message);
    if (from != NULL && internet_address_list_length(from) > 0) {
        name = internet_address_get_name(internet_address_list_get_address(from, 0));
        if (name != NULL)
            found += (long) strlen(name);
    }
    found += g_mime_message_get_date(message) != NULL;
    g_mime_message_foreach(message, leaf, &found);
    g_object_unref(message);
    return found;
}
