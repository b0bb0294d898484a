// A softmax for each positive of the rows and of the first columns of similarities
// [n, cols]: it meets the negatives, and no other positive.
#include "functions.cuh"

enum { NEGATIVE, POSITIVE };

// pairs is what a thread saw of a row's or of a column's positives.
struct pairs { float loss, pull, count; };

__device__ static inline void see_pair(pairs *p, float lse, float s) {
    p->loss += softplus(lse - s);
    p->pull += logistic(lse - s);
    p->count += 1;
}

// kept has three rows of width: the log-sum-exps, the pulls and the shares.
__device__ static inline void write_pairs(float *kept, float *term, int width, pairs p, float lse, float weight) {
    float share = p.count > 0 ? 1 / p.count : 0;
    kept[0] = p.count > 0 ? lse : INFINITE;
    kept[width] = p.pull * share;
    kept[2 * (index)width] = share;
    *term = weight * p.loss * share;
}

// kept [3, width] and terms [n] of the rows; the loss is the sum of all terms.
// grid: n
extern "C" __global__ void capgraph_pairs_rows(float *kept, float *terms, const float *s, const byte *mask, int n, int cols, int width,
                                               float weight) {
    index first = (index)block_x() * cols;
    float top = -INFINITE, total = 0;
    for (int j = thread(); j < cols; j += BLOCK)
        if (mask[first + j] == NEGATIVE) top = larger(top, s[first + j]);
    top = block_max(top);
    for (int j = thread(); j < cols; j += BLOCK)
        if (mask[first + j] == NEGATIVE) total += exponential(s[first + j] - top);
    total = block_sum(total);
    float lse = total > 0 ? top + logarithm(total) : -INFINITE;
    pairs p = {0, 0, 0};
    for (int j = thread(); j < cols; j += BLOCK)
        if (mask[first + j] == POSITIVE) see_pair(&p, lse, s[first + j]);
    p.loss = block_sum(p.loss);
    p.pull = block_sum(p.pull);
    p.count = block_sum(p.count);
    if (thread() == 0) write_pairs(kept + block_x(), terms + block_x(), width, p, lse, weight);
}

// kept [3, width] and terms [columns] of the first columns.
// grid: columns/32
extern "C" __global__ void capgraph_pairs_columns(float *kept, float *terms, const float *s, const byte *mask, int n, int cols,
                                                  int columns, int width, float weight) {
    int column = block_x() * WARP + lane(), rows = column < columns ? n : 0;
    float top = -INFINITE, total = 0;
    for (int i = warp(); i < rows; i += WARPS)
        if (mask[(index)i * cols + column] == NEGATIVE) top = larger(top, s[(index)i * cols + column]);
    top = column_max(top);
    for (int i = warp(); i < rows; i += WARPS)
        if (mask[(index)i * cols + column] == NEGATIVE) total += exponential(s[(index)i * cols + column] - top);
    total = column_sum(total);
    float lse = total > 0 ? top + logarithm(total) : -INFINITE;
    pairs p = {0, 0, 0};
    for (int i = warp(); i < rows; i += WARPS)
        if (mask[(index)i * cols + column] == POSITIVE) see_pair(&p, lse, s[(index)i * cols + column]);
    p.loss = column_sum(p.loss);
    p.pull = column_sum(p.pull);
    p.count = column_sum(p.count);
    if (warp() == 0 && column < columns) write_pairs(kept + column, terms + column, width, p, lse, weight);
}

// slope_of_pair is the derivative of the term of a row or column.
__device__ static inline float slope_of_pair(const float *kept, int width, byte is, float s) {
    if (is == NEGATIVE) return kept[width] * exponential(s - kept[0]);
    return -kept[2 * (index)width] * logistic(kept[0] - s);
}

// ds [n, cols] of kept [3, n+columns], rows first.
// grid: n*cols/256
extern "C" __global__ void capgraph_pairs_backward(float *ds, const float *dloss, const float *kept, const float *s, const byte *mask,
                                                   int n, int cols, int columns, float row_weight, float column_weight, int add) {
    index i = element();
    if (i >= (index)n * cols) return;
    int r = (int)divided(i, cols), c = (int)(i - (index)r * cols), width = n + columns;
    float d = 0;
    if (mask[i] <= POSITIVE) {
        d = row_weight * slope_of_pair(kept + r, width, mask[i], s[i]);
        if (c < columns) d += column_weight * slope_of_pair(kept + n + c, width, mask[i], s[i]);
        d *= dloss[0];
    }
    put(ds, i, d, add);
}
