// The edges of the C interface, from C++: arguments that are NULL, empty, unknown or out of range give a status, never a crash.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "sevenbit.h"

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) {                                                            \
            std::fprintf(stderr, "line %d: not true: %s\n", __LINE__, #condition);     \
            std::exit(1);                                                              \
        }                                                                              \
    } while (0)

static std::string octets_of(sevenbit_buffer *buffer)
{
    sevenbit_octets octets;
    CHECK(sevenbit_buffer_octets(buffer, &octets) == SEVENBIT_OK);
    std::string made(reinterpret_cast<const char *>(octets.data), octets.length);
    sevenbit_buffer_free(buffer);
    return made;
}

static std::string text_of(sevenbit_decoded *decoded)
{
    sevenbit_text text;
    CHECK(sevenbit_decoded_text(decoded, &text) == SEVENBIT_OK);
    std::string made(text.data, text.length);
    sevenbit_decoded_free(decoded);
    return made;
}

static const uint8_t *octets(const char *text)
{
    return reinterpret_cast<const uint8_t *>(text);
}

// No octets are the empty text, a missing pointer is SEVENBIT_ERROR_NULL_ARGUMENT and gives no handle.
static void nothing_at_all()
{
    sevenbit_octets octets_out;
    sevenbit_text text;

    sevenbit_plan *plan;
    CHECK(sevenbit_plan_new(nullptr, 0, nullptr, &plan) == SEVENBIT_OK);
    CHECK(sevenbit_plan_is_clean(plan) && !sevenbit_plan_is_refused(plan) && !sevenbit_plan_changes_body(plan));
    CHECK(sevenbit_plan_field_count(plan) == 0 && sevenbit_plan_issue_count(plan) == 0);
    CHECK(sevenbit_plan_field(plan, 0) == nullptr);
    CHECK(sevenbit_plan_issue(plan, 0) == nullptr);
    CHECK(sevenbit_plan_body(plan, &octets_out) == SEVENBIT_OK && octets_out.length == 0);
    CHECK(sevenbit_plan_body(plan, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    sevenbit_plan_free(plan);
    CHECK(sevenbit_plan_new(nullptr, 1, nullptr, &plan) == SEVENBIT_ERROR_NULL_ARGUMENT && plan == nullptr);
    CHECK(sevenbit_plan_new(octets("a"), 1, nullptr, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(!sevenbit_plan_is_clean(nullptr) && !sevenbit_plan_is_refused(nullptr) && !sevenbit_plan_changes_body(nullptr));
    CHECK(sevenbit_plan_field_count(nullptr) == 0 && sevenbit_plan_issue_count(nullptr) == 0);
    CHECK(sevenbit_plan_field(nullptr, 0) == nullptr);
    CHECK(sevenbit_plan_written(nullptr, 0, 0, nullptr, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_plan_body(nullptr, &octets_out) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_plan_issue(nullptr, 0) == nullptr);

    sevenbit_message *message;
    sevenbit_mailboxes *mailboxes;
    sevenbit_buffer *buffer;
    CHECK(sevenbit_parse(nullptr, 0, &message) == SEVENBIT_OK && sevenbit_message_part_count(message) == 1);
    CHECK(sevenbit_message_part(nullptr, 0) == nullptr);
    CHECK(sevenbit_part_header(message, 0, nullptr, 0, &buffer) == SEVENBIT_ERROR_ABSENT && buffer == nullptr);
    CHECK(sevenbit_part_header(message, 0, nullptr, 1, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_part_mailboxes(message, 0, nullptr, 0, &mailboxes) == SEVENBIT_OK);
    CHECK(sevenbit_mailboxes_count(mailboxes) == 0);
    CHECK(sevenbit_mailboxes_at(mailboxes, 0) == nullptr && sevenbit_mailboxes_at(nullptr, 0) == nullptr);
    sevenbit_mailboxes_free(mailboxes);
    sevenbit_message_free(message);
    CHECK(sevenbit_parse(nullptr, 1, &message) == SEVENBIT_ERROR_NULL_ARGUMENT && message == nullptr);
    CHECK(sevenbit_parse(octets("a"), 1, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_message_part_count(nullptr) == 0 && sevenbit_mailboxes_count(nullptr) == 0);
    CHECK(sevenbit_part_octets(nullptr, 0, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);

    sevenbit_decoded *decoded;
    CHECK(sevenbit_decode_header(nullptr, 0, &decoded) == SEVENBIT_OK && text_of(decoded).empty());
    CHECK(sevenbit_decode_header(nullptr, 1, &decoded) == SEVENBIT_ERROR_NULL_ARGUMENT && decoded == nullptr);
    CHECK(sevenbit_decode_header(octets("a"), 1, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_encode_header(nullptr, 0, &buffer) == SEVENBIT_OK && octets_of(buffer).empty());
    CHECK(sevenbit_encode_header(nullptr, 1, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_mailbox_name_decode(nullptr, 0, &decoded) == SEVENBIT_OK && text_of(decoded).empty());
    CHECK(sevenbit_mailbox_name_decode(nullptr, 1, &decoded) == SEVENBIT_ERROR_NULL_ARGUMENT && decoded == nullptr);
    CHECK(sevenbit_mailbox_name_decode(octets("a"), 1, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_mailbox_name_encode(nullptr, 0, &buffer) == SEVENBIT_OK && octets_of(buffer).empty());
    CHECK(sevenbit_mailbox_name_encode(nullptr, 1, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_mailbox_name_encode("a", 1, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_decoded_text(nullptr, &text) == SEVENBIT_ERROR_NULL_ARGUMENT && sevenbit_decoded_issue_count(nullptr) == 0);
    CHECK(sevenbit_decoded_issue(nullptr, 0) == nullptr);

    sevenbit_decoder *decoder;
    CHECK(sevenbit_charset_name(nullptr, 0, &text) == SEVENBIT_ERROR_UNKNOWN_CHARSET);
    CHECK(sevenbit_charset_name(nullptr, 1, &text) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_charset_detect(nullptr, 0, &text) == SEVENBIT_OK && text.length > 0);
    CHECK(sevenbit_charset_detect(nullptr, 1, &text) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_charset_detect(octets("a"), 1, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_charset_decode("utf-8", 5, nullptr, 0, &decoded) == SEVENBIT_OK && text_of(decoded).empty());
    CHECK(sevenbit_charset_decode("utf-8", 5, nullptr, 1, &decoded) == SEVENBIT_ERROR_NULL_ARGUMENT && decoded == nullptr);
    CHECK(sevenbit_charset_decode(nullptr, 0, octets("a"), 1, &decoded) == SEVENBIT_ERROR_UNKNOWN_CHARSET && decoded == nullptr);
    CHECK(sevenbit_charset_encode("utf-8", 5, nullptr, 0, nullptr, &buffer) == SEVENBIT_OK && octets_of(buffer).empty());
    CHECK(sevenbit_charset_encode("utf-8", 5, nullptr, 1, nullptr, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_decoder_new(nullptr, 1, &decoder) == SEVENBIT_ERROR_NULL_ARGUMENT && decoder == nullptr);
    CHECK(sevenbit_decoder_new("utf-8", 5, &decoder) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_push(decoder, nullptr, 0, &text) == SEVENBIT_OK && text.length == 0);
    CHECK(sevenbit_decoder_push(decoder, nullptr, 1, &text) == SEVENBIT_ERROR_NULL_ARGUMENT);
    sevenbit_decoder_free(decoder);
    CHECK(sevenbit_decoder_push(nullptr, octets("a"), 1, &text) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_decoder_finish(nullptr, &text) == SEVENBIT_ERROR_NULL_ARGUMENT && sevenbit_decoder_issue_count(nullptr) == 0);
    CHECK(sevenbit_decoder_issue(nullptr, 0) == nullptr);
}

// Issues, with their places, wherever texts and messages are read.
static void issues_of_texts()
{
    sevenbit_text name, text;
    const sevenbit_issue *issue;
    sevenbit_decoded *decoded;
    sevenbit_decoder *decoder;
    CHECK(sevenbit_charset_detect(octets("caf\xc3\xa9"), 5, &name) == SEVENBIT_OK);
    CHECK(std::string(name.data, name.length) == "UTF-8");

    CHECK(sevenbit_charset_decode("utf-8", 5, octets("caf\xff"), 4, &decoded) == SEVENBIT_OK);
    CHECK(sevenbit_decoded_issue_count(decoded) == 1);
    issue = sevenbit_decoded_issue(decoded, 0);
    CHECK(issue != nullptr && issue->start == 3 && issue->end == 4);
    CHECK(issue->code.length > 0 && issue->summary.length > 0 && issue->effect.length > 0);
    CHECK(std::string(issue->part.data) == "0" && issue == sevenbit_decoded_issue(decoded, 0));
    CHECK(sevenbit_decoded_issue(decoded, 1) == nullptr);
    sevenbit_decoded_free(decoded);

    CHECK(sevenbit_decoder_new("utf-8", 5, &decoder) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_push(decoder, octets("caf"), 3, &text) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_push(decoder, octets("\xff"), 1, &text) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_issue(decoder, 0) == nullptr);
    CHECK(sevenbit_decoder_finish(decoder, &text) == SEVENBIT_OK);
    issue = sevenbit_decoder_issue(decoder, 0);
    CHECK(issue != nullptr && issue->start == 3 && issue->end == 4);
    CHECK(sevenbit_decoder_issue(decoder, 1) == nullptr);
    sevenbit_decoder_free(decoder);
}

// A signature that would break: refused, reported by the plan and by the result, and nothing changes.
static void refusal()
{
    const std::string mail = "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; micalg=pgp-sha256;"
                             " boundary=s\r\n\r\n--s\r\nContent-Type: text/plain; charset=utf-8\r\n"
                             "Content-Transfer-Encoding: 8bit\r\n\r\ncaf\xc3\xa9\r\n--s\r\n"
                             "Content-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\n"
                             "aW52ZW50ZWQ=\r\n-----END PGP SIGNATURE-----\r\n--s--\r\n";
    for (uint32_t choice : {SEVENBIT_SIGNED_BREAK, SEVENBIT_SIGNED_REFUSE}) {
        const bool refused = choice == SEVENBIT_SIGNED_REFUSE;
        const std::string code = refused ? "refused" : "signature-broken";
        sevenbit_options options;
        sevenbit_result *result;
        sevenbit_plan *plan;
        CHECK(sevenbit_options_init(&options, sizeof options) == SEVENBIT_OK);
        options.signed_content = choice;
        CHECK(sevenbit_normalize(octets(mail.data()), mail.size(), &options, &result) == SEVENBIT_OK);
        CHECK(sevenbit_plan_new(octets(mail.data()), mail.size(), &options, &plan) == SEVENBIT_OK);
        CHECK(sevenbit_result_refused(result) == refused && sevenbit_plan_is_refused(plan) == refused);
        CHECK(sevenbit_result_changed(result) != refused);
        const std::size_t count = sevenbit_plan_issue_count(plan);
        CHECK(count > 0 && count == sevenbit_result_issue_count(result));
        bool found = false;
        for (std::size_t at = 0; at < count; at++) {
            const sevenbit_issue *issue = sevenbit_plan_issue(plan, at);
            CHECK(issue != nullptr);
            found = found || issue->code.data == code;
        }
        CHECK(found);
        CHECK(sevenbit_plan_issue(plan, count) == nullptr);
        sevenbit_plan_free(plan);
        sevenbit_result_free(result);
    }
    CHECK(!sevenbit_result_refused(nullptr));
}

// What a message says of itself: all fields of a name, ids, dates, the id of a part, in texts that end with a NUL.
static void headers()
{
    const std::string mail = "Received: one\r\nReceived: =?utf-8?Q?tw=C3=B6?=\r\nDate: Fri, 21 Nov 1997 09:55:06 -0600\r\n"
                             "Message-ID: <1@example.org>\r\nReferences: <2@example.org> <3@example.org>\r\n"
                             "Content-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-ID: <pic@example.org>\r\n"
                             "Date: nonsense\r\n\r\nx\r\n--r--\r\n";
    sevenbit_message *message;
    sevenbit_texts *texts;
    sevenbit_buffer *buffer;
    sevenbit_octets value;
    int64_t timestamp = 0;
    int32_t offset = 0;
    CHECK(sevenbit_parse(octets(mail.data()), mail.size(), &message) == SEVENBIT_OK);
    CHECK(sevenbit_part_headers(message, 0, "RECEIVED", SEVENBIT_NUL_TERMINATED, &texts) == SEVENBIT_OK);
    CHECK(sevenbit_texts_count(texts) == 2 && std::string(sevenbit_texts_at(texts, 0)->data) == "one");
    CHECK(std::string(sevenbit_texts_at(texts, 1)->data) == "tw\xc3\xb6" && sevenbit_texts_at(texts, 1)->length == 4);
    CHECK(sevenbit_texts_at(texts, 2) == nullptr && sevenbit_texts_at(nullptr, 0) == nullptr);
    sevenbit_texts_free(texts);
    CHECK(sevenbit_part_headers(message, 0, "none", 4, &texts) == SEVENBIT_OK && sevenbit_texts_count(texts) == 0);
    sevenbit_texts_free(texts);
    CHECK(sevenbit_part_headers(message, 9, "none", 4, &texts) == SEVENBIT_ERROR_ABSENT && texts == nullptr);
    CHECK(sevenbit_part_ids(message, 0, "References", 10, &texts) == SEVENBIT_OK && sevenbit_texts_count(texts) == 2);
    CHECK(std::string(sevenbit_texts_at(texts, 1)->data) == "3@example.org");
    sevenbit_texts_free(texts);
    sevenbit_texts_free(nullptr);
    CHECK(sevenbit_part_ids(message, 0, "Message-ID", 10, &texts) == SEVENBIT_OK);
    CHECK(std::string(sevenbit_texts_at(texts, 0)->data) == "1@example.org");
    sevenbit_texts_free(texts);
    CHECK(sevenbit_part_date(message, 0, &timestamp, &offset) == SEVENBIT_OK && timestamp == 880127706 && offset == -360);
    CHECK(sevenbit_part_date(message, 0, &timestamp, nullptr) == SEVENBIT_OK);
    CHECK(sevenbit_part_date(message, 0, nullptr, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_part_date(message, 1, &timestamp, &offset) == SEVENBIT_ERROR_ABSENT);
    CHECK(std::string(sevenbit_message_part(message, 1)->content_id.data) == "pic@example.org");
    CHECK(sevenbit_message_part(message, 0)->content_id.data == nullptr);
    CHECK(sevenbit_message_part(message, 0)->is_multipart && !sevenbit_message_part(message, 1)->is_multipart);
    CHECK(std::string(sevenbit_message_part(message, 1)->transfer_encoding.data) == "7bit");
    CHECK(sevenbit_part_header(message, 0, "message-id", SEVENBIT_NUL_TERMINATED, &buffer) == SEVENBIT_OK);
    CHECK(sevenbit_buffer_octets(buffer, &value) == SEVENBIT_OK && value.data[value.length] == 0);
    sevenbit_buffer_free(buffer);
    CHECK(sevenbit_part_header(message, 0, nullptr, SEVENBIT_NUL_TERMINATED, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT);
    sevenbit_message_free(message);
}

static bool keep(void *context, const uint8_t *data, size_t length)
{
    static_cast<std::string *>(context)->append(reinterpret_cast<const char *>(data), length);
    return true;
}

static bool refuse(void *, const uint8_t *, size_t)
{
    return false;
}

// In pieces, out in pieces, twice with one stream; the report as JSON; a function that writes nothing.
static void streams()
{
    const std::string mail = "Subject: caf\xc3\xa9\r\n\r\nb\r\n";
    sevenbit_stream *stream;
    sevenbit_result *result;
    sevenbit_buffer *report;
    sevenbit_octets whole;
    CHECK(sevenbit_normalize(octets(mail.data()), mail.size(), nullptr, &result) == SEVENBIT_OK);
    CHECK(sevenbit_result_octets(result, &whole) == SEVENBIT_OK);
    CHECK(sevenbit_result_json(result, &report) == SEVENBIT_OK);
    const std::string json = octets_of(report);
    CHECK(json.find("{\"changed\":true,\"refused\":false,\"issues\":[{\"code\":\"raw-header-text\"") == 0);
    CHECK(sevenbit_result_json(nullptr, &report) == SEVENBIT_ERROR_NULL_ARGUMENT && report == nullptr);
    CHECK(sevenbit_stream_new(nullptr, &stream) == SEVENBIT_OK);
    for (int round = 0; round < 2; round++) {
        std::string written;
        for (const char &octet : mail)
            CHECK(sevenbit_stream_push(stream, octets(&octet), 1) == SEVENBIT_OK);
        CHECK(sevenbit_stream_finish(stream, keep, &written) == SEVENBIT_OK);
        CHECK(written == std::string(reinterpret_cast<const char *>(whole.data), whole.length));
        CHECK(sevenbit_stream_changed(stream) && !sevenbit_stream_refused(stream));
        CHECK(sevenbit_stream_issue_count(stream) == sevenbit_result_issue_count(result));
        CHECK(std::string(sevenbit_stream_issue(stream, 0)->code.data) == "raw-header-text");
    }
    CHECK(sevenbit_stream_push(stream, octets("a"), 1) == SEVENBIT_OK);
    CHECK(sevenbit_stream_finish(stream, refuse, nullptr) == SEVENBIT_ERROR_WRITE);
    std::string written;
    CHECK(sevenbit_stream_push(stream, octets("Subject: b\r\n\r\n"), 14) == SEVENBIT_OK);
    CHECK(sevenbit_stream_finish(stream, nullptr, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_stream_finish(stream, keep, &written) == SEVENBIT_OK && written == "Subject: b\r\n\r\n");
    CHECK(sevenbit_stream_push(stream, nullptr, 1) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_stream_push(nullptr, nullptr, 0) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_stream_issue(nullptr, 0) == nullptr && sevenbit_stream_issue_count(nullptr) == 0);
    CHECK(!sevenbit_stream_changed(nullptr) && !sevenbit_stream_refused(nullptr));
    sevenbit_stream_free(stream);
    sevenbit_stream_free(nullptr);
    sevenbit_result_free(result);
}

// A file of several messages, one by one.
static void mailboxes()
{
    const std::string file = "From a Thu Nov 19 10:00:00 2026\nSubject: 1\n\n>From x\n\n"
                             "From a Thu Nov 19 10:00:00 2026\nSubject: 2\n\n";
    sevenbit_mbox *mbox;
    sevenbit_octets mail;
    CHECK(sevenbit_is_mbox(octets(file.data()), file.size()) && !sevenbit_is_mbox(octets("a"), 1));
    CHECK(!sevenbit_is_mbox(nullptr, 1));
    CHECK(sevenbit_mbox_new(octets(file.data()), file.size(), &mbox) == SEVENBIT_OK);
    CHECK(sevenbit_mbox_next(mbox, &mail) == SEVENBIT_OK);
    CHECK(std::string(reinterpret_cast<const char *>(mail.data), mail.length) == "Subject: 1\n\nFrom x\n");
    CHECK(sevenbit_mbox_next(mbox, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_mbox_next(mbox, &mail) == SEVENBIT_ERROR_ABSENT);
    CHECK(sevenbit_mbox_next(nullptr, &mail) == SEVENBIT_ERROR_NULL_ARGUMENT);
    sevenbit_mbox_free(mbox);
    sevenbit_mbox_free(nullptr);
    CHECK(sevenbit_mbox_new(nullptr, 1, &mbox) == SEVENBIT_ERROR_NULL_ARGUMENT && mbox == nullptr);
}

static const char *resolve(void *context, const char *id)
{
    static_cast<std::string *>(context)->append(id).append(" ");
    return std::string(id) == "pic@example.org" ? "pic.png?a&b" : std::string(id) == "bad" ? "\xff" : nullptr;
}

static std::string html_of(const std::string &html, sevenbit_status expected)
{
    const std::string mail = "Content-Type: text/html\r\n\r\n" + html;
    sevenbit_message *message;
    sevenbit_buffer *buffer;
    std::string asked;
    CHECK(sevenbit_parse(octets(mail.data()), mail.size(), &message) == SEVENBIT_OK);
    CHECK(sevenbit_message_resolved_html(message, nullptr, nullptr, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_message_resolved_html(message, resolve, &asked, &buffer) == expected);
    sevenbit_message_free(message);
    return expected == SEVENBIT_OK ? octets_of(buffer) + asked : asked;
}

// What a message says: as JSON, and by single functions.
static void answers()
{
    const std::string mail = "To: Team: a@example.org;\r\nDate: 10.11.2012 08:09\r\nList-Id: <l.example.org>\r\n"
                             "Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: text/calendar\r\n\r\n"
                             "BEGIN:VCALENDAR\r\nMETHOD:Cancel\r\n\r\n--m\r\nContent-Type: application/x\r\n"
                             "Content-Disposition: attachment; filename=\"../a.png\"\r\n\r\nGIF89a\r\n--m--\r\n";
    sevenbit_message *message;
    sevenbit_buffer *buffer;
    CHECK(sevenbit_parse(octets(mail.data()), mail.size(), &message) == SEVENBIT_OK);
    CHECK(sevenbit_message_json(message, &buffer) == SEVENBIT_OK);
    const std::string json = octets_of(buffer);
    for (const char *expected : {"\"groups\":[{\"field\":\"to\",\"name\":\"Team\"", "\"sent_is_guess\":true",
                                 "\"list\":{\"id\":\"l.example.org\"", "\"safe_name\":\"a.png\"",
                                 "{\"name\":\"To\",\"value\":", "\"issues\":[{\"code\":"})
        CHECK(json.find(expected) != std::string::npos);
    CHECK(sevenbit_message_json(nullptr, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_message_readings(message, &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer).compare(0, 10, "[{\"part\":\"") == 0);
    CHECK(sevenbit_message_readings(nullptr, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_repair_text("sch\u00c3\u00b6n", SEVENBIT_NUL_TERMINATED, &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer) == "sch\u00f6n");
    CHECK(sevenbit_repair_text("\xff", 1, &buffer) == SEVENBIT_ERROR_NOT_UTF8 && buffer == nullptr);
    CHECK(sevenbit_part_date_is_guess(message, 0) && !sevenbit_part_date_is_guess(message, 1));
    CHECK(!sevenbit_part_date_is_guess(message, 9) && !sevenbit_part_date_is_guess(nullptr, 0));
    CHECK(sevenbit_part_calendar_method(message, 1, &buffer) == SEVENBIT_OK && octets_of(buffer) == "CANCEL");
    CHECK(sevenbit_part_calendar_method(message, 2, &buffer) == SEVENBIT_ERROR_ABSENT && buffer == nullptr);
    const sevenbit_attachment *file = sevenbit_message_attachment(message, sevenbit_message_attachment_count(message) - 1);
    CHECK(std::string(file->origin.data) == "part" && std::string(file->type_by_name.data) == "image/png");
    CHECK(std::string(file->type_by_octets.data) == "image/gif" && file->size == 6);
    sevenbit_message_free(message);

    const std::string html = html_of("<img src=cid:pic%40example.org><img src=cid:no>", SEVENBIT_OK);
    CHECK(html == "<img src=pic.png?a&amp;b><img src=cid:no>pic@example.org no ");
    CHECK(html_of("<img src=cid:bad>", SEVENBIT_ERROR_NOT_UTF8) == "bad ");
    CHECK(html_of("<img src=cid:a%00b>", SEVENBIT_OK) == "<img src=cid:a%00b>");

    CHECK(sevenbit_safe_file_name("../CON", SEVENBIT_NUL_TERMINATED, &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer).find_first_of("/\\") == std::string::npos);
    CHECK(sevenbit_safe_file_name("\xff", 1, &buffer) == SEVENBIT_ERROR_NOT_UTF8 && buffer == nullptr);
    CHECK(sevenbit_base_subject("Re: Fwd: a", 10, &buffer) == SEVENBIT_OK && octets_of(buffer) == "a");

    sevenbit_passages *passages;
    CHECK(sevenbit_passages_new("> a\n> b\nc\n-- \nd", SEVENBIT_NUL_TERMINATED, &passages) == SEVENBIT_OK);
    CHECK(sevenbit_passages_count(passages) == 3 && sevenbit_passages_count(nullptr) == 0);
    const sevenbit_passage *passage = sevenbit_passages_at(passages, 0);
    CHECK(passage->start == 0 && passage->end == 8 && passage->quote_depth == 1 && !passage->is_signature);
    passage = sevenbit_passages_at(passages, 2);
    CHECK(passage->start == 10 && passage->end == 15 && passage->quote_depth == 0 && passage->is_signature);
    CHECK(sevenbit_passages_at(passages, 3) == nullptr && sevenbit_passages_at(nullptr, 0) == nullptr);
    sevenbit_passages_free(passages);
    sevenbit_passages_free(nullptr);
    CHECK(sevenbit_passages_new(nullptr, 1, &passages) == SEVENBIT_ERROR_NULL_ARGUMENT && passages == nullptr);
}

// The fields of each part as octets, in order: white space, folds and 8-bit octets stay.
static void raw_headers()
{
    const std::string mail = "Subject:\tcaf\xe9\r\n au lait \r\nno field\r\nX-A:\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n"
                             "--m\r\nx-a: 1\r\n\r\nx\r\n--m\r\n\r\ny\r\n--m--\r\n";
    const struct { std::size_t part; const char *name, *value; } expected[] = {
        {0, "Subject", "\tcaf\xe9\r\n au lait "}, {0, "X-A", ""}, {0, "Content-Type", " multipart/mixed; boundary=m"}, {1, "x-a", " 1"},
    };
    const std::size_t counts[] = {3, 1, 0};
    sevenbit_message *message;
    CHECK(sevenbit_parse(octets(mail.data()), mail.size(), &message) == SEVENBIT_OK);
    std::size_t row = 0;
    for (std::size_t part = 0; part < 3; part++) {
        CHECK(sevenbit_part_raw_header_count(message, part) == counts[part]);
        for (std::size_t place = 0; place < counts[part]; place++, row++) {
            const sevenbit_raw_header *field = sevenbit_part_raw_header(message, part, place);
            CHECK(field != nullptr && field == sevenbit_part_raw_header(message, part, place));
            const char *value = reinterpret_cast<const char *>(field->value.data);
            CHECK(expected[row].part == part && std::string(field->name.data) == expected[row].name);
            CHECK(std::string(value, field->value.length) == expected[row].value);
        }
        CHECK(sevenbit_part_raw_header(message, part, counts[part]) == nullptr);
    }
    CHECK(sevenbit_part_raw_header(message, 3, 0) == nullptr && sevenbit_part_raw_header_count(message, 3) == 0);
    CHECK(sevenbit_part_raw_header(nullptr, 0, 0) == nullptr && sevenbit_part_raw_header_count(nullptr, 0) == 0);
    sevenbit_message_free(message);
}

// U+0000 in text stays or is U+FFFD, wherever text is read; octets keep it.
static void text_without_nul()
{
    const std::string mail("Subject: x\r\n\r\na\0b", 17), replaced = "a\xef\xbf\xbd" "b", kept("a\0b", 3);
    for (const bool replaces : {false, true}) {
        const std::string &expected = replaces ? replaced : kept;
        sevenbit_message *message;
        sevenbit_buffer *buffer;
        sevenbit_decoded *decoded;
        CHECK((replaces ? sevenbit_parse_replacing_nul : sevenbit_parse)(octets(mail.data()), mail.size(), &message) == SEVENBIT_OK);
        CHECK(sevenbit_message_text(message, &buffer) == SEVENBIT_OK && octets_of(buffer) == expected);
        CHECK(sevenbit_part_text(message, 0, &decoded) == SEVENBIT_OK);
        CHECK(sevenbit_decoded_issue_count(decoded) == (replaces ? 1 : 0));
        CHECK(!replaces || std::string(sevenbit_decoded_issue(decoded, 0)->code.data) == "control-replaced");
        CHECK(text_of(decoded) == expected);
        CHECK(sevenbit_part_octets(message, 0, &buffer) == SEVENBIT_OK && octets_of(buffer) == kept);
        sevenbit_message_free(message);
    }
    sevenbit_message *message;
    CHECK(sevenbit_parse_replacing_nul(nullptr, 0, &message) == SEVENBIT_OK && sevenbit_message_part_count(message) == 1);
    sevenbit_message_free(message);
    CHECK(sevenbit_parse_replacing_nul(nullptr, 1, &message) == SEVENBIT_ERROR_NULL_ARGUMENT && message == nullptr);
    CHECK(sevenbit_parse_replacing_nul(octets("a"), 1, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
}

// An attribute of TNEF: level, id, length, data, sum.
static std::string attribute(uint32_t id, const std::string &data)
{
    std::string made(1, 2);
    unsigned sum = 0;
    for (int shift = 0; shift < 32; shift += 8)
        made += static_cast<char>(id >> shift);
    for (int shift = 0; shift < 32; shift += 8)
        made += static_cast<char>(data.size() >> shift);
    for (const unsigned char octet : data)
        sum += octet;
    return made + data + static_cast<char>(sum) + static_cast<char>(sum >> 8);
}

// A winmail.dat becomes the parts in it; where there is none, nothing is made.
static void winmail()
{
    const std::string tnef = std::string("\x78\x9f\x3e\x22\x01\x00", 6) + attribute(0x00069002, "")
                             + attribute(0x00018010, std::string("a.txt\0", 6)) + attribute(0x0006800f, "hello");
    const std::string mail = "Subject: x\r\nContent-Type: application/ms-tnef\r\n\r\n" + tnef;
    sevenbit_buffer *buffer;
    CHECK(sevenbit_unpack_tnef(octets(mail.data()), mail.size(), &buffer) == SEVENBIT_OK);
    const std::string unpacked = octets_of(buffer);
    CHECK(unpacked.find("Subject: x\r\n") == 0 && unpacked.find("filename=\"a.txt\"") != std::string::npos);

    sevenbit_message *message;
    CHECK(sevenbit_parse(octets(unpacked.data()), unpacked.size(), &message) == SEVENBIT_OK);
    CHECK(sevenbit_message_attachment_count(message) == 1);
    CHECK(std::string(sevenbit_message_attachment(message, 0)->origin.data) == "part");
    CHECK(sevenbit_attachment_octets(message, 0, &buffer) == SEVENBIT_OK && octets_of(buffer) == "hello");
    sevenbit_message_free(message);

    for (const std::string &none : {unpacked, mail.substr(0, mail.size() - tnef.size()) + "no", std::string()})
        CHECK(sevenbit_unpack_tnef(octets(none.data()), none.size(), &buffer) == SEVENBIT_ERROR_ABSENT && buffer == nullptr);
    CHECK(sevenbit_unpack_tnef(nullptr, 1, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_unpack_tnef(octets("a"), 1, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
}

// A .msg of Outlook becomes mail; anything else makes nothing.
static void outlook()
{
    std::ifstream file("../tests/files/japanese.msg", std::ios::binary);
    const std::string msg((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CHECK(!msg.empty());
    sevenbit_buffer *buffer;
    CHECK(sevenbit_outlook_message(octets(msg.data()), msg.size(), &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer).find("Subject: \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\r\n") != std::string::npos);

    for (const std::string &none : {msg.substr(0, 100), std::string("Subject: x\r\n"), std::string()})
        CHECK(sevenbit_outlook_message(octets(none.data()), none.size(), &buffer) == SEVENBIT_ERROR_ABSENT && buffer == nullptr);
    CHECK(sevenbit_outlook_message(nullptr, 1, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_outlook_message(octets("a"), 1, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
}

int main()
{
    nothing_at_all();
    answers();
    issues_of_texts();
    refusal();
    headers();
    raw_headers();
    text_without_nul();
    winmail();
    outlook();
    streams();
    mailboxes();

    const std::string version = std::to_string(SEVENBIT_VERSION_MAJOR) + "." + std::to_string(SEVENBIT_VERSION_MINOR) + "."
                                + std::to_string(SEVENBIT_VERSION_PATCH);
    CHECK(version == sevenbit_version());
    CHECK(std::string(sevenbit_status_message(SEVENBIT_OK)) == "done");
    CHECK(sevenbit_status_message(12345) != nullptr);

    // NULL and nothing.
    sevenbit_result *result;
    CHECK(sevenbit_normalize(nullptr, 0, nullptr, &result) == SEVENBIT_OK);
    CHECK(!sevenbit_result_changed(result));
    sevenbit_octets none;
    CHECK(sevenbit_result_octets(result, &none) == SEVENBIT_OK && none.length == 0);
    CHECK(sevenbit_result_octets(result, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_result_issue(result, 99) == nullptr && sevenbit_result_issue(nullptr, 0) == nullptr);
    sevenbit_result_free(result);
    CHECK(sevenbit_normalize(nullptr, 1, nullptr, &result) == SEVENBIT_ERROR_NULL_ARGUMENT && result == nullptr);
    CHECK(sevenbit_normalize(octets("a"), 1, nullptr, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_result_octets(nullptr, &none) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_result_issue_count(nullptr) == 0);
    sevenbit_result_free(nullptr);
    sevenbit_plan_free(nullptr);
    sevenbit_message_free(nullptr);
    sevenbit_mailboxes_free(nullptr);
    sevenbit_decoded_free(nullptr);
    sevenbit_buffer_free(nullptr);
    sevenbit_decoder_free(nullptr);

    // Options.
    sevenbit_options options;
    CHECK(sevenbit_options_init(&options, sizeof options) == SEVENBIT_OK && options.size == sizeof options);
    options.profile = 77;
    CHECK(sevenbit_normalize(octets("a"), 1, &options, &result) == SEVENBIT_ERROR_BAD_OPTIONS && result == nullptr);
    options.profile = SEVENBIT_PROFILE_TRANSPORT;
    const std::string umlauts = "From: a@example.de\r\nSubject: Sch\xF6ne Gr\xFC\xDF" "e\r\n\r\n";
    for (uint32_t unlabelled : {SEVENBIT_UNLABELLED_KEEP, SEVENBIT_UNLABELLED_GUESS}) {
        options.unlabelled = unlabelled;
        CHECK(sevenbit_normalize(octets(umlauts.data()), umlauts.size(), &options, &result) == SEVENBIT_OK);
        CHECK(sevenbit_result_octets(result, &none) == SEVENBIT_OK);
        const std::string written(reinterpret_cast<const char *>(none.data), none.length);
        const bool guessed = written.find("=?windows-1252?") != std::string::npos;
        CHECK(guessed == (unlabelled == SEVENBIT_UNLABELLED_GUESS));
        sevenbit_result_free(result);
    }
    options.unlabelled = 2;
    CHECK(sevenbit_normalize(octets("a"), 1, &options, &result) == SEVENBIT_ERROR_BAD_OPTIONS);
    options.unlabelled = SEVENBIT_UNLABELLED_KEEP;
    options.size = 3;
    CHECK(sevenbit_normalize(octets("a"), 1, &options, &result) == SEVENBIT_ERROR_BAD_OPTIONS);
    CHECK(sevenbit_options_init(nullptr, sizeof options) == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_options_init(&options, 3) == SEVENBIT_ERROR_BAD_OPTIONS);
    CHECK(sevenbit_options_init(&options, sizeof options + 8) == SEVENBIT_ERROR_BAD_OPTIONS);

    // Options by their words.
    CHECK(sevenbit_options_init(&options, sizeof options) == SEVENBIT_OK);
    CHECK(sevenbit_options_set(&options, "profile", "transport") == SEVENBIT_OK);
    CHECK(sevenbit_options_set(&options, "unlabelled", "guess") == SEVENBIT_OK);
    CHECK(options.profile == SEVENBIT_PROFILE_TRANSPORT && options.unlabelled == SEVENBIT_UNLABELLED_GUESS);
    CHECK(sevenbit_options_set(&options, "text-encoding", "utf7") == SEVENBIT_OK);
    CHECK(options.text_encoding == SEVENBIT_TEXT_ENCODING_UTF7);
    CHECK(sevenbit_options_set(&options, "profil", "transport") == SEVENBIT_ERROR_ABSENT);
    CHECK(sevenbit_options_set(&options, "profile", "transpot") == SEVENBIT_ERROR_BAD_OPTIONS);
    CHECK(sevenbit_options_set(&options, nullptr, "a") == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(sevenbit_options_set(nullptr, "profile", "archive") == SEVENBIT_ERROR_NULL_ARGUMENT);
    CHECK(options.profile == SEVENBIT_PROFILE_TRANSPORT);

    // Text that is read in the charset that a person has chosen.
    const std::string misread = "Content-Type: text/plain; charset=iso-8859-1\r\n\r\n\xF0\xD2\xC9\xD7\xC5\xD4\r\n";
    CHECK(sevenbit_options_init(&options, sizeof options) == SEVENBIT_OK);
    CHECK(options.read_as == nullptr);
    CHECK(sevenbit_options_set(&options, "read-as", "nonesuch") == SEVENBIT_ERROR_BAD_OPTIONS);
    CHECK(sevenbit_options_set(&options, "read-as", "koi8-r") == SEVENBIT_OK);
    CHECK(sevenbit_normalize(octets(misread.data()), misread.size(), &options, &result) == SEVENBIT_OK);
    CHECK(sevenbit_result_octets(result, &none) == SEVENBIT_OK);
    const std::string read(reinterpret_cast<const char *>(none.data), none.length);
    CHECK(read.find("0J/RgNC40LLQtdGC") != std::string::npos); // "\u041f\u0440\u0438\u0432\u0435\u0442" in base64
    sevenbit_result_free(result);
    options.read_as = "nonesuch";
    CHECK(sevenbit_normalize(octets("a"), 1, &options, &result) == SEVENBIT_ERROR_BAD_OPTIONS);
    // A program that was compiled before the member was there.
    CHECK(sevenbit_options_init(&options, offsetof(sevenbit_options, read_as)) == SEVENBIT_OK);
    options.read_as = "nonesuch";
    CHECK(sevenbit_options_set(&options, "read-as", "koi8-r") == SEVENBIT_ERROR_BAD_OPTIONS);
    CHECK(sevenbit_normalize(octets("a"), 1, &options, &result) == SEVENBIT_OK);
    sevenbit_result_free(result);
    CHECK(sevenbit_options_init(&options, sizeof options) == SEVENBIT_OK);

    // A length that no object has: a negative number.
    CHECK(sevenbit_normalize(octets("a"), SIZE_MAX, &options, &result) == SEVENBIT_ERROR_TOO_LONG && result == nullptr);

    // Header text and mailbox names.
    sevenbit_decoded *decoded;
    sevenbit_buffer *buffer;
    const std::string word = "=?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=";
    CHECK(sevenbit_decode_header(octets(word.data()), word.size(), &decoded) == SEVENBIT_OK);
    CHECK(text_of(decoded) == "\u041f\u0440\u0438\u0432\u0435\u0442");
    CHECK(sevenbit_encode_header("caf\xc3\xa9", 5, &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer).compare(0, 8, "=?utf-8?") == 0);
    CHECK(sevenbit_encode_header("caf\xe9", 4, &buffer) == SEVENBIT_ERROR_NOT_UTF8 && buffer == nullptr);
    CHECK(sevenbit_mailbox_name_decode(octets("Entw&APw-rfe"), 12, &decoded) == SEVENBIT_OK);
    CHECK(text_of(decoded) == "Entw\xc3\xbcrfe");
    CHECK(sevenbit_mailbox_name_encode("Entw\xc3\xbcrfe", 9, &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer) == "Entw&APw-rfe");

    // Charsets.
    sevenbit_text name;
    CHECK(sevenbit_charset_name("latin1", 6, &name) == SEVENBIT_OK);
    CHECK(sevenbit_charset_name("utf8", SEVENBIT_NUL_TERMINATED, &name) == SEVENBIT_OK && std::string(name.data) == "UTF-8");
    CHECK(sevenbit_charset_name("nonesuch", 8, &name) == SEVENBIT_ERROR_UNKNOWN_CHARSET);
    CHECK(sevenbit_charset_name("\xff", 1, &name) == SEVENBIT_ERROR_NOT_UTF8);
    CHECK(sevenbit_charset_decode("windows-1252", 12, octets("caf\xe9"), 4, &decoded) == SEVENBIT_OK);
    CHECK(text_of(decoded) == "caf\xc3\xa9");
    std::size_t offset = 0;
    CHECK(sevenbit_charset_encode("us-ascii", 8, "ab\xc3\xa9", 4, &offset, &buffer) == SEVENBIT_ERROR_UNENCODABLE);
    CHECK(offset == 2 && buffer == nullptr);
    CHECK(sevenbit_charset_encode("utf-7", 5, "\xe2\x98\xba", 3, nullptr, &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer) == "+Jjo-");

    // A decoder after its end.
    sevenbit_decoder *decoder;
    CHECK(sevenbit_decoder_new("utf-8", 5, &decoder) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_push(decoder, octets("\xc3"), 1, &name) == SEVENBIT_OK && name.length == 0);
    CHECK(sevenbit_decoder_finish(decoder, &name) == SEVENBIT_OK);
    CHECK(std::string(name.data, name.length) == "\xef\xbf\xbd");
    CHECK(sevenbit_decoder_issue_count(decoder) == 1);
    CHECK(sevenbit_decoder_push(decoder, octets("a"), 1, &name) == SEVENBIT_OK && name.length == 0);
    CHECK(sevenbit_decoder_finish(decoder, &name) == SEVENBIT_OK && name.length == 0);
    CHECK(sevenbit_decoder_issue_count(decoder) == 1);
    sevenbit_decoder_free(decoder);

    // Parts and fields that do not exist.
    sevenbit_message *message;
    CHECK(sevenbit_parse(octets("Subject: a\r\n\r\nb\r\n"), 17, &message) == SEVENBIT_OK);
    CHECK(sevenbit_message_part_count(message) == 1);
    CHECK(sevenbit_message_part(message, 1) == nullptr);
    CHECK(sevenbit_message_part(message, 0) != nullptr);
    CHECK(sevenbit_message_part(message, 0)->charset_label.data == nullptr);
    CHECK(sevenbit_part_header(message, 0, "to", 2, &buffer) == SEVENBIT_ERROR_ABSENT && buffer == nullptr);
    CHECK(sevenbit_part_text(message, 0, &decoded) == SEVENBIT_OK);
    CHECK(text_of(decoded) == "b\n");
    sevenbit_message_free(message);

    // Parts that are shown, and parts that are not.
    const std::string two = "Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n"
                            "Content-Type: multipart/alternative; boundary=a\r\n\r\n--a\r\n\r\nplain\r\n--a\r\n"
                            "Content-Type: text/html\r\n\r\n<p>rich\r\n--a--\r\n--m\r\nContent-Type: image/png\r\n"
                            "Content-Disposition: attachment\r\n\r\nx\r\n--m--\r\n";
    CHECK(sevenbit_parse(octets(two.data()), two.size(), &message) == SEVENBIT_OK);
    const char *expected[] = {"text/plain", "text/html", "image/png"};
    for (uint32_t side = SEVENBIT_BODY_PLAIN; side <= SEVENBIT_BODY_ATTACHMENTS; side++) {
        std::size_t number = 99;
        CHECK(sevenbit_message_body_count(message, side) == 1);
        CHECK(sevenbit_message_body(message, side, 0, &number) == SEVENBIT_OK);
        CHECK(std::string(sevenbit_message_part(message, number)->media_type.data) == expected[side]);
        CHECK(sevenbit_message_body(message, side, 1, &number) == SEVENBIT_ERROR_ABSENT);
    }
    CHECK(sevenbit_message_text(message, &buffer) == SEVENBIT_OK && octets_of(buffer).find("plain") == 0);
    CHECK(sevenbit_message_html(message, &buffer) == SEVENBIT_OK && octets_of(buffer).find("<p>rich") == 0);
    CHECK(sevenbit_message_attachment_count(message) == 1 && sevenbit_message_attachment_count(nullptr) == 0);
    CHECK(std::string(sevenbit_message_attachment(message, 0)->media_type.data) == "image/png");
    CHECK(sevenbit_message_attachment(message, 0)->size == 1 && sevenbit_message_attachment(message, 0)->part == 4);
    CHECK(sevenbit_attachment_octets(message, 0, &buffer) == SEVENBIT_OK && octets_of(buffer) == "x");
    CHECK(sevenbit_message_attachment(message, 1) == nullptr && sevenbit_message_attachment(nullptr, 0) == nullptr);
    CHECK(sevenbit_attachment_octets(message, 1, &buffer) == SEVENBIT_ERROR_ABSENT && buffer == nullptr);
    CHECK(sevenbit_message_text(nullptr, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_message_html(nullptr, &buffer) == SEVENBIT_ERROR_NULL_ARGUMENT && buffer == nullptr);
    CHECK(sevenbit_message_body_count(message, 3) == 0 && sevenbit_message_body_count(nullptr, 0) == 0);
    CHECK(sevenbit_message_body(message, 3, 0, &offset) == SEVENBIT_ERROR_ABSENT);
    CHECK(sevenbit_message_body(message, 0, 0, nullptr) == SEVENBIT_ERROR_NULL_ARGUMENT);
    sevenbit_message_free(message);

    // The parts of an encoded multipart lie in octets that were decoded: their numbers are those of the tree all the same.
    const std::string encoded = "Content-Type: multipart/mixed; boundary=in\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                                "LS1pbg0KDQpvbmUNCi0taW4NCkNvbnRlbnQtVHlwZTogaW1hZ2UvcG5nDQpDb250ZW50LURpc3Bv\r\n"
                                "c2l0aW9uOiBhdHRhY2htZW50DQoNCngNCi0taW4tLQ0K\r\n";
    CHECK(sevenbit_parse(octets(encoded.data()), encoded.size(), &message) == SEVENBIT_OK);
    CHECK(sevenbit_message_part_count(message) == 3);
    CHECK(sevenbit_message_body(message, SEVENBIT_BODY_PLAIN, 0, &offset) == SEVENBIT_OK && offset == 1);
    CHECK(sevenbit_message_body(message, SEVENBIT_BODY_ATTACHMENTS, 0, &offset) == SEVENBIT_OK && offset == 2);
    CHECK(sevenbit_message_attachment(message, 0)->part == 2);
    sevenbit_message_free(message);
    return 0;
}
