// Attention within windows of images, with a bias by relative position: a warp takes one
// head of one row, or two, as in attention.cu.
#include "headslots.cuh"

// windows are those of images of side·side pixels: kernels.Windows.
struct windows {
    int side, size, shift;
};

// tile is the window that a row is of, and the row's place in it.
struct tile {
    int row, head;  // row is below most·side², or there is nothing to do
    int there;      // whether the row is of an image
    index first;    // the first row of the image
    int top, left;  // of the window, before it is moved
    int pixel;      // the row's place in the window
    index at, out, single; // as in attention.cu
};

__device__ static inline tile tile_here(windows w, const int *count, int most, int heads, int depth, int lanes) {
    tile t;
    int unit = ::unit(lanes), area = w.side * w.side;
    t.row = unit / heads;
    t.head = unit % heads;
    t.there = t.row / area < counted(count, most);
    t.first = (index)(t.row / area) * area;
    int at = t.row % area;
    int y = (at / w.side + w.side - w.shift) % w.side, x = (at % w.side + w.side - w.shift) % w.side;
    t.top = y / w.size * w.size;
    t.left = x / w.size * w.size;
    t.pixel = (y - t.top) * w.size + x - t.left;
    t.out = ((index)t.row * heads + t.head) * depth;
    t.at = t.out + 2 * (index)t.row * heads * depth;
    t.single = (index)t.row * heads + t.head;
    return t;
}

// row_of is the row of a pixel of the window.
__device__ static inline index row_of(windows w, tile t, int pixel) {
    int y = (t.top + pixel / w.size + w.shift) % w.side, x = (t.left + pixel % w.size + w.shift) % w.side;
    return t.first + y * w.side + x;
}

// region tells pixels of a window that lie beside each other in it alone.
__device__ static inline int region(windows w, tile t, int pixel) {
    int down = t.top + pixel / w.size >= w.side - w.shift, right = t.left + pixel % w.size >= w.side - w.shift;
    return down + 2 * right;
}

// cell is the row of the table for two pixels of a window.
__device__ static inline int cell(windows w, int i, int j) {
    int y = i / w.size - j / w.size, x = i % w.size - j % w.size;
    return (y + w.size - 1) * (2 * w.size - 1) + x + w.size - 1;
}

// y [most·side², heads·depth], half or none, which is y in bf16, lse [most·side², heads] or
// none, of qkv [most·side², 3·heads·depth] and table [(2·size−1)², heads]. scale is 1/√depth.
// grid: most*side*side*heads/8
extern "C" __global__ void capgraph_windowattention_forward(float *y, bf16 *half, float *lse, const float *qkv, const float *table,
                                                            const int *count, int most, int side, int size, int shift, int heads,
                                                            int depth, float scale) {
    windows w = {side, size, shift};
    int lanes = lanes_of(heads, depth);
    tile t = tile_here(w, count, most, heads, depth, lanes);
    if (t.row >= most * side * side) return;
    if (!t.there) {
        nothing(y == 0 ? 0 : y + t.out, half == 0 ? 0 : half + t.out, depth, lanes);
        return;
    }
    index wide = 3 * (index)heads * depth, third = (index)heads * depth;
    float q[SLOTS], k[SLOTS], v[SLOTS], out[SLOTS] = {0, 0, 0, 0};
    load(q, qkv + t.at, depth, lanes);
    float top = -INFINITE, sum = 0;
    for (int j = 0; j < size * size; j++) {
        if (region(w, t, t.pixel) != region(w, t, j)) continue;
        const float *other = qkv + row_of(w, t, j) * wide + t.head * depth;
        load(k, other + third, depth, lanes);
        load(v, other + 2 * third, depth, lanes);
        float score = scale * inner(q, k, lanes) + table[cell(w, t.pixel, j) * heads + t.head];
        float before = top;
        top = larger(top, score);
        float shrink = exponential(before - top), share = exponential(score - top);
        sum = sum * shrink + share;
        for (int s = 0; s < SLOTS; s++) out[s] = out[s] * shrink + share * v[s];
    }
    float share = reciprocal(sum);
    for (int s = 0; s < SLOTS; s++) out[s] *= share;
    give(y, half, t.out + first_column(lanes), out, depth - first_column(lanes));
    if (lse != 0 && lane() % lanes == 0) lse[t.single] = top + logarithm(sum);
}

// The queries' third of dqkv, which may be none, along [most·side², heads], dy·y of each
// head, and ds [most·side²·heads, size²], the gradients of scores, which the table needs.
// grid: most*side*side*heads/8
extern "C" __global__ void capgraph_windowattention_queries(float *dqkv, float *along, float *ds, const float *dy, const float *y,
                                                            const float *lse, const float *qkv, const float *table, const int *count,
                                                            int most, int side, int size, int shift, int heads, int depth,
                                                            float scale, int add) {
    windows w = {side, size, shift};
    int lanes = lanes_of(heads, depth);
    tile t = tile_here(w, count, most, heads, depth, lanes);
    if (t.row >= most * side * side) return;
    if (!t.there) {
        if (dqkv != 0 && !add) nothing(dqkv + t.at, 0, depth, lanes);
        return;
    }
    index wide = 3 * (index)heads * depth, third = (index)heads * depth;
    float q[SLOTS], k[SLOTS], v[SLOTS], g[SLOTS], out[SLOTS], dq[SLOTS] = {0, 0, 0, 0};
    load(q, qkv + t.at, depth, lanes);
    load(g, dy + t.out, depth, lanes);
    load(out, y + t.out, depth, lanes);
    float mean = inner(g, out, lanes), whole = lse[t.single];
    for (int j = 0; j < size * size; j++) {
        float slope = 0;
        if (region(w, t, t.pixel) == region(w, t, j)) {
            const float *other = qkv + row_of(w, t, j) * wide + t.head * depth;
            load(k, other + third, depth, lanes);
            load(v, other + 2 * third, depth, lanes);
            float share = exponential(scale * inner(q, k, lanes) + table[cell(w, t.pixel, j) * heads + t.head] - whole);
            slope = share * (inner(g, v, lanes) - mean);
            for (int s = 0; s < SLOTS; s++) dq[s] += scale * slope * k[s];
        }
        if (lane() % lanes == 0) ds[t.single * (size * size) + j] = slope;
    }
    if (dqkv != 0) store(dqkv + t.at, dq, depth, lanes, add);
    if (lane() % lanes == 0) along[t.single] = mean;
}

// The thirds of dqkv that keys and values have: of a row, over the rows that see it.
// grid: most*side*side*heads/8
extern "C" __global__ void capgraph_windowattention_keys(float *dqkv, const float *along, const float *dy, const float *lse,
                                                         const float *qkv, const float *table, const int *count, int most, int side,
                                                         int size, int shift, int heads, int depth, float scale, int add) {
    windows w = {side, size, shift};
    int lanes = lanes_of(heads, depth);
    tile t = tile_here(w, count, most, heads, depth, lanes);
    if (t.row >= most * side * side) return;
    index wide = 3 * (index)heads * depth, third = (index)heads * depth;
    if (!t.there) {
        if (!add) nothing(dqkv + t.at + third, 0, depth, lanes);
        if (!add) nothing(dqkv + t.at + 2 * third, 0, depth, lanes);
        return;
    }
    float q[SLOTS], k[SLOTS], v[SLOTS], g[SLOTS], dk[SLOTS] = {0, 0, 0, 0}, dv[SLOTS] = {0, 0, 0, 0};
    load(k, qkv + t.at + third, depth, lanes);
    load(v, qkv + t.at + 2 * third, depth, lanes);
    for (int i = 0; i < size * size; i++) {
        if (region(w, t, t.pixel) != region(w, t, i)) continue;
        index from = row_of(w, t, i), single = from * heads + t.head;
        load(q, qkv + from * wide + t.head * depth, depth, lanes);
        load(g, dy + single * depth, depth, lanes);
        float share = exponential(scale * inner(q, k, lanes) + table[cell(w, i, t.pixel) * heads + t.head] - lse[single]);
        float slope = scale * share * (inner(g, v, lanes) - along[single]);
        for (int s = 0; s < SLOTS; s++) {
            dv[s] += share * g[s];
            dk[s] += slope * q[s];
        }
    }
    store(dqkv + t.at + third, dk, depth, lanes, add);
    store(dqkv + t.at + 2 * third, dv, depth, lanes, add);
}

// dtable [cells, heads] of ds, as capgraph_windowattention_queries writes it: a block takes
// one offset of one head, its threads windows, and in each the pairs of that offset.
// grid: cells, heads
extern "C" __global__ void capgraph_windowattention_table(float *dtable, const float *ds, const int *count, int most, int side, int size,
                                                          int shift, int cells, int heads, int add) {
    windows w = {side, size, shift};
    int at = block_x(), head = block_y(), across = side / size, all = counted(count, most) * across * across;
    int down = at / (2 * size - 1) - (size - 1), right = at % (2 * size - 1) - (size - 1); // of i, from j
    float sum = 0;
    for (int n = thread(); n < all; n += BLOCK) {
        int place = n % (across * across);
        tile t;
        t.first = (index)(n / (across * across)) * side * side;
        t.top = place / across * size;
        t.left = place % across * size;
        for (int j = 0; j < size * size; j++) {
            int y = j / size + down, x = j % size + right;
            if (y < 0 || y >= size || x < 0 || x >= size) continue;
            sum += ds[(row_of(w, t, y * size + x) * heads + head) * (size * size) + j];
        }
    }
    sum = block_sum(sum);
    if (thread() == 0) put(dtable, (index)at * heads + head, sum, add);
}
