// Kernels that the time model was not fitted to: it is tested on them. other_launches.csv says how each is launched.

// ---- copies and streams
template <typename T>
__global__ void copy_one(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
template <typename T, int k>
__global__ void copy_some(const T* __restrict__ in, T* __restrict__ out, int n) {
  const int base = blockIdx.x * blockDim.x * k + threadIdx.x;
  T values[k];
#pragma unroll
  for (int j = 0; j < k; ++j)
    if (base + j * blockDim.x < n) values[j] = in[base + j * blockDim.x];
#pragma unroll
  for (int j = 0; j < k; ++j)
    if (base + j * blockDim.x < n) out[base + j * blockDim.x] = values[j];
}
__global__ void copy_shifted(const float* in, float* out, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + offset] = in[i + offset];
}
__global__ void copy_strided(const float* in, float* out, int n, int stride) {
  const long long i = (long long)(blockIdx.x * blockDim.x + threadIdx.x) * stride;
  if (i < n) out[i] = in[i];
}
__global__ void copy_loop(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i];
}
__global__ void copy_hog(const float* in, float* out, int n) {  // shared memory keeps others out
  extern __shared__ float room[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  room[threadIdx.x] = 0;
  if (i < n) out[i] = in[i] + room[threadIdx.x];
}
template <typename T>
__global__ void fill_one(T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = T(1);
}
__global__ void triad(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + 3.0f * b[i];
}
__global__ void five_streams(const float* a, const float* b, const float* c, const float* d,
                             float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] * b[i] + c[i] * d[i];
}
__global__ void update(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * 2 + 1;
}

// ---- reductions
__global__ void reduce_modulo(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    if (threadIdx.x % (2 * s) == 0) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void reduce_strided(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    const int at = 2 * s * threadIdx.x;
    if (at < 256) part[at] += part[at + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void reduce_halving(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void reduce_shuffle(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  __shared__ float warps[32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
__global__ void reduce_vector(const float4* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 v = in[i];
    sum += v.x + v.y + v.z + v.w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
__global__ void reduce_rows(const float* in, float* out, int rows, int cols) {  // a thread a row
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += in[r * cols + c];
  out[r] = sum;
}
__global__ void reduce_cols(const float* in, float* out, int rows, int cols) {  // a thread a column
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += in[r * cols + c];
  out[c] = sum;
}
__global__ void reduce_rows_warp(const float* in, float* out, int rows, int cols) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += in[r * cols + c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) out[r] = sum;
}

// ---- stencils
__global__ void stencil1d(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 3 && i < n - 3) {
    float sum = 0;
    for (int d = -3; d <= 3; ++d) sum += in[i + d];
    out[i] = sum;
  }
}
__global__ void stencil1d_tile(const float* in, float* out, int n) {
  __shared__ float tile[256 + 6];
  const int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = threadIdx.x; k < 262; k += 256) {
    const int at = blockIdx.x * 256 + k - 3;
    tile[k] = at >= 0 && at < n ? in[at] : 0;
  }
  __syncthreads();
  if (i >= 3 && i < n - 3) {
    float sum = 0;
    for (int d = 0; d <= 6; ++d) sum += tile[threadIdx.x + d];
    out[i] = sum;
  }
}
__global__ void stencil2d(const float* in, float* out, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r > 0 && r < rows - 1 && c > 0 && c < cols - 1)
    out[r * cols + c] = 0.25f * (in[(r - 1) * cols + c] + in[(r + 1) * cols + c] +
                                 in[r * cols + c - 1] + in[r * cols + c + 1]) -
                        in[r * cols + c];
}
__global__ void stencil2d_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[34][34];
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 34 * 34; k += 1024) {
    const int y = blockIdx.y * 32 + k / 34 - 1, x = blockIdx.x * 32 + k % 34 - 1;
    tile[k / 34][k % 34] = y >= 0 && y < rows && x >= 0 && x < cols ? in[y * cols + x] : 0;
  }
  __syncthreads();
  if (r > 0 && r < rows - 1 && c > 0 && c < cols - 1) {
    const int y = threadIdx.y + 1, x = threadIdx.x + 1;
    out[r * cols + c] =
        0.25f * (tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1]) - tile[y][x];
  }
}
__global__ void stencil3d(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  const long long i = ((long long)z * n + y) * n + x;
  out[i] =
      in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i];
}
__global__ void blur_columns(const float* in, float* out, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= cols || r < 4 || r >= rows - 4) return;
  float sum = 0;
  for (int d = -4; d <= 4; ++d) sum += in[(r + d) * cols + c];
  out[r * cols + c] = sum;
}

// ---- gathers and scatters; n is a power of two
__device__ unsigned mixed(unsigned i) {
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  return i ^ (i >> 16);
}
__global__ void gather_random(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[mixed(i) & (n - 1)];
}
__global__ void gather_near(const float* in, float* out, int n) {  // within 1024 neighbours
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i & ~1023) | (mixed(i) & 1023)];
}
__global__ void gather_lines(const float* in, float* out, int n) {  // whole 128-byte lines
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[((mixed(i / 32) * 32) & (n - 1)) | (i & 31)];
}
__global__ void gather_table(const int* index, const float* table, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[index[i]];
}
__global__ void scatter_random(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[(i * 0x9e3779b1u) & (n - 1)] = in[i];
}
__global__ void scatter_near(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[(i & ~1023) | ((i * 613u) & 1023)] = in[i];
}
__global__ void reverse(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}

// ---- layouts
struct Point3 {
  float x, y, z;
};
__global__ void points_aos(const Point3* in, Point3* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const Point3 p = in[i];
    out[i] = Point3{p.x + 1, p.y + 2, p.z + 3};
  }
}
__global__ void points_soa(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float x = in[i], y = in[n + i], z = in[2 * n + i];
    out[i] = x + 1;
    out[n + i] = y + 2;
    out[2 * n + i] = z + 3;
  }
}
struct Body {
  float value[8];
};
__global__ void bodies_aos(const Body* in, Body* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 8; ++k) out[i].value[k] = in[i].value[k] * 2;
}
__global__ void bodies_soa(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 8; ++k) out[k * n + i] = in[k * n + i] * 2;
}
__global__ void bodies_one_field(const Body* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].value[3];
}

// ---- matrices
__global__ void matvec_row(const float* a, const float* x, float* y, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  float sum = 0;
  for (int c = 0; c < n; ++c) sum += a[r * n + c] * x[c];
  y[r] = sum;
}
__global__ void matvec_warp(const float* a, const float* x, float* y, int n) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= n) return;
  float sum = 0;
  for (int c = lane; c < n; c += 32) sum += a[r * n + c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) y[r] = sum;
}
template <int side>
__global__ void product_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float as[side][side], bs[side][side];
  const int col = blockIdx.x * side + threadIdx.x, row = blockIdx.y * side + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += side) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
    __syncthreads();
    for (int j = 0; j < side; ++j) sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
__global__ void product_plain(const float* a, const float* b, float* c, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
template <typename T, int pad>
__global__ void turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[32][32 + pad];
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y)
    if (c < cols && r + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(r + j) * cols + c];
  __syncthreads();
  c = blockIdx.x * 32 + threadIdx.y;
  r = blockIdx.y * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += blockDim.y)
    if (c + j < cols && r < rows) out[(c + j) * rows + r] = tile[threadIdx.x][threadIdx.y + j];
}
template <typename T>
__global__ void turn_read(const T* in, T* out, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
template <typename T>
__global__ void turn_write(const T* in, T* out, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

// ---- atomics, scans, arithmetic
__global__ void histogram_global(const int* in, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i] & 255], 1);
}
__global__ void histogram_shared(const int* in, int* bins, int n) {
  __shared__ int mine[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) mine[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i] & 255], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&bins[k], mine[k]);
}
__global__ void scan_block(const float* in, float* out, int n) {
  __shared__ float a[2][1024];
  const int i = blockIdx.x * 1024 + threadIdx.x;
  a[0][threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  int from = 0;
  for (int d = 1; d < 1024; d *= 2) {
    a[1 - from][threadIdx.x] =
        a[from][threadIdx.x] + (threadIdx.x >= d ? a[from][threadIdx.x - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = a[from][threadIdx.x];
}
template <typename T, int k>
__global__ void polynomial(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T x = in[i];
  T y = 1;
#pragma unroll
  for (int j = 0; j < k; ++j) y = y * x + T(0.5);
  out[i] = y;
}
template <int k>
__global__ void polynomials(const float* in, float* out, int n) {  // four at a time
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float y0 = 1, y1 = 2, y2 = 3, y3 = 4;
#pragma unroll
  for (int j = 0; j < k; ++j) {
    y0 = y0 * x + 0.5f;
    y1 = y1 * x + 0.25f;
    y2 = y2 * x + 0.125f;
    y3 = y3 * x + 2.0f;
  }
  out[i] = y0 + y1 + y2 + y3;
}
template <int stride>
__global__ void shared_walk(const float* in, float* out, int n) {
  __shared__ float a[1024 + 32];
  const int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = threadIdx.x; k < 1024; k += 256) a[k] = in[i & (n - 1)];
  __syncthreads();
  float sum = 0;
  int at = (threadIdx.x * stride) & 1023;
#pragma unroll 8
  for (int j = 0; j < 64; ++j) {
    sum += a[at];
    at = (at + 33) & 1023;
  }
  if (i < n) out[i] = sum;
}
