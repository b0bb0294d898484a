// Sums of columns, for gradients of biases: parts of 128 rows, then the sum of the
// parts, an order that is the same whatever the grid.
#include "columns.cuh"

// parts [most/128, cols] are the sums over 128 rows each of x [most, cols].
// grid: cols/32, most/128
extern "C" __global__ void capgraph_column_parts(float *parts, const float *x, const int *count, int most, int cols) {
    int column = block_x() * WARP + lane(), end = part_end(counted(count, most));
    float sum = 0;
    if (column < cols)
        for (int i = part_begin(); i < end; i += WARPS) sum += x[(index)i * cols + column];
    sum = column_sum(sum);
    if (warp() == 0 && column < cols) parts[(index)block_y() * cols + column] = sum;
}

// y [cols] = Σ parts.
// grid: cols/32
extern "C" __global__ void capgraph_column_sum(float *y, const float *parts, const int *count, int most, int cols, int add) {
    int column = block_x() * WARP + lane(), n = (counted(count, most) + PART - 1) / PART;
    float sum = 0;
    if (column < cols)
        for (int i = warp(); i < n; i += WARPS) sum += parts[(index)i * cols + column];
    sum = column_sum(sum);
    if (warp() == 0 && column < cols) put(y, column, sum, add);
}
