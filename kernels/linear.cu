// What comes before and after the products of a linear layer, which are cuBLASLt's.
#include "columns.cuh"
#include "functions.cuh"

enum { NO_ACTIVATION, GELU, QUICK_GELU };

// y [most, cols] = act(from + bias) + residual, and half, which is y in bf16; pre keeps
// from + bias. All but from may be none, and y or pre the same as it.
// grid: most*cols/256
extern "C" __global__ void capgraph_linear_forward(float *y, bf16 *half, float *pre, const float *from, const float *bias,
                                                   const float *residual, int act, const int *count, int most, int cols) {
    index i = element();
    if (i >= (index)most * cols) return;
    int there = i < (index)counted(count, most) * cols;
    float s = there ? from[i] : 0;
    if (there && bias != 0) s += bias[i - divided(i, cols) * cols];
    if (pre != 0) pre[i] = s;
    float density;
    if (act == GELU) s *= gauss(s, &density);
    if (act == QUICK_GELU) s *= logistic(1.702f * s);
    if (there && residual != 0) s += residual[i];
    both(y, half, i, s);
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
// grid: cols/32, most/128
extern "C" __global__ void capgraph_linear_backward(float *ds, bf16 *half, float *parts, const float *pre, const float *dy, int act,
                                                    const int *count, int most, int cols) {
    int column = block_x() * WARP + lane(), n = counted(count, most);
    float sum = 0;
    if (column < cols)
        for (int i = part_begin(); i < part_end(most); i += WARPS) {
            index at = (index)i * cols + column;
            float d = i < n ? dy[at] : 0;
            if (i < n && act != NO_ACTIVATION) d *= slope(pre[at], act);
            both(ds, half, at, d);
            sum += d;
        }
    if (parts == 0) return;
    sum = column_sum(sum);
    if (warp() == 0 && column < cols) parts[(index)block_y() * cols + column] = sum;
}
