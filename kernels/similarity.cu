#include "functions.cuh"

// x *= e^scale[0], of n elements: the product of features becomes their similarity,
// and its gradient that of the product.
// grid: n/256
extern "C" __global__ void capgraph_similarity_scale(float *x, const float *scale, int n) {
    index i = element();
    if (i < n) x[i] *= exponential(scale[0]);
}
