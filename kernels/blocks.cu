// Rows of blocks of unlike lengths, padded so that the products of all blocks are one batch. A warp takes a row.
#include "device.cuh"

// padded [images*most, cols] has the rows of each block from its first row in x on, and then rows of 0: row k of block i is row
// i*most + k, or where interleaved is set, k*images + i.
// grid: images*most/8
extern "C" __global__ void capgraph_blocks_pad(float *padded, const float *x, const int *first, const int *starts, int images, int most,
                                               int cols, int interleaved) {
    int r = row();
    if (r >= images * most) return;
    int i = interleaved ? r % images : r / most, k = interleaved ? r / images : r % most;
    int there = k < starts[i + 1] - starts[i];
    index at = (index)r * cols, from = there ? (index)(first[i] + k) * cols : 0;
    for (int c = lane(); c < cols; c += WARP) padded[at + c] = there ? x[from + c] : 0;
}

// y [n, cols] is the sum of a row over the blocks that have it, in their order.
// grid: n/8
extern "C" __global__ void capgraph_blocks_sum(float *y, const float *padded, const int *first, const int *starts, int images, int most,
                                               int n, int cols, int add) {
    int r = row();
    if (r >= n) return;
    index at = (index)r * cols;
    for (int i = 0; i < images; i++) {
        int k = r - first[i];
        if (k < 0 || k >= starts[i + 1] - starts[i]) continue;
        index from = ((index)i * most + k) * cols;
        for (int c = lane(); c < cols; c += WARP) put(y, at + c, padded[from + c], add);
        add = 1;
    }
    for (int c = lane(); !add && c < cols; c += WARP) y[at + c] = 0;
}
