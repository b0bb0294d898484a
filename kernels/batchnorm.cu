// Batch norms: means and variances of columns, and what is linear by columns after them.
#include "columns.cuh"

// parts [2][most/128, cols]: of 128 rows each the means, then the sums of squares about
// them.
// grid: cols/32, most/128
extern "C" __global__ void capgraph_moments_parts(float *parts, const float *x, const int *count, int most, int cols) {
    int column = block_x() * WARP + lane(), n = counted(count, most), end = part_end(n);
    float sum = 0, squares = 0;
    if (column < cols)
        for (int i = part_begin(); i < end; i += WARPS) sum += x[(index)i * cols + column];
    int rows = end - block_y() * PART;
    float mean = column_sum(sum) / (rows > 0 ? rows : 1);
    if (column < cols)
        for (int i = part_begin(); i < end; i += WARPS) {
            float off = x[(index)i * cols + column] - mean;
            squares += off * off;
        }
    squares = column_sum(squares);
    if (warp() > 0 || column >= cols) return;
    parts[(index)block_y() * cols + column] = mean;
    parts[((index)((most + PART - 1) / PART) + block_y()) * cols + column] = squares;
}

// mean and variance [cols] of all rows, of capgraph_moments_parts (Chan, Golub and LeVeque
// 1983, eq. 1.5).
// grid: cols/32
extern "C" __global__ void capgraph_moments(float *mean, float *variance, const float *parts, const int *count, int most, int cols) {
    int column = block_x() * WARP + lane(), n = counted(count, most), used = (n + PART - 1) / PART;
    const float *squares_of = parts + (index)((most + PART - 1) / PART) * cols;
    float sum = 0, squares = 0;
    if (column < cols)
        for (int i = warp(); i < used; i += WARPS) {
            int rows = n - i * PART < PART ? n - i * PART : PART;
            sum += parts[(index)i * cols + column] * rows;
        }
    float all = column_sum(sum) / (n > 0 ? n : 1);
    if (column < cols)
        for (int i = warp(); i < used; i += WARPS) {
            int rows = n - i * PART < PART ? n - i * PART : PART;
            float off = parts[(index)i * cols + column] - all;
            squares += squares_of[(index)i * cols + column] + off * off * rows;
        }
    squares = column_sum(squares);
    if (warp() > 0 || column >= cols) return;
    mean[column] = all;
    variance[column] = squares / (n > 0 ? n : 1);
}

// mean and variance [cols] move by momentum to those of a batch, whose variance is times
// unbiased.
// grid: cols/256
extern "C" __global__ void capgraph_moments_move(float *mean, float *variance, const float *batch_mean, const float *batch_variance,
                                                 float momentum, float unbiased, int cols) {
    index k = element();
    if (k >= cols) return;
    mean[k] += momentum * (batch_mean[k] - mean[k]);
    variance[k] += momentum * (batch_variance[k] * unbiased - variance[k]);
}

// y [most, cols] = (x − mean) / √(variance + eps) · gain + bias + residual, and half, which
// is y in bf16; residual may be none. What is below 0 is 0 where rectified is set.
// grid: most*cols/256
extern "C" __global__ void capgraph_batchnorm_forward(float *y, bf16 *half, const float *x, const float *mean, const float *variance,
                                                      const float *gain, const float *bias, const float *residual, float eps,
                                                      int rectified, const int *count, int most, int cols) {
    index i = element();
    if (i >= (index)most * cols) return;
    int k = (int)(i - divided(i, cols) * cols);
    if (i >= (index)counted(count, most) * cols) {
        both(y, half, i, 0);
        return;
    }
    float v = (x[i] - mean[k]) * (gain[k] / square_root(variance[k] + eps)) + bias[k];
    if (residual != 0) v += residual[i];
    both(y, half, i, rectified && v < 0 ? 0 : v);
}

// dy [most, cols] becomes 0 where y is, if it is rectified, and parts [2][most/128, cols]
// are the sums over 128 rows of dy·(x − mean)/√(variance + eps), then of dy, as
// capgraph_column_sum wants them.
// grid: cols/32, most/128
extern "C" __global__ void capgraph_batchnorm_sums(float *dy, float *parts, const float *y, const float *x, const float *mean,
                                                   const float *variance, float eps, int rectified, const int *count, int most,
                                                   int cols) {
    int column = block_x() * WARP + lane(), n = counted(count, most);
    float along = 0, sum = 0;
    if (column < cols)
        for (int i = part_begin(); i < part_end(most); i += WARPS) {
            index at = (index)i * cols + column;
            float d = i < n ? dy[at] : 0;
            if (rectified && i < n && y[at] == 0) d = 0;
            if (rectified) dy[at] = d;
            if (i >= n) continue;
            along += d * (x[at] - mean[column]);
            sum += d;
        }
    along = column_sum(along);
    sum = column_sum(sum);
    if (warp() > 0 || column >= cols) return;
    parts[(index)block_y() * cols + column] = along / square_root(variance[column] + eps);
    parts[((index)((most + PART - 1) / PART) + block_y()) * cols + column] = sum;
}

// dx [most, cols], of the sums over all rows: along [cols], then sum.
// grid: most*cols/256
extern "C" __global__ void capgraph_batchnorm_backward(float *dx, const float *dy, const float *x, const float *mean,
                                                       const float *variance, const float *gain, const float *along, const float *sum,
                                                       float eps, const int *count, int most, int cols, int add) {
    index i = element();
    if (i >= (index)most * cols) return;
    int k = (int)(i - divided(i, cols) * cols), n = counted(count, most);
    if (i >= (index)n * cols) {
        if (!add) dx[i] = 0;
        return;
    }
    float inverse = 1 / square_root(variance[k] + eps), normal = (x[i] - mean[k]) * inverse;
    put(dx, i, inverse * gain[k] * (dy[i] - sum[k] / n - normal * (along[k] / n)), add);
}
