// Sums of columns, for gradients of gains and biases: the sum of parts that other
// kernels made, each of so many rows, in an order that is the same whatever the grid.
#include "columns.cuh"

// first [cols] = Σ parts, and where outputs is 2, second of the parts behind: parts
// [outputs][most/per, cols] are of per rows each.
// grid: cols/32, outputs
extern "C" __global__ void capgraph_column_sum(float *first, float *second, const float *parts, const int *count, int most, int per,
                                               int cols, int outputs, int add_first, int add_second) {
    int column = block_x() * WARP + lane(), n = (counted(count, most) + per - 1) / per, which = block_y();
    float *y = which == 0 ? first : second;
    parts += (index)which * ((most + per - 1) / per) * cols;
    float sum = 0;
    if (column < cols)
        for (int i = warp(); i < n; i += WARPS) sum += parts[(index)i * cols + column];
    sum = column_sum(sum);
    if (warp() == 0 && column < cols && y != 0) put(y, column, sum, which == 0 ? add_first : add_second);
}
