#include "device.cuh"

// y [most, cols] = x[rows].
// grid: most/8
extern "C" __global__ void capgraph_gather(float *y, const float *x, const int *rows, const int *count, int most, int cols) {
    int i = row();
    if (i >= most) return;
    index at = (index)i * cols;
    int there = i < counted(count, most);
    index from = there ? (index)rows[i] * cols : 0;
    for (int k = lane(); k < cols; k += WARP) y[at + k] = there ? x[from + k] : 0;
}

// to[values[g]] += Σ from[order[bounds[g]:bounds[g+1]]], rows of cols elements, for each
// of the groups: a sum whose order is that of order, whatever the grid. An empty group
// is none, and may have a value that another has.
// grid: most, cols/32
extern "C" __global__ void capgraph_groups_add(float *to, const float *from, const int *values, const int *bounds, const int *order,
                                               const int *count, int most, int cols) {
    int g = block_x(), column = block_y() * WARP + lane();
    if (g >= counted(count, most) || bounds[g] == bounds[g + 1]) return;
    float sum = 0;
    if (column < cols)
        for (int i = bounds[g] + warp(); i < bounds[g + 1]; i += WARPS) sum += from[(index)order[i] * cols + column];
    sum = column_sum(sum);
    if (warp() == 0 && column < cols) to[(index)values[g] * cols + column] += sum;
}
