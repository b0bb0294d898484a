// What threads read and write: the compiler puts a call before every access, as it
// does for its own race detector, whose library is not used. An access has to be
// of an argument, of the block's shared memory or of the thread's stack; and where
// one thread writes what another reads or writes, a barrier has to be between.
#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fibre.h"

extern char __start_block_shared[], __stop_block_shared[];
extern "C" __attribute__((visibility("hidden"))) char __ehdr_start[], _end[];

namespace {

// grain is the number of bytes that are watched as one: an element of the smallest
// type that is written.
enum { GRAIN = 1, SEVERAL = -1 };

// seen is who came to a place last, and between which barriers, of which the first are 1.
struct seen {
    unsigned written, read;
    short writer, reader;
};

struct watched {
    char *first, *end;
    seen *places;
    bool shared;
};

enum { MOST = 64 };
watched regions[MOST];
int count;

void add(char *first, size_t bytes, bool shared) {
    if (count == MOST) return fail("more than %d arguments", MOST);
    seen *places = (seen *)calloc(bytes / GRAIN + 2, sizeof(seen));
    regions[count++] = {first, first + bytes, places, shared};
}

watched *find(char *at, int bytes) {
    static watched *last = regions;
    if (last < regions + count && at >= last->first && at + bytes <= last->end) return last;
    for (int i = 0; i < count; i++)
        if (at >= regions[i].first && at + bytes <= regions[i].end) return last = regions + i;
    return 0;
}

void touch(char *at, int bytes, bool write) {
    if (!host.running || host.failed) return;
    char *stack = host.running->stack;
    if (at >= stack && at < stack + STACK) return;
    watched *r = find(at, bytes);
    if (!r) {
        if (!write && at >= __ehdr_start && at < _end) return; // a constant
        return fail("%s %d bytes that are of no argument", write ? "writes" : "reads", bytes);
    }
    short me = host.thread;
    size_t first = (size_t)(at - r->first) / GRAIN, last = (size_t)(at + bytes - 1 - r->first) / GRAIN;
    for (size_t i = first; i <= last; i++) {
        seen *s = r->places + i;
        bool other_wrote = s->written == host.epoch && s->writer != me;
        bool other_read = s->read == host.epoch && s->reader != me;
        if (!r->shared) { // no barrier is between blocks
            other_wrote |= s->written > 0 && s->written < host.first_epoch;
            other_read |= s->read > 0 && s->read < host.first_epoch;
        }
        if (other_wrote || (write && other_read))
            return fail("%s %s memory that another thread %s, and no barrier is between", write ? "writes" : "reads",
                        r->shared ? "shared" : "global", other_wrote ? "writes" : "reads");
        if (write) {
            s->written = host.epoch;
            s->writer = me;
        } else {
            s->reader = s->read == host.epoch && s->reader != me ? (short)SEVERAL : me;
            s->read = host.epoch;
        }
    }
}

} // namespace

void watch(const region *arguments, int n) {
    for (int i = 0; i < n; i++) add((char *)arguments[i].at, arguments[i].bytes, false);
    add(__start_block_shared, __stop_block_shared - __start_block_shared, true);
}

void unwatch() {
    for (int i = 0; i < count; i++) free(regions[i].places);
    count = 0;
}

void poison_shared() {
    memset(__start_block_shared, 0xff, __stop_block_shared - __start_block_shared); // NaN, as float
}

void fail(const char *format, ...) {
    if (host.failed) return;
    host.failed = true;
    int n = snprintf(host.message, sizeof host.message, "thread %d of block %d, %d ", host.thread, host.x, host.y);
    va_list values;
    va_start(values, format);
    vsnprintf(host.message + n, sizeof host.message - n, format, values);
    va_end(values);
}

// What the compiler calls.
#define ACCESS(bytes)                                                          \
    extern "C" void __tsan_read##bytes(void *p) { touch((char *)p, bytes, false); } \
    extern "C" void __tsan_write##bytes(void *p) { touch((char *)p, bytes, true); } \
    extern "C" void __tsan_unaligned_read##bytes(void *p) { touch((char *)p, bytes, false); } \
    extern "C" void __tsan_unaligned_write##bytes(void *p) { touch((char *)p, bytes, true); }

ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

extern "C" void __tsan_read_range(void *p, unsigned long bytes) { touch((char *)p, (int)bytes, false); }
extern "C" void __tsan_write_range(void *p, unsigned long bytes) { touch((char *)p, (int)bytes, true); }
extern "C" void __tsan_init() {}
extern "C" void __tsan_func_entry(void *) {}
extern "C" void __tsan_func_exit() {}
extern "C" void *__tsan_memset(void *p, int c, unsigned long n) {
    __tsan_write_range(p, n);
    return memset(p, c, n);
}
extern "C" void *__tsan_memcpy(void *to, const void *from, unsigned long n) {
    __tsan_read_range((void *)from, n);
    __tsan_write_range(to, n);
    return memcpy(to, from, n);
}
