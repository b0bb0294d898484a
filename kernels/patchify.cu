#include "device.cuh"

// y [most·(side/patch)², 3·patch²] of images [most, side, side, 3], grid being side/patch.
// grid: most*3*side*side/1024
extern "C" __global__ void capgraph_patchify(float *y, const byte *images, float mean_red, float mean_green, float mean_blue,
                                             float std_red, float std_green, float std_blue, const int *count, int most, int side,
                                             int patch) {
    int each = 3 * side * side, area = patch * patch, wide = side / patch;
    int n = patch % FOUR == 0 ? FOUR : 1; // elements of one line of a patch
    for (int k = 0; k < FOUR; k += n) {
        index i = FOUR * element() + k;
        if (i >= (index)most * each) return;
        int image = (int)divided(i, each), at = (int)(i - (index)image * each);
        int cell = at / (3 * area), value = at % (3 * area);
        int channel = value / area, y_in = value % area / patch, x_in = value % patch;
        int line = cell / wide * patch + y_in, column = cell % wide * patch + x_in;
        const byte *from = images + (((index)image * side + line) * side + column) * 3 + channel;
        float mean = channel == 0 ? mean_red : channel == 1 ? mean_green : mean_blue;
        float deviation = channel == 0 ? std_red : channel == 1 ? std_green : std_blue;
        float v[FOUR];
        for (int j = 0; j < FOUR; j++) v[j] = j < n && image < counted(count, most) ? (from[3 * j] / 255.0f - mean) / deviation : 0;
        give(y, 0, i, v, n);
    }
}
