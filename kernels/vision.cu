// The tokens of images: a class token, then patches, each with its position.
#include "device.cuh"

// y [most·length, cols] of patches [most·(length−1), cols], class [cols], positions [length, cols].
// grid: most*length*cols/256
extern "C" __global__ void capgraph_vision_forward(float *y, const float *patches, const float *first, const float *positions,
                                                   const int *count, int most, int length, int cols) {
    index i = element(), image = divided(i, length * cols);
    if (image >= most) return;
    index within = i - image * length * cols;
    if (image >= counted(count, most)) y[i] = 0;
    else if (within < cols) y[i] = first[within] + positions[within];
    else y[i] = patches[i - (image + 1) * cols] + positions[within];
}

// grid: most*length*cols/256
extern "C" __global__ void capgraph_vision_patches(float *dpatches, const float *dy, const int *count, int most, int length, int cols,
                                                   int add) {
    index i = element(), image = divided(i, length * cols);
    if (image >= most || i - image * length * cols < cols) return;
    index to = i - (image + 1) * cols;
    if (image < counted(count, most)) put(dpatches, to, dy[i], add);
    else if (!add) dpatches[to] = 0;
}

// dpositions [length, cols] and dclass [cols], each of which may be none.
// grid: length, cols/32
extern "C" __global__ void capgraph_vision_positions(float *dclass, float *dpositions, const float *dy, const int *count, int most,
                                                     int length, int cols, int add_class, int add_positions) {
    int p = block_x(), column = block_y() * WARP + lane(), n = counted(count, most);
    float sum = 0;
    if (column < cols)
        for (int i = warp(); i < n; i += WARPS) sum += dy[((index)i * length + p) * cols + column];
    sum = column_sum(sum);
    if (warp() > 0 || column >= cols) return;
    if (dpositions != 0) put(dpositions, (index)p * cols + column, sum, add_positions);
    if (dclass != 0 && p == 0) put(dclass, column, sum, add_class);
}
