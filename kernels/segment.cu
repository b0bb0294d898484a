#include "segment.cuh"

// lse [segments] of s.
// grid: segments/8
extern "C" __global__ void capgraph_segment_forward(float *lse, const float *s, const int *starts, const int *count, int segments) {
    int g = row();
    if (g >= segments) return;
    int there = g < counted(count, segments);
    float whole = segment_lse(s, there ? starts[g] : 0, there ? starts[g + 1] : 0);
    if (lane() == 0) lse[g] = whole;
}

// ds [most].
// grid: most/256
extern "C" __global__ void capgraph_segment_backward(float *ds, const float *dlse, const float *lse, const float *s, const int *starts,
                                                     const int *count, int segments, int most, int add) {
    index k = element();
    if (k >= most) return;
    int n = counted(count, segments);
    float d = 0;
    if (k < starts[n]) {
        int g = part_of(starts, n, (int)k);
        d = dlse[g] * exponential(s[k] - lse[g]);
    }
    put(ds, k, d, add);
}
