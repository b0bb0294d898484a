// Sums of columns, for gradients of gains and biases: the sum of parts that other
// kernels made, each of so many rows, in an order that is the same whatever the grid.
#include "columns.cuh"

#define NARROW 8 // columns of a block: its threads share out the parts of each

// first [cols] = Σ parts, and where outputs is 2, second of the parts behind: parts
// [outputs][most/per, cols] are of per rows each.
// grid: cols/8, outputs
extern "C" __global__ void capgraph_column_sum(float *first, float *second, const float *parts, const int *count, int most, int per,
                                               int cols, int outputs, int add_first, int add_second) {
    __shared__ float sums[BLOCK];
    int column = block_x() * NARROW + thread() % NARROW, n = (counted(count, most) + per - 1) / per, which = block_y();
    float *y = which == 0 ? first : second;
    parts += (index)which * ((most + per - 1) / per) * cols;
    float sum = 0;
    if (column < cols)
        for (int i = thread() / NARROW; i < n; i += BLOCK / NARROW) sum += parts[(index)i * cols + column];
    sums[thread()] = sum;
    barrier();
    if (thread() >= NARROW || column >= cols || y == 0) return;
    for (int i = thread() + NARROW; i < BLOCK; i += NARROW) sum += sums[i];
    put(y, column, sum, which == 0 ? add_first : add_second);
}
