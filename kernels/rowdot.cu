#include "functions.cuh"

// s [most] of a, b [most, cols].
// grid: most/8
extern "C" __global__ void capgraph_rowdot_forward(float *s, const float *a, const float *b, const float *scale, const int *count,
                                                   int most, int cols) {
    int i = row();
    if (i >= most) return;
    float sum = 0;
    int there = i < counted(count, most);
    for (int k = lane(); there && k < cols; k += WARP) sum += a[(index)i * cols + k] * b[(index)i * cols + k];
    sum = warp_sum(sum) * exponential(scale[0]);
    if (lane() == 0) s[i] = sum;
}

// da and db, each of which may be none, or both the same.
// grid: most*cols/256
extern "C" __global__ void capgraph_rowdot_backward(float *da, float *db, const float *ds, const float *a, const float *b,
                                                    const float *scale, const int *count, int most, int cols, int add_a, int add_b) {
    index i = element();
    if (i >= (index)most * cols) return;
    int there = i < (index)counted(count, most) * cols;
    float d = there ? exponential(scale[0]) * ds[divided(i, cols)] : 0;
    if (da != 0) put(da, i, there ? d * b[i] : 0, add_a);
    if (db != 0) put(db, i, there ? d * a[i] : 0, add_b);
}
