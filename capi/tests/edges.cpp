// The edges of the C interface, from C++: what is NULL, empty, unknown or out of range gives a status, never a crash.
#include <cstdio>
#include <cstdlib>
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

int main()
{
    CHECK(std::string(sevenbit_version()).find('.') != std::string::npos);
    CHECK(std::string(sevenbit_status_message(SEVENBIT_OK)) == "done");
    CHECK(sevenbit_status_message(12345) != nullptr);

    // NULL and nothing.
    sevenbit_result *result;
    CHECK(sevenbit_normalize(nullptr, 0, nullptr, &result) == SEVENBIT_OK);
    CHECK(!sevenbit_result_changed(result));
    sevenbit_octets none;
    CHECK(sevenbit_result_octets(result, &none) == SEVENBIT_OK && none.length == 0);
    CHECK(sevenbit_result_octets(result, nullptr) == SEVENBIT_NULL);
    sevenbit_issue issue;
    CHECK(sevenbit_result_issue(result, 99, &issue) == SEVENBIT_ABSENT);
    sevenbit_result_free(result);
    CHECK(sevenbit_normalize(nullptr, 1, nullptr, &result) == SEVENBIT_NULL && result == nullptr);
    CHECK(sevenbit_normalize(octets("a"), 1, nullptr, nullptr) == SEVENBIT_NULL);
    CHECK(sevenbit_result_octets(nullptr, &none) == SEVENBIT_NULL);
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
    CHECK(sevenbit_options_init(&options) == SEVENBIT_OK && options.size == sizeof options);
    options.profile = 77;
    CHECK(sevenbit_normalize(octets("a"), 1, &options, &result) == SEVENBIT_OPTIONS && result == nullptr);
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
    CHECK(sevenbit_normalize(octets("a"), 1, &options, &result) == SEVENBIT_OPTIONS);
    options.unlabelled = SEVENBIT_UNLABELLED_KEEP;
    options.size = 3;
    CHECK(sevenbit_normalize(octets("a"), 1, &options, &result) == SEVENBIT_OPTIONS);
    CHECK(sevenbit_options_init(nullptr) == SEVENBIT_NULL);

    // Header text and mailbox names.
    sevenbit_decoded *decoded;
    sevenbit_buffer *buffer;
    const std::string word = "=?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=";
    CHECK(sevenbit_decode_header(octets(word.data()), word.size(), &decoded) == SEVENBIT_OK);
    CHECK(text_of(decoded) == "\u041f\u0440\u0438\u0432\u0435\u0442");
    CHECK(sevenbit_encode_header("caf\xc3\xa9", 5, &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer).compare(0, 8, "=?utf-8?") == 0);
    CHECK(sevenbit_encode_header("caf\xe9", 4, &buffer) == SEVENBIT_NOT_UTF8 && buffer == nullptr);
    CHECK(sevenbit_mailbox_name_decode(octets("Entw&APw-rfe"), 12, &decoded) == SEVENBIT_OK);
    CHECK(text_of(decoded) == "Entw\xc3\xbcrfe");
    CHECK(sevenbit_mailbox_name_encode("Entw\xc3\xbcrfe", 9, &buffer) == SEVENBIT_OK);
    CHECK(octets_of(buffer) == "Entw&APw-rfe");

    // Charsets.
    sevenbit_text name;
    CHECK(sevenbit_charset_name("latin1", 6, &name) == SEVENBIT_OK);
    CHECK(sevenbit_charset_name("nonesuch", 8, &name) == SEVENBIT_CHARSET);
    CHECK(sevenbit_charset_name("\xff", 1, &name) == SEVENBIT_NOT_UTF8);
    CHECK(sevenbit_charset_decode("windows-1252", 12, octets("caf\xe9"), 4, &decoded) == SEVENBIT_OK);
    CHECK(text_of(decoded) == "caf\xc3\xa9");
    std::size_t offset = 0;
    CHECK(sevenbit_charset_encode("us-ascii", 8, "ab\xc3\xa9", 4, &offset, &buffer) == SEVENBIT_UNENCODABLE);
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

    // Parts and fields that are not there.
    sevenbit_message *message;
    CHECK(sevenbit_parse(octets("Subject: a\r\n\r\nb\r\n"), 17, &message) == SEVENBIT_OK);
    CHECK(sevenbit_message_part_count(message) == 1);
    sevenbit_part part;
    CHECK(sevenbit_message_part(message, 1, &part) == SEVENBIT_ABSENT);
    CHECK(sevenbit_message_part(message, 0, &part) == SEVENBIT_OK && part.charset_label.data == nullptr);
    CHECK(sevenbit_part_header(message, 0, "to", 2, &buffer) == SEVENBIT_ABSENT && buffer == nullptr);
    CHECK(sevenbit_part_text(message, 0, &decoded) == SEVENBIT_OK);
    CHECK(text_of(decoded) == "b\n");
    sevenbit_message_free(message);

    // What is shown, and what is not.
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
        CHECK(sevenbit_message_part(message, number, &part) == SEVENBIT_OK);
        CHECK(std::string(part.media_type.data, part.media_type.length) == expected[side]);
        CHECK(sevenbit_message_body(message, side, 1, &number) == SEVENBIT_ABSENT);
    }
    CHECK(sevenbit_message_body_count(message, 3) == 0 && sevenbit_message_body_count(nullptr, 0) == 0);
    CHECK(sevenbit_message_body(message, 3, 0, &offset) == SEVENBIT_ABSENT);
    CHECK(sevenbit_message_body(message, 0, 0, nullptr) == SEVENBIT_NULL);
    sevenbit_message_free(message);
    return 0;
}
