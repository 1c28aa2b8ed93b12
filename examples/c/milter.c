/*
 * A milter in C: makes the mail that passes 7-bit safe, with libmilter and sevenbit. (`sevenbit milter` does this without a
 * line of C; this shows how to do it in a filter of your own.)
 *
 *     cc -o milter milter.c $(pkg-config --cflags --libs sevenbit) -lmilter -lpthread
 *     ./milter inet:8891@127.0.0.1
 *
 * Postfix: smtpd_milters = inet:127.0.0.1:8891
 */
#include <libmilter/mfapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sevenbit.h>

struct mail {
    unsigned char *octets;
    size_t length, room, header;
};

static int append(struct mail *mail, const void *octets, size_t length)
{
    if (mail->length + length > mail->room) {
        unsigned char *more = realloc(mail->octets, mail->room = 2 * (mail->length + length) + 4096);
        if (more == NULL)
            return 0;
        mail->octets = more;
    }
    memcpy(mail->octets + mail->length, octets, length);
    mail->length += length;
    return 1;
}

/* libmilter shows folds as LF and the space after the colon only if asked: SMFIP_HDR_LEADSPC. */
static int append_value(struct mail *mail, const char *value)
{
    for (; *value != '\0'; value++)
        if (!append(mail, *value == '\n' ? "\r\n" : value, *value == '\n' ? 2 : 1))
            return 0;
    return 1;
}

/* A value as libmilter wants it: ends with a NUL, folds with LF; never empty, which would remove the field. */
static char *value_of(sevenbit_octets octets)
{
    char *value = malloc(octets.length + 2), *end = value;
    for (size_t at = 0; value != NULL && at < octets.length; at++)
        if (octets.data[at] != '\r')
            *end++ = (char) octets.data[at];
    if (end == value && value != NULL)
        *end++ = ' ';
    if (value != NULL)
        *end = '\0';
    return value;
}

static char *name_of(sevenbit_octets octets)
{
    char *name = calloc(octets.length + 1, 1);
    return name == NULL ? NULL : memcpy(name, octets.data, octets.length);
}

static sfsistat negotiate(SMFICTX *context, unsigned long actions, unsigned long steps, unsigned long more,
                          unsigned long reserved, unsigned long *wanted_actions, unsigned long *wanted_steps,
                          unsigned long *no_more, unsigned long *nothing)
{
    (void) context, (void) more, (void) reserved;
    *wanted_actions = actions & (SMFIF_ADDHDRS | SMFIF_CHGHDRS | SMFIF_CHGBODY);
    *wanted_steps = steps & (SMFIP_NOCONNECT | SMFIP_NOHELO | SMFIP_NORCPT | SMFIP_NOUNKNOWN | SMFIP_HDR_LEADSPC);
    *no_more = *nothing = 0;
    return SMFIS_CONTINUE;
}

static sfsistat done(SMFICTX *context, sfsistat status)
{
    struct mail *mail = smfi_getpriv(context);
    if (mail != NULL)
        free(mail->octets);
    free(mail);
    smfi_setpriv(context, NULL);
    return status;
}

static sfsistat from(SMFICTX *context, char **arguments)
{
    (void) arguments;
    done(context, SMFIS_CONTINUE);
    return smfi_setpriv(context, calloc(1, sizeof(struct mail))) == MI_SUCCESS && smfi_getpriv(context) != NULL
               ? SMFIS_CONTINUE : SMFIS_TEMPFAIL;
}

static sfsistat header(SMFICTX *context, char *name, char *value)
{
    struct mail *mail = smfi_getpriv(context);
    return append(mail, name, strlen(name)) && append(mail, ":", 1) && append_value(mail, value)
                   && append(mail, "\r\n", 2) ? SMFIS_CONTINUE : done(context, SMFIS_TEMPFAIL);
}

static sfsistat end_of_header(SMFICTX *context)
{
    return append(smfi_getpriv(context), "\r\n", 2) ? SMFIS_CONTINUE : done(context, SMFIS_TEMPFAIL);
}

static sfsistat body(SMFICTX *context, unsigned char *octets, size_t length)
{
    return append(smfi_getpriv(context), octets, length) ? SMFIS_CONTINUE : done(context, SMFIS_TEMPFAIL);
}

/* Changes and removals from the last field to the first, so that the numbers of those before stay true. */
static int change_fields(SMFICTX *context, const sevenbit_plan *plan)
{
    int fine = 1;
    for (size_t place = sevenbit_plan_field_count(plan); fine && place-- > 0;) {
        const sevenbit_field *field = sevenbit_plan_field(plan, place);
        sevenbit_octets value;
        char *name, *written = NULL;
        if (field == NULL || field->number == 0 || field->change == SEVENBIT_FIELD_KEPT)
            continue;
        if (field->change == SEVENBIT_FIELD_NEW_VALUE && sevenbit_plan_written(plan, place, 0, NULL, &value) == SEVENBIT_OK)
            written = value_of(value);
        name = name_of(field->name);
        fine = name != NULL && smfi_chgheader(context, name, (int) field->number, written) == MI_SUCCESS;
        free(written);
        free(name);
    }
    return fine;
}

/* Insertions from the first to the last, each where it will stand; Postfix counts its own Received field first. */
static int insert_fields(SMFICTX *context, const sevenbit_plan *plan)
{
    int at = 1, fine = 1;
    for (size_t place = 0; fine && place < sevenbit_plan_field_count(plan); place++) {
        const sevenbit_field *field = sevenbit_plan_field(plan, place);
        sevenbit_octets name, value;
        if (field == NULL)
            return 0;
        for (size_t number = 0; fine && number < field->written; number++, at++) {
            char *new_name, *new_value;
            if (field->number != 0 && field->change <= SEVENBIT_FIELD_NEW_VALUE)
                continue;
            if (sevenbit_plan_written(plan, place, number, &name, &value) != SEVENBIT_OK)
                return 0;
            new_name = name_of(name), new_value = value_of(value);
            fine = new_name != NULL && new_value != NULL
                   && smfi_insheader(context, at, new_name, new_value) == MI_SUCCESS;
            free(new_name);
            free(new_value);
        }
    }
    return fine;
}

static sfsistat end_of_message(SMFICTX *context)
{
    struct mail *mail = smfi_getpriv(context);
    sevenbit_options options;
    sevenbit_plan *plan = NULL;
    sevenbit_octets body;
    int fine;
    sevenbit_options_init(&options, sizeof options);
    options.profile = SEVENBIT_PROFILE_TRANSPORT;
    fine = sevenbit_plan_new(mail->octets, mail->length, &options, &plan) == SEVENBIT_OK;
    if (fine && !sevenbit_plan_is_clean(plan))
        fine = change_fields(context, plan) && insert_fields(context, plan)
               && (!sevenbit_plan_changes_body(plan)
                   || (sevenbit_plan_body(plan, &body) == SEVENBIT_OK
                       && smfi_replacebody(context, (unsigned char *) body.data, (int) body.length) == MI_SUCCESS));
    sevenbit_plan_free(plan);
    return done(context, fine ? SMFIS_CONTINUE : SMFIS_TEMPFAIL);
}

static sfsistat aborted(SMFICTX *context)
{
    return done(context, SMFIS_CONTINUE);
}

int main(int count, char **arguments)
{
    struct smfiDesc filter = {
        .xxfi_name = "sevenbit-example", .xxfi_version = SMFI_VERSION,
        .xxfi_flags = SMFIF_ADDHDRS | SMFIF_CHGHDRS | SMFIF_CHGBODY,
        .xxfi_envfrom = from, .xxfi_header = header, .xxfi_eoh = end_of_header, .xxfi_body = body,
        .xxfi_eom = end_of_message, .xxfi_abort = aborted, .xxfi_close = aborted, .xxfi_negotiate = negotiate,
    };
    if (count != 2 || smfi_setconn(arguments[1]) != MI_SUCCESS || smfi_register(filter) != MI_SUCCESS) {
        fprintf(stderr, "usage: milter inet:PORT@HOST | unix:PATH\n");
        return 64;
    }
    return smfi_main() == MI_SUCCESS ? 0 : 1;
}
