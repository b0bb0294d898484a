// What a lane has of a row of a head where a warp, or half of one, takes the row, its
// lanes the columns.
#pragma once
#include "functions.cuh"

#define SLOTS FOUR // columns that a lane has, one after the other

// lanes_of is how many lanes take a row of a head: half a warp where that has columns
// enough, and its other half takes another head of the same row.
__device__ static inline int lanes_of(int heads, int depth) { return depth <= SLOTS * WARP / 2 && heads % 2 == 0 ? WARP / 2 : WARP; }

// unit is which of all heads of all rows a lane is for.
__device__ static inline int unit(int lanes) { return row() * (WARP / lanes) + lane() / lanes; }

// first_column is the first of the columns of a lane, of so many lanes that take a row.
__device__ static inline int first_column(int lanes) { return SLOTS * (lane() % lanes); }

__device__ static inline void load(float *to, const float *from, int depth, int lanes) {
    take(to, from, first_column(lanes), depth - first_column(lanes));
}

__device__ static inline void store(float *to, const float *from, int depth, int lanes, int add) {
    float sums[SLOTS] = {0, 0, 0, 0};
    if (add) load(sums, to, depth, lanes);
    for (int s = 0; s < SLOTS; s++) sums[s] += from[s];
    give(to, 0, first_column(lanes), sums, depth - first_column(lanes));
}

__device__ static inline float inner(const float *a, const float *b, int lanes) {
    float sum = 0;
    for (int s = 0; s < SLOTS; s++) sum += a[s] * b[s];
    return lanes == WARP ? warp_sum(sum) : half_warp_sum(sum);
}

// nothing writes zeros, where nothing is added.
__device__ static inline void nothing(float *to, bf16 *half, int depth, int lanes) {
    float zero[SLOTS] = {0, 0, 0, 0};
    give(to, half, first_column(lanes), zero, depth - first_column(lanes));
}
