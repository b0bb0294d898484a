// What a block adds to its input, each column by a gain of its own.
#include "columns.cuh"

// y [most, cols] = x·gain + residual, and 0 in rows that are not there.
// grid: most*cols/256
extern "C" __global__ void capgraph_layerscale_forward(float *y, const float *x, const float *gain, const float *residual,
                                                       const int *count, int most, int cols) {
    index i = element();
    if (i >= (index)most * cols) return;
    int there = i < (index)counted(count, most) * cols;
    y[i] = there ? x[i] * gain[i - divided(i, cols) * cols] + residual[i] : 0;
}

// dx [most, cols] = dy·gain, and parts [most/128, cols], the sums of dy·x over 128 rows
// each, as capgraph_column_sum wants them. Each may be none.
// grid: cols/32, most/128
extern "C" __global__ void capgraph_layerscale_backward(float *dx, float *parts, const float *dy, const float *x, const float *gain,
                                                        const int *count, int most, int cols, int add) {
    int column = block_x() * WARP + lane(), n = counted(count, most);
    float sum = 0;
    if (column < cols)
        for (int i = part_begin(); i < part_end(most); i += WARPS) {
            index at = (index)i * cols + column;
            float d = i < n ? dy[at] : 0;
            if (i < n && parts != 0) sum += d * x[at];
            if (dx == 0) continue;
            if (i < n) put(dx, at, d * gain[column], add);
            else if (!add) dx[at] = 0;
        }
    if (parts == 0) return;
    sum = column_sum(sum);
    if (warp() == 0 && column < cols) parts[(index)block_y() * cols + column] = sum;
}
