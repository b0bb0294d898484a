// Packed embeddings. The gradient of the table is capgraph_groups_add.
#include "device.cuh"

// y [most, cols] of ids [most], starts [sequences+1].
// grid: most/8
extern "C" __global__ void capgraph_tokens_forward(float *y, const float *table, const float *positions, const int *ids,
                                                   const int *starts, const int *count, int sequences, int most, int cols) {
    int i = row();
    if (i >= most) return;
    index at = (index)i * cols;
    int n = counted(count, sequences);
    if (i >= starts[n]) {
        for (int k = lane(); k < cols; k += WARP) y[at + k] = 0;
        return;
    }
    index token = (index)ids[i] * cols, position = (index)(i - starts[part_of(starts, n, i)]) * cols;
    for (int k = lane(); k < cols; k += WARP) y[at + k] = table[token + k] + positions[position + k];
}

// dpositions [context, cols]: position p is summed over the sequences that are longer.
// grid: context, cols/32
extern "C" __global__ void capgraph_tokens_positions(float *dpositions, const float *dy, const int *starts, const int *count,
                                                     int sequences, int context, int cols, int add) {
    int p = block_x(), column = block_y() * WARP + lane(), n = counted(count, sequences);
    float sum = 0;
    if (column < cols)
        for (int s = warp(); s < n; s += WARPS)
            if (starts[s] + p < starts[s + 1]) sum += dy[(index)(starts[s] + p) * cols + column];
    sum = column_sum(sum);
    if (warp() == 0 && column < cols) put(dpositions, (index)p * cols + column, sum, add);
}
