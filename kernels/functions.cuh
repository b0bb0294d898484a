// The functions of kernels: exp, log and the normal distribution. But for powers of two
// and reciprocals, which a card has units for, they are plain arithmetic.
#pragma once
#include "device.cuh"

#define INFINITE bits_float(0x7f800000)

__device__ static inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

// exponential is 2^(x·log2 e), the rest of the product and of log2 e made good: within
// 4e-7.
__device__ static inline float exponential(float x) {
    if (x > 88.7228f) return INFINITE;
    if (x < -104.0f) return 0;
    const float log2e = 1.44269502f, beyond = 1.92596303e-8f;
    float t = x * log2e, y = power_of_two(t);
    return fused(y * 0.693147181f, fused(x, beyond, fused(x, log2e, -t)), y);
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
    float t = reciprocal(fused(0.3275911f * 0.707106781f, a, 1));
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
__device__ static inline float logistic(float x) { return reciprocal(1 + exponential(-x)); }

// softplus is ln(1 + e^x); a series where 1 + e^-|x| would lose its digits.
__device__ static inline float softplus(float x) {
    float e = exponential(x > 0 ? -x : x);
    float tail = e < 0.01f ? e * (1 - e * (0.5f - e * 0.333333333f)) : logarithm(1 + e);
    return x > 0 ? x + tail : tail;
}
