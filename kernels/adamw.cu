#include "device.cuh"

// What AdamW's numbers are, in memory so that a recorded step takes the next
// ones: worked out in float64 where they are written.
enum {
    STEP_SIZE,          // learning rate / (1 − β₁ᵗ)
    DECAY,              // learning rate · weight decay
    BETA1, REST1,       // β₁ and 1 − β₁
    BETA2, REST2,       // β₂ and 1 − β₂
    ROOT_CORRECTION,    // 1 / √(1 − β₂ᵗ)
    EPSILON,
    NUMBERS
};

// What the table has of a parameter: where it, its copy in bf16, its gradient and its
// moments are, and how many elements they have. The copy may be nowhere.
enum { WEIGHTS, COPY, GRADIENT, FIRST, SECOND, ELEMENTS, ENTRIES };

#define MOVED 16 // elements of a thread

// A step of AdamW on tensors parameters, of which each begins a new block: starts
// [tensors+1] says with which. numbers [tensors, 8]. Nothing is done where the factor is
// not finite.
// grid: blocks
extern "C" __global__ void capgraph_adamw(const index *table, const int *starts, const float *numbers, const float *factor, int tensors,
                                          int blocks) {
    if (block_x() >= blocks || factor[0] - factor[0] != 0) return;
    int which = part_of(starts, tensors, block_x());
    const index *t = table + which * ENTRIES;
    const float *o = numbers + which * NUMBERS, *g = (const float *)t[GRADIENT];
    float *p = (float *)t[WEIGHTS], *m = (float *)t[FIRST], *v = (float *)t[SECOND];
    bf16 *copy = (bf16 *)t[COPY];
    index first = (index)(block_x() - starts[which]) * MOVED * BLOCK + thread();
    for (int k = 0; k < MOVED; k++) {
        index i = first + k * BLOCK;
        if (i >= t[ELEMENTS]) return;
        float d = g[i] * factor[0];
        float mean = o[BETA1] * m[i] + o[REST1] * d;
        float square = o[BETA2] * v[i] + o[REST2] * d * d;
        float at = p[i] - o[DECAY] * p[i];
        at -= o[STEP_SIZE] * mean / (square_root(square) * o[ROOT_CORRECTION] + o[EPSILON]);
        m[i] = mean;
        v[i] = square;
        both(p, copy, i, at);
    }
}

// grid: n/256
extern "C" __global__ void capgraph_clamp(float *x, float least, float most, int n) {
    index i = element();
    if (i >= n) return;
    if (x[i] < least) x[i] = least;
    if (x[i] > most) x[i] = most;
}
