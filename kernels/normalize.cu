// A warp takes a row.
#include "device.cuh"

#define SMALLEST 1e-12f // the least length that a row is divided by

// y [most, cols], inverse [most] or none.
// grid: most/8
extern "C" __global__ void capgraph_normalize_forward(float *y, float *inverse, const float *x, const int *count, int most, int cols) {
    int i = row();
    if (i >= most) return;
    index at = (index)i * cols;
    int there = i < counted(count, most);
    float squares = 0;
    for (int k = lane(); there && k < cols; k += WARP) squares += x[at + k] * x[at + k];
    float f = 1 / larger(SMALLEST, square_root(warp_sum(squares)));
    for (int k = lane(); k < cols; k += WARP) y[at + k] = there ? x[at + k] * f : 0;
    if (there && inverse != 0 && lane() == 0) inverse[i] = f;
}

// grid: most/8
extern "C" __global__ void capgraph_normalize_backward(float *dx, const float *dy, const float *y, const float *inverse,
                                                       const int *count, int most, int cols, int add) {
    int i = row();
    if (i >= most) return;
    index at = (index)i * cols;
    if (i >= counted(count, most)) {
        for (int k = lane(); !add && k < cols; k += WARP) dx[at + k] = 0;
        return;
    }
    float along = 0;
    for (int k = lane(); k < cols; k += WARP) along += dy[at + k] * y[at + k];
    along = warp_sum(along);
    if (inverse[i] == 1 / SMALLEST) along = 0; // the divisor is a constant there
    for (int k = lane(); k < cols; k += WARP) put(dx, at + k, inverse[i] * (dy[at + k] - y[at + k] * along), add);
}
