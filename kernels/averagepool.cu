#include "device.cuh"

// y [most·out², channels], and half, which is y in bf16, the means of by·by pixels each of
// x [most·side², channels].
// grid: most*out*out*channels/256
extern "C" __global__ void capgraph_averagepool_forward(float *y, bf16 *half, const float *x, const int *count, int most, int side, int out,
                                                        int by, int channels) {
    index i = element();
    if (i >= (index)most * out * out * channels) return;
    index place = divided(i, channels);
    int channel = (int)(i - place * channels), image = (int)divided(place, out * out);
    int at = (int)(place - (index)image * out * out), top = at / out * by, left = at % out * by;
    float sum = 0;
    if (image < counted(count, most))
        for (int p = 0; p < by * by; p++)
            sum += x[(((index)image * side + top + p / by) * side + left + p % by) * channels + channel];
    both(y, half, i, sum / (by * by));
}

// dx [most·side², channels] of dy [most·out², channels].
// grid: most*side*side*channels/256
extern "C" __global__ void capgraph_averagepool_backward(float *dx, const float *dy, const int *count, int most, int side, int out, int by,
                                                         int channels, int add) {
    index i = element();
    if (i >= (index)most * side * side * channels) return;
    index pixel = divided(i, channels);
    int channel = (int)(i - pixel * channels), image = (int)divided(pixel, side * side);
    int at = (int)(pixel - (index)image * side * side), top = at / side / by, left = at % side / by;
    int seen = image < counted(count, most) && top < out && left < out;
    if (seen) put(dx, i, dy[(((index)image * out + top) * out + left) * channels + channel] / (by * by), add);
    else if (!add) dx[i] = 0;
}
