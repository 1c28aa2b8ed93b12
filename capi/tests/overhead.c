/*
 * overhead ROUNDS FILE...: normalises all messages ROUNDS times; prints nanoseconds per message. examples/overhead.rs does the
 * same without C in between; overhead.sh compares the two.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sevenbit.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

int main(int count, char **arguments)
{
    int rounds = atoi(arguments[1]), messages = count - 2, round, at;
    uint8_t **data = calloc((size_t) messages, sizeof *data);
    size_t *lengths = calloc((size_t) messages, sizeof *lengths), total = 0;
    double begun;
    for (at = 0; at < messages; at++) {
        FILE *file = fopen(arguments[at + 2], "rb");
        if (file == NULL || fseek(file, 0, SEEK_END) != 0)
            return 1;
        lengths[at] = (size_t) ftell(file);
        rewind(file);
        data[at] = malloc(lengths[at] + 1);
        if (data[at] == NULL || fread(data[at], 1, lengths[at], file) != lengths[at])
            return 1;
        fclose(file);
    }
    begun = now();
    for (round = 0; round < rounds; round++)
        for (at = 0; at < messages; at++) {
            sevenbit_result *result;
            sevenbit_octets octets;
            if (sevenbit_normalize(data[at], lengths[at], NULL, &result) != SEVENBIT_OK)
                return 1;
            sevenbit_result_octets(result, &octets);
            total += octets.length + sevenbit_result_issue_count(result);
            sevenbit_result_free(result);
        }
    printf("%.0f %lu\n", (now() - begun) / rounds / messages, (unsigned long) (total / (size_t) rounds));
    return 0;
}
