#include "pass.h"
#include "sevenbit.h"

static sevenbit_options options;

void begin(void)
{
    sevenbit_options_init(&options, sizeof options);
    options.profile = SEVENBIT_PROFILE_TRANSPORT;
}

long transport(const char *octets, size_t length)
{
    sevenbit_result *result;
    sevenbit_octets written;
    if (sevenbit_normalize((const uint8_t *) octets, length, &options, &result) != SEVENBIT_OK)
        return 0;
    sevenbit_result_octets(result, &written);
    sevenbit_result_free(result);
    return (long) written.length;
}

static long buffer_length(sevenbit_buffer *buffer)
{
    sevenbit_octets octets;
    sevenbit_buffer_octets(buffer, &octets);
    sevenbit_buffer_free(buffer);
    return (long) octets.length;
}

static long leaf(const sevenbit_message *message, size_t number)
{
    sevenbit_decoded *decoded;
    sevenbit_buffer *buffer;
    sevenbit_text text;
    if (sevenbit_part_text(message, number, &decoded) == SEVENBIT_OK) {
        sevenbit_decoded_text(decoded, &text);
        sevenbit_decoded_free(decoded);
        return (long) text.length;
    }
    return sevenbit_part_octets(message, number, &buffer) == SEVENBIT_OK ? buffer_length(buffer) : 0;
}

long view(const char *octets, size_t length)
{
    sevenbit_message *message;
    sevenbit_buffer *subject;
    sevenbit_mailboxes *from;
    int64_t date;
    long found = 0;
    size_t at;
    if (sevenbit_parse((const uint8_t *) octets, length, &message) != SEVENBIT_OK)
        return 0;
    if (sevenbit_part_header(message, 0, "Subject", 7, &subject) == SEVENBIT_OK)
        found += buffer_length(subject);
    if (sevenbit_part_mailboxes(message, 0, "From", 4, &from) == SEVENBIT_OK) {
        if (sevenbit_mailboxes_count(from) > 0)
            found += (long) sevenbit_mailboxes_at(from, 0)->name.length;
        sevenbit_mailboxes_free(from);
    }
    found += sevenbit_part_date(message, 0, &date, NULL) == SEVENBIT_OK;
    for (at = 0; at < sevenbit_message_part_count(message); at++)
        if (sevenbit_message_part(message, at)->is_leaf)
            found += leaf(message, at);
    sevenbit_message_free(message);
    return found;
}
