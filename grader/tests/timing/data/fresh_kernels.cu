// Forty-four kernels in the manner of many authors. fresh_launches.csv says how each is launched.
#include <cuda_fp16.h>

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}
__device__ __forceinline__ unsigned wang(unsigned s) {
  s = (s ^ 61u) ^ (s >> 16);
  s *= 9u;
  s ^= s >> 4;
  s *= 0x27d4eb2du;
  return s ^ (s >> 15);
}

// ---- 1. softmax and layer norm
// a warp a row of 1024, the row kept in registers
__global__ void softmax_warp(const float4* __restrict__ in, float4* __restrict__ out, int rows) {
  const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (row >= rows) return;
  const float4* src = in + (size_t)row * 256;
  float4* dst = out + (size_t)row * 256;
  float4 v[8];
  float m = -3.0e38f;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    v[j] = src[j * 32 + lane];
    m = fmaxf(m, fmaxf(fmaxf(v[j].x, v[j].y), fmaxf(v[j].z, v[j].w)));
  }
  m = warp_max(m);
  float s = 0;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    v[j].x = expf(v[j].x - m);
    v[j].y = expf(v[j].y - m);
    v[j].z = expf(v[j].z - m);
    v[j].w = expf(v[j].w - m);
    s += v[j].x + v[j].y + v[j].z + v[j].w;
  }
  const float inv = 1.0f / warp_sum(s);
#pragma unroll
  for (int j = 0; j < 8; ++j)
    dst[j * 32 + lane] = make_float4(v[j].x * inv, v[j].y * inv, v[j].z * inv, v[j].w * inv);
}
// a block a row, the row staged in dynamic shared memory
__global__ void softmax_block(const float* in, float* out, int cols) {
  extern __shared__ float row_values[];
  __shared__ float part[32];
  const float* src = in + (size_t)blockIdx.x * cols;
  float* dst = out + (size_t)blockIdx.x * cols;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  float m = -3.0e38f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float v = src[c];
    row_values[c] = v;
    m = fmaxf(m, v);
  }
  m = warp_max(m);
  if (lane == 0) part[warp] = m;
  __syncthreads();
  m = warp_max(lane < warps ? part[lane] : -3.0e38f);
  __syncthreads();
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float e = __expf(row_values[c] - m);
    row_values[c] = e;
    s += e;
  }
  s = warp_sum(s);
  if (lane == 0) part[warp] = s;
  __syncthreads();
  s = warp_sum(lane < warps ? part[lane] : 0.0f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) dst[c] = row_values[c] / s;
}
// online softmax: one pass for maximum and sum, one to write; 128 threads
__global__ void softmax_online(const float* in, float* out, int cols) {
  __shared__ float ms[128], ss[128];
  const float* src = in + (size_t)blockIdx.x * cols;
  const int t = threadIdx.x;
  float m = -3.0e38f, s = 0;
  for (int c = t; c < cols; c += 128) {
    const float v = src[c];
    const float higher = fmaxf(m, v);
    s = s * expf(m - higher) + expf(v - higher);
    m = higher;
  }
  ms[t] = m;
  ss[t] = s;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) {
      const float higher = fmaxf(ms[t], ms[t + d]);
      ss[t] = ss[t] * expf(ms[t] - higher) + ss[t + d] * expf(ms[t + d] - higher);
      ms[t] = higher;
    }
    __syncthreads();
  }
  m = ms[0];
  s = ss[0];
  for (int c = t; c < cols; c += 128) out[(size_t)blockIdx.x * cols + c] = expf(src[c] - m) / s;
}
// layer norm of rows of 1024 halves, 128 threads a row, 8 halves a thread
__global__ void layernorm_half(const uint4* in, const float* gamma, const float* beta, uint4* out,
                               float eps) {
  __shared__ float part[2][4];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  const size_t at = (size_t)blockIdx.x * 128 + t;
  const uint4 packed = in[at];
  const __half2* h = reinterpret_cast<const __half2*>(&packed);
  float x[8], s = 0, q = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const float2 f = __half22float2(h[j]);
    x[2 * j] = f.x;
    x[2 * j + 1] = f.y;
    s += f.x + f.y;
    q += f.x * f.x + f.y * f.y;
  }
  s = warp_sum(s);
  q = warp_sum(q);
  if (lane == 0) {
    part[0][warp] = s;
    part[1][warp] = q;
  }
  __syncthreads();
  const float mean = (part[0][0] + part[0][1] + part[0][2] + part[0][3]) * (1.0f / 1024);
  const float square = (part[1][0] + part[1][1] + part[1][2] + part[1][3]) * (1.0f / 1024);
  const float inv = rsqrtf(square - mean * mean + eps);
  uint4 result;
  __half2* r = reinterpret_cast<__half2*>(&result);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int c = t * 8 + 2 * j;
    r[j] = __floats2half2_rn((x[2 * j] - mean) * inv * gamma[c] + beta[c],
                             (x[2 * j + 1] - mean) * inv * gamma[c + 1] + beta[c + 1]);
  }
  out[at] = result;
}

// ---- 2. all pairs
// n a multiple of 256, bodies are x, y, z, mass
__global__ void bodies_shared(const float4* __restrict__ body, float4* __restrict__ force, int n,
                              float soft) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 me = body[i];
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += 256) {
    tile[threadIdx.x] = body[base + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float r2 = dx * dx + dy * dy + dz * dz + soft;
      const float inv = rsqrtf(r2);
      const float f = other.w * inv * inv * inv;
      ax += dx * f;
      ay += dy * f;
      az += dz * f;
    }
    __syncthreads();
  }
  force[i] = make_float4(ax, ay, az, me.w);
}
// every thread reads all bodies from global memory
__global__ void bodies_global(const float4* __restrict__ body, float* out, int n, float soft) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = body[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    const float4 other = __ldg(&body[j]);
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + soft);
    const float f = other.w * inv * inv * inv;
    ax += dx * f;
    ay += dy * f;
    az += dz * f;
  }
  out[i] = ax;
  out[n + i] = ay;
  out[2 * n + i] = az;
}
__global__ void bodies_double(const double* x, const double* y, const double* z, double* out,
                              int n) {
  __shared__ double sx[64], sy[64], sz[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  const double px = x[i], py = y[i], pz = z[i];
  double ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += 64) {
    sx[t] = x[base + t];
    sy[t] = y[base + t];
    sz[t] = z[base + t];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < 64; ++j) {
      const double dx = sx[j] - px, dy = sy[j] - py, dz = sz[j] - pz;
      const double inv = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
      const double f = inv * inv * inv;
      ax += dx * f;
      ay += dy * f;
      az += dz * f;
    }
    __syncthreads();
  }
  out[3 * i] = ax;
  out[3 * i + 1] = ay;
  out[3 * i + 2] = az;
}
// Lennard-Jones with a cutoff, two atoms a thread, 64 threads, any n
__global__ void atoms_cutoff(const float* x, const float* y, const float* z, float* out, int n,
                             float cutoff2) {
  __shared__ float sx[128], sy[128], sz[128];
  const int t = threadIdx.x;
  float px[2], py[2], pz[2], fx[2] = {0, 0}, fy[2] = {0, 0}, fz[2] = {0, 0};
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int i = blockIdx.x * 128 + t + 64 * k;
    px[k] = i < n ? x[i] : 9.0f;
    py[k] = i < n ? y[i] : 9.0f;
    pz[k] = i < n ? z[i] : 9.0f;
  }
  for (int base = 0; base < n; base += 128) {
    for (int k = t; k < 128; k += 64)
      if (base + k < n) {
        sx[k] = x[base + k];
        sy[k] = y[base + k];
        sz[k] = z[base + k];
      }
    __syncthreads();
    const int count = min(128, n - base);
    for (int j = 0; j < count; ++j) {
      const float qx = sx[j], qy = sy[j], qz = sz[j];
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const float dx = px[k] - qx, dy = py[k] - qy, dz = pz[k] - qz;
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff2 && r2 > 0.0f) {
          const float inv = 1.0f / (r2 + 0.02f);
          const float six = inv * inv * inv;
          const float f = (48.0f * six * six - 24.0f * six) * inv;
          fx[k] += f * dx;
          fy[k] += f * dy;
          fz[k] += f * dz;
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int i = blockIdx.x * 128 + t + 64 * k;
    if (i < n) {
      out[i] = fx[k];
      out[n + i] = fy[k];
      out[2 * n + i] = fz[k];
    }
  }
}

// ---- 3. integers
__global__ void xorshift_chain(const int* seed, int* out, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned s = seed[i] * 2654435761u + i + 1u;
  for (int k = 0; k < steps; ++k) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
  }
  out[i] = s;
}
// murmur3 of 64 bytes, each thread its own
__global__ void murmur_blocks(const uint4* data, unsigned* out, int n, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = seed;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const uint4 v = data[(size_t)i * 4 + j];
    const unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      unsigned q = w[k] * 0xcc9e2d51u;
      q = (q << 15) | (q >> 17);
      h ^= q * 0x1b873593u;
      h = (h << 13) | (h >> 19);
      h = h * 5u + 0xe6546b64u;
    }
  }
  h ^= 64u;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  out[i] = h ^ (h >> 16);
}
// sum of the digits in a base that is only known at run time
__global__ void digit_sum(const int* in, int* out, int n, int base) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = wang(in[i] * 4099u + i);
  const unsigned b = base;
  unsigned sum = 0;
  while (v != 0) {
    sum += v % b;
    v /= b;
  }
  out[i] = sum;
}
// splitmix64, with population counts and bit reversal
template <int rounds>
__global__ void splitmix_bits(const int* in, unsigned long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long state = in[i] + ((unsigned long long)i << 20), total = 0;
#pragma unroll 4
  for (int k = 0; k < rounds; ++k) {
    state += 0x9e3779b97f4a7c15ull;
    unsigned long long z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    total += __popcll(z & total) + (__brevll(z) >> 7);
  }
  out[i] = total;
}

// ---- 4. atomics
// one table of 256 bins a block, four bytes a load
__global__ void byte_histogram(const uint1* in, unsigned* bins, int words) {
  __shared__ unsigned table[256];
  if (threadIdx.x < 256) table[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
    const unsigned v = in[i].x;
    atomicAdd(&table[v & 255], 1u);
    atomicAdd(&table[(v >> 8) & 255], 1u);
    atomicAdd(&table[(v >> 16) & 255], 1u);
    atomicAdd(&table[v >> 24], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 256) atomicAdd(&bins[threadIdx.x], table[threadIdx.x]);
}
// a table a warp, 256 threads; for few distinct values
__global__ void byte_histogram_warps(const uchar4* in, unsigned* bins, int quads) {
  __shared__ unsigned table[8][256];
  for (int k = threadIdx.x; k < 8 * 256; k += 256) table[k >> 8][k & 255] = 0;
  __syncthreads();
  unsigned* mine = table[threadIdx.x >> 5];
  for (int i = blockIdx.x * 256 + threadIdx.x; i < quads; i += gridDim.x * 256) {
    const uchar4 v = in[i];
    atomicAdd(mine + v.x, 1u);
    atomicAdd(mine + v.y, 1u);
    atomicAdd(mine + v.z, 1u);
    atomicAdd(mine + v.w, 1u);
  }
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int w = 0; w < 8; ++w) sum += table[w][threadIdx.x];
  if (sum) atomicAdd(&bins[threadIdx.x], sum);
}
// what passes a threshold is listed in the block's own part of the output; one counter a block
__global__ void select_counter(const float* in, int* list, int* counts, int n, float limit) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > limit) {
    const int slot = atomicAdd(&count, 1);
    list[blockIdx.x * blockDim.x + slot] = i;
  }
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}
// keys 0..1023 are spread over 65536 sums
__global__ void scatter_sums(const int* key, const float* value, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned at = (key[i] * 64u + (wang(i) & 63u)) & 65535u;
  atomicAdd(&sums[at], value[i]);
}

// ---- 5. stores only, loads only
__global__ void fill_sixteen(uint4* out, int n, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = make_uint4(seed, i, seed ^ i, 0xffffffffu);
}
__global__ void fill_strided_eight(float2* out, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[(size_t)i * stride] = make_float2(1.5f, (float)i);
}
// greatest of all, four loads of 16 bytes in flight; 256 threads
__global__ void greatest_sixteen(const int4* __restrict__ in, int* out, int n) {
  const int step = gridDim.x * 256;
  int i = blockIdx.x * 256 + threadIdx.x;
  int best = -2147483647;
  for (; i + 3 * step < n; i += 4 * step) {
    const int4 a = in[i], b = in[i + step], c = in[i + 2 * step], d = in[i + 3 * step];
    best = max(best, max(max(a.x, a.y), max(a.z, a.w)));
    best = max(best, max(max(b.x, b.y), max(b.z, b.w)));
    best = max(best, max(max(c.x, c.y), max(c.z, c.w)));
    best = max(best, max(max(d.x, d.y), max(d.z, d.w)));
  }
  for (; i < n; i += step) {
    const int4 a = in[i];
    best = max(best, max(max(a.x, a.y), max(a.z, a.w)));
  }
  __shared__ int part[256];
  part[threadIdx.x] = best;
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (threadIdx.x < d) part[threadIdx.x] = max(part[threadIdx.x], part[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
// every block sums the whole array, starting elsewhere; n a power of two, 256 threads
__global__ void sum_again(const float* in, float* out, int n) {
  const int start = blockIdx.x * 3968 + threadIdx.x;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma unroll 2
  for (int k = 0; k < n; k += 1024) {
    s0 += in[(start + k) & (n - 1)];
    s1 += in[(start + k + 256) & (n - 1)];
    s2 += in[(start + k + 512) & (n - 1)];
    s3 += in[(start + k + 768) & (n - 1)];
  }
  const float s = warp_sum((s0 + s1) + (s2 + s3));
  if ((threadIdx.x & 31) == 0) out[blockIdx.x * 8 + (threadIdx.x >> 5)] = s;
}

// ---- 6. products of matrices, tiled in registers; sizes are multiples of the tiles
__global__ void gemm_64x64(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[16][65], bs[16][64];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      as[t & 15][(t >> 4) + 16 * j] = a[(row0 + (t >> 4) + 16 * j) * k + k0 + (t & 15)];
      bs[(t >> 6) + 4 * j][t & 63] = b[(k0 + (t >> 6) + 4 * j) * n + col0 + (t & 63)];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 16; ++kk) {
      float x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        x[i] = as[kk][ty + 16 * i];
        y[i] = bs[kk][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) c[(row0 + ty + 16 * i) * n + col0 + tx + 16 * j] = sum[i][j];
}
// 128x64 a block, 8x4 a thread, float4 loads, the next tile fetched early
__global__ void __launch_bounds__(256)
    gemm_128x64(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                int m, int n, int k) {
  __shared__ __align__(16) float as[8][132];
  __shared__ __align__(16) float bs[8][64];
  const int t = threadIdx.x, tx = t & 15, ty = t >> 4;
  const int row0 = blockIdx.y * 128, col0 = blockIdx.x * 64;
  const int ar = t >> 1, ak = (t & 1) * 4;
  const int br = (t & 127) >> 4, bc = (t & 15) * 4;
  float4 next_a = *reinterpret_cast<const float4*>(&a[(row0 + ar) * k + ak]);
  float4 next_b = make_float4(0, 0, 0, 0);
  if (t < 128) next_b = *reinterpret_cast<const float4*>(&b[br * n + col0 + bc]);
  float sum[8][4] = {};
  for (int k0 = 0; k0 < k; k0 += 8) {
    as[ak][ar] = next_a.x;
    as[ak + 1][ar] = next_a.y;
    as[ak + 2][ar] = next_a.z;
    as[ak + 3][ar] = next_a.w;
    if (t < 128) *reinterpret_cast<float4*>(&bs[br][bc]) = next_b;
    __syncthreads();
    if (k0 + 8 < k) {
      next_a = *reinterpret_cast<const float4*>(&a[(row0 + ar) * k + k0 + 8 + ak]);
      if (t < 128) next_b = *reinterpret_cast<const float4*>(&b[(k0 + 8 + br) * n + col0 + bc]);
    }
#pragma unroll
    for (int kk = 0; kk < 8; ++kk) {
      const float4 x0 = *reinterpret_cast<const float4*>(&as[kk][ty * 8]);
      const float4 x1 = *reinterpret_cast<const float4*>(&as[kk][ty * 8 + 4]);
      const float4 y = *reinterpret_cast<const float4*>(&bs[kk][tx * 4]);
      const float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        sum[i][0] += x[i] * y.x;
        sum[i][1] += x[i] * y.y;
        sum[i][2] += x[i] * y.z;
        sum[i][3] += x[i] * y.w;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    *reinterpret_cast<float4*>(&c[(row0 + ty * 8 + i) * n + col0 + tx * 4]) =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
// 32x32 a block, 2x2 a thread
__global__ void gemm_32x32(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[32][33];
  __shared__ __align__(8) float bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  const int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int k0 = 0; k0 < k; k0 += 32) {
    for (int e = t; e < 1024; e += 256) {
      as[e >> 5][e & 31] = a[(row0 + (e >> 5)) * k + k0 + (e & 31)];
      bs[e >> 5][e & 31] = b[(k0 + (e >> 5)) * n + col0 + (e & 31)];
    }
    __syncthreads();
#pragma unroll 8
    for (int kk = 0; kk < 32; ++kk) {
      const float x0 = as[2 * ty][kk], x1 = as[2 * ty + 1][kk];
      const float2 y = *reinterpret_cast<const float2*>(&bs[kk][2 * tx]);
      s00 += x0 * y.x;
      s01 += x0 * y.y;
      s10 += x1 * y.x;
      s11 += x1 * y.y;
    }
    __syncthreads();
  }
  float* to = c + (row0 + 2 * ty) * n + col0 + 2 * tx;
  to[0] = s00;
  to[1] = s01;
  to[n] = s10;
  to[n + 1] = s11;
}
// double precision, 64x64 a block, 4x4 a thread
__global__ void gemm_double(const double* __restrict__ a, const double* __restrict__ b, double* c,
                            int m, int n, int k) {
  __shared__ __align__(16) double as[8][66];
  __shared__ __align__(16) double bs[8][64];
  const int t = threadIdx.x, tx = t & 15, ty = t >> 4;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  const int ar = t >> 2, ak = (t & 3) * 2, br = t >> 5, bc = (t & 31) * 2;
  double sum[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += 8) {
    const double2 va = *reinterpret_cast<const double2*>(&a[(row0 + ar) * k + k0 + ak]);
    as[ak][ar] = va.x;
    as[ak + 1][ar] = va.y;
    *reinterpret_cast<double2*>(&bs[br][bc]) =
        *reinterpret_cast<const double2*>(&b[(k0 + br) * n + col0 + bc]);
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 8; ++kk) {
      double x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        x[i] = as[kk][ty * 4 + i];
        y[i] = bs[kk][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) c[(row0 + ty * 4 + i) * n + col0 + tx + 16 * j] = sum[i][j];
}

// ---- 7. stencils
// seven points, marching through a part of z with three planes in registers
__global__ void march_seven(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                            int nz, int part) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  const int plane = nx * ny;
  const int first = max(1, (int)blockIdx.z * part);
  const int last = min(nz - 1, ((int)blockIdx.z + 1) * part);
  int i = first * plane + y * nx + x;
  float below = in[i - plane], here = in[i];
  for (int z = first; z < last; ++z) {
    const float above = in[i + plane];
    out[i] = 0.4f * here + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
    below = here;
    here = above;
    i += plane;
  }
}
// 25 points, radius 4, in a volume with a margin of 4; 32x16 threads, tile of the plane in shared
__global__ void march_wide(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                           int nz) {
  __shared__ float tile[24][40];
  const int tx = threadIdx.x + 4, ty = threadIdx.y + 4;
  const int width = nx + 8, plane = width * (ny + 8);
  const int at = (blockIdx.y * 16 + ty) * width + blockIdx.x * 32 + tx;
  const float w[5] = {-2.847f, 1.6f, -0.2f, 0.02539f, -0.001785f};
  float q[9];
#pragma unroll
  for (int j = 0; j < 8; ++j) q[j + 1] = in[at + j * plane];
  for (int z = 0; z < nz; ++z) {
#pragma unroll
    for (int j = 0; j < 8; ++j) q[j] = q[j + 1];
    q[8] = in[at + (z + 8) * plane];
    const float* now = in + at + (z + 4) * plane;
    __syncthreads();
    tile[ty][tx] = q[4];
    if (threadIdx.y < 4) {
      tile[threadIdx.y][tx] = now[-4 * width];
      tile[ty + 16][tx] = now[16 * width];
    }
    if (threadIdx.x < 4) {
      tile[ty][threadIdx.x] = now[-4];
      tile[ty][tx + 32] = now[32];
    }
    __syncthreads();
    float sum = 3.0f * w[0] * q[4];
#pragma unroll
    for (int r = 1; r <= 4; ++r)
      sum += w[r] * (q[4 - r] + q[4 + r] + tile[ty - r][tx] + tile[ty + r][tx] + tile[ty][tx - r] +
                     tile[ty][tx + r]);
    out[at + (z + 4) * plane] = sum;
  }
}
// nine points, 32x16 threads, edges are repeated outwards
__global__ void nine_points(const float* in, float* out, int rows, int cols, float centre,
                            float side, float corner) {
  __shared__ float tile[18][34];
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 16 - 1;
  for (int k = t; k < 18 * 34; k += 512) {
    const int r = k / 34, c = k - r * 34;
    const int y = min(max(top + r, 0), rows - 1), x = min(max(left + c, 0), cols - 1);
    tile[r][c] = in[(size_t)y * cols + x];
  }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= cols || y >= rows) return;
  const int r = threadIdx.y + 1, c = threadIdx.x + 1;
  out[(size_t)y * cols + x] =
      centre * tile[r][c] +
      side * (tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1]) +
      corner * (tile[r - 1][c - 1] + tile[r - 1][c + 1] + tile[r + 1][c - 1] + tile[r + 1][c + 1]);
}
// radius 16 on a line, 128 threads and a halo
__global__ void line_halo(const float* in, float* out, int n) {
  __shared__ float line[128 + 32];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  line[t + 16] = i < n ? in[i] : 0.0f;
  if (t < 16) {
    line[t] = i >= 16 ? in[i - 16] : 0.0f;
    line[t + 144] = i + 128 < n ? in[i + 128] : 0.0f;
  }
  __syncthreads();
  float sum = line[t + 16];
#pragma unroll
  for (int d = 1; d <= 16; ++d) sum += (line[t + 16 - d] + line[t + 16 + d]) * (1.0f / (1 + d));
  if (i < n) out[i] = sum;
}

// ---- 8. sparse matrix times vector; raw columns are 0..1023, rows begin at row * k
__global__ void csr_warp(const float* value, const int* raw, const float* x, float* y, int rows,
                         int k) {  // x has 2^20 entries
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (row >= rows) return;
  const int end = (row + 1) * k;
  float sum = 0;
  for (int e = row * k + lane; e < end; e += 32) {
    const unsigned col = ((unsigned)raw[e] * 1024u + ((unsigned)e * 2654435761u >> 22)) & 0xfffffu;
    sum += value[e] * x[col];
  }
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}
__global__ void csr_thread(const float* value, const int* raw, const float* x, float* y, int rows,
                           int k) {  // x has 2^18 entries; rows are of k - 16 to k entries
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int begin = row * k, end = begin + k - 16 + (int)(wang(row) % 17u);
  float sum = 0;
  for (int e = begin; e < end; ++e) {
    const unsigned col = ((unsigned)raw[e] * 256u + (unsigned)e * 29u) & 0x3ffffu;
    sum += value[e] * __ldg(&x[col]);
  }
  y[row] = sum;
}
template <int k>
__global__ void ell(const float* __restrict__ value, const int* __restrict__ raw,
                    const float* __restrict__ x, float* __restrict__ y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;  // x has 2^19 entries
  if (row >= rows) return;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < k; ++j) {
    const int e = j * rows + row;
    sum += value[e] * x[((unsigned)raw[e] * 512u + (row & 511)) & 0x7ffffu];
  }
  y[row] = sum;
}
// eight lanes a row, columns near the diagonal, double precision; rows a power of two
__global__ void csr_band(const double* value, const int* raw, const double* x, double* y, int rows,
                         int k) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = at >> 3, lane = at & 7;
  double sum = 0;
  if (row < rows)
    for (int e = row * k + lane; e < (row + 1) * k; e += 8)
      sum += value[e] * x[(row + (raw[e] & 127) - 64) & (rows - 1)];
  for (int d = 4; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d, 8);
  if (row < rows && lane == 0) y[row] = sum;
}

// ---- 9. transposes, conversions, packing
// bytes, 64x64 a block of 16x16 threads, four bytes a load and a store
__global__ void turn_bytes(const unsigned char* in, unsigned char* out, int rows, int cols) {
  __shared__ __align__(4) unsigned char tile[64][68];
  const int tx = threadIdx.x, ty = threadIdx.y, r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
#pragma unroll
  for (int j = 0; j < 64; j += 16)
    *reinterpret_cast<uchar4*>(&tile[ty + j][tx * 4]) =
        *reinterpret_cast<const uchar4*>(&in[(size_t)(r0 + ty + j) * cols + c0 + tx * 4]);
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 64; j += 16) {
    uchar4 v;
    v.x = tile[tx * 4][ty + j];
    v.y = tile[tx * 4 + 1][ty + j];
    v.z = tile[tx * 4 + 2][ty + j];
    v.w = tile[tx * 4 + 3][ty + j];
    *reinterpret_cast<uchar4*>(&out[(size_t)(c0 + ty + j) * rows + r0 + tx * 4]) = v;
  }
}
__global__ void turn_halves(const __half* in, __half* out, int rows, int cols) {
  __shared__ __half tile[32][34];
  const int c0 = blockIdx.x * 32, r0 = blockIdx.y * 32, tx = threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) tile[j][tx] = in[(r0 + j) * cols + c0 + tx];
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8) out[(c0 + j) * rows + r0 + tx] = tile[tx][j];
}
// floats to signed bytes with a scale for every 1024; 256 threads
__global__ void quantise(const float4* in, char4* out, float* scales) {
  __shared__ float part[8];
  const int t = threadIdx.x, at = blockIdx.x * 256 + t;
  const float4 v = in[at];
  float m = warp_max(fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
  if ((t & 31) == 0) part[t >> 5] = m;
  __syncthreads();
  m = part[0];
#pragma unroll
  for (int w = 1; w < 8; ++w) m = fmaxf(m, part[w]);
  const float scale = 127.0f / (m + 1e-20f);
  out[at] = make_char4(
      (signed char)__float2int_rn(v.x * scale), (signed char)__float2int_rn(v.y * scale),
      (signed char)__float2int_rn(v.z * scale), (signed char)__float2int_rn(v.w * scale));
  if (t == 0) scales[blockIdx.x] = m / 127.0f;
}
// RGB bytes to grey halves by way of shared memory: 256 pixels a block, 192 words
__global__ void rgb_to_grey(const uint1* in, __half* out) {
  __shared__ unsigned words[192];
  const int t = threadIdx.x;
  if (t < 192) words[t] = in[blockIdx.x * 192 + t].x;
  __syncthreads();
  const unsigned char* pixel = reinterpret_cast<const unsigned char*>(words) + 3 * t;
  const float grey = 0.299f * pixel[0] + 0.587f * pixel[1] + 0.114f * pixel[2];
  out[blockIdx.x * 256 + t] = __float2half(grey * (1.0f / 255.0f));
}

// ---- 10. scans and reductions
// inclusive scan of every 1024, four a thread, shuffles; 256 threads
__global__ void scan_shuffles(const int4* in, int4* out) {
  __shared__ int part[8];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5, at = blockIdx.x * 256 + t;
  int4 v = in[at];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  int sum = v.w;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const int other = __shfl_up_sync(0xffffffffu, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) part[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    int p = lane < 8 ? part[lane] : 0;
#pragma unroll
    for (int d = 1; d < 8; d <<= 1) {
      const int other = __shfl_up_sync(0xffffffffu, p, d);
      if (lane >= d) p += other;
    }
    if (lane < 8) part[lane] = p;
  }
  __syncthreads();
  const int before = sum - v.w + (warp > 0 ? part[warp - 1] : 0);
  out[at] = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
}
// dot product in double precision, tree in shared memory; 512 threads
__global__ void dot_tree(const double* a, const double* b, double* out, int n) {
  __shared__ double part[512];
  double sum = 0;
  for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 256; d > 0; d >>= 1) {
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
// where the greatest of every 128 is: a warp each
__global__ void argmax_warp(const float4* in, int* out, int segments) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, segment = at >> 5, lane = at & 31;
  if (segment >= segments) return;
  const float4 v = in[at];
  float best = v.x;
  int where = lane * 4;
  if (v.y > best) best = v.y, where = lane * 4 + 1;
  if (v.z > best) best = v.z, where = lane * 4 + 2;
  if (v.w > best) best = v.w, where = lane * 4 + 3;
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) {
    const float other = __shfl_xor_sync(0xffffffffu, best, d);
    const int there = __shfl_xor_sync(0xffffffffu, where, d);
    if (other > best || (other == best && there < where)) best = other, where = there;
  }
  if (lane == 0) out[segment] = where;
}
// segmented scan within blocks of 256; a multiple of 16 begins a segment
__global__ void scan_segments(const int* in, int* out, int n) {
  __shared__ int sum[2][256];
  __shared__ int head[2][256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int v = i < n ? in[i] : 0;
  int h = (v & 15) == 0 || t == 0;
  int side = 0;
  sum[0][t] = v;
  head[0][t] = h;
  __syncthreads();
#pragma unroll
  for (int d = 1; d < 256; d <<= 1) {
    if (t >= d && !h) {
      v += sum[side][t - d];
      h = head[side][t - d];
    }
    side ^= 1;
    sum[side][t] = v;
    head[side][t] = h;
    __syncthreads();
  }
  if (i < n) out[i] = v;
}

// ---- 11. short ones
// elimination of one 64x64 matrix by one block of 16x16 threads
__global__ void eliminate_64(const float* in, float* out) {
  __shared__ float a[64][65];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  for (int e = t; e < 4096; e += 256)
    a[e >> 6][e & 63] = in[e] + ((e >> 6) == (e & 63) ? 64.0f : 0.0f);
  __syncthreads();
  for (int k = 0; k < 63; ++k) {
    if (t > k && t < 64) a[t][k] /= a[k][k];
    __syncthreads();
    for (int i = k + 1 + ty; i < 64; i += 16)
      for (int j = k + 1 + tx; j < 64; j += 16) a[i][j] -= a[i][k] * a[k][j];
    __syncthreads();
  }
  for (int e = t; e < 4096; e += 256) out[e] = a[e >> 6][e & 63];
}
// powers modulo a variable, 64-bit remainders, few blocks
__global__ void power_modulo(const int* in, int* out, int n, int exponent, int modulus) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long m = (unsigned)modulus;
  unsigned long long base = (in[i] * 1048573ull + i) % m, result = 1;
  for (unsigned e = exponent; e != 0; e >>= 1) {
    if (e & 1) result = result * base % m;
    base = base * base % m;
  }
  out[i] = (int)result;
}
// bitonic sort of 2048 by 1024 threads in shared memory
__global__ void sort_2048(const float* in, float* out) {
  __shared__ float s[2048];
  const int t = threadIdx.x, base = blockIdx.x * 2048;
  s[t] = in[base + t];
  s[t + 1024] = in[base + t + 1024];
  for (int size = 2; size <= 2048; size <<= 1)
    for (int d = size >> 1; d > 0; d >>= 1) {
      __syncthreads();
      const int low = 2 * t - (t & (d - 1));
      const float a = s[low], b = s[low + d];
      if ((a > b) == ((low & size) == 0)) {
        s[low] = b;
        s[low + d] = a;
      }
    }
  __syncthreads();
  out[base + t] = s[t];
  out[base + t + 1024] = s[t + 1024];
}
__global__ void mandelbrot(int* out, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float cx = -2.0f + 3.0f * x / width, cy = -1.2f + 2.4f * y / height;
  float zx = 0, zy = 0;
  int k = 0;
  while (k < most && zx * zx + zy * zy < 4.0f) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = next;
    ++k;
  }
  out[y * width + x] = k;
}
