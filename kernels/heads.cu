// Attention of sequences of one length, as an image's are, over whole matrices: the
// products are cuBLASLt's, one batch of all heads of all images; here is what
// comes between them. A matrix of scores [length, length] has rows of stride
// elements, a multiple of 8, of which those from length on are 0.
#include "functions.cuh"

// where is the element of packed rows, [n·length, parts·heads·depth], that element i
// of [parts][n][heads][length][depth] is.
__device__ static inline index where(index i, int parts, int n, int length, int heads, int depth, int *image) {
    index rest = divided(i, depth);
    int k = (int)(i - rest * depth);
    i = divided(rest, length);
    int at = (int)(rest - i * length);
    rest = divided(i, heads);
    int head = (int)(i - rest * heads);
    index third = divided(rest, n);
    *image = (int)(rest - third * n);
    return ((((index)*image * length + at) * parts + third) * heads + head) * depth + k;
}

// to [parts][most][heads][length][depth] is from [most·length, parts·heads·depth], rounded;
// 0 for the images that there are not.
// grid: parts*most*heads*length*depth/256
extern "C" __global__ void capgraph_heads_split(bf16 *to, const float *from, int parts, int length, int heads, int depth,
                                                const int *count, int most) {
    index i = element();
    if (i >= (index)parts * most * heads * length * depth) return;
    int image;
    index at = where(i, parts, most, length, heads, depth, &image);
    to[i] = image < counted(count, most) ? rounded(from[at]) : 0;
}

// The way back, of gradients and results; half, or none, is to in bf16, where nothing
// is added.
// grid: parts*most*heads*length*depth/256
extern "C" __global__ void capgraph_heads_merge(float *to, bf16 *half, const float *from, int parts, int length, int heads,
                                                int depth, const int *count, int most, int add) {
    index i = element();
    if (i >= (index)parts * most * heads * length * depth) return;
    int image;
    index at = where(i, parts, most, length, heads, depth, &image);
    int there = image < counted(count, most);
    if (!add) both(to, half, at, there ? from[i] : 0);
    else if (there) to[at] += from[i];
}

// p = softmax(scale·scores), of [images·heads] matrices; lse [images·length, heads], or none.
// grid: images*heads*length/8
extern "C" __global__ void capgraph_heads_softmax(bf16 *p, float *lse, const float *scores, int images, int heads, int length,
                                                  int stride, float scale, int causal) {
    int r = row();
    if (r >= images * heads * length) return;
    int at = r % length, end = causal ? at + 1 : length;
    const float *s = scores + (index)r * stride;
    float top = -INFINITE, sum = 0;
    for (int j = lane(); j < end; j += WARP) top = larger(top, scale * s[j]);
    top = warp_max(top);
    for (int j = lane(); j < end; j += WARP) sum += exponential(scale * s[j] - top);
    sum = warp_sum(sum);
    for (int j = lane(); j < stride; j += WARP) p[(index)r * stride + j] = j < end ? rounded(exponential(scale * s[j] - top) / sum) : 0;
    int matrix = r / length;
    if (lse != 0 && lane() == 0) lse[((index)(matrix / heads) * length + at) * heads + matrix % heads] = top + logarithm(sum);
}

// p again, and ds = scale·p·(dp − Σ p·dp), of scores and dp, which are products.
// grid: images*heads*length/8
extern "C" __global__ void capgraph_heads_softmax_backward(bf16 *p, bf16 *ds, const float *scores, const float *dp, const float *lse,
                                                           int images, int heads, int length, int stride, float scale, int causal) {
    int r = row();
    if (r >= images * heads * length) return;
    int at = r % length, end = causal ? at + 1 : length;
    int matrix = r / length;
    index first = (index)r * stride;
    float whole = lse[((index)(matrix / heads) * length + at) * heads + matrix % heads], along = 0;
    for (int j = lane(); j < end; j += WARP) along += exponential(scale * scores[first + j] - whole) * dp[first + j];
    along = warp_sum(along);
    for (int j = lane(); j < stride; j += WARP) {
        float share = j < end ? exponential(scale * scores[first + j] - whole) : 0;
        p[first + j] = rounded(share);
        ds[first + j] = j < end ? rounded(scale * share * (dp[first + j] - along)) : 0;
    }
}
