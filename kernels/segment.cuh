// Segments of values: segment g is starts[g] to starts[g+1]-1. A warp takes a segment.
#pragma once
#include "functions.cuh"

// segment_lse is the log-sum-exp of the values from first to end-1, 0 of none; every lane has it.
__device__ static inline float segment_lse(const float *s, int first, int end) {
    if (first >= end) return 0;
    float top = -INFINITE, sum = 0;
    for (int k = first + lane(); k < end; k += WARP) top = larger(top, s[k]);
    top = warp_max(top);
    for (int k = first + lane(); k < end; k += WARP) sum += exponential(s[k] - top);
    return top + logarithm(warp_sum(sum));
}
