// A warp takes a text. kept [n, p+1] has its weights of the patches, and then the length of their
// mean. What a lane writes to it, others read after a barrier.
#include "functions.cuh"

#define SHORTEST 1e-8f // length of a mean

// grid: n/8
extern "C" __global__ void capgraph_pooledcosine_forward(float *y, float *kept, const float *s, const float *g, const int *starts,
                                                         int images, int n, int p, int minmax) {
    int r = row(), there = r < n;
    float *a = kept + (index)(there ? r : 0) * (p + 1);
    const float *products = s + (index)(there ? r : 0) * p;
    float top = -INFINITE, least = -INFINITE, sum = 0, broken = 0;
    for (int k = lane(); there && k < p; k += WARP) {
        top = larger(top, products[k]);
        least = larger(least, -products[k]);
        broken += products[k] - products[k]; // NaN where a product is not finite
    }
    top = warp_max(top);
    least = -warp_max(least);
    broken = warp_sum(broken);
    for (int k = lane(); there && k < p; k += WARP) {
        a[k] = (minmax ? (top > least ? products[k] - least : 1) : exponential(products[k] - top)) + broken;
        sum += a[k];
    }
    sum = warp_sum(sum);
    for (int k = lane(); there && k < p; k += WARP) a[k] /= sum;
    barrier();
    if (!there) return;
    g += (index)part_of(starts, images, r) * p * p;
    float square = 0, product = 0;
    for (int k = 0; k < p; k++)
        for (int q = lane(); q < p; q += WARP) square += a[k] * a[q] * g[(index)k * p + q];
    for (int k = lane(); k < p; k += WARP) product += a[k] * products[k];
    square = warp_sum(square);
    product = warp_sum(product);
    float root = square_root(square < 0 ? 0 : square);
    if (root < SHORTEST) root = SHORTEST;
    if (lane() > 0) return;
    a[p] = root;
    y[r] = product / root;
}

// ds [n, p], and slopes [n, p] of the weights.
// grid: n/8
extern "C" __global__ void capgraph_pooledcosine_texts(float *ds, float *slopes, const float *dy, const float *y, const float *kept,
                                                       const float *s, const float *g, const int *starts, int images, int n, int p,
                                                       int minmax, int add) {
    int r = row();
    if (r >= n) return;
    const float *a = kept + (index)r * (p + 1);
    float slope = dy[r] / a[p], along = slope * y[r] / a[p], mean = 0;
    g += (index)part_of(starts, images, r) * p * p;
    for (int k = 0; !minmax && k < p; k++) {
        float sum = 0;
        for (int q = lane(); q < p; q += WARP) sum += a[q] * g[(index)k * p + q];
        float d = slope * s[(index)r * p + k] - along * warp_sum(sum);
        mean += a[k] * d;
        if (k % WARP == lane()) slopes[(index)r * p + k] = d;
    }
    for (int k = lane(); k < p; k += WARP) {
        index at = (index)r * p + k;
        put(ds, at, a[k] * (slope + (minmax ? 0 : slopes[at] - mean)), add);
    }
}

// dg [images*p, p].
// grid: images*p*p/256
extern "C" __global__ void capgraph_pooledcosine_patches(float *dg, const float *dy, const float *y, const float *kept, const int *starts,
                                                         int images, int p, int add) {
    index i = element();
    if (i >= (index)images * p * p) return;
    int q = (int)(i % p), k = (int)(divided(i, p) % p), image = (int)(i / ((index)p * p));
    float sum = 0;
    for (int r = starts[image]; r < starts[image + 1]; r++) {
        const float *a = kept + (index)r * (p + 1);
        sum -= 0.5f * dy[r] * y[r] / (a[p] * a[p]) * a[k] * a[q];
    }
    put(dg, i, sum, add);
}
