// Plain memory: fill, add, and the bf16 copies that tensor cores read.
#include "device.cuh"

// y = a.
// grid: n/256
extern "C" __global__ void capgraph_fill(float *y, float a, int n) {
    index i = element();
    if (i < n) y[i] = a;
}

// y += a·x.
// grid: n/256
extern "C" __global__ void capgraph_add_scaled(float *y, const float *x, float a, int n) {
    index i = element();
    if (i < n) y[i] += a * x[i];
}

// y is x, of bf16.
// grid: n/1024
extern "C" __global__ void capgraph_widen(float *y, const bf16 *x, int n) {
    index first = (index)block_x() * 4 * BLOCK + thread();
    for (int k = 0; k < 4; k++) {
        index i = first + k * BLOCK;
        if (i < n) y[i] = widened(x[i]);
    }
}

// y [most, cols] is x, rounded, in the rows that there are and 0 in the others, so
// that a product over rows leaves those out, whatever x holds there.
// grid: most*cols/1024
extern "C" __global__ void capgraph_round(bf16 *y, const float *x, const int *count, int most, int cols) {
    index n = (index)counted(count, most) * cols, all = (index)most * cols;
    index first = (index)block_x() * 4 * BLOCK + thread();
    for (int k = 0; k < 4; k++) {
        index i = first + k * BLOCK;
        if (i < all) y[i] = i < n ? rounded(x[i]) : 0;
    }
}
