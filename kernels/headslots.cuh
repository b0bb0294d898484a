// What a lane has of a row of a head where a warp takes the row, its lanes the columns.
#pragma once
#include "functions.cuh"

#define SLOTS 4 // columns that a lane has: lane, lane + 32, …

__device__ static inline void load(float *to, const float *from, int depth) {
    for (int s = 0; s < SLOTS; s++) {
        int k = lane() + s * WARP;
        to[s] = k < depth ? from[k] : 0;
    }
}

__device__ static inline void store(float *to, const float *from, int depth, int add) {
    for (int s = 0; s < SLOTS; s++) {
        int k = lane() + s * WARP;
        if (k < depth) put(to, k, from[s], add);
    }
}

__device__ static inline float inner(const float *a, const float *b) {
    float sum = 0;
    for (int s = 0; s < SLOTS; s++) sum += a[s] * b[s];
    return warp_sum(sum);
}

__device__ static inline void clear(float *to, int depth, int add) {
    float zero[SLOTS] = {0, 0, 0, 0};
    if (!add) store(to, zero, depth, 0);
}
