#include "device.cuh"

// What AdamW's numbers are, in memory so that a recorded step takes the next
// ones: worked out in float64 where they are written.
enum {
    STEP_SIZE,          // learning rate / (1 − β₁ᵗ)
    DECAY,              // learning rate · weight decay
    BETA1, REST1,       // β₁ and 1 − β₁
    BETA2, REST2,       // β₂ and 1 − β₂
    ROOT_CORRECTION,    // 1 / √(1 − β₂ᵗ)
    EPSILON
};

// A step of AdamW on p, n elements; copy, where it is somewhere, is p in bf16.
// Nothing is done where skip points to what is not 0.
// grid: n/256
extern "C" __global__ void capgraph_adamw(float *p, bf16 *copy, const float *g, float *m, float *v, const float *factor,
                                          const float *numbers, const int *skip, int n) {
    index i = element();
    if (i >= n || (skip != 0 && *skip != 0)) return;
    float d = g[i] * factor[0];
    float first = numbers[BETA1] * m[i] + numbers[REST1] * d;
    float second = numbers[BETA2] * v[i] + numbers[REST2] * d * d;
    float at = p[i] - numbers[DECAY] * p[i];
    at -= numbers[STEP_SIZE] * first / (square_root(second) * numbers[ROOT_CORRECTION] + numbers[EPSILON]);
    m[i] = first;
    v[i] = second;
    p[i] = at;
    if (copy != 0) copy[i] = rounded(at);
}

// grid: n/256
extern "C" __global__ void capgraph_clamp(float *x, float least, float most, int n) {
    index i = element();
    if (i >= n) return;
    if (x[i] < least) x[i] = least;
    if (x[i] > most) x[i] = most;
}
