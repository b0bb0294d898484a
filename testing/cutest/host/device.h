// The names of device.cuh on a processor: each thread of a block is a fibre, which
// barrier, warp_sum and warp_max leave until the others have come.
#pragma once

#define __global__ __attribute__((noinline)) // into what is not watched
#define __device__
#define UNROLLED
#define __shared__ static __attribute__((section("block_shared")))

extern "C" {
int host_thread(void);
int host_block_x(void);
int host_block_y(void);
void host_barrier(void);
float host_warp_sum(float v);
float host_half_warp_sum(float v);
float host_warp_max(float v);
float host_half_warp_max(float v);
float host_square_root(float x);
float host_power_of_two(float x);
}

static inline int thread() { return host_thread(); }
static inline int block_x() { return host_block_x(); }
static inline int block_y() { return host_block_y(); }
static inline void barrier() { host_barrier(); }
static inline float warp_sum(float v) { return host_warp_sum(v); }
static inline float half_warp_sum(float v) { return host_half_warp_sum(v); }
static inline float warp_max(float v) { return host_warp_max(v); }
static inline float half_warp_max(float v) { return host_half_warp_max(v); }
static inline float square_root(float x) { return host_square_root(x); }
static inline float power_of_two(float x) { return host_power_of_two(x); }
static inline float reciprocal(float x) { return 1 / x; }
