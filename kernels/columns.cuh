// How rows are shared out where columns are summed: a block has 128 rows, of which
// each warp takes every eighth.
#pragma once
#include "device.cuh"

#define PART 128

__device__ static inline int part_begin() { return block_y() * PART + warp(); }

__device__ static inline int part_end(int rows) {
    int end = (block_y() + 1) * PART;
    return end < rows ? end : rows;
}
