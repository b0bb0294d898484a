// A stub of libcuda: a card whose memory is that of the host, which does all at
// once, or when a graph is run, and writes down what it was asked. What a kernel does
// is up to the test.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_PTX = 218, INVALID_CONTEXT = 201, NOT_FOUND = 500, STREAM_CAPTURE = 900 };
enum { MOST = 4096 };

static char log_text[1 << 20];
static size_t logged;
static char failing[64];
static int failing_code;
static int devices = 2;
static uint64_t room = 1ull << 30;
static __thread void *current;
static struct { void *at; size_t bytes; int pinned; } memory[MOST];
static char names[MOST][64];
static int functions;
static int (*launcher)(const char *name, void **arguments, unsigned x, unsigned y);
static int (*counter)(const char *name); // of a kernel's arguments

// call writes a call down, and returns the error that the test wants of it.
static int call(const char *name, const char *format, ...) {
    if (logged + 512 < sizeof log_text) {
        logged += sprintf(log_text + logged, "%s", name);
        va_list values;
        va_start(values, format);
        logged += vsnprintf(log_text + logged, 400, format, values);
        va_end(values);
        log_text[logged++] = '\n';
        log_text[logged] = 0;
    }
    return strcmp(name, failing) == 0 ? failing_code : 0;
}

#define CALL(...) \
    do { \
        int code_ = call(__VA_ARGS__); \
        if (code_) return code_; \
    } while (0)
#define IN_CONTEXT \
    if (!current) return INVALID_CONTEXT

// A graph is a list of what is to be done, and its copy of the data for it.
struct node { int (*run)(const void *); struct node *next; uint64_t data[]; };
struct graph { struct node *first, **last; };
static struct graph *recording;

// record keeps what is to be done, where a stream is recorded; else it is for the
// caller to do.
static int record(int (*run)(const void *), const void *data, size_t bytes) {
    if (!recording) return 0;
    struct node *n = malloc(sizeof *n + bytes);
    n->run = run;
    n->next = 0;
    memcpy(n->data, data, bytes);
    *recording->last = n;
    recording->last = &n->next;
    return 1;
}
// now does what a call asks for, or records it.
static int now(int (*run)(const void *), const void *data, size_t bytes) { return record(run, data, bytes) ? 0 : run(data); }
#define NOT_RECORDING \
    if (recording) return STREAM_CAPTURE

// What tests ask of the stub.
EXPORT int stub_record(int (*run)(const void *), const void *data, size_t bytes) { return record(run, data, bytes); }
EXPORT const char *stub_log(void) { return log_text; }
static void forget(void) { logged = 0; log_text[0] = 0; }
EXPORT void stub_forget(void) { forget(); }
EXPORT void stub_reset(void) { forget(); failing[0] = 0; devices = 2; room = 1ull << 30; launcher = 0; counter = 0; recording = 0; }
EXPORT void stub_fail(const char *name, int code) { snprintf(failing, sizeof failing, "%s", name); failing_code = code; }
EXPORT void stub_devices(int n) { devices = n; }
EXPORT void stub_room(uint64_t bytes) { room = bytes; }
EXPORT void stub_launcher(int (*f)(const char *, void **, unsigned, unsigned), int (*count)(const char *)) { launcher = f; counter = count; }
EXPORT int stub_memory(int i, uint64_t *at, uint64_t *bytes) {
    if (i >= MOST) return 0;
    *at = (uint64_t)memory[i].at;
    *bytes = memory[i].bytes;
    return 1;
}

EXPORT int cuInit(unsigned flags) { return call("cuInit", " %u", flags); }
EXPORT int cuDriverGetVersion(int *v) { *v = 12040; return call("cuDriverGetVersion", ""); }
EXPORT int cuDeviceGetCount(int *n) {
    CALL("cuDeviceGetCount", "");
    *n = devices;
    return devices ? 0 : NO_DEVICE;
}
EXPORT int cuDeviceGet(int *d, int ordinal) {
    CALL("cuDeviceGet", " %d", ordinal);
    *d = ordinal;
    return ordinal >= 0 && ordinal < devices ? 0 : INVALID_DEVICE;
}
EXPORT int cuDeviceGetName(char *name, int n, int d) { snprintf(name, n, "Stub %d", d); return call("cuDeviceGetName", " %d", d); }
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int d) { *bytes = 1ull << 30; return call("cuDeviceTotalMem", " %d", d); }
EXPORT int cuDeviceGetAttribute(int *v, int what, int d) {
    *v = what == 75 ? (d == 0 ? 9 : 7) : what == 76 ? 0 : what == 16 ? 132 : -1;
    return call("cuDeviceGetAttribute", " %d %d", what, d);
}
EXPORT int cuDevicePrimaryCtxRetain(void **c, int d) { *c = names + d; return call("cuDevicePrimaryCtxRetain", " %d", d); }
EXPORT int cuDevicePrimaryCtxRelease_v2(int d) { return call("cuDevicePrimaryCtxRelease", " %d", d); }
EXPORT int cuDevicePrimaryCtxRelease(int d) { return cuDevicePrimaryCtxRelease_v2(d); }
EXPORT int cuCtxSetCurrent(void *c) {
    current = c;
    return strcmp("cuCtxSetCurrent", failing) == 0 ? failing_code : 0; // not written down: it is everywhere
}

static int take(void **to, size_t bytes, int pinned) {
    if (bytes == 0) return INVALID_VALUE;
    if (bytes > room) return OUT_OF_MEMORY;
    for (int i = 0; i < MOST; i++) {
        if (memory[i].at) continue;
        if (posix_memalign(&memory[i].at, 256, bytes)) return OUT_OF_MEMORY;
        memset(memory[i].at, 0xff, bytes);
        memory[i].bytes = bytes;
        memory[i].pinned = pinned;
        room -= bytes;
        *to = memory[i].at;
        return 0;
    }
    return OUT_OF_MEMORY;
}
static int give(void *at, int pinned) {
    for (int i = 0; i < MOST; i++) {
        if (memory[i].at != at || memory[i].pinned != pinned) continue;
        free(at);
        room += memory[i].bytes;
        memory[i].at = 0;
        return 0;
    }
    return INVALID_VALUE;
}
// within says whether bytes are of memory that was taken.
static int within(void *at, size_t bytes, int pinned) {
    for (int i = 0; i < MOST; i++)
        if (memory[i].at && memory[i].pinned == pinned && (char *)at >= (char *)memory[i].at && (char *)at + bytes <= (char *)memory[i].at + memory[i].bytes) return 1;
    return 0;
}

EXPORT int cuMemGetInfo_v2(size_t *left, size_t *all) { IN_CONTEXT; *left = room; *all = 1ull << 30; return call("cuMemGetInfo", ""); }
EXPORT int cuMemAlloc_v2(void **to, size_t bytes) { IN_CONTEXT; NOT_RECORDING; CALL("cuMemAlloc", " %zu", bytes); return take(to, bytes, 0); }
EXPORT int cuMemFree_v2(void *at) { IN_CONTEXT; NOT_RECORDING; CALL("cuMemFree", ""); return give(at, 0); }
EXPORT int cuMemHostAlloc(void **to, size_t bytes, unsigned flags) { IN_CONTEXT; CALL("cuMemHostAlloc", " %zu %u", bytes, flags); return take(to, bytes, 1); }
EXPORT int cuMemFreeHost(void *at) { IN_CONTEXT; CALL("cuMemFreeHost", ""); return give(at, 1); }
struct bytes { void *to; const void *from; size_t n; int v; };
static int set_bytes(const void *data) { const struct bytes *b = data; memset(b->to, b->v, b->n); return 0; }
static int move_bytes(const void *data) { const struct bytes *b = data; memmove(b->to, b->from, b->n); return 0; }

EXPORT int cuMemsetD8Async(void *at, unsigned char v, size_t n, void *s) {
    IN_CONTEXT;
    CALL("cuMemsetD8Async", " %d %zu", v, n);
    if (!s || !within(at, n, 0)) return INVALID_VALUE;
    struct bytes b = {at, 0, n, v};
    return now(set_bytes, &b, sizeof b);
}
EXPORT int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t n, void *s) {
    IN_CONTEXT;
    CALL("cuMemcpyHtoDAsync", " %zu%s", n, within((void *)from, n, 1) ? " pinned" : "");
    NOT_RECORDING;
    if (!s || !within(to, n, 0)) return INVALID_VALUE;
    memcpy(to, from, n);
    return 0;
}
EXPORT int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t n, void *s) {
    IN_CONTEXT;
    CALL("cuMemcpyDtoHAsync", " %zu%s", n, within(to, n, 1) ? " pinned" : "");
    NOT_RECORDING;
    if (!s || !within((void *)from, n, 0)) return INVALID_VALUE;
    memcpy(to, from, n);
    return 0;
}
EXPORT int cuMemcpyDtoDAsync_v2(void *to, const void *from, size_t n, void *s) {
    IN_CONTEXT;
    CALL("cuMemcpyDtoDAsync", " %zu", n);
    if (!s || !within(to, n, 0) || !within((void *)from, n, 0)) return INVALID_VALUE;
    struct bytes b = {to, from, n, 0};
    return now(move_bytes, &b, sizeof b);
}

EXPORT int cuModuleLoadData(void **m, const char *ptx) {
    IN_CONTEXT;
    CALL("cuModuleLoadData", "");
    *m = log_text;
    return strstr(ptx, ".version") ? 0 : INVALID_PTX;
}
EXPORT int cuModuleLoadDataEx(void **m, const char *ptx, unsigned n, int *options, void **values) {
    IN_CONTEXT;
    CALL("cuModuleLoadDataEx", " %u", n);
    *m = log_text;
    if (strstr(ptx, ".version")) return 0;
    if (n == 2 && options[0] == 5 && options[1] == 6) snprintf(values[0], (size_t)values[1], "ptxas stub, line 1; fatal   : no version\n");
    return INVALID_PTX;
}
EXPORT int cuModuleGetFunction(void **f, void *m, const char *name) {
    IN_CONTEXT;
    CALL("cuModuleGetFunction", "");
    if (m != log_text || strcmp(name, "absent") == 0 || functions == MOST) return NOT_FOUND;
    strcpy(names[functions], name);
    *f = names[functions++];
    return 0;
}
enum { ARGUMENTS = 32 };
struct launch { const char *name; unsigned x, y; uint64_t words[ARGUMENTS]; };
static int run_launch(const void *data) {
    struct launch l = *(const struct launch *)data;
    void *at[ARGUMENTS];
    for (int i = 0; i < ARGUMENTS; i++) at[i] = l.words + i;
    return launcher ? launcher(l.name, at, l.x, l.y) : 0;
}
EXPORT int cuLaunchKernel(void *f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *s, void **arguments, void **extra) {
    IN_CONTEXT;
    CALL("cuLaunchKernel", " %s %u %u %u, %u %u %u, %u", (char *)f, x, y, z, bx, by, bz, shared);
    if (!s || extra || !x || !y || !z) return INVALID_VALUE;
    struct launch l = {f, x, y, {0}};
    for (int i = 0, n = counter ? counter(f) : 0; i < n; i++) l.words[i] = *(uint64_t *)arguments[i];
    return now(run_launch, &l, sizeof l);
}

EXPORT int cuStreamCreate(void **s, unsigned flags) { IN_CONTEXT; *s = &room; return call("cuStreamCreate", " %u", flags); }
EXPORT int cuStreamSynchronize(void *s) { IN_CONTEXT; CALL("cuStreamSynchronize", ""); NOT_RECORDING; return s ? 0 : INVALID_VALUE; }
EXPORT int cuStreamWaitEvent(void *s, void *e, unsigned flags) { IN_CONTEXT; CALL("cuStreamWaitEvent", " %u", flags); return s && e ? 0 : INVALID_VALUE; }
EXPORT int cuEventCreate(void **e, unsigned flags) { IN_CONTEXT; *e = &devices; return call("cuEventCreate", " %u", flags); }
EXPORT int cuEventRecord(void *e, void *s) { IN_CONTEXT; CALL("cuEventRecord", ""); return e && s ? 0 : INVALID_VALUE; }
EXPORT int cuEventSynchronize(void *e) { IN_CONTEXT; CALL("cuEventSynchronize", ""); return e ? 0 : INVALID_VALUE; }

EXPORT int cuStreamBeginCapture_v2(void *s, int mode) {
    IN_CONTEXT;
    CALL("cuStreamBeginCapture", " %d", mode);
    if (recording || !s) return INVALID_VALUE;
    recording = malloc(sizeof *recording);
    recording->first = 0;
    recording->last = &recording->first;
    return 0;
}
EXPORT int cuStreamEndCapture(void *s, struct graph **g) {
    IN_CONTEXT;
    CALL("cuStreamEndCapture", "");
    if (!recording || !s) return INVALID_VALUE;
    *g = recording;
    recording = 0;
    return 0;
}
EXPORT int cuGraphInstantiateWithFlags(struct graph **e, struct graph *g, uint64_t flags) {
    IN_CONTEXT;
    CALL("cuGraphInstantiateWithFlags", " %lu", (unsigned long)flags);
    *e = malloc(sizeof *g);
    **e = *g;
    g->first = 0;
    return 0;
}
EXPORT int cuGraphDestroy(struct graph *g) { CALL("cuGraphDestroy", ""); free(g); return 0; }
EXPORT int cuGraphExecDestroy(struct graph *g) {
    CALL("cuGraphExecDestroy", "");
    for (struct node *n = g->first, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    free(g);
    return 0;
}
EXPORT int cuGraphLaunch(struct graph *g, void *s) {
    IN_CONTEXT;
    CALL("cuGraphLaunch", "");
    if (!s || recording) return INVALID_VALUE;
    for (struct node *n = g->first; n; n = n->next) {
        int code = n->run(n->data);
        if (code) return code;
    }
    return 0;
}
