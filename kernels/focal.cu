#include "segment.cuh"

// power is x^e of x at least 0 and e at least 0, with 0^0 = 1.
__device__ static inline float power(float x, float e) {
    if (e == 0) return 1;
    if (x == 0) return 0;
    return exponential(e * logarithm(x));
}

// left_over is 1 - p by l = ln p: a series where p is about 1, where 1 - p would lose its digits.
__device__ static inline float left_over(float l, float p) {
    if (!(l > -0.25f)) return 1 - p;
    float t = fused(l, 1.0f / 6, 1);
    t = fused(l * t, 1.0f / 5, 1);
    t = fused(l * t, 1.0f / 4, 1);
    t = fused(l * t, 1.0f / 3, 1);
    t = fused(l * t, 1.0f / 2, 1);
    return -l * t;
}

// focal_term is y·(1 - p)^gamma·(-ln p) of a value whose softmax is p, by l = ln p and q = 1 - p;
// slope is its derivative by l.
__device__ static inline float focal_term(float l, float p, float q, float y, float gamma, float *slope) {
    float whole = power(q, gamma);
    *slope = -y * whole;
    if (gamma > 0) *slope += y * gamma * power(q, gamma - 1) * p * l;
    return -y * whole * l;
}

// focal_target is what the softmax of value k of a segment of n is to be.
__device__ static inline float focal_target(int k, int n, float smoothing) {
    float share = smoothing / n;
    return k == 0 ? 1 - smoothing + share : share;
}

// kept [segments, 2] has the log-sum-exp of a segment and the sum of the slopes of its terms; terms
// [segments] are what the loss is the sum of.
// grid: segments/8
extern "C" __global__ void capgraph_focal_forward(float *kept, float *terms, const float *s, const int *starts, const int *count,
                                                  int segments, float gamma, float smoothing) {
    int g = row();
    if (g >= segments) return;
    int there = g < counted(count, segments);
    int first = there ? starts[g] : 0, end = there ? starts[g + 1] : 0;
    float lse = segment_lse(s, first, end), sum = 0, slopes = 0;
    for (int k = first + lane(); k < end; k += WARP) {
        float l = -larger(0, lse - s[k]), p = exponential(l), slope;
        sum += focal_term(l, p, left_over(l, p), focal_target(k - first, end - first, smoothing), gamma, &slope);
        slopes += slope;
    }
    sum = warp_sum(sum);
    slopes = warp_sum(slopes);
    if (lane() > 0) return;
    kept[2 * (index)g] = lse;
    kept[2 * (index)g + 1] = slopes;
    terms[g] = sum;
}

// ds [most]: a value's slope less p times all slopes of its segment, which has fewer digits where p is
// about 1.
// grid: most/256
extern "C" __global__ void capgraph_focal_backward(float *ds, const float *dloss, const float *kept, const float *s, const int *starts,
                                                   const int *count, int segments, int most, float weight, float gamma,
                                                   float smoothing, int add) {
    index k = element();
    if (k >= most) return;
    int n = counted(count, segments);
    float d = 0;
    if (k < starts[n]) {
        int g = part_of(starts, n, (int)k);
        float l = -larger(0, kept[2 * (index)g] - s[k]), p = exponential(l), q = left_over(l, p), slope;
        focal_term(l, p, q, focal_target((int)k - starts[g], starts[g + 1] - starts[g], smoothing), gamma, &slope);
        d = weight * dloss[0] * (slope * q - p * (kept[2 * (index)g + 1] - slope));
    }
    put(ds, k, d, add);
}
