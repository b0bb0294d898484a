// Attention of sequences of one length, as an image's are, over whole matrices: the
// products are cuBLASLt's, one batch of all heads of all images; here is what
// comes between them. A matrix of scores [length, length] has rows of stride
// elements, a multiple of 8, of which those from length on are 0.
#include "functions.cuh"

// lies is where element i of packed rows, [n·length, parts·heads·depth], is in
// [parts][n][heads][length][depth]; image is which of n it is of.
__device__ static inline index lies(index i, int parts, int n, int length, int heads, int depth, int *image) {
    index piece = divided(i, depth), line = divided(piece, parts * heads);
    int k = (int)(i - piece * depth), head = (int)(piece - line * (parts * heads)), part = head / heads;
    *image = (int)divided(line, length);
    int at = (int)(line - (index)*image * length);
    return ((((index)part * n + *image) * heads + head - part * heads) * length + at) * depth + k;
}

// together is how many elements from i on a thread takes: four, where they are all of
// one head, else one.
__device__ static inline int together(int depth) { return depth % FOUR == 0 ? FOUR : 1; }

// to [parts][most][heads][length][depth] is from [most·length, parts·heads·depth], rounded;
// 0 for the images that there are not.
// grid: parts*most*heads*length*depth/1024
extern "C" __global__ void capgraph_heads_split(bf16 *to, const float *from, int parts, int length, int heads, int depth,
                                                const int *count, int most) {
    index all = (index)parts * most * heads * length * depth;
    for (int k = 0, n = together(depth); k < FOUR; k += n) {
        index i = FOUR * element() + k;
        if (i >= all) return;
        int image;
        index at = lies(i, parts, most, length, heads, depth, &image);
        float v[FOUR];
        take(v, from, i, image < counted(count, most) ? n : 0);
        give(0, to, at, v, n);
    }
}

// The way back, of gradients and results; half, or none, is to in bf16, where nothing
// is added.
// grid: parts*most*heads*length*depth/1024
extern "C" __global__ void capgraph_heads_merge(float *to, bf16 *half, const float *from, int parts, int length, int heads,
                                                int depth, const int *count, int most, int add) {
    index all = (index)parts * most * heads * length * depth;
    for (int k = 0, n = together(depth); k < FOUR; k += n) {
        index i = FOUR * element() + k;
        if (i >= all) return;
        int image;
        index at = lies(i, parts, most, length, heads, depth, &image);
        int there = image < counted(count, most);
        float v[FOUR], before[FOUR];
        take(v, from, at, there ? n : 0);
        if (add && !there) continue;
        if (add) take(before, to, i, n);
        for (int j = 0; add && j < FOUR; j++) v[j] += before[j];
        give(to, add ? 0 : half, i, v, n);
    }
}

#define KEPT 2 // scores of a row that a lane reads once: an image of 224 pixels has no more, in patches of 32

// p = softmax(scale·scores), of [images·heads] matrices; lse [images·length, heads], or none.
// grid: images*heads*length/8
extern "C" __global__ void capgraph_heads_softmax(bf16 *p, float *lse, const float *scores, int images, int heads, int length,
                                                  int stride, float scale, int causal) {
    int r = row();
    if (r >= images * heads * length) return;
    int matrix = (int)divided(r, length), at = r - matrix * length, end = causal ? at + 1 : length;
    const float *s = scores + (index)r * stride;
    float kept[KEPT], top = -INFINITE, sum = 0;
    UNROLLED for (int k = 0; k < KEPT; k++) kept[k] = lane() + k * WARP < end ? scale * s[lane() + k * WARP] : -INFINITE;
    UNROLLED for (int k = 0; k < KEPT; k++) top = larger(top, kept[k]);
    for (int j = lane() + KEPT * WARP; j < end; j += WARP) top = larger(top, scale * s[j]);
    top = warp_max(top);
    UNROLLED for (int k = 0; k < KEPT; k++) sum += kept[k] = exponential(kept[k] - top);
    for (int j = lane() + KEPT * WARP; j < end; j += WARP) sum += exponential(scale * s[j] - top);
    sum = warp_sum(sum);
    float share = reciprocal(sum);
    p += (index)r * stride;
    UNROLLED for (int k = 0; k < KEPT; k++)
        if (lane() + k * WARP < stride) p[lane() + k * WARP] = rounded(kept[k] * share);
    for (int j = lane() + KEPT * WARP; j < stride; j += WARP) p[j] = j < end ? rounded(exponential(scale * s[j] - top) * share) : 0;
    if (lse == 0 || lane() > 0) return;
    int image = (int)divided(matrix, heads);
    lse[((index)image * length + at) * heads + matrix - image * heads] = top + logarithm(sum);
}

// p again, and ds = scale·p·(dp − Σ p·dp), of scores and dp, which are products.
// grid: images*heads*length/8
extern "C" __global__ void capgraph_heads_softmax_backward(bf16 *p, bf16 *ds, const float *scores, const float *dp, const float *lse,
                                                           int images, int heads, int length, int stride, float scale, int causal) {
    int r = row();
    if (r >= images * heads * length) return;
    int matrix = (int)divided(r, length), at = r - matrix * length, end = causal ? at + 1 : length;
    int image = (int)divided(matrix, heads);
    index first = (index)r * stride;
    float whole = lse[((index)image * length + at) * heads + matrix - image * heads], along = 0;
    float shares[KEPT], slopes[KEPT];
    UNROLLED for (int k = 0; k < KEPT; k++) {
        int j = lane() + k * WARP;
        shares[k] = j < end ? scale * scores[first + j] : -INFINITE;
        slopes[k] = j < end ? dp[first + j] : 0;
    }
    UNROLLED for (int k = 0; k < KEPT; k++) {
        shares[k] = exponential(shares[k] - whole);
        along += shares[k] * slopes[k];
    }
    for (int j = lane() + KEPT * WARP; j < end; j += WARP) along += exponential(scale * scores[first + j] - whole) * dp[first + j];
    along = warp_sum(along);
    UNROLLED for (int k = 0; k < KEPT; k++) {
        int j = lane() + k * WARP;
        if (j >= stride) continue;
        p[first + j] = rounded(shares[k]);
        ds[first + j] = rounded(scale * shares[k] * (slopes[k] - along));
    }
    for (int j = lane() + KEPT * WARP; j < stride; j += WARP) {
        float share = j < end ? exponential(scale * scores[first + j] - whole) : 0;
        p[first + j] = rounded(share);
        ds[first + j] = j < end ? rounded(scale * share * (dp[first + j] - along)) : 0;
    }
}
