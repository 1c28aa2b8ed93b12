/* What a library does with one message, and how many octets came of it: sevenbit.c and gmime.c. */
#include <stddef.h>

void begin(void);
long transport(const char *octets, size_t length); /* written anew, in memory, so that a 7-bit path takes it */
long view(const char *octets, size_t length);      /* Subject, From, Date, and the text or the octets of every leaf */
