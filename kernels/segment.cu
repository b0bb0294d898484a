// A warp takes a segment.
#include "functions.cuh"

// lse and terms [segments] of s, starts [segments+1]; the loss is the sum of the terms.
// grid: segments/8
extern "C" __global__ void capgraph_segment_forward(float *lse, float *terms, const float *s, const int *starts, const int *count,
                                                    int segments, int anchored) {
    int g = row();
    if (g >= segments) return;
    int there = g < counted(count, segments);
    int first = there ? starts[g] : 0, end = there ? starts[g + 1] : 0;
    float top = -INFINITE, sum = 0;
    for (int k = first + lane(); k < end; k += WARP) top = larger(top, s[k]);
    top = warp_max(top);
    for (int k = first + lane(); k < end; k += WARP) sum += exponential(s[k] - top);
    sum = warp_sum(sum);
    if (lane() > 0) return;
    float whole = first < end ? top + logarithm(sum) : 0;
    lse[g] = whole;
    terms[g] = first < end && anchored ? whole - s[first] : whole;
}

// ds [most].
// grid: most/256
extern "C" __global__ void capgraph_segment_backward(float *ds, const float *dloss, const float *lse, const float *s, const int *starts,
                                                     const int *count, int segments, int most, float weight, int anchored, int add) {
    index k = element();
    if (k >= most) return;
    int n = counted(count, segments);
    float d = 0;
    if (k < starts[n]) {
        int g = part_of(starts, n, (int)k);
        d = exponential(s[k] - lse[g]);
        if (anchored && k == starts[g]) d -= 1;
        d *= weight * dloss[0];
    }
    put(ds, k, d, add);
}
