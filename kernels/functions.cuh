// The functions of kernels: exp, log and the normal distribution, of plain
// arithmetic whose every rounding is written out, so that a processor computes
// the same bits as a card.
#pragma once
#include "device.cuh"

#define INFINITE bits_float(0x7f800000)

__device__ static inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

// exponential is e^x: x is n·ln 2 + r with |r| ≤ ½·ln 2, and e^r its Taylor series up
// to r⁷, whose rest is below 6e-9.
__device__ static inline float exponential(float x) {
    if (x > 88.8f) return INFINITE;
    if (x < -104.0f) return 0;
    if (x != x) return x;
    const float shift = 12582912.0f; // 1.5·2²³: adding it rounds to an integer
    float n = fused(x, 1.44269504f, shift) - shift;
    float r = fused(n, -0.693359375f, x); // ln 2 in two parts, the first exact times n
    r = fused(n, 2.12194440e-4f, r);
    float p = 1.0f / 5040;
    p = fused(p, r, 1.0f / 720);
    p = fused(p, r, 1.0f / 120);
    p = fused(p, r, 1.0f / 24);
    p = fused(p, r, 1.0f / 6);
    p = fused(p, r, 0.5f);
    p = fused(p, r, 1.0f);
    p = fused(p, r, 1.0f);
    int k = (int)n, half = k / 2; // in two steps: 2ⁿ may be no normal number
    return p * bits_float((unsigned)(half + 127) << 23) * bits_float((unsigned)(k - half + 127) << 23);
}

// logarithm is ln x of a normal number above 0: x is 2ᵉ·m with m about 1, and ln m
// is 2·artanh s of s = (m−1)/(m+1), the series up to s⁹. NaN and infinity stay.
__device__ static inline float logarithm(float x) {
    if (!(x < INFINITE)) return x;
    unsigned u = float_bits(x);
    int e = (int)(u >> 23) - 127;
    float m = bits_float((u & 0x7fffff) | 0x3f800000);
    if (m > 1.41421356f) {
        m *= 0.5f;
        e++;
    }
    float s = (m - 1) / (m + 1), q = s * s;
    float p = 1.0f / 9;
    p = fused(p, q, 1.0f / 7);
    p = fused(p, q, 1.0f / 5);
    p = fused(p, q, 1.0f / 3);
    float tail = fused(2 * s * q, p, (float)e * -2.12194440e-4f);
    return fused((float)e, 0.693359375f, fused(2, s, tail));
}

// gauss is Φ(x) of the normal distribution, and e^(−x²/2) in density: Abramowitz and
// Stegun 7.1.26, within 1e-7.
__device__ static inline float gauss(float x, float *density) {
    float a = x < 0 ? -x : x;
    float e = exponential(-0.5f * x * x);
    float t = 1 / fused(0.3275911f * 0.707106781f, a, 1);
    float p = 1.061405429f;
    p = fused(p, t, -1.453152027f);
    p = fused(p, t, 1.421413741f);
    p = fused(p, t, -0.284496736f);
    p = fused(p, t, 0.254829592f);
    float tail = 0.5f * p * t * e;
    *density = e;
    return x < 0 ? tail : 1 - tail;
}

// logistic is 1 / (1 + e^−x).
__device__ static inline float logistic(float x) { return 1 / (1 + exponential(-x)); }
