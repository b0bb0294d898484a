// What comes before and after the products of a linear layer, which are cuBLASLt's.
#include "columns.cuh"
#include "functions.cuh"

#define ROWS_READ 2 // that a warp reads at once

enum { NO_ACTIVATION, GELU, QUICK_GELU };

// y [most, cols] = act(from + bias) + residual, and half, which is y in bf16; pre keeps
// from + bias. All but from may be none, and y or pre the same as it.
// grid: most*cols/1024
extern "C" __global__ void capgraph_linear_forward(float *y, bf16 *half, float *pre, const float *from, const float *bias,
                                                   const float *residual, int act, const int *count, int most, int cols) {
    index first = FOUR * element(), left = (index)most * cols - first, there = (index)counted(count, most) * cols - first;
    if (left <= 0) return;
    int n = left < FOUR ? (int)left : FOUR, known = there < 0 ? 0 : there < n ? (int)there : n;
    float s[FOUR], more[FOUR];
    take(s, from, first, known);
    if (bias != 0) {
        int column = (int)(first - divided(first, cols) * cols);
        if (column + known <= cols) take(more, bias, column, known);
        else
            for (int k = 0; k < FOUR; k++) more[k] = k < known ? bias[(column + k) % cols] : 0;
        for (int k = 0; k < FOUR; k++) s[k] += more[k];
    }
    give(pre, 0, first, s, n);
    float density;
    for (int k = 0; k < FOUR; k++) {
        if (act == GELU) s[k] *= gauss(s[k], &density);
        if (act == QUICK_GELU) s[k] *= logistic(1.702f * s[k]);
    }
    if (residual != 0) {
        take(more, residual, first, known);
        for (int k = 0; k < FOUR; k++) s[k] += more[k];
    }
    give(y, half, first, s, n);
}

// slope is the derivative of an activation.
__device__ static inline float slope(float x, int act) {
    if (act == NO_ACTIVATION) return 1;
    if (act == GELU) {
        float density, below = gauss(x, &density);
        return below + x * density * 0.398942280f; // 1/√(2π)
    }
    float s = logistic(1.702f * x);
    return s + x * 1.702f * s * (1 - s);
}

// ds [most, cols] = dy·act'(pre), and half, which is ds in bf16, and parts [most/128,
// cols], the sums over 128 rows each, as capgraph_column_sum wants them. Each may be
// none; ds may be pre, which is none without an activation.
// grid: cols/128, most/128
extern "C" __global__ void capgraph_linear_backward(float *ds, bf16 *half, float *parts, const float *pre, const float *dy, int act,
                                                    const int *count, int most, int cols) {
    int column = FOUR * (block_x() * WARP + lane()), left = cols - column, n = counted(count, most);
    float sums[FOUR] = {0, 0, 0, 0};
    for (int i = part_begin(); i < part_end(most) && left > 0; i += ROWS_READ * WARPS) {
        float d[ROWS_READ][FOUR], x[ROWS_READ][FOUR]; // all that is read, before any is written
        UNROLLED for (int r = 0; r < ROWS_READ; r++) {
            int row = i + r * WARPS, known = row < n && row < part_end(most) ? left : 0;
            index at = (index)row * cols + column;
            take(d[r], dy, at, known);
            if (act != NO_ACTIVATION) take(x[r], pre, at, known);
        }
        UNROLLED for (int r = 0; r < ROWS_READ; r++) {
            int row = i + r * WARPS;
            if (row >= part_end(most)) continue;
            UNROLLED for (int k = 0; k < FOUR; k++) {
                if (act != NO_ACTIVATION) d[r][k] *= slope(x[r][k], act);
                sums[k] += d[r][k];
            }
            give(ds, half, (index)row * cols + column, d[r], left);
        }
    }
    if (parts == 0) return;
    UNROLLED for (int k = 0; k < FOUR; k++) {
        float sum = column_sum(sums[k]);
        if (warp() == 0 && k < left) parts[(index)block_y() * cols + column + k] = sum;
    }
}
