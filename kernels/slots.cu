// The softmax over the queries of a graph, a block a graph and a thread a patch;
// then the sum of a row, a warp a row.
#include "functions.cuh"

#define FLOOR 1e-8f // added to each share

// y = share + 1e-8, of x, y [most, cols]; share [most, cols], or none.
// grid: graphs, cols/256
extern "C" __global__ void capgraph_slots_softmax(float *y, float *share, const float *x, const int *starts, const int *count,
                                                  int graphs, int cols) {
    int g = block_x(), p = block_y() * BLOCK + thread();
    if (g >= counted(count, graphs) || p >= cols) return;
    float top = -INFINITE, sum = 0;
    for (int i = starts[g]; i < starts[g + 1]; i++) top = larger(top, x[(index)i * cols + p]);
    for (int i = starts[g]; i < starts[g + 1]; i++) sum += exponential(x[(index)i * cols + p] - top);
    for (int i = starts[g]; i < starts[g + 1]; i++) {
        index at = (index)i * cols + p;
        float s = exponential(x[at] - top) / sum;
        y[at] = s + FLOOR;
        if (share != 0) share[at] = s;
    }
}

// y /= the sum of its row.
// grid: most/8
extern "C" __global__ void capgraph_slots_divide(float *y, const int *starts, const int *count, int graphs, int most, int cols) {
    int i = row();
    if (i >= most) return;
    index at = (index)i * cols;
    int there = i < starts[counted(count, graphs)];
    float sum = 0;
    for (int p = lane(); there && p < cols; p += WARP) sum += y[at + p];
    sum = warp_sum(sum);
    for (int p = lane(); p < cols; p += WARP) y[at + p] = there ? y[at + p] / sum : 0;
}

// along [most] = dy·y of each row, and inverse [most], 1 / the sum of its shares.
// grid: most/8
extern "C" __global__ void capgraph_slots_along(float *along, float *inverse, const float *dy, const float *y, const float *share,
                                                const int *starts, const int *count, int graphs, int most, int cols) {
    int i = row();
    if (i >= most || i >= starts[counted(count, graphs)]) return;
    index at = (index)i * cols;
    float sum = 0, product = 0;
    for (int p = lane(); p < cols; p += WARP) {
        sum += share[at + p] + FLOOR;
        product += dy[at + p] * y[at + p];
    }
    sum = warp_sum(sum);
    product = warp_sum(product);
    if (lane() > 0) return;
    along[i] = product;
    inverse[i] = 1 / sum;
}

// dx [most, cols], whose rows that there are not are 0 before where add is not set.
// grid: graphs, cols/256
extern "C" __global__ void capgraph_slots_backward(float *dx, const float *dy, const float *share, const float *along,
                                                   const float *inverse, const int *starts, const int *count, int graphs, int cols,
                                                   int add) {
    int g = block_x(), p = block_y() * BLOCK + thread();
    if (g >= counted(count, graphs) || p >= cols) return;
    float mean = 0; // of the gradients of the shares, by the shares
    for (int i = starts[g]; i < starts[g + 1]; i++) {
        index at = (index)i * cols + p;
        mean += share[at] * (dy[at] - along[i]) * inverse[i];
    }
    for (int i = starts[g]; i < starts[g + 1]; i++) {
        index at = (index)i * cols + p;
        put(dx, at, share[at] * ((dy[at] - along[i]) * inverse[i] - mean), add);
    }
}
