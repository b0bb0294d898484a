// The structured similarity of an image with graphs: a thread takes a graph.
#include "functions.cuh"

__device__ static inline float sum_of(const float *x, int first, int end) {
    float sum = 0;
    for (int i = first; i < end; i++) sum += x[i];
    return sum;
}

// s [graphs], of nodes and relations from node_starts and relation_starts [graphs+1].
// grid: graphs/256
extern "C" __global__ void capgraph_score_forward(float *s, const float *nodes, const float *relations, const float *weights,
                                                  const float *log_scale, const int *node_starts, const int *relation_starts,
                                                  const int *count, int graphs) {
    index g = element();
    if (g >= graphs) return;
    s[g] = 0;
    if (g >= counted(count, graphs)) return;
    float a = softplus(weights[0]), b = softplus(weights[1]);
    int n = node_starts[g + 1] - node_starts[g], r = relation_starts[g + 1] - relation_starts[g];
    if (n + r == 0) return;
    float all = a * sum_of(nodes, node_starts[g], node_starts[g + 1]) + b * sum_of(relations, relation_starts[g], relation_starts[g + 1]);
    s[g] = exponential(log_scale[0]) * all / (a * n + b * r);
}

// The gradients of nodes and relations, each of which may be none, and the terms of
// those of the two weights and of log_scale, one after the other, [3, graphs].
// grid: graphs/256
extern "C" __global__ void capgraph_score_backward(float *dnodes, float *drelations, float *terms, const float *ds, const float *s,
                                                   const float *nodes, const float *relations, const float *weights,
                                                   const float *log_scale, const int *node_starts, const int *relation_starts,
                                                   const int *count, int graphs, int add_nodes, int add_relations) {
    index g = element();
    if (g >= graphs) return;
    terms[g] = terms[graphs + g] = terms[2 * (index)graphs + g] = 0;
    if (g >= counted(count, graphs)) return;
    float a = softplus(weights[0]), b = softplus(weights[1]);
    int n = node_starts[g + 1] - node_starts[g], r = relation_starts[g + 1] - relation_starts[g];
    if (n + r == 0) return;
    float of = a * n + b * r, slope = exponential(log_scale[0]) * ds[g] / of;
    float sum_n = sum_of(nodes, node_starts[g], node_starts[g + 1]), sum_r = sum_of(relations, relation_starts[g], relation_starts[g + 1]);
    float mean = (a * sum_n + b * sum_r) / of;
    for (int i = node_starts[g]; dnodes != 0 && i < node_starts[g + 1]; i++) put(dnodes, i, slope * a, add_nodes);
    for (int i = relation_starts[g]; drelations != 0 && i < relation_starts[g + 1]; i++) put(drelations, i, slope * b, add_relations);
    terms[g] = slope * (sum_n - mean * n) * logistic(weights[0]);
    terms[graphs + g] = slope * (sum_r - mean * r) * logistic(weights[1]);
    terms[2 * (index)graphs + g] = ds[g] * s[g];
}
