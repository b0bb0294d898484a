// A stub of libnccl: processes are threads, which wait for each other in every call.
// The sum is that of rank 0, plus that of rank 1, and so on.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { INVALID_ARGUMENT = 4, REMOTE_ERROR = 6, MOST = 8 };

struct id { char of[128]; };
struct comm { int rank, world, gone; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int here, turns, refused;
static float *given[MOST];

// What tests ask of the stub.
EXPORT void stub_refuse(int set) { refused = set; }

// meet waits until all have come; the last does something first.
static void meet(struct comm *c, void (*last)(struct comm *, const void *), const void *with) {
    pthread_mutex_lock(&lock);
    int now = turns;
    if (++here == c->world) {
        if (last) last(c, with);
        here = 0;
        turns++;
        pthread_cond_broadcast(&turn);
    }
    while (now == turns) pthread_cond_wait(&turn, &lock);
    pthread_mutex_unlock(&lock);
}

EXPORT int ncclGetVersion(int *v) { *v = 22705; return 0; }
EXPORT int ncclGetUniqueId(struct id *id) {
    for (int i = 0; i < 128; i++) id->of[i] = (char)(i + 1);
    return 0;
}
EXPORT int ncclCommInitRank(struct comm **to, int world, struct id id, int rank) {
    for (int i = 0; i < 128; i++)
        if (id.of[i] != (char)(i + 1)) return INVALID_ARGUMENT;
    if (world < 1 || world > MOST || rank < 0 || rank >= world) return INVALID_ARGUMENT;
    struct comm made = {rank, world, 0};
    *to = malloc(sizeof made);
    **to = made;
    meet(*to, 0, 0);
    return 0;
}
EXPORT int ncclCommAbort(struct comm *c) { free(c); return 0; }
EXPORT int ncclCommGetAsyncError(struct comm *c, int *code) { *code = refused ? REMOTE_ERROR : 0; return c ? 0 : INVALID_ARGUMENT; }
EXPORT int ncclGroupStart(void) { return 0; }
EXPORT int ncclGroupEnd(void) { return 0; }

static void add(struct comm *c, const void *with) {
    size_t n = *(const size_t *)with;
    for (size_t i = 0; i < n; i++) {
        float sum = 0;
        for (int r = 0; r < c->world; r++) sum += given[r][i];
        for (int r = 0; r < c->world; r++) given[r][i] = sum;
    }
}
EXPORT int ncclAllReduce(float *from, float *to, size_t n, int type, int op, struct comm *c, void *stream) {
    if (from != to || type != 7 || op != 0 || !stream) return INVALID_ARGUMENT;
    given[c->rank] = to;
    meet(c, add, &n);
    return 0;
}
struct broadcast { size_t n; int root; };
static void copy(struct comm *c, const void *with) {
    const struct broadcast *b = with;
    for (int r = 0; r < c->world; r++)
        if (r != b->root) memcpy(given[r], given[b->root], b->n * sizeof(float));
}
EXPORT int ncclBroadcast(float *from, float *to, size_t n, int type, int root, struct comm *c, void *stream) {
    if (from != to || type != 7 || root < 0 || root >= c->world || !stream) return INVALID_ARGUMENT;
    struct broadcast b = {n, root};
    given[c->rank] = to;
    meet(c, copy, &b);
    return 0;
}
