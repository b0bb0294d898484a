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
    if (i >= counted(count, most)) {
        for (int k = lane(); k < cols; k += WARP) both(y, half, at + k, 0);
        return;
    }
    float sum = 0, squares = 0;
    for (int k = lane(); k < cols; k += WARP) sum += x[at + k];
    float mean = warp_sum(sum) / cols;
    for (int k = lane(); k < cols; k += WARP) squares += (x[at + k] - mean) * (x[at + k] - mean);
    float inverse = 1 / square_root(warp_sum(squares) / cols + eps);
    for (int k = lane(); k < cols; k += WARP) both(y, half, at + k, (x[at + k] - mean) * inverse * gain[k] + bias[k]);
    if (stats != 0 && lane() == 0) {
        stats[2 * (index)i] = mean;
        stats[2 * (index)i + 1] = inverse;
    }
}

#define TOGETHER 16 // rows of a block, and of a part of the gradients of gain and bias

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
        for (int k = lane(); there && k < cols; k += WARP) {
            float g = dy[at + k] * gain[k];
            sum += g;
            along += g * (x[at + k] - mean) * inverse;
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
        for (int r = 0; r < end; r++) {
            index at = (index)(first + r) * cols + k;
            float d = dy[at], normal = (x[at] - means[r]) * inverses[r];
            dgain += d * normal;
            dbias += d;
            if (dx != 0) put(dx, at, inverses[r] * (d * gain[k] - sums[r] - normal * alongs[r]), add);
        }
        for (int r = end < 0 ? 0 : end; r < last && dx != 0 && !add; r++) dx[(index)(first + r) * cols + k] = 0;
        if (parts == 0) continue;
        parts[(index)block_x() * cols + k] = dgain;
        parts[(index)((most + TOGETHER - 1) / TOGETHER + block_x()) * cols + k] = dbias;
    }
}
