// The state of the block that is being run, and who touches what.
#pragma once

#include <stddef.h>

struct fibre;

// region is memory that a kernel was given.
struct region {
    void *at;
    size_t bytes;
};

// state is of the one block that runs.
struct state {
    fibre *running; // none between threads
    int thread, x, y;
    // epoch counts barriers and blocks; first_epoch is that of this block.
    unsigned epoch, first_epoch;
    bool failed;
    char message[256];
};

extern state host;

void watch(const region *arguments, int n);
void unwatch();
void poison_shared();

// fail keeps the first mistake of a launch, which ends it.
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
