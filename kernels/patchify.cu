#include "device.cuh"

// y [most·(side/patch)², 3·patch²] of images [most, side, side, 3], grid being side/patch.
// grid: most*3*side*side/256
extern "C" __global__ void capgraph_patchify(float *y, const byte *images, float mean_red, float mean_green, float mean_blue,
                                             float std_red, float std_green, float std_blue, const int *count, int most, int side,
                                             int patch) {
    index i = element();
    int each = 3 * side * side;
    if (i >= (index)most * each) return;
    int image = (int)divided(i, each), at = (int)(i - (index)image * each);
    int area = patch * patch, wide = side / patch;
    int cell = at / (3 * area), value = at % (3 * area);
    int channel = value / area, y_in = value % area / patch, x_in = value % patch;
    if (image >= counted(count, most)) {
        y[i] = 0;
        return;
    }
    int line = cell / wide * patch + y_in, column = cell % wide * patch + x_in;
    float v = images[(((index)image * side + line) * side + column) * 3 + channel] / 255.0f;
    float mean = channel == 0 ? mean_red : channel == 1 ? mean_green : mean_blue;
    float deviation = channel == 0 ? std_red : channel == 1 ? std_green : std_blue;
    y[i] = (v - mean) / deviation;
}
