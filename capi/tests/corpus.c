/*
 * corpus OUT PROFILE FILE...: passes each message through the C interface, in each way that it has, compares the ways with
 * each other, and writes the normalised message to OUT under the same name. test.sh compares that with what the command writes,
 * and compiles this as C++, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sevenbit.h"

#define CHECK(condition)                                                                    \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "%s: line %d: not true: %s\n", file, __LINE__, #condition);     \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

struct memory {
    unsigned char *data;
    size_t length, room;
};

static void append(struct memory *memory, const void *data, size_t length)
{
    if (memory->length + length > memory->room) {
        memory->room = 2 * (memory->length + length) + 64;
        memory->data = (unsigned char *) realloc(memory->data, memory->room); /* the cast is for C++ */
        if (memory->data == NULL)
            abort();
    }
    if (length > 0)
        memcpy(memory->data + memory->length, data, length);
    memory->length += length;
}

static struct memory read_file(const char *file)
{
    struct memory memory = {NULL, 0, 0};
    unsigned char piece[65536];
    size_t got;
    FILE *input = fopen(file, "rb");
    CHECK(input != NULL);
    while ((got = fread(piece, 1, sizeof piece, input)) > 0)
        append(&memory, piece, got);
    CHECK(fclose(input) == 0);
    return memory;
}

static void write_file(const char *file, const char *folder, sevenbit_octets octets)
{
    char path[4096];
    const char *name = strrchr(file, '/');
    FILE *output;
    CHECK(snprintf(path, sizeof path, "%s/%s", folder, name ? name + 1 : file) < (int) sizeof path);
    output = fopen(path, "wb");
    CHECK(output != NULL);
    CHECK(fwrite(octets.data, 1, octets.length, output) == octets.length);
    CHECK(fclose(output) == 0);
}

/* Takes what is written. */
static bool collect(void *context, const uint8_t *data, size_t length)
{
    append((struct memory *) context, data, length);
    return true;
}

/* The header that the plan describes field by field, and the new body, are the normalised message. */
static void check_plan(const char *file, struct memory message, const sevenbit_options *options, sevenbit_octets whole)
{
    sevenbit_plan *plan;
    sevenbit_octets body, name, value;
    struct memory header = {NULL, 0, 0};
    size_t place, number;
    CHECK(sevenbit_plan_new(message.data, message.length, options, &plan) == SEVENBIT_OK);
    for (place = 0; place < sevenbit_plan_field_count(plan); place++) {
        const sevenbit_field *field = sevenbit_plan_field(plan, place);
        CHECK(field != NULL && field->start <= field->end && field->end <= message.length);
        CHECK((field->change == SEVENBIT_FIELD_DROPPED) == (field->written == 0));
        for (number = 0; number < field->written; number++) {
            CHECK(sevenbit_plan_written(plan, place, number, &name, &value) == SEVENBIT_OK);
            append(&header, name.data, name.length);
            append(&header, ":", 1);
            append(&header, value.data, value.length);
            append(&header, "\r\n", 2);
        }
        CHECK(sevenbit_plan_written(plan, place, field->written, &name, &value) == SEVENBIT_ERROR_ABSENT);
    }
    CHECK(sevenbit_plan_body(plan, &body) == SEVENBIT_OK);
    if (!sevenbit_plan_is_refused(plan)) {
        CHECK(header.length + body.length <= whole.length && whole.length <= header.length + body.length + 2);
        CHECK(memcmp(whole.data, header.data, header.length) == 0);
        CHECK(memcmp(whole.data + whole.length - body.length, body.data, body.length) == 0);
    }
    free(header.data);
    header.data = NULL, header.length = header.room = 0;
    CHECK(sevenbit_plan_write(plan, collect, &header) == SEVENBIT_OK);
    CHECK(header.length == whole.length && (whole.length == 0 || memcmp(header.data, whole.data, whole.length) == 0));
    free(header.data);
    sevenbit_plan_free(plan);
}

/* In pieces of 777 octets, out in pieces: the normalised message, with as many issues. */
static void check_stream(const char *file, struct memory message, const sevenbit_options *options, sevenbit_octets whole)
{
    sevenbit_stream *stream;
    struct memory written = {NULL, 0, 0};
    size_t at, piece = 777;
    CHECK(sevenbit_stream_new(options, &stream) == SEVENBIT_OK);
    for (at = 0; at < message.length; at += piece) {
        size_t left = message.length - at;
        CHECK(sevenbit_stream_push(stream, message.data + at, left < piece ? left : piece) == SEVENBIT_OK);
    }
    CHECK(sevenbit_stream_finish(stream, collect, &written) == SEVENBIT_OK);
    CHECK(written.length == whole.length && (whole.length == 0 || memcmp(written.data, whole.data, whole.length) == 0));
    for (at = 0; at < sevenbit_stream_issue_count(stream); at++)
        CHECK(sevenbit_stream_issue(stream, at) != NULL);
    CHECK(sevenbit_stream_issue(stream, at) == NULL);
    free(written.data);
    sevenbit_stream_free(stream);
}

/* A decoder that is fed octet by octet gives the same text as in one go. */
static void check_decoder(const char *file, sevenbit_text label, sevenbit_octets octets)
{
    sevenbit_decoder *decoder;
    sevenbit_decoded *decoded;
    sevenbit_text piece, text;
    struct memory pieces = {NULL, 0, 0};
    size_t at;
    sevenbit_status status =
        sevenbit_charset_decode(label.data, label.length, octets.data, octets.length, &decoded);
    if (status == SEVENBIT_ERROR_UNKNOWN_CHARSET)
        return;
    CHECK(status == SEVENBIT_OK);
    CHECK(sevenbit_decoder_new(label.data, label.length, &decoder) == SEVENBIT_OK);
    for (at = 0; at < octets.length; at++) {
        CHECK(sevenbit_decoder_push(decoder, octets.data + at, 1, &piece) == SEVENBIT_OK);
        append(&pieces, piece.data, piece.length);
    }
    CHECK(sevenbit_decoder_finish(decoder, &piece) == SEVENBIT_OK);
    append(&pieces, piece.data, piece.length);
    CHECK(sevenbit_decoded_text(decoded, &text) == SEVENBIT_OK);
    CHECK(text.length == pieces.length && memcmp(text.data, pieces.data, text.length) == 0);
    CHECK(sevenbit_decoder_issue_count(decoder) == sevenbit_decoded_issue_count(decoded));
    free(pieces.data);
    sevenbit_decoder_free(decoder);
    sevenbit_decoded_free(decoded);
}

/* Each part of the body and each attachment is a part of the message, and there is none after the last. */
static void check_body(const char *file, const sevenbit_message *view)
{
    uint32_t side;
    for (side = SEVENBIT_BODY_PLAIN; side <= SEVENBIT_BODY_ATTACHMENTS; side++) {
        size_t place, number, count = sevenbit_message_body_count(view, side);
        CHECK(count <= sevenbit_message_part_count(view));
        for (place = 0; place < count; place++) {
            CHECK(sevenbit_message_body(view, side, place, &number) == SEVENBIT_OK);
            CHECK(number < sevenbit_message_part_count(view));
        }
        CHECK(sevenbit_message_body(view, side, count, &number) == SEVENBIT_ERROR_ABSENT);
    }
}

/* The text, the HTML, and each file with as many octets as it says. */
static void check_files(const char *file, const sevenbit_message *view)
{
    sevenbit_buffer *buffer;
    sevenbit_octets octets;
    size_t at, count = sevenbit_message_attachment_count(view);
    CHECK(sevenbit_message_text(view, &buffer) == SEVENBIT_OK);
    sevenbit_buffer_free(buffer);
    if (sevenbit_message_html(view, &buffer) == SEVENBIT_OK)
        sevenbit_buffer_free(buffer);
    for (at = 0; at < count; at++) {
        const sevenbit_attachment *attachment = sevenbit_message_attachment(view, at);
        CHECK(attachment != NULL && attachment->part < sevenbit_message_part_count(view));
        CHECK(strlen(attachment->safe_name.data) > 0 && strchr(attachment->safe_name.data, '/') == NULL);
        CHECK(sevenbit_attachment_octets(view, at, &buffer) == SEVENBIT_OK);
        CHECK(sevenbit_buffer_octets(buffer, &octets) == SEVENBIT_OK && octets.length == attachment->size);
        sevenbit_buffer_free(buffer);
    }
    CHECK(sevenbit_message_attachment(view, count) == NULL);
}

/* All fields of a name, ids, and the date of a part. */
static void check_texts(const char *file, const sevenbit_message *view, size_t number)
{
    sevenbit_texts *texts;
    int64_t timestamp;
    int32_t offset;
    size_t at;
    CHECK(sevenbit_part_headers(view, number, "received", SEVENBIT_NUL_TERMINATED, &texts) == SEVENBIT_OK);
    for (at = 0; at < sevenbit_texts_count(texts); at++)
        CHECK(sevenbit_texts_at(texts, at) != NULL);
    CHECK(sevenbit_texts_at(texts, at) == NULL);
    sevenbit_texts_free(texts);
    CHECK(sevenbit_part_ids(view, number, "References", SEVENBIT_NUL_TERMINATED, &texts) == SEVENBIT_OK);
    sevenbit_texts_free(texts);
    if (sevenbit_part_date(view, number, &timestamp, &offset) == SEVENBIT_OK)
        CHECK(offset == SEVENBIT_OFFSET_UNKNOWN || (offset > -6000 && offset < 6000));
}

/* Each field of a part as octets, without the last line end, and as text. */
static void check_raw_headers(const char *file, const sevenbit_message *view, size_t number)
{
    sevenbit_buffer *buffer;
    size_t at, count = sevenbit_part_raw_header_count(view, number);
    for (at = 0; at < count; at++) {
        const sevenbit_raw_header *field = sevenbit_part_raw_header(view, number, at);
        CHECK(field != NULL && field->name.length > 0);
        CHECK(field->value.length == 0 || field->value.data[field->value.length - 1] != '\n');
        CHECK(sevenbit_part_header(view, number, field->name.data, field->name.length, &buffer) == SEVENBIT_OK);
        sevenbit_buffer_free(buffer);
    }
    CHECK(sevenbit_part_raw_header(view, number, count) == NULL);
}

/* Every question that a message can answer. */
static void check_view(const char *file, struct memory message)
{
    sevenbit_message *view;
    size_t number, at;
    CHECK(sevenbit_parse(message.data, message.length, &view) == SEVENBIT_OK);
    CHECK(sevenbit_message_part_count(view) > 0);
    check_body(file, view);
    check_files(file, view);
    for (number = 0; number < sevenbit_message_part_count(view); number++) {
        const sevenbit_part *part = sevenbit_message_part(view, number);
        sevenbit_decoded *text;
        sevenbit_buffer *buffer;
        sevenbit_mailboxes *mailboxes;
        sevenbit_octets octets;
        CHECK(part != NULL && part->media_type.length > 0);
        CHECK(part->media_type.data[part->media_type.length] == 0 && part->path.data[part->path.length] == 0);
        check_texts(file, view, number);
        check_raw_headers(file, view, number);
        if (sevenbit_part_text(view, number, &text) == SEVENBIT_OK)
            sevenbit_decoded_free(text);
        CHECK(sevenbit_part_octets(view, number, &buffer) == SEVENBIT_OK);
        CHECK(sevenbit_buffer_octets(buffer, &octets) == SEVENBIT_OK);
        if (part->charset_label.data != NULL && octets.length < 4096)
            check_decoder(file, part->charset_label, octets);
        sevenbit_buffer_free(buffer);
        if (sevenbit_part_header(view, number, "subject", 7, &buffer) == SEVENBIT_OK)
            sevenbit_buffer_free(buffer);
        CHECK(sevenbit_part_mailboxes(view, number, "From", 4, &mailboxes) == SEVENBIT_OK);
        for (at = 0; at < sevenbit_mailboxes_count(mailboxes); at++) {
            const sevenbit_mailbox *mailbox = sevenbit_mailboxes_at(mailboxes, at);
            CHECK(mailbox != NULL && strlen(mailbox->address.data) <= mailbox->address.length);
        }
        sevenbit_mailboxes_free(mailboxes);
    }
    sevenbit_message_free(view);
}

int main(int count, char **arguments)
{
    int at, guessed = 0;
    for (at = 3; at < count; at++) {
        const char *file = arguments[at];
        struct memory message = read_file(file);
        sevenbit_options options;
        sevenbit_result *result;
        sevenbit_octets octets;
        size_t number;
        CHECK(sevenbit_options_init(&options, sizeof options) == SEVENBIT_OK);
        if (strcmp(arguments[2], "transport") == 0)
            options.profile = SEVENBIT_PROFILE_TRANSPORT;
        CHECK(sevenbit_normalize(message.data, message.length, &options, &result) == SEVENBIT_OK);
        CHECK(sevenbit_result_octets(result, &octets) == SEVENBIT_OK);
        CHECK(sevenbit_result_changed(result)
              == (octets.length != message.length || memcmp(octets.data, message.data, octets.length) != 0));
        CHECK(sevenbit_result_changed(result) || octets.length == 0 || octets.data == message.data);
        for (number = 0; number < sevenbit_result_issue_count(result); number++) {
            const sevenbit_issue *issue = sevenbit_result_issue(result, number);
            CHECK(issue != NULL && strlen(issue->code.data) == issue->code.length);
            CHECK(issue->code.length > 0 && issue->start <= issue->end && issue->end <= message.length);
            CHECK(issue->charset.length == 0 || strcmp(issue->code.data, "charset-guessed") == 0);
            guessed += issue->charset.length > 0;
        }
        write_file(file, arguments[1], octets);
        check_plan(file, message, &options, octets);
        check_stream(file, message, &options, octets);
        check_view(file, message);
        sevenbit_result_free(result);
        free(message.data);
    }
    if (guessed == 0) {
        fprintf(stderr, "no issue names the charset that was guessed\n");
        return 1;
    }
    return 0;
}
