// Attention within packed sequences, for short texts: a warp takes one head of one
// row, or two, its lanes the columns of the head, of which there are at most 128. What is
// too long for this is done over whole matrices, in heads.cu.
#include "headslots.cuh"

// place is what a lane is for.
struct place {
    int row, head;    // row is below most, or there is nothing to do
    int there;        // whether the row is of a sequence
    int first, end;   // the rows of that sequence
    index at;         // of the head in a row of queries, keys and values
    index out;        // of the head in a row of results
    index single;     // of the head in a matrix [n, heads]
};

__device__ static inline place here(const int *starts, const int *count, int sequences, int heads, int depth, int lanes) {
    place p;
    int unit = ::unit(lanes);
    p.row = unit / heads;
    p.head = unit % heads;
    int n = counted(count, sequences);
    p.there = p.row < starts[n];
    if (p.there) {
        int s = part_of(starts, n, p.row);
        p.first = starts[s];
        p.end = starts[s + 1];
    }
    p.out = ((index)p.row * heads + p.head) * depth;
    p.at = p.out + 2 * (index)p.row * heads * depth;
    p.single = (index)p.row * heads + p.head;
    return p;
}

// y [most, heads·depth], half or none, which is y in bf16, lse [most, heads] or none, of
// qkv [most, 3·heads·depth]. scale is 1/√depth.
// grid: most*heads/8
extern "C" __global__ void capgraph_attention_forward(float *y, bf16 *half, float *lse, const float *qkv, const int *starts,
                                                      const int *count, int sequences, int most, int heads, int depth, float scale,
                                                      int causal) {
    int lanes = lanes_of(heads, depth);
    place p = here(starts, count, sequences, heads, depth, lanes);
    if (p.row >= most) return;
    if (!p.there) {
        nothing(y == 0 ? 0 : y + p.out, half == 0 ? 0 : half + p.out, depth, lanes);
        return;
    }
    index wide = 3 * (index)heads * depth, third = (index)heads * depth;
    float q[SLOTS], k[SLOTS], v[SLOTS], out[SLOTS] = {0, 0, 0, 0};
    load(q, qkv + p.at, depth, lanes);
    float top = -INFINITE, sum = 0;
    int end = causal ? p.row + 1 : p.end;
    for (int j = p.first; j < end; j++) {
        const float *other = qkv + j * wide + p.head * depth;
        load(k, other + third, depth, lanes);
        load(v, other + 2 * third, depth, lanes);
        float score = scale * inner(q, k, lanes);
        float before = top;
        top = larger(top, score);
        float shrink = exponential(before - top), share = exponential(score - top);
        sum = sum * shrink + share;
        for (int s = 0; s < SLOTS; s++) out[s] = out[s] * shrink + share * v[s];
    }
    float share = reciprocal(sum);
    for (int s = 0; s < SLOTS; s++) out[s] *= share;
    give(y, half, p.out + first_column(lanes), out, depth - first_column(lanes));
    if (lse != 0 && lane() % lanes == 0) lse[p.single] = top + logarithm(sum);
}

// The queries' third of dqkv, and along [most, heads], dy·y of each head, which the
// keys and values need.
// grid: most*heads/8
extern "C" __global__ void capgraph_attention_queries(float *dqkv, float *along, const float *dy, const float *y, const float *lse,
                                                      const float *qkv, const int *starts, const int *count, int sequences, int most,
                                                      int heads, int depth, float scale, int causal, int add) {
    int lanes = lanes_of(heads, depth);
    place p = here(starts, count, sequences, heads, depth, lanes);
    if (p.row >= most) return;
    if (!p.there) {
        if (!add) nothing(dqkv + p.at, 0, depth, lanes);
        return;
    }
    index wide = 3 * (index)heads * depth, third = (index)heads * depth;
    float q[SLOTS], k[SLOTS], v[SLOTS], g[SLOTS], out[SLOTS], dq[SLOTS] = {0, 0, 0, 0};
    load(q, qkv + p.at, depth, lanes);
    load(g, dy + p.out, depth, lanes);
    load(out, y + p.out, depth, lanes);
    float mean = inner(g, out, lanes), whole = lse[p.single];
    int end = causal ? p.row + 1 : p.end;
    for (int j = p.first; j < end; j++) {
        const float *other = qkv + j * wide + p.head * depth;
        load(k, other + third, depth, lanes);
        load(v, other + 2 * third, depth, lanes);
        float share = exponential(scale * inner(q, k, lanes) - whole);
        float ds = scale * share * (inner(g, v, lanes) - mean);
        for (int s = 0; s < SLOTS; s++) dq[s] += ds * k[s];
    }
    store(dqkv + p.at, dq, depth, lanes, add);
    if (lane() % lanes == 0) along[p.single] = mean;
}

// The thirds of dqkv that keys and values have: of row j, over the rows that see it.
// grid: most*heads/8
extern "C" __global__ void capgraph_attention_keys(float *dqkv, const float *along, const float *dy, const float *lse, const float *qkv,
                                                   const int *starts, const int *count, int sequences, int most, int heads, int depth,
                                                   float scale, int causal, int add) {
    int lanes = lanes_of(heads, depth);
    place p = here(starts, count, sequences, heads, depth, lanes);
    if (p.row >= most) return;
    index wide = 3 * (index)heads * depth, third = (index)heads * depth;
    if (!p.there) {
        if (!add) nothing(dqkv + p.at + third, 0, depth, lanes);
        if (!add) nothing(dqkv + p.at + 2 * third, 0, depth, lanes);
        return;
    }
    float q[SLOTS], k[SLOTS], v[SLOTS], g[SLOTS], dk[SLOTS] = {0, 0, 0, 0}, dv[SLOTS] = {0, 0, 0, 0};
    load(k, qkv + p.at + third, depth, lanes);
    load(v, qkv + p.at + 2 * third, depth, lanes);
    for (int i = causal ? p.row : p.first; i < p.end; i++) {
        index single = (index)i * heads + p.head;
        load(q, qkv + i * wide + p.head * depth, depth, lanes);
        load(g, dy + single * depth, depth, lanes);
        float share = exponential(scale * inner(q, k, lanes) - lse[single]);
        float ds = scale * share * (inner(g, v, lanes) - along[single]);
        for (int s = 0; s < SLOTS; s++) {
            dv[s] += share * g[s];
            dk[s] += ds * q[s];
        }
    }
    store(dqkv + p.at + third, dk, depth, lanes, add);
    store(dqkv + p.at + 2 * third, dv, depth, lanes, add);
}
