// Losses over the rows and the first columns of similarities [n, cols]. A row or
// column that a batch has not is one of which all is left out.
#include "functions.cuh"

enum { OTHER, TRUE, LEFT_OUT };

// seen is what a thread saw of a row or of a column.
struct seen { float total, trues, positives; };

__device__ static inline void see(seen *l, float v, byte is, float top) {
    if (is == LEFT_OUT) return;
    l->total += exponential(v - top);
    if (is != TRUE) return;
    l->trues += v;
    l->positives += 1;
}

__device__ static inline void write_line(float *lse, float *term, seen l, float top, float weight) {
    float whole = top + logarithm(l.total);
    *lse = l.positives > 0 ? whole : INFINITE;
    *term = l.positives > 0 ? weight * (whole - l.trues / l.positives) : 0;
}

// lse and terms [n] of the rows; the loss is the sum of all terms.
// grid: n
extern "C" __global__ void capgraph_contrastive_rows(float *lse, float *terms, const float *s, const byte *mask, int n, int cols,
                                                     float weight) {
    index first = (index)block_x() * cols;
    float top = -INFINITE;
    for (int j = thread(); j < cols; j += BLOCK)
        if (mask[first + j] != LEFT_OUT) top = larger(top, s[first + j]);
    top = block_max(top);
    seen l = {0, 0, 0};
    for (int j = thread(); j < cols; j += BLOCK) see(&l, s[first + j], mask[first + j], top);
    l.total = block_sum(l.total);
    l.trues = block_sum(l.trues);
    l.positives = block_sum(l.positives);
    if (thread() == 0) write_line(lse + block_x(), terms + block_x(), l, top, weight);
}

// lse and terms [columns] of the first columns.
// grid: columns/32
extern "C" __global__ void capgraph_contrastive_columns(float *lse, float *terms, const float *s, const byte *mask, int n, int cols,
                                                        int columns, float weight) {
    int column = block_x() * WARP + lane(), rows = column < columns ? n : 0;
    float top = -INFINITE;
    for (int i = warp(); i < rows; i += WARPS)
        if (mask[(index)i * cols + column] != LEFT_OUT) top = larger(top, s[(index)i * cols + column]);
    top = column_max(top);
    seen l = {0, 0, 0};
    for (int i = warp(); i < rows; i += WARPS) see(&l, s[(index)i * cols + column], mask[(index)i * cols + column], top);
    l.total = column_sum(l.total);
    l.trues = column_sum(l.trues);
    l.positives = column_sum(l.positives);
    if (warp() == 0 && column < columns) write_line(lse + column, terms + column, l, top, weight);
}

// shares [n]: 1 / the number of true texts of each row, 0 where there is none.
// grid: n
extern "C" __global__ void capgraph_contrastive_row_shares(float *shares, const byte *mask, int n, int cols) {
    float positives = 0;
    for (int j = thread(); j < cols; j += BLOCK) positives += mask[(index)block_x() * cols + j] == TRUE;
    positives = block_sum(positives);
    if (thread() == 0) shares[block_x()] = positives > 0 ? 1 / positives : 0;
}

// shares [columns], of the first columns.
// grid: columns/32
extern "C" __global__ void capgraph_contrastive_column_shares(float *shares, const byte *mask, int n, int cols, int columns) {
    int column = block_x() * WARP + lane();
    float positives = 0;
    if (column < columns)
        for (int i = warp(); i < n; i += WARPS) positives += mask[(index)i * cols + column] == TRUE;
    positives = column_sum(positives);
    if (warp() == 0 && column < columns) shares[column] = positives > 0 ? 1 / positives : 0;
}

// ds [n, cols] of lse and shares [n+columns], rows first.
// grid: n*cols/256
extern "C" __global__ void capgraph_contrastive_backward(float *ds, const float *dloss, const float *lse, const float *shares,
                                                         const float *s, const byte *mask, int n, int cols, int columns,
                                                         float row_weight, float column_weight, int add) {
    index i = element();
    if (i >= (index)n * cols) return;
    int r = (int)divided(i, cols), c = (int)(i - (index)r * cols);
    float d = 0;
    if (mask[i] != LEFT_OUT) {
        int true_ = mask[i] == TRUE;
        d = row_weight * (exponential(s[i] - lse[r]) - (true_ ? shares[r] : 0));
        if (c < columns) d += column_weight * (exponential(s[i] - lse[n + c]) - (true_ ? shares[n + c] : 0));
        d *= dloss[0];
    }
    put(ds, i, d, add);
}
