// What comes before and after the products of a linear layer, which are cuBLASLt's.
#include "functions.cuh"

enum { NO_ACTIVATION, GELU, QUICK_GELU };

// y [most, cols] = act(y + bias) + residual; pre keeps y + bias. bias, residual and pre
// may be none.
// grid: most*cols/256
extern "C" __global__ void capgraph_linear_forward(float *y, float *pre, const float *bias, const float *residual, int act,
                                                   const int *count, int most, int cols) {
    index i = element();
    if (i >= (index)most * cols) return;
    int there = i < (index)counted(count, most) * cols;
    float s = there ? y[i] : 0;
    if (there && bias != 0) s += bias[i - divided(i, cols) * cols];
    if (pre != 0) pre[i] = s;
    float density;
    if (act == GELU) s *= gauss(s, &density);
    if (act == QUICK_GELU) s *= logistic(1.702f * s);
    if (there && residual != 0) s += residual[i];
    y[i] = s;
}

// pre = dy·act'(pre), for [most, cols] with an activation.
// grid: most*cols/256
extern "C" __global__ void capgraph_linear_backward(float *pre, const float *dy, int act, const int *count, int most, int cols) {
    index i = element();
    if (i >= (index)most * cols) return;
    if (i >= (index)counted(count, most) * cols) {
        pre[i] = 0;
        return;
    }
    float x = pre[i], slope;
    if (act == GELU) {
        float density, below = gauss(x, &density);
        slope = below + x * density * 0.398942280f; // 1/√(2π)
    } else {
        float s = logistic(1.702f * x);
        slope = s + x * 1.702f * s * (1 - s);
    }
    pre[i] = dy[i] * slope;
}
