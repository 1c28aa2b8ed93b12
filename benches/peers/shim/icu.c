/* ICU's converters behind two plain functions; stubs if it is not installed. */
#include <stddef.h>

#ifdef INSTALLED
#include <stdlib.h>
#include <unicode/ucnv.h>

#define UNITS 4096

typedef struct {
    UConverter *from, *to;
    UChar between[UNITS];
} Pair;

void *icu_open(const char *from, const char *to) {
    UErrorCode code = U_ZERO_ERROR;
    Pair *pair = malloc(sizeof *pair);
    pair->from = ucnv_open(from, &code);
    pair->to = ucnv_open(to, &code);
    if (U_SUCCESS(code)) return pair;
    free(pair);
    return NULL;
}

long icu_convert(void *opened, const char *octets, size_t length, char *out, size_t room) {
    Pair *pair = opened;
    UErrorCode code = U_ZERO_ERROR;
    const char *in = octets;
    char *to = out;
    UChar *read = pair->between, *write = pair->between;
    ucnv_convertEx(pair->to, pair->from, &to, out + room, &in, octets + length, pair->between, &read, &write,
                   pair->between + UNITS, 1, 1, &code);
    return U_SUCCESS(code) ? to - out : -1;
}

#else

void *icu_open(const char *from, const char *to) { return NULL; }
long icu_convert(void *opened, const char *octets, size_t length, char *out, size_t room) { return -1; }

#endif
