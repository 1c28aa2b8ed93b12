/*
 * pass transport|view stored|sent FILE...: every message once, as a program does that is started for it: as it is stored, or
 * as it was sent, with CRLF. Prints the processor time of the library's work and that of the whole process, which reads the
 * files too, both in seconds, and how many octets came of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "pass.h"

struct message {
    char *octets;
    size_t length;
};

static struct message read_file(const char *path)
{
    struct message message = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        exit(66);
    message.length = (size_t) ftell(file);
    rewind(file);
    message.octets = malloc(message.length + 1);
    if (message.octets == NULL || fread(message.octets, 1, message.length, file) != message.length)
        exit(74);
    fclose(file);
    return message;
}

/* The message on its way: lone LF as CRLF, and no line of a mailbox before it. */
static struct message as_sent(struct message stored)
{
    struct message sent = {malloc(2 * stored.length + 1), 0};
    size_t at = 0;
    if (sent.octets == NULL)
        exit(71);
    if (stored.length >= 5 && memcmp(stored.octets, "From ", 5) == 0)
        while (at < stored.length && stored.octets[at++] != '\n')
            ;
    for (; at < stored.length; at++) {
        if (stored.octets[at] == '\n' && (sent.length == 0 || sent.octets[sent.length - 1] != '\r'))
            sent.octets[sent.length++] = '\r';
        sent.octets[sent.length++] = stored.octets[at];
    }
    free(stored.octets);
    sent.octets = realloc(sent.octets, sent.length + 1);
    return sent;
}

static double processor_time(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int count, char **arguments)
{
    int number = count - 3, at;
    long octets = 0;
    double begun, ended;
    long (*work)(const char *, size_t);
    struct message *messages;
    if (count < 4)
        return 64;
    work = strcmp(arguments[1], "view") == 0 ? view : transport;
    messages = calloc((size_t) number, sizeof *messages);
    if (messages == NULL)
        return 71;
    for (at = 0; at < number; at++) {
        messages[at] = read_file(arguments[at + 3]);
        if (strcmp(arguments[2], "sent") == 0)
            messages[at] = as_sent(messages[at]);
    }
    begun = processor_time();
    begin();
    for (at = 0; at < number; at++)
        octets += work(messages[at].octets, messages[at].length);
    ended = processor_time();
    printf("%.6f %.6f %ld\n", ended - begun, processor_time(), octets);
    return 0;
}
