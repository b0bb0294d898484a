#include "device.cuh"

// gap and terms [most] of pairs, the terms being what the loss is the sum of.
// grid: most/256
extern "C" __global__ void capgraph_hinge_forward(float *gap, float *terms, const float *s, const float *thresholds, const int *rows,
                                                  const int *positives, const int *negatives, const int *kinds, const int *count,
                                                  int most, int cols) {
    index p = element();
    if (p >= most) return;
    if (p >= counted(count, most)) {
        gap[p] = terms[p] = 0;
        return;
    }
    index at = (index)rows[p] * cols;
    float g = s[at + negatives[p]] - s[at + positives[p]];
    gap[p] = g;
    terms[p] = larger(0, g + thresholds[kinds[p]]);
}

// ds [n, cols] += what its pairs take back, one thread a row: pairs of a row share
// their texts, and are added in their order.
// grid: n/256
extern "C" __global__ void capgraph_hinge_backward(float *ds, const float *dloss, const float *gap, const float *thresholds,
                                                   const int *rows, const int *positives, const int *negatives, const int *kinds,
                                                   const int *count, int most, int n, int cols, float weight) {
    index r = element();
    if (r >= n) return;
    int pairs = counted(count, most), low = 0, high = pairs;
    while (low < high) {
        int middle = (low + high) / 2;
        if (rows[middle] < r) low = middle + 1;
        else high = middle;
    }
    float d = weight * dloss[0];
    for (int p = low; p < pairs && rows[p] == r; p++) {
        if (!(gap[p] + thresholds[kinds[p]] > 0)) continue;
        ds[r * cols + negatives[p]] += d;
        ds[r * cols + positives[p]] -= d;
    }
}
