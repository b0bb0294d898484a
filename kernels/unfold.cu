// What a convolution's window sees of images, laid out for products, and taken back.
#include "device.cuh"

// y [most·out², kernel²·channels], half, which is y in bf16, each of which may be none,
// of x [most·side², channels].
// grid: most*out*out*kernel*kernel*channels/256
extern "C" __global__ void capgraph_unfold(float *y, bf16 *half, const float *x, const int *count, int most, int side, int out, int kernel,
                                           int stride, int padding, int channels) {
    index i = element();
    int cols = kernel * kernel * channels;
    if (i >= (index)most * out * out * cols) return;
    index row = divided(i, cols);
    int value = (int)(i - row * cols), pixel = value / channels, channel = value % channels;
    int image = (int)divided(row, out * out), place = (int)(row - (index)image * out * out);
    int line = place / out * stride + pixel / kernel - padding, column = place % out * stride + pixel % kernel - padding;
    int seen = image < counted(count, most) && line >= 0 && line < side && column >= 0 && column < side;
    both(y, half, i, seen ? x[(((index)image * side + line) * side + column) * channels + channel] : 0);
}

// dx [most·side², channels]: each pixel's sum over the places that see it.
// grid: most*side*side*channels/256
extern "C" __global__ void capgraph_fold(float *dx, const float *dy, const int *count, int most, int side, int out, int kernel, int stride,
                                         int padding, int channels, int add) {
    index i = element();
    if (i >= (index)most * side * side * channels) return;
    index pixel = divided(i, channels);
    int channel = (int)(i - pixel * channels), image = (int)divided(pixel, side * side);
    int at = (int)(pixel - (index)image * side * side), line = at / side + padding, column = at % side + padding;
    if (image >= counted(count, most)) {
        if (!add) dx[i] = 0;
        return;
    }
    float sum = 0;
    for (int y = 0; y < kernel; y++) {
        int top = line - y;
        if (top < 0 || top % stride > 0 || top / stride >= out) continue;
        for (int x = 0; x < kernel; x++) {
            int left = column - x;
            if (left < 0 || left % stride > 0 || left / stride >= out) continue;
            index place = ((index)image * out + top / stride) * out + left / stride;
            sum += dy[(place * kernel * kernel + y * kernel + x) * channels + channel];
        }
    }
    put(dx, i, sum, add);
}
