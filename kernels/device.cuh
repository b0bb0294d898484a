// What kernels are written with: the names of CUDA that they need, which
// clang knows by builtins alone, so that no header of CUDA's is needed. The test
// of the kernels defines HOST_DEVICE and gives the same names on a processor.
//
// Every block has 256 threads in one row: 8 warps of 32 lanes. The comment above a
// kernel says its grid by its arguments, which is where the launch takes it from.
#pragma once

#ifdef HOST_DEVICE
#include HOST_DEVICE
#else

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define UNROLLED _Pragma("unroll") // a loop over what registers hold

__device__ static inline int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ static inline int block_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__device__ static inline int block_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }

// barrier waits for all threads of the block and makes what they wrote seen.
__device__ static inline void barrier() { __syncthreads(); }

// exchange is the value of the lane whose number differs in the bits of mask.
__device__ static inline float exchange(float v, int mask) {
    return __nvvm_shfl_sync_bfly_f32(0xffffffff, v, mask, 0x1f);
}

// warp_sum is the sum of v over a warp, the same bits in every lane. All lanes of
// the warp call it.
__device__ static inline float warp_sum(float v) {
    for (int mask = 16; mask > 0; mask /= 2) v += exchange(v, mask);
    return v;
}

// half_warp_sum is that of the half of the warp that a lane is in.
__device__ static inline float half_warp_sum(float v) {
    for (int mask = 8; mask > 0; mask /= 2) v += exchange(v, mask);
    return v;
}

// warp_max is the maximum, in the same way; NaN may be left out of it.
__device__ static inline float warp_max(float v) {
    for (int mask = 16; mask > 0; mask /= 2) {
        float other = exchange(v, mask);
        v = v > other ? v : other;
    }
    return v;
}

// half_warp_max is that of half a warp.
__device__ static inline float half_warp_max(float v) {
    for (int mask = 8; mask > 0; mask /= 2) {
        float other = exchange(v, mask);
        v = v > other ? v : other;
    }
    return v;
}

__device__ static inline float square_root(float x) {
    float y;
    asm("sqrt.rn.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// power_of_two is 2^x, and reciprocal 1/x, by the card's own units: within 2.4e-7.
__device__ static inline float power_of_two(float x) {
    float y;
    asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__device__ static inline float reciprocal(float x) {
    float y;
    asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

#endif

typedef unsigned char byte;
typedef unsigned short bf16; // the upper half of a float
typedef long long index; // of an element, which an int is too short for

#define BLOCK 256
#define WARP 32
#define WARPS (BLOCK / WARP)

__device__ static inline int lane() { return thread() % WARP; }
__device__ static inline int warp() { return thread() / WARP; }

// element is which of all elements a thread is for, in a grid of elements/256.
__device__ static inline index element() { return (index)block_x() * BLOCK + thread(); }

// divided is i / by, in 32 bits where they do: 64 take a card four times as long.
__device__ static inline index divided(index i, int by) {
    return i >> 32 ? i / by : (index)((unsigned)i / (unsigned)by);
}

// row is which of all rows a warp is for, in a grid of rows/8.
__device__ static inline int row() { return block_x() * WARPS + warp(); }

// counted is how many rows there are: what count points to, which a recorded step
// is replayed with, or most where it points nowhere.
__device__ static inline int counted(const int *count, int most) {
    if (count == 0) return most;
    return *count < most ? *count : most;
}

// put writes a gradient: it is added to what is there where add is set.
__device__ static inline void put(float *to, index i, float v, int add) {
    if (add) v += to[i];
    to[i] = v;
}

// larger is the maximum; NaN where b is.
__device__ static inline float larger(float a, float b) { return a > b ? a : b; }

// block_sum is the sum of v over a block, the same bits in every thread.
__device__ static inline float block_sum(float v) {
    __shared__ float sums[WARPS];
    v = warp_sum(v);
    if (lane() == 0) sums[warp()] = v;
    barrier();
    float sum = 0;
    for (int i = 0; i < WARPS; i++) sum += sums[i];
    barrier();
    return sum;
}

__device__ static inline float block_max(float v) {
    __shared__ float most[WARPS];
    v = warp_max(v);
    if (lane() == 0) most[warp()] = v;
    barrier();
    v = most[0];
    for (int i = 1; i < WARPS; i++) v = larger(v, most[i]);
    barrier();
    return v;
}

// column_sum is the sum of v over the warps of a block for each lane: how a column
// is summed whose rows the warps share out. Every warp has it.
__device__ static inline float column_sum(float v) {
    __shared__ float sums[WARPS][WARP];
    sums[warp()][lane()] = v;
    barrier();
    float sum = 0;
    for (int i = 0; i < WARPS; i++) sum += sums[i][lane()];
    barrier();
    return sum;
}

__device__ static inline float column_max(float v) {
    __shared__ float most[WARPS][WARP];
    most[warp()][lane()] = v;
    barrier();
    v = most[0][lane()];
    for (int i = 1; i < WARPS; i++) v = larger(v, most[i][lane()]);
    barrier();
    return v;
}

// part_of is the last of the parts that begin at or before i: starts has where
// each begins and, at its end, the number of all. Empty parts hold nothing.
__device__ static inline int part_of(const int *starts, int parts, int i) {
    int low = 0, high = parts;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (starts[middle] <= i) low = middle;
        else high = middle;
    }
    return low;
}

__device__ static inline float bits_float(unsigned u) {
    union { unsigned u; float f; } b;
    b.u = u;
    return b.f;
}

__device__ static inline unsigned float_bits(float f) {
    union { unsigned u; float f; } b;
    b.f = f;
    return b.u;
}

// rounded is the nearest bf16, ties to even; NaN stays one.
__device__ static inline bf16 rounded(float f) {
    unsigned u = float_bits(f);
    if ((u & 0x7fffffff) > 0x7f800000) return (bf16)(u >> 16 | 0x40);
    return (bf16)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

// both writes an element in float32 and in bf16; either may be nowhere.
__device__ static inline void both(float *y, bf16 *half, index i, float v) {
    if (y != 0) y[i] = v;
    if (half != 0) half[i] = rounded(v);
}

// Elements are read and written four at once, where they lie at multiples of four: a
// thread that moves one at a time leaves much of the memory's width unused.
#define FOUR 4
typedef float floats __attribute__((vector_size(16)));
typedef bf16 halves __attribute__((vector_size(8)));

// take reads n elements, at most four, from element i on; those after them are 0.
__device__ static inline void take(float *to, const float *from, index i, int n) {
    from += i;
    if (n >= FOUR && ((index)from & 15) == 0) {
        floats v = *(const floats *)from;
        for (int k = 0; k < FOUR; k++) to[k] = v[k];
        return;
    }
    for (int k = 0; k < FOUR; k++) to[k] = k < n ? from[k] : 0;
}

// give writes n elements, at most four, to element i and what follows it, in float32
// and in bf16; either may be nowhere.
__device__ static inline void give(float *y, bf16 *half, index i, const float *v, int n) {
    if (y != 0) {
        y += i;
        if (n >= FOUR && ((index)y & 15) == 0) *(floats *)y = (floats){v[0], v[1], v[2], v[3]};
        else
            for (int k = 0; k < FOUR; k++)
                if (k < n) y[k] = v[k];
    }
    if (half != 0) {
        half += i;
        if (n >= FOUR && ((index)half & 7) == 0) *(halves *)half = (halves){rounded(v[0]), rounded(v[1]), rounded(v[2]), rounded(v[3])};
        else
            for (int k = 0; k < FOUR; k++)
                if (k < n) half[k] = rounded(v[k]);
    }
}

__device__ static inline float widened(bf16 b) { return bits_float((unsigned)b << 16); }
