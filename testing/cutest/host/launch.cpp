// Runs the blocks of a launch one after another, the warps of a block, and the lanes
// of a warp, each until it waits for others, in the order that is asked for.
#include <math.h>
#include <string.h>

#include "device.h"
#include "fibre.h"
#include "memory.h"

enum { THREADS = 256, WARP = 32 };
enum order { FORWARD, REVERSE, SHUFFLED };
enum waits { READY, BARRIER, SUM, HALF_SUM, MAX, HALF_MAX, DONE };

typedef void (*call)(void *const *arguments);

state host;

namespace {

struct one {
    fibre f;
    waits state;
    float value; // combined over a warp
};

one threads[THREADS];
call kernel;
void *const *arguments;
unsigned long long chance;
int lanes[WARP]; // in the order in which they take turns

unsigned below(unsigned n) {
    chance = chance * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((chance >> 33) % n);
}

// arrange puts the numbers below n in an order.
void arrange(int *numbers, int n, int order) {
    for (int i = 0; i < n; i++) numbers[i] = order == REVERSE ? n - 1 - i : i;
    for (int i = n - 1; order == SHUFFLED && i > 0; i--) {
        int k = below(i + 1), v = numbers[i];
        numbers[i] = numbers[k];
        numbers[k] = v;
    }
}

void leave(waits why) {
    one *t = threads + host.thread;
    t->state = why;
    fibre_leave(&t->f);
}

void begin() {
    kernel(arguments);
    leave(DONE);
}

// resume runs the lanes of a warp that are ready, each until it waits or ends.
void resume(int w) {
    for (int i = 0; i < WARP && !host.failed; i++) {
        int k = w + lanes[i];
        if (threads[k].state != READY) continue;
        host.thread = k;
        host.running = &threads[k].f;
        fibre_enter(&threads[k].f);
        host.running = 0;
    }
}

// combined says whether the lanes of a warp wait for each other, and gives them the
// sum or the maximum of their values, or of those of their half: in steps, each lane's with
// that of the lane whose number differs in one bit, as device.cuh has it.
bool combined(int w) {
    one *first = threads + w;
    int wanted[DONE + 1] = {};
    for (int i = 0; i < WARP; i++) wanted[first[i].state]++;
    if (wanted[SUM] + wanted[HALF_SUM] + wanted[MAX] + wanted[HALF_MAX] == 0 || host.failed) return false;
    waits how = first->state;
    if (wanted[how] < WARP) {
        host.thread = w;
        fail("and its warp: %d of 32 lanes want a sum, %d one of their half, %d a maximum, %d one of their half",
             wanted[SUM], wanted[HALF_SUM], wanted[MAX], wanted[HALF_MAX]);
        return false;
    }
    float values[WARP];
    for (int i = 0; i < WARP; i++) values[i] = first[i].value;
    for (int bit = how == HALF_SUM || how == HALF_MAX ? WARP / 4 : WARP / 2; bit > 0; bit /= 2) {
        float before[WARP];
        memcpy(before, values, sizeof before);
        for (int i = 0; i < WARP; i++) {
            float mine = before[i], other = before[i ^ bit];
            values[i] = how == SUM || how == HALF_SUM ? mine + other : mine > other ? mine : other;
        }
    }
    for (int i = 0; i < WARP; i++) {
        first[i].value = values[i];
        first[i].state = READY;
    }
    return true;
}

// pass_barrier lets all threads go on where all have come to it.
bool pass_barrier() {
    int waiting = 0;
    for (int i = 0; i < THREADS; i++) waiting += threads[i].state == BARRIER;
    if (waiting == 0 || host.failed) return false;
    if (waiting < THREADS) {
        fail("and its block: %d of 256 threads wait, the others have ended", waiting);
        return false;
    }
    for (int i = 0; i < THREADS; i++) threads[i].state = READY;
    host.epoch++;
    return true;
}

void run_block(int order) {
    int warps[THREADS / WARP];
    host.first_epoch = ++host.epoch;
    poison_shared();
    for (int i = 0; i < THREADS; i++) {
        threads[i].state = READY;
        fibre_ready(&threads[i].f, begin);
    }
    do {
        arrange(warps, THREADS / WARP, order);
        arrange(lanes, WARP, order);
        for (int i = 0; i < THREADS / WARP; i++) {
            do resume(warps[i] * WARP);
            while (combined(warps[i] * WARP));
        }
    } while (pass_barrier());
}

} // namespace

extern "C" int host_thread() { return host.thread; }
extern "C" int host_block_x() { return host.x; }
extern "C" int host_block_y() { return host.y; }
extern "C" void host_barrier() { leave(BARRIER); }
extern "C" float host_square_root(float x) { return sqrtf(x); }
extern "C" float host_power_of_two(float x) { return exp2f(x); }

static float combine(float v, waits how) {
    one *t = threads + host.thread;
    t->value = v;
    leave(how);
    return t->value;
}

extern "C" float host_warp_sum(float v) { return combine(v, SUM); }
extern "C" float host_half_warp_sum(float v) { return combine(v, HALF_SUM); }
extern "C" float host_warp_max(float v) { return combine(v, MAX); }
extern "C" float host_half_warp_max(float v) { return combine(v, HALF_MAX); }

// host_launch runs a kernel; what it returns is what went wrong, or none.
extern "C" const char *host_launch(call k, void *const *values, const int *grid, int order, unsigned long long seed,
                                   const region *given, int n) {
    kernel = k;
    arguments = values;
    chance = seed;
    memset(&host, 0, sizeof host);
    watch(given, n);
    int blocks = grid[0] * grid[1];
    int *turn = new int[blocks];
    arrange(turn, blocks, order);
    for (int i = 0; i < blocks && !host.failed; i++) {
        host.x = turn[i] % grid[0];
        host.y = turn[i] / grid[0];
        run_block(order);
    }
    delete[] turn;
    unwatch();
    return host.failed ? host.message : 0;
}
