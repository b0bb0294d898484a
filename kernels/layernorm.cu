// A warp takes a row; the gradients of gain and bias are sums of columns.
#include "columns.cuh"

// y [most, cols] and stats [most, 2], or none: mean and 1/√(var + eps).
// grid: most/8
extern "C" __global__ void capgraph_layernorm_forward(float *y, float *stats, const float *x, const float *gain, const float *bias,
                                                      float eps, const int *count, int most, int cols) {
    int i = row();
    if (i >= most) return;
    index at = (index)i * cols;
    if (i >= counted(count, most)) {
        for (int k = lane(); k < cols; k += WARP) y[at + k] = 0;
        return;
    }
    float sum = 0, squares = 0;
    for (int k = lane(); k < cols; k += WARP) sum += x[at + k];
    float mean = warp_sum(sum) / cols;
    for (int k = lane(); k < cols; k += WARP) squares += (x[at + k] - mean) * (x[at + k] - mean);
    float inverse = 1 / square_root(warp_sum(squares) / cols + eps);
    for (int k = lane(); k < cols; k += WARP) y[at + k] = (x[at + k] - mean) * inverse * gain[k] + bias[k];
    if (stats != 0 && lane() == 0) {
        stats[2 * (index)i] = mean;
        stats[2 * (index)i + 1] = inverse;
    }
}

// grid: most/8
extern "C" __global__ void capgraph_layernorm_backward(float *dx, const float *dy, const float *x, const float *gain, const float *stats,
                                                       const int *count, int most, int cols, int add) {
    int i = row();
    if (i >= most) return;
    index at = (index)i * cols;
    if (i >= counted(count, most)) {
        for (int k = lane(); !add && k < cols; k += WARP) dx[at + k] = 0;
        return;
    }
    float mean = stats[2 * (index)i], inverse = stats[2 * (index)i + 1];
    float sum = 0, along = 0; // of the gradient of the normalised row, and with that row
    for (int k = lane(); k < cols; k += WARP) {
        float g = dy[at + k] * gain[k];
        sum += g;
        along += g * (x[at + k] - mean) * inverse;
    }
    sum = warp_sum(sum) / cols;
    along = warp_sum(along) / cols;
    for (int k = lane(); k < cols; k += WARP)
        put(dx, at + k, inverse * (dy[at + k] * gain[k] - sum - (x[at + k] - mean) * inverse * along), add);
}

// The parts of dgain and dbias, as capgraph_column_sum wants them.
// grid: cols/32, most/128
extern "C" __global__ void capgraph_layernorm_parts(float *gain_parts, float *bias_parts, const float *dy, const float *x,
                                                    const float *stats, const int *count, int most, int cols) {
    int column = block_x() * WARP + lane(), end = part_end(counted(count, most));
    float gain = 0, bias = 0;
    if (column < cols)
        for (int i = part_begin(); i < end; i += WARPS) {
            index at = (index)i * cols + column;
            gain += dy[at] * (x[at] - stats[2 * (index)i]) * stats[2 * (index)i + 1];
            bias += dy[at];
        }
    gain = column_sum(gain);
    bias = column_sum(bias);
    if (warp() > 0 || column >= cols) return;
    gain_parts[(index)block_y() * cols + column] = gain;
    bias_parts[(index)block_y() * cols + column] = bias;
}
