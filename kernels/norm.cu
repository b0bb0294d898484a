// Sums of all elements, in parts of 4,096 that are the same whatever the grid.
#include "device.cuh"

#define EACH 16

// parts [n/4096] = Σ a·b of each part; a and b may be the same.
// grid: n/4096
extern "C" __global__ void capgraph_dot_parts(float *parts, const float *a, const float *b, int n) {
    index first = (index)block_x() * EACH * BLOCK + thread();
    float sum = 0;
    for (int k = 0; k < EACH; k++) {
        index i = first + k * BLOCK;
        if (i < n) sum += a[i] * b[i];
    }
    sum = block_sum(sum);
    if (thread() == 0) parts[block_x()] = sum;
}

// y [1] = factor·Σ parts, of n parts, which may be 0.
// grid: 1
extern "C" __global__ void capgraph_parts_sum(float *y, const float *parts, float factor, int n, int add) {
    float sum = 0;
    for (int i = thread(); i < n; i += BLOCK) sum += parts[i];
    sum = block_sum(sum);
    if (thread() == 0) put(y, 0, factor * sum, add);
}

// y [1] = min(1, most / (√squares + 1e-6)); 1 where most is 0; NaN where squares is not
// finite, which makes AdamW do nothing.
// grid: 1
extern "C" __global__ void capgraph_clip_factor(float *y, const float *squares, float most) {
    if (thread() > 0) return;
    float f = most / (square_root(squares[0]) + 1e-6f);
    y[0] = (most == 0 || f > 1 ? 1 : f) + 0 * squares[0];
}
