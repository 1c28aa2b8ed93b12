// The edges of the C interface, from C++: arguments that are NULL, empty, unknown or out of range give a status, never a crash.
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

// No octets are the empty text, a missing pointer is SEVENBIT_NULL and gives no handle.
static void nothing_at_all()
{
    sevenbit_octets octets_out;
    sevenbit_text text;
    sevenbit_issue issue;

    sevenbit_plan *plan;
    sevenbit_field field;
    CHECK(sevenbit_plan_new(nullptr, 0, nullptr, &plan) == SEVENBIT_OK);
    CHECK(sevenbit_plan_is_clean(plan) && !sevenbit_plan_is_refused(plan) && !sevenbit_plan_changes_body(plan));
    CHECK(sevenbit_plan_field_count(plan) == 0 && sevenbit_plan_issue_count(plan) == 0);
    CHECK(sevenbit_plan_field(plan, 0, &field) == SEVENBIT_ABSENT);
    CHECK(sevenbit_plan_issue(plan, 0, &issue) == SEVENBIT_ABSENT);
    CHECK(sevenbit_plan_body(plan, &octets_out) == SEVENBIT_OK && octets_out.length == 0);
    CHECK(sevenbit_plan_body(plan, nullptr) == SEVENBIT_NULL);
    sevenbit_plan_free(plan);
    CHECK(sevenbit_plan_new(nullptr, 1, nullptr, &plan) == SEVENBIT_NULL && plan == nullptr);
    CHECK(sevenbit_plan_new(octets("a"), 1, nullptr, nullptr) == SEVENBIT_NULL);
    CHECK(!sevenbit_plan_is_clean(nullptr) && !sevenbit_plan_is_refused(nullptr) && !sevenbit_plan_changes_body(nullptr));
    CHECK(sevenbit_plan_field_count(nullptr) == 0 && sevenbit_plan_issue_count(nullptr) == 0);
    CHECK(sevenbit_plan_field(nullptr, 0, &field) == SEVENBIT_NULL);
    CHECK(sevenbit_plan_written(nullptr, 0, 0, nullptr, nullptr) == SEVENBIT_NULL);
    CHECK(sevenbit_plan_body(nullptr, &octets_out) == SEVENBIT_NULL);
    CHECK(sevenbit_plan_issue(nullptr, 0, &issue) == SEVENBIT_NULL);

    sevenbit_message *message;
    sevenbit_mailboxes *mailboxes;
    sevenbit_buffer *buffer;
    CHECK(sevenbit_parse(nullptr, 0, &message) == SEVENBIT_OK && sevenbit_message_part_count(message) == 1);
    CHECK(sevenbit_message_part(message, 0, nullptr) == SEVENBIT_NULL);
    CHECK(sevenbit_part_header(message, 0, nullptr, 0, &buffer) == SEVENBIT_ABSENT && buffer == nullptr);
    CHECK(sevenbit_part_header(message, 0, nullptr, 1, &buffer) == SEVENBIT_NULL && buffer == nullptr);
    CHECK(sevenbit_part_mailboxes(message, 0, nullptr, 0, &mailboxes) == SEVENBIT_OK);
    CHECK(sevenbit_mailboxes_count(mailboxes) == 0);
    CHECK(sevenbit_mailboxes_at(mailboxes, 0, &text, &text) == SEVENBIT_ABSENT);
    sevenbit_mailboxes_free(mailboxes);
    sevenbit_message_free(message);
    CHECK(sevenbit_parse(nullptr, 1, &message) == SEVENBIT_NULL && message == nullptr);
    CHECK(sevenbit_parse(octets("a"), 1, nullptr) == SEVENBIT_NULL);
    CHECK(sevenbit_message_part_count(nullptr) == 0 && sevenbit_mailboxes_count(nullptr) == 0);
    CHECK(sevenbit_part_octets(nullptr, 0, &buffer) == SEVENBIT_NULL && buffer == nullptr);

    sevenbit_decoded *decoded;
    CHECK(sevenbit_decode_header(nullptr, 0, &decoded) == SEVENBIT_OK && text_of(decoded).empty());
    CHECK(sevenbit_decode_header(nullptr, 1, &decoded) == SEVENBIT_NULL && decoded == nullptr);
    CHECK(sevenbit_decode_header(octets("a"), 1, nullptr) == SEVENBIT_NULL);
    CHECK(sevenbit_encode_header(nullptr, 0, &buffer) == SEVENBIT_OK && octets_of(buffer).empty());
    CHECK(sevenbit_encode_header(nullptr, 1, &buffer) == SEVENBIT_NULL && buffer == nullptr);
    CHECK(sevenbit_mailbox_name_decode(nullptr, 0, &decoded) == SEVENBIT_OK && text_of(decoded).empty());
    CHECK(sevenbit_mailbox_name_decode(nullptr, 1, &decoded) == SEVENBIT_NULL && decoded == nullptr);
    CHECK(sevenbit_mailbox_name_decode(octets("a"), 1, nullptr) == SEVENBIT_NULL);
    CHECK(sevenbit_mailbox_name_encode(nullptr, 0, &buffer) == SEVENBIT_OK && octets_of(buffer).empty());
    CHECK(sevenbit_mailbox_name_encode(nullptr, 1, &buffer) == SEVENBIT_NULL && buffer == nullptr);
    CHECK(sevenbit_mailbox_name_encode("a", 1, nullptr) == SEVENBIT_NULL);
    CHECK(sevenbit_decoded_text(nullptr, &text) == SEVENBIT_NULL && sevenbit_decoded_issue_count(nullptr) == 0);
    CHECK(sevenbit_decoded_issue(nullptr, 0, &issue) == SEVENBIT_NULL);

    sevenbit_decoder *decoder;
    CHECK(sevenbit_charset_name(nullptr, 0, &text) == SEVENBIT_CHARSET);
    CHECK(sevenbit_charset_name(nullptr, 1, &text) == SEVENBIT_NULL);
    CHECK(sevenbit_charset_detect(nullptr, 0, &text) == SEVENBIT_OK && text.length > 0);
    CHECK(sevenbit_charset_detect(nullptr, 1, &text) == SEVENBIT_NULL);
    CHECK(sevenbit_charset_detect(octets("a"), 1, nullptr) == SEVENBIT_NULL);
    CHECK(sevenbit_charset_decode("utf-8", 5, nullptr, 0, &decoded) == SEVENBIT_OK && text_of(decoded).empty());
    CHECK(sevenbit_charset_decode("utf-8", 5, nullptr, 1, &decoded) == SEVENBIT_NULL && decoded == nullptr);
    CHECK(sevenbit_charset_decode(nullptr, 0, octets("a"), 1, &decoded) == SEVENBIT_CHARSET && decoded == nullptr);
    CHECK(sevenbit_charset_encode("utf-8", 5, nullptr, 0, nullptr, &buffer) == SEVENBIT_OK && octets_of(buffer).empty());
    CHECK(sevenbit_charset_encode("utf-8", 5, nullptr, 1, nullptr, &buffer) == SEVENBIT_NULL && buffer == nullptr);
    CHECK(sevenbit_decoder_new(nullptr, 1, &decoder) == SEVENBIT_NULL && decoder == nullptr);
    CHECK(sevenbit_decoder_new("utf-8", 5, &decoder) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_push(decoder, nullptr, 0, &text) == SEVENBIT_OK && text.length == 0);
    CHECK(sevenbit_decoder_push(decoder, nullptr, 1, &text) == SEVENBIT_NULL);
    sevenbit_decoder_free(decoder);
    CHECK(sevenbit_decoder_push(nullptr, octets("a"), 1, &text) == SEVENBIT_NULL);
    CHECK(sevenbit_decoder_finish(nullptr, &text) == SEVENBIT_NULL && sevenbit_decoder_issue_count(nullptr) == 0);
    CHECK(sevenbit_decoder_issue(nullptr, 0, &issue) == SEVENBIT_NULL);
}

// Issues, with their places, wherever texts and messages are read.
static void issues_of_texts()
{
    sevenbit_text name, text;
    sevenbit_issue issue;
    sevenbit_decoded *decoded;
    sevenbit_decoder *decoder;
    CHECK(sevenbit_charset_detect(octets("caf\xc3\xa9"), 5, &name) == SEVENBIT_OK);
    CHECK(std::string(name.data, name.length) == "UTF-8");

    CHECK(sevenbit_charset_decode("utf-8", 5, octets("caf\xff"), 4, &decoded) == SEVENBIT_OK);
    CHECK(sevenbit_decoded_issue_count(decoded) == 1);
    CHECK(sevenbit_decoded_issue(decoded, 0, &issue) == SEVENBIT_OK);
    CHECK(issue.start == 3 && issue.end == 4 && issue.code.length > 0 && issue.summary.length > 0);
    CHECK(std::string(issue.part.data, issue.part.length) == "0");
    CHECK(sevenbit_decoded_issue(decoded, 1, &issue) == SEVENBIT_ABSENT);
    CHECK(sevenbit_decoded_issue(decoded, 0, nullptr) == SEVENBIT_NULL);
    sevenbit_decoded_free(decoded);

    CHECK(sevenbit_decoder_new("utf-8", 5, &decoder) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_push(decoder, octets("caf"), 3, &text) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_push(decoder, octets("\xff"), 1, &text) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_issue(decoder, 0, &issue) == SEVENBIT_ABSENT);
    CHECK(sevenbit_decoder_finish(decoder, &text) == SEVENBIT_OK);
    CHECK(sevenbit_decoder_issue(decoder, 0, &issue) == SEVENBIT_OK && issue.start == 3 && issue.end == 4);
    CHECK(sevenbit_decoder_issue(decoder, 1, &issue) == SEVENBIT_ABSENT);
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
        sevenbit_issue issue;
        CHECK(sevenbit_options_init(&options) == SEVENBIT_OK);
        options.signed_content = choice;
        CHECK(sevenbit_normalize(octets(mail.data()), mail.size(), &options, &result) == SEVENBIT_OK);
        CHECK(sevenbit_plan_new(octets(mail.data()), mail.size(), &options, &plan) == SEVENBIT_OK);
        CHECK(sevenbit_result_refused(result) == refused && sevenbit_plan_is_refused(plan) == refused);
        CHECK(sevenbit_result_changed(result) != refused);
        const std::size_t count = sevenbit_plan_issue_count(plan);
        CHECK(count > 0 && count == sevenbit_result_issue_count(result));
        bool found = false;
        for (std::size_t at = 0; at < count; at++) {
            CHECK(sevenbit_plan_issue(plan, at, &issue) == SEVENBIT_OK);
            found = found || std::string(issue.code.data, issue.code.length) == code;
        }
        CHECK(found);
        CHECK(sevenbit_plan_issue(plan, count, &issue) == SEVENBIT_ABSENT);
        sevenbit_plan_free(plan);
        sevenbit_result_free(result);
    }
    CHECK(!sevenbit_result_refused(nullptr));
}

int main()
{
    nothing_at_all();
    issues_of_texts();
    refusal();

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

    // Parts and fields that do not exist.
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
