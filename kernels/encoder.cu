// The parser's encoder: what lies between its products of int8, which are cuBLASLt's. The reference
// is ruleparse/internal/encoder. Sums have the order of its plain Go, so that all bits are the same.
#include "device.cuh"

#define ENCODER_WIDTH 384
#define ENCODER_INNER 1536
#define ENCODER_HEADS 12
#define ENCODER_HEAD (ENCODER_WIDTH / ENCODER_HEADS) // numbers of a head
#define ENCODER_CHAINS 4                             // partial sums of the product of two of them

#define HALF_WARP 16
#define OF_HALF (ENCODER_WIDTH / HALF_WARP) // numbers of a row that a lane of half a warp has

typedef signed char int8;

// whole is the nearest whole number, ties to even, for |x| below 2^22.
__device__ static inline float whole(float x) {
    const float shift = 12582912.0f; // 1.5·2^23: what is added to it has no fraction
    return (x + shift) - shift;
}

// encoder_exp is e^x for x up to 0; e^-87 below -87.
__device__ static inline float encoder_exp(float x) {
    if (!(x > -87)) x = -87;
    float k = whole(x * 1.44269504088896340736f);
    float r = x - k * 0.693359375f;
    r -= k * -0.000212194440054690582767878541823432f;
    float y = 1.0f / 720;
    y = y * r + 1.0f / 120;
    y = y * r + 1.0f / 24;
    y = y * r + 1.0f / 6;
    y = y * r + 1.0f / 2;
    y = y * r + 1;
    y = y * r + 1;
    return bits_float(float_bits(y) + ((unsigned)(int)k << 23));
}

// encoder_gelu is x·Φ(x).
__device__ static inline float encoder_gelu(float x) {
    float t = x;
    if (!(t > -4.2f)) t = -4.2f;
    if (!(t < 4.2f)) t = 4.2f;
    float s = t * t;
    float p = 4.9239725782839386e-11f;
    p = p * s + -4.795767360786895e-09f;
    p = p * s + 2.0725126977277365e-07f;
    p = p * s + -5.289632666674874e-06f;
    p = p * s + 8.983669366927451e-05f;
    p = p * s + -0.001086463912323f;
    p = p * s + 0.009740958344982165f;
    p = p * s + -0.06622211071559402f;
    p = p * s + 0.39883460177286273f;
    return x * (0.5f + p * t);
}

// finished is a sum of products as the number that it stands for.
__device__ static inline float finished(int sum, float step, float scale, float bias) { return (float)sum * step * scale + bias; }

__device__ static inline float size_of(float x) { return x < 0 ? -x : x; }

// round_factor is what rows are multiplied by before they are rounded.
__device__ static inline float round_factor(float largest) { return largest == 0 ? 0 : 127 / largest; }

// half_row is which of all rows half a warp is for, in a grid of rows/16.
__device__ static inline int half_row() { return block_x() * (BLOCK / HALF_WARP) + thread() / HALF_WARP; }

// normalise normalises a row, of which a lane has each sixteenth number, and writes it and its
// rounded form. All lanes of a warp call it; those of which there is no row write nothing. x is in
// registers, so it is inlined.
__device__ static inline __attribute__((always_inline)) void normalise(float *x, index row, int there, float *hidden, int8 *values, float *steps,
                                                                       const float *gamma, const float *beta) {
    int first = lane() % HALF_WARP;
    float sum = 0, squares = 0, largest = 0;
    UNROLLED
    for (int i = 0; i < OF_HALF; i++) sum += x[i];
    float mean = half_warp_sum(sum) / ENCODER_WIDTH;
    UNROLLED
    for (int i = 0; i < OF_HALF; i++) {
        float d = x[i] - mean;
        squares += d * d;
    }
    float inverse = 1 / square_root(half_warp_sum(squares) / ENCODER_WIDTH + 1e-12f);
    UNROLLED
    for (int i = 0; i < OF_HALF; i++) {
        int column = first + i * HALF_WARP;
        x[i] = (x[i] - mean) * inverse * gamma[column] + beta[column];
        largest = larger(largest, size_of(x[i]));
    }
    largest = half_warp_max(largest);
    if (!there) return;
    float factor = round_factor(largest);
    UNROLLED
    for (int i = 0; i < OF_HALF; i++) {
        index at = row * ENCODER_WIDTH + first + i * HALF_WARP;
        hidden[at] = x[i];
        values[at] = (int8)(int)whole(x[i] * factor);
    }
    if (first == 0) steps[row] = largest / 127;
}

// hidden [rows, 384] of the pieces of texts, with values, its rounded form, and the steps of that.
// grid: rows/16
extern "C" __global__ void capgraph_encoder_embed(float *hidden, byte *values, float *steps, const int *pieces, const int *shapes, const int *places,
                                                  const byte *words, const float *scales, const float *shape, const float *written,
                                                  const float *positions, const float *gamma, const float *beta, int rows) {
    int r = half_row(), there = r < rows, first = lane() % HALF_WARP;
    float x[OF_HALF];
    UNROLLED
    for (int i = 0; i < OF_HALF; i++) x[i] = 0;
    if (there) {
        const int8 *word = (const int8 *)words + (index)pieces[r] * ENCODER_WIDTH;
        const float *s = shape + (index)shapes[r] * ENCODER_WIDTH, *p = positions + (index)places[r] * ENCODER_WIDTH;
        float scale = scales[pieces[r]];
        UNROLLED
        for (int i = 0; i < OF_HALF; i++) {
            int column = first + i * HALF_WARP;
            x[i] = (float)word[column] * scale + s[column] + written[column] + p[column];
        }
    }
    normalise(x, r, there, hidden, (int8 *)values, steps, gamma, beta);
}

// y [rows, outputs] of the sums of a matrix.
// grid: rows*outputs/256
extern "C" __global__ void capgraph_encoder_store(float *y, const int *sums, const float *steps, const float *scales, const float *biases,
                                                  int rows, int outputs) {
    index i = element();
    if (i >= (index)rows * outputs) return;
    index r = divided(i, outputs);
    int o = (int)(i - r * outputs);
    y[i] = finished(sums[i], steps[r], scales[o], biases[o]);
}

// hidden += the sums of a matrix, whose rows were rounded in the steps of used; then it is
// normalised, and rounded to values in steps.
// grid: rows/16
extern "C" __global__ void capgraph_encoder_add(float *hidden, byte *values, float *steps, const int *sums, const float *used, const float *scales,
                                                const float *biases, const float *gamma, const float *beta, int rows) {
    int r = half_row(), there = r < rows, first = lane() % HALF_WARP;
    float x[OF_HALF], step = there ? used[r] : 0;
    UNROLLED
    for (int i = 0; i < OF_HALF; i++) {
        int column = first + i * HALF_WARP;
        index at = (index)r * ENCODER_WIDTH + column;
        x[i] = there ? hidden[at] + finished(sums[at], step, scales[column], biases[column]) : 0;
    }
    normalise(x, r, there, hidden, (int8 *)values, steps, gamma, beta);
}

// values and steps are the rounded form of x·Φ(x) of the sums of a matrix [rows, 1536], whose rows
// were rounded in the steps of used.
// grid: rows/8
extern "C" __global__ void capgraph_encoder_gelu(byte *values, float *steps, const int *sums, const float *used, const float *scales,
                                                 const float *biases, int rows) {
    int r = row();
    if (r >= rows) return;
    float x[ENCODER_INNER / WARP], step = used[r], largest = 0;
    UNROLLED
    for (int i = 0; i < ENCODER_INNER / WARP; i++) {
        int column = lane() + i * WARP;
        x[i] = encoder_gelu(finished(sums[(index)r * ENCODER_INNER + column], step, scales[column], biases[column]));
        largest = larger(largest, size_of(x[i]));
    }
    largest = warp_max(largest);
    float factor = round_factor(largest);
    UNROLLED
    for (int i = 0; i < ENCODER_INNER / WARP; i++) ((int8 *)values)[(index)r * ENCODER_INNER + lane() + i * WARP] = (int8)(int)whole(x[i] * factor);
    if (lane() == 0) steps[r] = largest / 127;
}

// values and steps are the rounded form of x [rows, 384].
// grid: rows/8
extern "C" __global__ void capgraph_encoder_round(byte *values, float *steps, const float *x, int rows) {
    int r = row();
    if (r >= rows) return;
    float v[ENCODER_WIDTH / WARP], largest = 0;
    UNROLLED
    for (int i = 0; i < ENCODER_WIDTH / WARP; i++) {
        v[i] = x[(index)r * ENCODER_WIDTH + lane() + i * WARP];
        largest = larger(largest, size_of(v[i]));
    }
    largest = warp_max(largest);
    float factor = round_factor(largest);
    UNROLLED
    for (int i = 0; i < ENCODER_WIDTH / WARP; i++) ((int8 *)values)[(index)r * ENCODER_WIDTH + lane() + i * WARP] = (int8)(int)whole(v[i] * factor);
    if (lane() == 0) steps[r] = largest / 127;
}

// head_score is the product of a query and a key in a head. k is where the key begins.
__device__ static inline float head_score(const float *query, const float *k) {
    float p[ENCODER_CHAINS];
    UNROLLED
    for (int c = 0; c < ENCODER_CHAINS; c++) p[c] = query[c] * k[c * ENCODER_HEADS];
    UNROLLED
    for (int i = ENCODER_CHAINS; i < ENCODER_HEAD; i++) p[i % ENCODER_CHAINS] += query[i] * k[i * ENCODER_HEADS];
    return (p[0] + p[1]) + (p[2] + p[3]);
}

// mixed [rows, 384] are the contexts of rows of queries, keys and values, each among the rows of its
// text, which begin and end there. A thread has a head of a row. Scores are computed anew for the
// maximum, the sum and the shares: texts are short.
// grid: 12*rows/256
extern "C" __global__ void capgraph_encoder_attend(float *mixed, const float *wide, const int *begins, const int *ends, int rows) {
    int i = (int)element(), r = i / ENCODER_HEADS, head = i % ENCODER_HEADS;
    if (r >= rows) return;
    const int stride = 3 * ENCODER_WIDTH, begin = begins[r], end = ends[r];
    const float *q = wide + (index)r * stride + head, *keys = wide + ENCODER_WIDTH + head, *all = keys + ENCODER_WIDTH;
    float query[ENCODER_HEAD], context[ENCODER_HEAD];
    UNROLLED
    for (int n = 0; n < ENCODER_HEAD; n++) query[n] = q[n * ENCODER_HEADS];
    float top = head_score(query, keys + (index)begin * stride), sum = 0;
    for (int j = begin + 1; j < end; j++) {
        float s = head_score(query, keys + (index)j * stride);
        top = s > top ? s : top;
    }
    for (int j = begin; j < end; j++) sum += encoder_exp(head_score(query, keys + (index)j * stride) - top);
    sum = 1 / sum;
    for (int j = begin; j < end; j++) {
        float share = encoder_exp(head_score(query, keys + (index)j * stride) - top) * sum;
        const float *v = all + (index)j * stride;
        UNROLLED
        for (int n = 0; n < ENCODER_HEAD; n++) {
            float part = share * v[n * ENCODER_HEADS];
            context[n] = j == begin ? part : context[n] + part;
        }
    }
    UNROLLED
    for (int n = 0; n < ENCODER_HEAD; n++) mixed[(index)r * ENCODER_WIDTH + n * ENCODER_HEADS + head] = context[n];
}

// vectors [tokens, 384] are the means of the first and the last piece of each token.
// grid: 384*tokens/256
extern "C" __global__ void capgraph_encoder_tokens(float *vectors, const float *hidden, const int *firsts, const int *lasts, int tokens) {
    index i = element();
    if (i >= (index)tokens * ENCODER_WIDTH) return;
    index t = divided(i, ENCODER_WIDTH);
    int column = (int)(i - t * ENCODER_WIDTH);
    vectors[i] = (hidden[(index)firsts[t] * ENCODER_WIDTH + column] + hidden[(index)lasts[t] * ENCODER_WIDTH + column]) * 0.5f;
}
