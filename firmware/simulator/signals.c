#include "signals.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct signals signals_open(const char *path)
{
    struct stat info;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &info) || (size_t)info.st_size < sizeof(struct header)) {
        fprintf(stderr, "%s cannot be read: give the file of signals.\n", path);
        exit(2);
    }
    const char *at = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (at == MAP_FAILED) {
        perror(path);
        exit(2);
    }
    struct signals signals = {.header = (const volatile struct header *)at};
    uint64_t frames = signals.header->frames, loads = signals.header->loads;
    uint64_t size = sizeof(struct header) + frames * sizeof(struct frame);
    size = (size + 7u) / 8u * 8u; /* conversions begin at a multiple of eight */
    if (signals.header->magic != SIGNALS_MAGIC || !frames ||
        (uint64_t)info.st_size != size + loads * sizeof(struct conversion)) {
        fprintf(stderr, "%s is not a file of signals.\n", path);
        exit(2);
    }
    signals.frames = (const volatile struct frame *)(at + sizeof(struct header));
    signals.loads = (const volatile struct conversion *)(at + size);
    return signals;
}
