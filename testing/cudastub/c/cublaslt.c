// A stub of libcublasLt: products as loops, of what the descriptors say by columns,
// and a heuristic that looks at what it is told.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { INVALID_VALUE = 7, NOT_SUPPORTED = 15 };

struct desc { int compute, scale, ta, tb, epilogue; const float *bias; };
struct layout { int type; uint64_t rows, cols; int64_t ld; int batch; int64_t step; };
struct preference { uint64_t workspace; uint32_t schemes, align[4]; };
struct result { uint64_t algorithm[8]; size_t workspace; int state; float waves; int reserved[4]; };

static int asked, no_bias;
static char last[512];

// What tests ask of the stub.
EXPORT int stub_heuristics(void) { return asked; }
EXPORT const char *stub_last(void) { return last; }
EXPORT void stub_no_bias(int set) { no_bias = set; }

EXPORT size_t cublasLtGetVersion(void) { return 120409; }
EXPORT int cublasLtCreate(void **h) { *h = last; return 0; }
EXPORT int cublasLtDestroy(void *h) { return h == last ? 0 : INVALID_VALUE; }

EXPORT int cublasLtMatmulDescCreate(struct desc **d, int compute, int scale) {
    *d = calloc(1, sizeof **d);
    (*d)->compute = compute;
    (*d)->scale = scale;
    (*d)->epilogue = 1;
    return compute == 68 && scale == 0 || compute == 72 && scale == 10 ? 0 : INVALID_VALUE;
}
EXPORT int cublasLtMatmulDescSetAttribute(struct desc *d, int what, const void *v, size_t n) {
    switch (what) {
    case 3: d->ta = *(int *)v; return n == 4 ? 0 : INVALID_VALUE;
    case 4: d->tb = *(int *)v; return n == 4 ? 0 : INVALID_VALUE;
    case 7: d->epilogue = *(int *)v; return n == 4 ? 0 : INVALID_VALUE;
    case 8: d->bias = *(const float **)v; return n == 8 ? 0 : INVALID_VALUE;
    }
    return INVALID_VALUE;
}
EXPORT int cublasLtMatrixLayoutCreate(struct layout **l, int type, uint64_t rows, uint64_t cols, int64_t ld) {
    struct layout made = {type, rows, cols, ld, 1, 0};
    *l = malloc(sizeof made);
    **l = made;
    return rows && cols && ld >= (int64_t)rows ? 0 : INVALID_VALUE;
}
EXPORT int cublasLtMatrixLayoutSetAttribute(struct layout *l, int what, const void *v, size_t n) {
    if (what == 5 && n == 4) l->batch = *(int *)v;
    else if (what == 6 && n == 8) l->step = *(int64_t *)v;
    else return INVALID_VALUE;
    return 0;
}
EXPORT int cublasLtMatmulPreferenceCreate(struct preference **p) {
    *p = calloc(1, sizeof **p);
    (*p)->schemes = 7;
    return 0;
}
EXPORT int cublasLtMatmulPreferenceDestroy(struct preference *p) { free(p); return 0; }
EXPORT int cublasLtMatmulPreferenceSetAttribute(struct preference *p, int what, const void *v, size_t n) {
    if (what == 1 && n == 8) p->workspace = *(uint64_t *)v;
    else if (what == 3 && n == 4) p->schemes = *(uint32_t *)v;
    else if (what >= 5 && what <= 8 && n == 4) p->align[what - 5] = *(uint32_t *)v;
    else return INVALID_VALUE;
    return 0;
}
// fits_int8 says whether a product of int8 is one that tensor cores compute.
static int fits_int8(struct desc *d, struct layout *a, struct layout *b, struct layout *c, struct layout *to) {
    return d->compute == 72 && d->ta && !d->tb && d->epilogue == 1 && a->ld % 4 == 0 && b->ld % 4 == 0 && c->ld % 4 == 0 && a->rows % 4 == 0 &&
           a->cols % 4 == 0 && c->type == 10 && to->type == 10 && a->batch == 1;
}
// fits says whether a, b, c and d are of one product.
static int fits(struct desc *d, struct layout *a, struct layout *b, struct layout *c, struct layout *to) {
    uint64_t m = d->ta ? a->cols : a->rows, k = d->ta ? a->rows : a->cols, n = d->tb ? b->rows : b->cols;
    return (d->tb ? b->cols : b->rows) == k && c->rows == m && c->cols == n && to->rows == m && to->cols == n && a->type == b->type &&
           (a->type == 3 ? fits_int8(d, a, b, c, to) : d->compute == 68 && (a->type == 0 || a->type == 14) && c->type == 0 && to->type == 0) && a->batch == b->batch && a->batch == c->batch && a->batch == to->batch;
}
EXPORT int cublasLtMatmulAlgoGetHeuristic(void *h, struct desc *d, struct layout *a, struct layout *b, struct layout *c, struct layout *to,
                                          struct preference *p, int most, struct result *r, int *n) {
    asked++;
    *n = 0;
    if (h != last || most != 1 || !fits(d, a, b, c, to)) return INVALID_VALUE;
    if (no_bias && d->epilogue != 1) return NOT_SUPPORTED;
    snprintf(last, sizeof last, "workspace %lu, schemes %u, alignment %u %u %u %u", (unsigned long)p->workspace, p->schemes, p->align[0], p->align[1], p->align[2], p->align[3]);
    memset(r, 0, sizeof *r);
    r->algorithm[0] = 42;
    *n = 1;
    return 0;
}

static float number(const void *at, int type, int64_t i) {
    if (type == 0) return ((const float *)at)[i];
    uint32_t u = (uint32_t)((const uint16_t *)at)[i] << 16;
    float f;
    memcpy(&f, &u, 4);
    return f;
}
// product is a product with all that it is of.
struct product {
    struct desc d;
    float alpha, beta;
    const void *a, *b;
    const float *c;
    float *to;
    struct layout la, lb, lc, lto;
};
static int compute_int8(const struct product *p) {
    const signed char *a = p->a, *b = p->b;
    int *to = (int *)p->to;
    for (uint64_t j = 0; j < p->lto.cols; j++)
        for (uint64_t i = 0; i < p->lto.rows; i++) {
            const signed char *x = a + i * p->la.ld, *y = b + j * p->lb.ld;
            int sum = 0;
            for (uint64_t k = 0; k < p->la.rows; k++) sum += x[k] * y[k];
            to[i + j * p->lto.ld] = sum;
        }
    return 0;
}
static int compute(const void *data) {
    const struct product *p = data;
    if (p->la.type == 3) return compute_int8(p);
    const struct layout *la = &p->la, *lb = &p->lb, *lc = &p->lc, *lto = &p->lto;
    uint64_t depth = p->d.ta ? la->rows : la->cols;
    for (int n = 0; n < lto->batch; n++)
        for (uint64_t i = 0; i < lto->rows; i++)
            for (uint64_t j = 0; j < lto->cols; j++) {
                double sum = 0;
                for (uint64_t k = 0; k < depth; k++)
                    sum += (double)number(p->a, la->type, n * la->step + (p->d.ta ? (int64_t)k + i * la->ld : (int64_t)i + k * la->ld)) *
                           number(p->b, lb->type, n * lb->step + (p->d.tb ? (int64_t)j + k * lb->ld : (int64_t)k + j * lb->ld));
                sum *= p->alpha;
                if (p->beta != 0) sum += p->beta * p->c[n * lc->step + i + j * lc->ld];
                if (p->d.epilogue == 4) sum += p->d.bias[i];
                p->to[n * lto->step + i + j * lto->ld] = (float)sum;
            }
    return 0;
}
// How the stub of libcuda keeps what a stream is asked while it is recorded.
static int (*record)(int (*run)(const void *), const void *data, size_t bytes);
EXPORT void stub_recorder(int (*f)(int (*)(const void *), const void *, size_t)) { record = f; }

EXPORT int cublasLtMatmul(void *h, struct desc *d, const float *alpha, const void *a, struct layout *la, const void *b, struct layout *lb,
                          const float *beta, const float *c, struct layout *lc, float *to, struct layout *lto, const uint64_t *algorithm,
                          void *workspace, size_t size, void *stream) {
    if (h != last || !fits(d, la, lb, lc, lto) || algorithm[0] != 42 || !stream || !workspace != !size) return INVALID_VALUE;
    if (la->type == 3 && (*(int *)alpha != 1 || *(int *)beta != 0)) return INVALID_VALUE;
    struct product p = {*d, *alpha, *beta, a, b, c, to, *la, *lb, *lc, *lto};
    return record && record(compute, &p, sizeof p) ? 0 : compute(&p);
}
