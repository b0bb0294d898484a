// Layer norms: a warp takes a row.
#include "device.cuh"

// y [most, cols], half, which is y in bf16, and stats [most, 2], mean and 1/√(var +
// eps), each of which may be none.
// grid: most/8
extern "C" __global__ void capgraph_layernorm_forward(float *y, bf16 *half, float *stats, const float *x, const float *gain,
                                                      const float *bias, float eps, const int *count, int most, int cols) {
    int i = row();
    if (i >= most) return;
    index at = (index)i * cols;
    int there = i < counted(count, most);
    float v[FOUR], g[FOUR], b[FOUR], sum = 0, squares = 0;
    for (int k = FOUR * lane(); there && k < cols; k += FOUR * WARP) {
        take(v, x, at + k, cols - k);
        for (int j = 0; j < FOUR; j++) sum += v[j];
    }
    float mean = warp_sum(sum) / cols;
    for (int k = FOUR * lane(); there && k < cols; k += FOUR * WARP) {
        take(v, x, at + k, cols - k);
        for (int j = 0; j < FOUR && k + j < cols; j++) squares += (v[j] - mean) * (v[j] - mean);
    }
    float inverse = 1 / square_root(warp_sum(squares) / cols + eps);
    for (int k = FOUR * lane(); k < cols; k += FOUR * WARP) {
        take(v, x, at + k, there ? cols - k : 0);
        take(g, gain, k, cols - k);
        take(b, bias, k, cols - k);
        for (int j = 0; j < FOUR; j++) v[j] = there ? (v[j] - mean) * inverse * g[j] + b[j] : 0;
        give(y, half, at + k, v, cols - k);
    }
    if (!there) return;
    if (stats != 0 && lane() == 0) {
        stats[2 * (index)i] = mean;
        stats[2 * (index)i + 1] = inverse;
    }
}

#define TOGETHER 16 // rows of a block, and of a part of the gradients of gain and bias
#define ROWS_AT_ONCE 4   // of them, whose columns a thread reads at once

// dx [most, cols], and parts [2][most/16, cols] of dgain and dbias, as
// capgraph_column_sum wants them; each may be none. What a block reads for the sums of
// its rows is in its caches when it comes to the columns.
// grid: most/16
extern "C" __global__ void capgraph_layernorm_backward(float *dx, float *parts, const float *dy, const float *x, const float *gain,
                                                       const float *stats, const int *count, int most, int cols, int add) {
    __shared__ float sums[TOGETHER], alongs[TOGETHER], means[TOGETHER], inverses[TOGETHER];
    int first = block_x() * TOGETHER, n = counted(count, most);
    for (int r = warp(); r < TOGETHER; r += WARPS) {
        int i = first + r, there = i < n;
        index at = (index)i * cols;
        float mean = there ? stats[2 * (index)i] : 0, inverse = there ? stats[2 * (index)i + 1] : 0;
        float sum = 0, along = 0; // of the gradient of the normalised row, and with that row
        for (int k = FOUR * lane(); there && k < cols; k += FOUR * WARP) {
            float d[FOUR], v[FOUR], g[FOUR];
            take(d, dy, at + k, cols - k);
            take(v, x, at + k, cols - k);
            take(g, gain, k, cols - k);
            for (int j = 0; j < FOUR; j++) {
                sum += d[j] * g[j];
                along += d[j] * g[j] * (v[j] - mean) * inverse;
            }
        }
        sum = warp_sum(sum) / cols;
        along = warp_sum(along) / cols;
        if (lane() > 0) continue;
        sums[r] = sum;
        alongs[r] = along;
        means[r] = mean;
        inverses[r] = inverse;
    }
    barrier();
    int end = n - first < TOGETHER ? n - first : TOGETHER, last = most - first < TOGETHER ? most - first : TOGETHER;
    for (int k = thread(); k < cols; k += BLOCK) {
        float dgain = 0, dbias = 0;
        for (int r = 0; r < end; r += ROWS_AT_ONCE) {
            index at = (index)(first + r) * cols + k;
            int n = end - r < ROWS_AT_ONCE ? end - r : ROWS_AT_ONCE;
            float d[ROWS_AT_ONCE], normal[ROWS_AT_ONCE], before[ROWS_AT_ONCE]; // all that is read, before any is written
            for (int j = 0; j < ROWS_AT_ONCE; j++) {
                d[j] = j < n ? dy[at + (index)j * cols] : 0;
                normal[j] = j < n ? x[at + (index)j * cols] : 0;
                before[j] = j < n && dx != 0 && add ? dx[at + (index)j * cols] : 0;
            }
            for (int j = 0; j < ROWS_AT_ONCE; j++) {
                if (j >= n) continue;
                normal[j] = (normal[j] - means[r + j]) * inverses[r + j];
                dgain += d[j] * normal[j];
                dbias += d[j];
                if (dx != 0) dx[at + (index)j * cols] = before[j] + inverses[r + j] * (d[j] * gain[k] - sums[r + j] - normal[j] * alongs[r + j]);
            }
        }
        for (int r = end < 0 ? 0 : end; r < last && dx != 0 && !add; r++) dx[(index)(first + r) * cols + k] = 0;
        if (parts == 0) continue;
        parts[(index)block_x() * cols + k] = dgain;
        parts[(index)((most + TOGETHER - 1) / TOGETHER + block_x()) * cols + k] = dbias;
    }
}
