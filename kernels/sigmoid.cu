// A loss of each element of similarities [n, cols] by itself, with a bias. A block
// takes a row.
#include "functions.cuh"

// sign_of is 1 of what is positive, −1 of what is negative, 0 of what is left out.
__device__ static inline float sign_of(byte is) { return is == 1 ? 1 : is == 0 ? -1 : 0; }

// terms [n]; the loss is their sum.
// grid: n
extern "C" __global__ void capgraph_sigmoid_rows(float *terms, const float *s, const float *bias, const byte *mask, int n, int cols,
                                                 float weight) {
    index first = (index)block_x() * cols;
    float sum = 0;
    for (int j = thread(); j < cols; j += BLOCK) {
        float z = sign_of(mask[first + j]);
        if (z != 0) sum += softplus(-z * (s[first + j] + bias[0]));
    }
    sum = block_sum(sum);
    if (thread() == 0) terms[block_x()] = weight * sum;
}

// ds [n, cols], if there is one, and slopes [n]: the sum of each row is the bias's part.
// grid: n
extern "C" __global__ void capgraph_sigmoid_backward(float *ds, float *slopes, const float *dloss, const float *s, const float *bias,
                                                     const byte *mask, int n, int cols, float weight, int add) {
    index first = (index)block_x() * cols;
    float sum = 0;
    for (int j = thread(); j < cols; j += BLOCK) {
        float z = sign_of(mask[first + j]), d = 0;
        if (z != 0) d = -z * weight * dloss[0] * logistic(-z * (s[first + j] + bias[0]));
        sum += d;
        if (ds != 0) put(ds, first + j, d, add);
    }
    sum = block_sum(sum);
    if (thread() == 0) slopes[block_x()] = sum;
}
