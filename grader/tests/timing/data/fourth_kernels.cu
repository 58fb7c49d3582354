// Kernels in the manner of many authors, a fourth collection. fourth_launches.csv says how each is
// launched.
#include <cuda_fp16.h>

// ---- 1. norms
// a warp a row; the row stays in registers
template <int PAIRS>
__global__ void softmaxRowsHalf(const __half2* __restrict__ x, __half2* __restrict__ y, int rows) {
  const int lane = threadIdx.x & 31;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (row >= rows) return;
  const __half2* src = x + (size_t)row * PAIRS * 32;
  __half2* dst = y + (size_t)row * PAIRS * 32;
  float2 v[PAIRS];
  float top = -1e30f;
#pragma unroll
  for (int i = 0; i < PAIRS; i++) {
    v[i] = __half22float2(src[i * 32 + lane]);
    top = fmaxf(top, fmaxf(v[i].x, v[i].y));
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, mask));
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < PAIRS; i++) {
    v[i].x = __expf(v[i].x - top);
    v[i].y = __expf(v[i].y - top);
    sum += v[i].x + v[i].y;
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) sum += __shfl_xor_sync(~0u, sum, mask);
  const float scale = 1.0f / sum;
#pragma unroll
  for (int i = 0; i < PAIRS; i++)
    dst[i * 32 + lane] = __floats2half2_rn(v[i].x * scale, v[i].y * scale);
}

// x + residual goes to residual, its norm to x; a thread has eight numbers of the block's row
__global__ void fused_add_rms_norm(__half* __restrict__ x, __half* __restrict__ residual,
                                   const __half* __restrict__ weight, float eps, int hidden) {
  __shared__ float partial[32];
  __shared__ float s_inv;
  const size_t at = (size_t)blockIdx.x * hidden / 8 + threadIdx.x;
  uint4 xv = reinterpret_cast<const uint4*>(x)[at];
  uint4 rv = reinterpret_cast<const uint4*>(residual)[at];
  __half2* xh = reinterpret_cast<__half2*>(&xv);
  __half2* rh = reinterpret_cast<__half2*>(&rv);
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    rh[i] = __hadd2(rh[i], xh[i]);
    const float2 f = __half22float2(rh[i]);
    sum += f.x * f.x + f.y * f.y;
  }
  reinterpret_cast<uint4*>(residual)[at] = rv;
  for (int offset = 16; offset; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
    for (int offset = 16; offset; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0) s_inv = rsqrtf(sum / hidden + eps);
  }
  __syncthreads();
  const float inv = s_inv;
  const uint4 wv = reinterpret_cast<const uint4*>(weight)[threadIdx.x];
  const __half2* wh = reinterpret_cast<const __half2*>(&wv);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const float2 f = __half22float2(rh[i]);
    xh[i] = __hmul2(__floats2half2_rn(f.x * inv, f.y * inv), wh[i]);
  }
  reinterpret_cast<uint4*>(x)[at] = xv;
}

// the mean and the squares by Welford, merged between threads; then a second pass over the row
struct Moments {
  float mean, m2, n;
};
__device__ __forceinline__ Moments merge(Moments a, Moments b) {
  const float n = a.n + b.n;
  if (n == 0.0f) return a;
  const float delta = b.mean - a.mean;
  Moments r;
  r.n = n;
  r.mean = a.mean + delta * (b.n / n);
  r.m2 = a.m2 + b.m2 + delta * delta * (a.n * b.n / n);
  return r;
}
__global__ void layernorm_welford(const float* in, const float* gamma, const float* beta,
                                  float* out, int cols) {
  __shared__ Moments shared[8];
  const float* row = in + (size_t)blockIdx.x * cols;
  Moments m = {0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float v = row[c];
    m.n += 1.0f;
    const float d = v - m.mean;
    m.mean += d / m.n;
    m.m2 += d * (v - m.mean);
  }
  for (int offset = 16; offset > 0; offset >>= 1) {
    Moments o;
    o.mean = __shfl_xor_sync(0xffffffffu, m.mean, offset);
    o.m2 = __shfl_xor_sync(0xffffffffu, m.m2, offset);
    o.n = __shfl_xor_sync(0xffffffffu, m.n, offset);
    m = merge(m, o);
  }
  if ((threadIdx.x & 31) == 0) shared[threadIdx.x >> 5] = m;
  __syncthreads();
  m = shared[0];
  for (int w = 1; w < blockDim.x / 32; w++) m = merge(m, shared[w]);
  const float inv = rsqrtf(m.m2 / cols + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    out[(size_t)blockIdx.x * cols + c] = (row[c] - m.mean) * inv * gamma[c] + beta[c];
}

// the cross entropy of a row of logits, in one pass
__global__ void cross_entropy(const float* __restrict__ logits, const int* __restrict__ labels,
                              float* __restrict__ loss, int classes) {
  const float* row = logits + (size_t)blockIdx.x * classes;
  float m = -1e30f, s = 0.0f;
  for (int i = threadIdx.x; i < classes; i += blockDim.x) {
    float v = row[i];
    if (v > m) {
      s *= __expf(m - v);
      m = v;
    }
    s += __expf(v - m);
  }
  __shared__ float sm[256], ss[256];
  sm[threadIdx.x] = m;
  ss[threadIdx.x] = s;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      float m1 = sm[threadIdx.x], m2 = sm[threadIdx.x + half];
      float big = fmaxf(m1, m2);
      ss[threadIdx.x] = ss[threadIdx.x] * expf(m1 - big) + ss[threadIdx.x + half] * expf(m2 - big);
      sm[threadIdx.x] = big;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) loss[blockIdx.x] = sm[0] + logf(ss[0]) - row[labels[blockIdx.x]];
}

// ---- 2. pairs
#define NB_TILE 64
__device__ __forceinline__ float3 pull(float4 a, float4 b, float3 f) {
  const float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  const float r2 = dx * dx + dy * dy + dz * dz + 1e-4f;
  const float inv = rsqrtf(r2);
  const float s = b.w * inv * inv * inv;
  f.x += dx * s;
  f.y += dy * s;
  f.z += dz * s;
  return f;
}
// two bodies a thread; n is a multiple of 128
__global__ void nbody_two(const float4* pos, float4* vel, float4* newPos, int n, float dt) {
  __shared__ float4 tile[NB_TILE];
  const int i = blockIdx.x * NB_TILE * 2 + threadIdx.x;
  const float4 p0 = pos[i], p1 = pos[i + NB_TILE];
  float3 f0 = make_float3(0, 0, 0), f1 = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += NB_TILE) {
    tile[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < NB_TILE; j++) {
      const float4 q = tile[j];
      f0 = pull(p0, q, f0);
      f1 = pull(p1, q, f1);
    }
    __syncthreads();
  }
  float4 v = vel[i];
  v.x += f0.x * dt, v.y += f0.y * dt, v.z += f0.z * dt;
  vel[i] = v;
  newPos[i] = make_float4(p0.x + v.x * dt, p0.y + v.y * dt, p0.z + v.z * dt, p0.w);
  v = vel[i + NB_TILE];
  v.x += f1.x * dt, v.y += f1.y * dt, v.z += f1.z * dt;
  vel[i + NB_TILE] = v;
  newPos[i + NB_TILE] = make_float4(p1.x + v.x * dt, p1.y + v.y * dt, p1.z + v.z * dt, p1.w);
}

// the electrostatic potential on a plane of points
__global__ void potentialMap(const float4* atoms, int numAtoms, float* energy, int width,
                             float spacing, float z) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  float x = ix * spacing, y = iy * spacing;
  float e = 0.0f;
  for (int a = 0; a < numAtoms; a++) {
    float4 atom = atoms[a];
    float dx = x - atom.x;
    float dy = y - atom.y;
    float dz = z - atom.z;
    e += atom.w / sqrtf(dx * dx + dy * dy + dz * dz);
  }
  energy[iy * width + ix] = e;
}

// Lennard-Jones in a periodic box; a warp hands its 32 partners round
__global__ void lj_shuffle(const float* __restrict__ px, const float* __restrict__ py,
                           const float* __restrict__ pz, float* force, int n, int share, float box,
                           float cutoff2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  const float x = px[i], y = py[i], z = pz[i];
  const float invBox = 1.0f / box;
  float fx = 0, fy = 0, fz = 0;
  const int first = blockIdx.y * share;
  for (int j0 = first; j0 < first + share; j0 += 32) {
    const float qx = px[j0 + lane], qy = py[j0 + lane], qz = pz[j0 + lane];
    for (int k = 0; k < 32; k++) {
      float dx = x - __shfl_sync(0xffffffff, qx, k);
      float dy = y - __shfl_sync(0xffffffff, qy, k);
      float dz = z - __shfl_sync(0xffffffff, qz, k);
      dx -= box * rintf(dx * invBox);
      dy -= box * rintf(dy * invBox);
      dz -= box * rintf(dz * invBox);
      const float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < cutoff2 && j0 + k != i) {
        const float inv2 = 1.0f / (r2 + 0.01f);
        const float inv6 = inv2 * inv2 * inv2;
        const float f = 24.0f * inv6 * (2.0f * inv6 - 1.0f) * inv2;
        fx += f * dx;
        fy += f * dy;
        fz += f * dz;
      }
    }
  }
  atomicAdd(&force[i], fx);
  atomicAdd(&force[n + i], fy);
  atomicAdd(&force[2 * n + i], fz);
}

// ---- 3. integers
__device__ __forceinline__ uint4 philox4x32(uint4 c, uint2 k) {
#pragma unroll
  for (int r = 0; r < 10; r++) {
    const unsigned lo0 = 0xD2511F53u * c.x, hi0 = __umulhi(0xD2511F53u, c.x);
    const unsigned lo1 = 0xCD9E8D57u * c.z, hi1 = __umulhi(0xCD9E8D57u, c.z);
    c = make_uint4(hi1 ^ c.y ^ k.x, lo1, hi0 ^ c.w ^ k.y, lo0);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
// how often do four dice show 14?
__global__ void philox_dice(unsigned* hits, int throws, unsigned seed) {
  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = 0;
  for (int t = 0; t < throws; t++) {
    const uint4 r = philox4x32(make_uint4(t, 0, id, 0), make_uint2(seed, 0x1234567u));
    const unsigned dice =
        __umulhi(r.x, 6) + __umulhi(r.y, 6) + __umulhi(r.z, 6) + __umulhi(r.w, 6) + 4;
    mine += dice == 14;
  }
  mine = __reduce_add_sync(0xffffffffu, mine);
  if ((threadIdx.x & 31) == 0) atomicAdd(hits, mine);
}

__constant__ unsigned k256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__device__ __forceinline__ unsigned rotr(unsigned x, int n) { return __funnelshift_r(x, x, n); }
__device__ __forceinline__ void sha256_block(unsigned h[8], unsigned w[16]) {
  unsigned a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
#pragma unroll
  for (int i = 0; i < 64; i++) {
    if (i >= 16) {
      const unsigned w1 = w[(i + 1) & 15], w14 = w[(i + 14) & 15];
      const unsigned s0 = rotr(w1, 7) ^ rotr(w1, 18) ^ (w1 >> 3);
      const unsigned s1 = rotr(w14, 17) ^ rotr(w14, 19) ^ (w14 >> 10);
      w[i & 15] += s0 + w[(i + 9) & 15] + s1;
    }
    const unsigned t1 =
        k + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + k256[i] + w[i & 15];
    const unsigned t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    k = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e, h[5] += f, h[6] += g, h[7] += k;
}
// header: the state after the first 64 bytes, and three words more
__global__ void sha256_nonces(const unsigned* __restrict__ header, unsigned* best, unsigned first,
                              unsigned target) {
  const unsigned nonce = first + blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h[8], w[16];
#pragma unroll
  for (int i = 0; i < 8; i++) h[i] = header[i];
  w[0] = header[8], w[1] = header[9], w[2] = header[10], w[3] = nonce, w[4] = 0x80000000u;
#pragma unroll
  for (int i = 5; i < 15; i++) w[i] = 0;
  w[15] = 640;
  sha256_block(h, w);
#pragma unroll
  for (int i = 0; i < 8; i++) w[i] = h[i];
  w[8] = 0x80000000u;
#pragma unroll
  for (int i = 9; i < 15; i++) w[i] = 0;
  w[15] = 256;
  h[0] = 0x6a09e667, h[1] = 0xbb67ae85, h[2] = 0x3c6ef372, h[3] = 0xa54ff53a;
  h[4] = 0x510e527f, h[5] = 0x9b05688c, h[6] = 0x1f83d9ab, h[7] = 0x5be0cd19;
  sha256_block(h, w);
  if (__byte_perm(h[7], 0, 0x0123) < target) atomicMax(best, nonce);
}

// ---- 4. atomics
// two images' joint histogram, 64 x 64 bins in shared memory
__global__ void joint_histogram(const uchar4* a, const uchar4* b, int* bins, int quads) {
  __shared__ int local[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    const uchar4 p = a[i], q = b[i];
    atomicAdd(&local[(p.x >> 2) * 64 + (q.x >> 2)], 1);
    atomicAdd(&local[(p.y >> 2) * 64 + (q.y >> 2)], 1);
    atomicAdd(&local[(p.z >> 2) * 64 + (q.z >> 2)], 1);
    atomicAdd(&local[(p.w >> 2) * 64 + (q.w >> 2)], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    if (local[i]) atomicAdd(&bins[i], local[i]);
}

// the plain way: everybody adds to a few words
__global__ void classSums(const int* label, const float* value, float* sums, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int c = label[i];
    atomicAdd(&sums[c], value[i]);
    atomicAdd(&counts[c], 1);
  }
}

// open addressing; 0 is an empty slot, mask + 1 the slots
__global__ void hash_group_count(const unsigned* __restrict__ keys, unsigned* slots, int* counts,
                                 unsigned mask, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned h = key * 2654435769u;
  h ^= h >> 15;
  unsigned at = h & mask;
  while (true) {
    const unsigned old = atomicCAS(&slots[at], 0u, key);
    if (old == 0u || old == key) {
      atomicAdd(&counts[at], 1);
      return;
    }
    at = (at + 1) & mask;
  }
}

__device__ float atomicMaxFloat(float* address, float value) {
  int* word = (int*)address;
  int old = atomicAdd(word, 0), assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(word, assumed, __float_as_int(value));
  } while (old != assumed);
  return __int_as_float(old);
}
__global__ void greatest_of_group(const int* group, const float* score, float* greatest, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicMaxFloat(&greatest[group[i]], score[i]);
}

// ---- 5. streams
__global__ void linspace_double2(double2* out, int pairs, float from, float step) {
  const double a = from, h = step;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x)
    out[i] = make_double2(a + h * (2 * i), a + h * (2 * i + 1));
}

// sums and weighted sums of bytes, in the manner of Fletcher
__global__ void byte_checksum(const uint4* __restrict__ data, unsigned* __restrict__ sums,
                              int vectors) {
  unsigned s1 = 0, s2 = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
    const uint4 v = data[i];
    s1 = __dp4a(v.x, 0x01010101u, s1);
    s2 += s1;
    s1 = __dp4a(v.y, 0x01010101u, s1);
    s2 += s1;
    s1 = __dp4a(v.z, 0x01010101u, s1);
    s2 += s1;
    s1 = __dp4a(v.w, 0x01010101u, s1);
    s2 += s1;
  }
  __shared__ unsigned w1[8], w2[8];
  s1 = __reduce_add_sync(~0u, s1);
  s2 = __reduce_add_sync(~0u, s2);
  if (threadIdx.x % 32 == 0) w1[threadIdx.x / 32] = s1, w2[threadIdx.x / 32] = s2;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < blockDim.x / 32; i++) s1 += w1[i], s2 += w2[i];
    sums[2 * blockIdx.x] = s1;
    sums[2 * blockIdx.x + 1] = s2;
  }
}

struct Particle {
  float x, y, z, vx, vy, vz, mass;
};
__global__ void driftParticles(Particle* p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].x += p[i].vx * dt;
  p[i].y += p[i].vy * dt;
  p[i].z += p[i].vz * dt;
}

__global__ void adam_float4(float4* __restrict__ w, const float4* __restrict__ g,
                            float4* __restrict__ m, float4* __restrict__ v, int quads, float lr,
                            float beta1, float beta2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  float4 wi = w[i], mi = m[i], vi = v[i];
  const float4 gi = g[i];
#define ADAM(c)                                       \
  mi.c = beta1 * mi.c + (1.0f - beta1) * gi.c;        \
  vi.c = beta2 * vi.c + (1.0f - beta2) * gi.c * gi.c; \
  wi.c -= lr * mi.c / (sqrtf(vi.c) + 1e-8f)
  ADAM(x);
  ADAM(y);
  ADAM(z);
  ADAM(w);
#undef ADAM
  m[i] = mi;
  v[i] = vi;
  w[i] = wi;
}

// ---- 6. matrix products
// C = A^T B, A k x m and B k x n; m and n are multiples of 4
__global__ void sgemm_tn_64(const float* __restrict__ A, const float* __restrict__ B,
                            float* __restrict__ C, int m, int n, int k) {
  __shared__ float As[16][64];
  __shared__ float Bs[16][64];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  const int lr = tid / 16, lc = (tid % 16) * 4;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += 16) {
    const float4 none = make_float4(0, 0, 0, 0);
    const bool in = k0 + lr < k;
    const float4 a = in && row0 + lc < m ? *(const float4*)&A[(k0 + lr) * m + row0 + lc] : none;
    const float4 b = in && col0 + lc < n ? *(const float4*)&B[(k0 + lr) * n + col0 + lc] : none;
    *(float4*)&As[lr][lc] = a;
    *(float4*)&Bs[lr][lc] = b;
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 16; kk++) {
      const float4 x = *(const float4*)&As[kk][ty * 4];
      const float4 y = *(const float4*)&Bs[kk][tx * 4];
      const float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) acc[i][j] += xs[i] * ys[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) {
    const int r = row0 + ty * 4 + i, c = col0 + tx * 4;
    if (r < m && c < n)
      *(float4*)&C[r * n + c] = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
  }
}

// 32 x 32, two buffers, 2 x 2 a thread; the sizes are multiples of 32
__global__ void sgemm_32_buffers(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[2][32][33], b[2][32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const float* pa = A + (blockIdx.y * 32 + ty) * K + tx;
  const float* pb = B + ty * N + blockIdx.x * 32 + tx;
  float c00 = 0, c01 = 0, c10 = 0, c11 = 0;
  a[0][ty][tx] = pa[0], a[0][ty][tx + 16] = pa[16];
  a[0][ty + 16][tx] = pa[16 * K], a[0][ty + 16][tx + 16] = pa[16 * K + 16];
  b[0][ty][tx] = pb[0], b[0][ty][tx + 16] = pb[16];
  b[0][ty + 16][tx] = pb[16 * N], b[0][ty + 16][tx + 16] = pb[16 * N + 16];
  __syncthreads();
  int cur = 0;
  for (int k0 = 32; k0 <= K; k0 += 32) {
    float a0, a1, a2, a3, b0, b1, b2, b3;
    const bool more = k0 < K;
    if (more) {
      pa += 32;
      pb += 32 * N;
      a0 = pa[0], a1 = pa[16], a2 = pa[16 * K], a3 = pa[16 * K + 16];
      b0 = pb[0], b1 = pb[16], b2 = pb[16 * N], b3 = pb[16 * N + 16];
    }
#pragma unroll
    for (int k = 0; k < 32; k++) {
      const float x0 = a[cur][ty][k], x1 = a[cur][ty + 16][k];
      const float y0 = b[cur][k][tx], y1 = b[cur][k][tx + 16];
      c00 += x0 * y0;
      c01 += x0 * y1;
      c10 += x1 * y0;
      c11 += x1 * y1;
    }
    if (more) {
      cur ^= 1;
      a[cur][ty][tx] = a0, a[cur][ty][tx + 16] = a1;
      a[cur][ty + 16][tx] = a2, a[cur][ty + 16][tx + 16] = a3;
      b[cur][ty][tx] = b0, b[cur][ty][tx + 16] = b1;
      b[cur][ty + 16][tx] = b2, b[cur][ty + 16][tx + 16] = b3;
      __syncthreads();
    }
  }
  float* pc = C + (blockIdx.y * 32 + ty) * N + blockIdx.x * 32 + tx;
  pc[0] = c00, pc[16] = c01, pc[16 * N] = c10, pc[16 * N + 16] = c11;
}

// halves in, sums in float; 64 x 64 a block of 128, 8 x 4 a thread; B is n x k
__global__ void hgemm_nt_float(const __half* __restrict__ A, const __half* __restrict__ B,
                               float* __restrict__ C, int m, int n, int k) {
  __shared__ __half2 as[64][17], bs[64][17];  // 32 of k
  const int tid = threadIdx.x;
  const int tx = tid & 15, ty = tid >> 4;  // 16 x 8
  const __half2* a2 = (const __half2*)A + (size_t)blockIdx.y * 64 * (k / 2);
  const __half2* b2 = (const __half2*)B + (size_t)blockIdx.x * 64 * (k / 2);
  float sum[8][4];
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) sum[i][j] = 0.0f;
  for (int k0 = 0; k0 < k / 2; k0 += 16) {
#pragma unroll
    for (int r = 0; r < 64; r += 8) {
      as[r + ty][tx] = a2[(r + ty) * (k / 2) + k0 + tx];
      bs[r + ty][tx] = b2[(r + ty) * (k / 2) + k0 + tx];
    }
    __syncthreads();
#pragma unroll 4
    for (int kk = 0; kk < 16; kk++) {
      float2 x[8], y[4];
#pragma unroll
      for (int i = 0; i < 8; i++) x[i] = __half22float2(as[ty + 8 * i][kk]);
#pragma unroll
      for (int j = 0; j < 4; j++) y[j] = __half22float2(bs[tx + 16 * j][kk]);
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
          sum[i][j] = fmaf(x[i].x, y[j].x, sum[i][j]);
          sum[i][j] = fmaf(x[i].y, y[j].y, sum[i][j]);
        }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      C[(size_t)(blockIdx.y * 64 + ty + 8 * i) * n + blockIdx.x * 64 + tx + 16 * j] = sum[i][j];
}

// G += A^T A of a tall matrix with 16 columns; thread (i, j) has one of G's numbers
__global__ void tall_gram_double(const double* __restrict__ A, double* G, int rows) {
  __shared__ double strip[32][16];
  const int i = threadIdx.x, j = threadIdx.y, tid = j * 16 + i;
  double sum = 0.0;
  for (int r0 = blockIdx.x * 32; r0 < rows; r0 += gridDim.x * 32) {
    for (int e = tid; e < 512; e += 256)
      (&strip[0][0])[e] = r0 + e / 16 < rows ? A[(size_t)r0 * 16 + e] : 0.0;
    __syncthreads();
#pragma unroll 8
    for (int r = 0; r < 32; r++) sum += strip[r][i] * strip[r][j];
    __syncthreads();
  }
  atomicAdd(&G[j * 16 + i], sum);
}

// ---- 7. stencils
// acoustic waves, fourth order, z in registers; the next field replaces the one before
__global__ void acoustic_march(const float* __restrict__ p, float* __restrict__ before,
                               const float* __restrict__ speed, int nx, int ny, int nz, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= nx - 2 || y >= ny - 2) return;
  const int plane = nx * ny;
  const int z0 = max(2, (int)blockIdx.z * depth), z1 = min(nz - 2, (int)(blockIdx.z + 1) * depth);
  int at = z0 * plane + y * nx + x;
  float m2 = p[at - 2 * plane], m1 = p[at - plane], c = p[at], q1 = p[at + plane];
  for (int z = z0; z < z1; z++, at += plane) {
    const float q2 = p[at + 2 * plane];
    const float near = p[at - 1] + p[at + 1] + p[at - nx] + p[at + nx] + m1 + q1;
    const float far = p[at - 2] + p[at + 2] + p[at - 2 * nx] + p[at + 2 * nx] + m2 + q2;
    const float laplace = (16.0f * near - far - 90.0f * c) * (1.0f / 12.0f);
    before[at] = 2.0f * c - before[at] + speed[at] * laplace;
    m2 = m1;
    m1 = c;
    c = q1;
    q1 = q2;
  }
}

#define LINE_RADIUS 6
__constant__ double lineWeights[LINE_RADIUS + 1] = {0.31, 0.16, 0.09, 0.05, 0.025, 0.0125, 0.0075};
__global__ void lineFilterDouble(const double* in, double* out, int n) {
  extern __shared__ double buf[];
  const int tile = blockDim.x * 4;
  const int start = blockIdx.x * tile;
  for (int i = threadIdx.x; i < tile + 2 * LINE_RADIUS; i += blockDim.x) {
    int g = start + i - LINE_RADIUS;
    if (g < 0) g = -g;
    if (g >= n) g = 2 * n - 2 - g;
    buf[i] = in[g];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < tile && start + i < n; i += blockDim.x) {
    double sum = lineWeights[0] * buf[i + LINE_RADIUS];
    for (int r = 1; r <= LINE_RADIUS; r++)
      sum += lineWeights[r] * (buf[i + LINE_RADIUS - r] + buf[i + LINE_RADIUS + r]);
    out[start + i] = sum;
  }
}

// four steps of Jacobi in a tile of 32 x 32, of which 24 x 24 are right
template <int STEPS>
__global__ void jacobi_blocked(const float* __restrict__ in, float* __restrict__ out, int nx,
                               int ny) {
  __shared__ float s[2][32][32];
  const int core = 32 - 2 * STEPS;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * core + tx - STEPS, y = blockIdx.y * core + ty - STEPS;
  const bool inside = x >= 0 && y >= 0 && x < nx && y < ny;
  const bool moves = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
  float v = inside ? in[y * nx + x] : 0.0f;
  s[0][ty][tx] = v;
  __syncthreads();
#pragma unroll
  for (int t = 1; t <= STEPS; t++) {
    const int from = (t - 1) & 1;
    if (moves && tx >= t && ty >= t && tx < 32 - t && ty < 32 - t)
      v = 0.25f *
          (s[from][ty][tx - 1] + s[from][ty][tx + 1] + s[from][ty - 1][tx] + s[from][ty + 1][tx]);
    if (t < STEPS) {
      s[from ^ 1][ty][tx] = v;
      __syncthreads();
    }
  }
  if (inside && tx >= STEPS && ty >= STEPS && tx < 32 - STEPS && ty < 32 - STEPS)
    out[y * nx + x] = v;
}

// ---- 8. sparse
// ELLPACK, columns first; a negative column is padding
__global__ void ell_padded_double(const double* __restrict__ values, const int* __restrict__ cols,
                                  const double* __restrict__ x, double* __restrict__ y, int rows,
                                  int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0.0;
  for (int k = 0; k < width; k++) {
    const int c = cols[(size_t)k * rows + row];
    if (c >= 0) sum += values[(size_t)k * rows + row] * x[c];
  }
  y[row] = sum;
}

// short rows: LANES lanes a row; rows begin at multiples of eight entries, and each has a length
template <int LANES>
__global__ void csr_short_rows(const int* __restrict__ begin8, const int* __restrict__ length,
                               const int* __restrict__ cols, const float* __restrict__ values,
                               const float* __restrict__ x, float* __restrict__ y, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = t / LANES, lane = t % LANES;
  float sum = 0.0f;
  if (row < rows) {
    const int first = begin8[row] * 8, last = first + length[row];
    for (int k = first + lane; k < last; k += LANES) sum += values[k] * __ldg(&x[cols[k]]);
  }
#pragma unroll
  for (int o = LANES / 2; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o, LANES);
  if (lane == 0 && row < rows) y[row] = sum;
}

// nine diagonals of a grid 1024 wide
__constant__ int diaOffsets[9] = {-1025, -1024, -1023, -1, 0, 1, 1023, 1024, 1025};
__global__ void dia_spmv(const float* diags, const float* x, float* y, int n) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < n) {
    float dot = 0;
    for (int d = 0; d < 9; d++) {
      int col = row + diaOffsets[d];
      if (col >= 0 && col < n) dot += diags[d * n + row] * x[col];
    }
    y[row] = dot;
  }
}

// ---- 9. narrow types
// a tile of 64 x 64 bytes; a thread turns 4 x 4 of them in registers
__global__ void transpose_bytes_4x4(const unsigned* __restrict__ in, unsigned* __restrict__ out,
                                    int width, int height) {
  __shared__ unsigned tile[64][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int words = width / 4;
  const unsigned* src = in + (blockIdx.y * 64 + ty * 4) * words + blockIdx.x * 16 + tx;
  const unsigned r0 = src[0], r1 = src[words], r2 = src[2 * words], r3 = src[3 * words];
  const unsigned lo01 = __byte_perm(r0, r1, 0x5140), hi01 = __byte_perm(r0, r1, 0x7362);
  const unsigned lo23 = __byte_perm(r2, r3, 0x5140), hi23 = __byte_perm(r2, r3, 0x7362);
  tile[tx * 4 + 0][ty] = __byte_perm(lo01, lo23, 0x5410);
  tile[tx * 4 + 1][ty] = __byte_perm(lo01, lo23, 0x7632);
  tile[tx * 4 + 2][ty] = __byte_perm(hi01, hi23, 0x5410);
  tile[tx * 4 + 3][ty] = __byte_perm(hi01, hi23, 0x7632);
  __syncthreads();
  const int outWords = height / 4;
  unsigned* dst = out + (blockIdx.x * 64 + ty * 4) * outWords + blockIdx.y * 16 + tx;
#pragma unroll
  for (int r = 0; r < 4; r++) dst[r * outWords] = tile[ty * 4 + r][tx];
}

// a row's halves to signed bytes and a scale; a warp a row
__global__ void quantise_rows_half(const __half* __restrict__ x, signed char* __restrict__ q,
                                   float* __restrict__ scales, int rows, int cols) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const uint2* src = (const uint2*)(x + (size_t)row * cols);
  float top = 0.0f;
  for (int i = lane; i < cols / 4; i += 32) {
    const uint2 v = src[i];
    const float2 a = __half22float2(*(const __half2*)&v.x),
                 b = __half22float2(*(const __half2*)&v.y);
    top = fmaxf(top, fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(b.x), fabsf(b.y))));
  }
  for (int o = 16; o > 0; o >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, o));
  const float inv = top > 0.0f ? 127.0f / top : 0.0f;
  if (lane == 0) scales[row] = top / 127.0f;
  char4* dst = (char4*)(q + (size_t)row * cols);
  for (int i = lane; i < cols / 4; i += 32) {
    const uint2 v = src[i];
    const float2 a = __half22float2(*(const __half2*)&v.x),
                 b = __half22float2(*(const __half2*)&v.y);
    dst[i] = make_char4(__float2int_rn(a.x * inv), __float2int_rn(a.y * inv),
                        __float2int_rn(b.x * inv), __float2int_rn(b.y * inv));
  }
}

// bias, and the sigmoid form of GELU, all in half2
__global__ void bias_gelu_half2(const __half2* __restrict__ in, const __half2* __restrict__ bias,
                                __half2* __restrict__ out, int pairs, int rowPairs) {
  const __half2 c = __float2half2_rn(-1.702f), one = __float2half2_rn(1.0f);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += blockDim.x * gridDim.x) {
    const __half2 v = __hadd2(in[i], bias[i % rowPairs]);
    const __half2 e = h2exp(__hmul2(c, v));
    out[i] = __hmul2(v, h2rcp(__hadd2(one, e)));
  }
}

// interleaved bytes to three normalised planes, mirrored: what a network's input needs
__global__ void rgb_to_planes(const unsigned char* rgb, float* planes, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width) return;
  const float mean[3] = {0.485f, 0.456f, 0.406f}, dev[3] = {0.229f, 0.224f, 0.225f};
  const unsigned char* px = rgb + 3 * (y * width + (width - 1 - x));
  for (int c = 0; c < 3; c++)
    planes[(c * height + y) * width + x] = (px[c] / 255.0f - mean[c]) / dev[c];
}

// ---- 10. scans and reductions
__global__ void dot_float4(const float4* __restrict__ a, const float4* __restrict__ b,
                           double* result, int quads) {
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += blockDim.x * gridDim.x) {
    const float4 p = a[i], q = b[i];
    s0 += p.x * q.x;
    s1 += p.y * q.y;
    s2 += p.z * q.z;
    s3 += p.w * q.w;
  }
  float s = (s0 + s1) + (s2 + s3);
  __shared__ float warps[32];
  for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < (blockDim.x >> 5) ? warps[threadIdx.x] : 0.0f;
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (threadIdx.x == 0) atomicAdd(result, (double)s);
  }
}

// a segmented inclusive scan in a block, after Hillis and Steele; where a segment begins, a flag
// is 0. The block's last sum and whether it has a beginning go to the next kernel.
__global__ void segmentedScan(const float* in, const unsigned char* flags, float* out,
                              float* lastSum, int* hasHead) {
  __shared__ float val[2][512];
  __shared__ int head[2][512];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  int p = 0;
  val[0][t] = in[i];
  head[0][t] = flags[i] == 0;
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    float v = val[p][t];
    int h = head[p][t];
    if (t >= d) {
      if (!h) v += val[p][t - d];
      h |= head[p][t - d];
    }
    val[1 - p][t] = v;
    head[1 - p][t] = h;
    p = 1 - p;
    __syncthreads();
  }
  out[i] = val[p][t];
  if (t == 511) {
    lastSum[blockIdx.x] = val[p][t];
    hasHead[blockIdx.x] = head[p][t];
  }
}

#define CONFLICT_FREE(n) ((n) >> 5)
__global__ void blelloch_block(const int* g_idata, int* g_odata, int* g_sums) {
  extern __shared__ int temp[];
  const int n = 2 * blockDim.x, thid = threadIdx.x;
  const int base = blockIdx.x * n;
  const int ai = thid, bi = thid + n / 2;
  temp[ai + CONFLICT_FREE(ai)] = g_idata[base + ai];
  temp[bi + CONFLICT_FREE(bi)] = g_idata[base + bi];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += CONFLICT_FREE(a);
      b += CONFLICT_FREE(b);
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (thid == 0) {
    const int last = n - 1 + CONFLICT_FREE(n - 1);
    g_sums[blockIdx.x] = temp[last];
    temp[last] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += CONFLICT_FREE(a);
      b += CONFLICT_FREE(b);
      const int t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  g_odata[base + ai] = temp[ai + CONFLICT_FREE(ai)];
  g_odata[base + bi] = temp[bi + CONFLICT_FREE(bi)];
}

// the second of two kernels: sums[] are the blocks' totals; eight numbers a thread
__global__ void scan_second(const int4* __restrict__ in, const int* __restrict__ sums,
                            int4* __restrict__ out) {
  __shared__ int warpTotals[8];
  __shared__ int before[8];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  int carry = 0;
  for (int b = t; b < blockIdx.x; b += 256) carry += sums[b];
  carry = __reduce_add_sync(~0u, carry);
  const size_t at = ((size_t)blockIdx.x * 256 + t) * 2;
  int4 v = in[at], w = in[at + 1];
  v.y += v.x, v.z += v.y, v.w += v.z;
  w.x += v.w, w.y += w.x, w.z += w.y, w.w += w.z;
  int total = w.w;
  for (int o = 1; o < 32; o *= 2) {
    const int u = __shfl_up_sync(~0u, total, o);
    if (lane >= o) total += u;
  }
  if (lane == 31) warpTotals[warp] = total;
  if (lane == 0) before[warp] = carry;
  __syncthreads();
  int base = total - w.w;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    base += before[i];
    if (i < warp) base += warpTotals[i];
  }
  v.x += base, v.y += base, v.z += base, v.w += base;
  w.x += base, w.y += base, w.z += base, w.w += base;
  out[at] = v;
  out[at + 1] = w;
}

// ---- 11. short ones
// Gauss-Jordan with pivots, a system of 64, by one block of 256
__global__ void gauss_jordan_64(const double* a, const double* b, double* x) {
  __shared__ double m[64][65];
  __shared__ double factor[64];
  __shared__ int pivot;
  const int t = threadIdx.x;
  for (int e = t; e < 4096; e += 256) m[e / 64][e % 64] = a[e];
  if (t < 64) m[t][64] = b[t];
  __syncthreads();
  for (int k = 0; k < 64; k++) {
    if (t < 32) {
      double best = -1.0;
      int where = k;
      for (int r = k + t; r < 64; r += 32)
        if (fabs(m[r][k]) > best) best = fabs(m[r][k]), where = r;
      for (int o = 16; o > 0; o >>= 1) {
        const double other = __shfl_down_sync(~0u, best, o);
        const int otherWhere = __shfl_down_sync(~0u, where, o);
        if (other > best) best = other, where = otherWhere;
      }
      if (t == 0) pivot = where;
    }
    __syncthreads();
    const int p = pivot;
    if (p != k && t >= k && t < 65) {
      const double swap = m[k][t];
      m[k][t] = m[p][t];
      m[p][t] = swap;
    }
    __syncthreads();
    if (t < 64) factor[t] = t == k ? 0.0 : m[t][k] / m[k][k];
    __syncthreads();
    for (int c = k + 1 + (t & 15); c < 65; c += 16)
      for (int r = t >> 4; r < 64; r += 16)
        if (r != k) m[r][c] -= factor[r] * m[k][c];
    __syncthreads();
  }
  if (t < 64) x[t] = m[t][64] / m[t][t];
}

// cyclic reduction of a tridiagonal system of 256 by 128 threads, a system a block
__global__ void cyclicReduction(const float* ga, const float* gb, const float* gc, const float* gd,
                                float* gx) {
  __shared__ float a[256], b[256], c[256], d[256], x[256];
  const int n = 256;
  int thid = threadIdx.x, blid = blockIdx.x;
  for (int i = thid; i < n; i += 128) {
    a[i] = i == 0 ? 0.0f : ga[i + blid * n];
    b[i] = gb[i + blid * n];
    c[i] = i == n - 1 ? 0.0f : gc[i + blid * n];
    d[i] = gd[i + blid * n];
  }
  int stride = 1, threads = n / 2;
  for (int j = 0; j < 7; j++) {
    __syncthreads();
    stride *= 2;
    int delta = stride / 2;
    if (thid < threads) {
      int i = stride * thid + stride - 1;
      int left = i - delta, right = i + delta;
      float k1 = a[i] / b[left];
      if (right < n) {
        float k2 = c[i] / b[right];
        b[i] -= c[left] * k1 + a[right] * k2;
        d[i] -= d[left] * k1 + d[right] * k2;
        a[i] = -a[left] * k1;
        c[i] = -c[right] * k2;
      } else {
        b[i] -= c[left] * k1;
        d[i] -= d[left] * k1;
        a[i] = -a[left] * k1;
      }
    }
    threads /= 2;
  }
  __syncthreads();
  if (thid == 0) {
    int i = stride - 1, k = 2 * stride - 1;
    float det = b[k] * b[i] - c[i] * a[k];
    x[i] = (b[k] * d[i] - c[i] * d[k]) / det;
    x[k] = (d[k] * b[i] - d[i] * a[k]) / det;
  }
  threads = 2;
  for (int j = 0; j < 7; j++) {
    int delta = stride / 2;
    __syncthreads();
    if (thid < threads) {
      int i = stride * thid + delta - 1;
      float v = d[i] - c[i] * x[i + delta];
      if (i >= delta) v -= a[i] * x[i - delta];
      x[i] = v / b[i];
    }
    stride /= 2;
    threads *= 2;
  }
  __syncthreads();
  for (int i = thid; i < n; i += 128) gx[i + blid * n] = x[i];
}

// the edit distance of two strings of len, diagonal by diagonal; a pair a block
__global__ void edit_distance(const char* __restrict__ first, const char* __restrict__ second,
                              int* distance, int len) {
  extern __shared__ int diag[];  // three of len + 1, and the strings
  char* s = (char*)(diag + 3 * (len + 1));
  char* u = s + len;
  for (int i = threadIdx.x; i < len; i += blockDim.x) {
    s[i] = first[blockIdx.x * len + i];
    u[i] = second[blockIdx.x * len + i];
  }
  int *old = diag, *last = diag + len + 1, *now = diag + 2 * (len + 1);
  for (int d = 0; d <= 2 * len; d++) {
    __syncthreads();
    const int lo = max(0, d - len), hi = min(d, len);
    for (int i = lo + threadIdx.x; i <= hi; i += blockDim.x) {
      const int j = d - i;
      int v;
      if (i == 0 || j == 0)
        v = i + j;
      else
        v = min(min(last[i - 1], last[i]) + 1, old[i - 1] + (s[i - 1] != u[j - 1]));
      now[i] = v;
    }
    int* spare = old;
    old = last;
    last = now;
    now = spare;
  }
  __syncthreads();
  if (threadIdx.x == 0) distance[blockIdx.x] = last[len];
}

// many systems L x = b of N, packed triangles, interleaved; a system a thread
template <int N>
__global__ void trsv_packed(const float* __restrict__ L, const float* __restrict__ b,
                            float* __restrict__ x, int systems) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  float sol[N];
#pragma unroll
  for (int i = 0; i < N; i++) {
    float v = b[i * systems + s];
#pragma unroll
    for (int j = 0; j < i; j++) v -= L[(i * (i + 1) / 2 + j) * systems + s] * sol[j];
    sol[i] = v / L[(i * (i + 1) / 2 + i) * systems + s];
    x[i * systems + s] = sol[i];
  }
}

// ---- 12. images
// grey bytes, a tile with its edges in shared memory, and the range weights from a table
#define BF_R 4
__global__ void bilateral_tile(const unsigned char* __restrict__ src,
                               unsigned char* __restrict__ dst, int w, int h, float sigmaS,
                               float sigmaR) {
  __shared__ unsigned char tile[16 + 2 * BF_R][32 + 2 * BF_R];
  __shared__ float range[256];
  __shared__ float space[2 * BF_R + 1];
  const int tid = threadIdx.y * 32 + threadIdx.x;
  if (tid < 256) range[tid] = __expf(-0.5f * tid * tid / (sigmaR * sigmaR));
  if (tid < 2 * BF_R + 1)
    space[tid] = __expf(-0.5f * (tid - BF_R) * (tid - BF_R) / (sigmaS * sigmaS));
  for (int e = tid; e < (16 + 2 * BF_R) * (32 + 2 * BF_R); e += 512) {
    const int ty = e / (32 + 2 * BF_R), tx = e % (32 + 2 * BF_R);
    const int gx = min(max((int)blockIdx.x * 32 + tx - BF_R, 0), w - 1);
    const int gy = min(max((int)blockIdx.y * 16 + ty - BF_R, 0), h - 1);
    tile[ty][tx] = src[gy * w + gx];
  }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  const int centre = tile[threadIdx.y + BF_R][threadIdx.x + BF_R];
  float sum = 0.0f, norm = 0.0f;
  for (int dy = 0; dy <= 2 * BF_R; dy++) {
    const float sy = space[dy];
#pragma unroll
    for (int dx = 0; dx <= 2 * BF_R; dx++) {
      const int v = tile[threadIdx.y + dy][threadIdx.x + dx];
      const float weight = sy * space[dx] * range[abs(v - centre)];
      sum += weight * v;
      norm += weight;
    }
  }
  dst[y * w + x] = (unsigned char)(sum / norm + 0.5f);
}

// video's NV12 to RGBA, BT.709, four pixels a thread
__device__ __forceinline__ unsigned char clampByte(float v) {
  return (unsigned char)fminf(fmaxf(v, 0.0f), 255.0f);
}
__device__ __forceinline__ uchar4 rgba709(int y, float u, float v) {
  const float l = 1.164f * (y - 16);
  return make_uchar4(clampByte(l + 1.793f * v), clampByte(l - 0.213f * u - 0.533f * v),
                     clampByte(l + 2.112f * u), 255);
}
__global__ void nv12_to_rgba(const uchar2* luma, const uchar2* chroma, uchar4* rgba, int width,
                             int height) {
  const int cx = blockIdx.x * blockDim.x + threadIdx.x, cy = blockIdx.y * blockDim.y + threadIdx.y;
  const int half = width / 2;
  if (cx >= half || cy >= height / 2) return;
  const uchar2 uv = chroma[cy * half + cx];
  const float u = uv.x - 128.0f, v = uv.y - 128.0f;
  for (int r = 0; r < 2; r++) {
    const uchar2 l = luma[(cy * 2 + r) * half + cx];
    uchar4* out = rgba + (cy * 2 + r) * width + cx * 2;
    out[0] = rgba709(l.x, u, v);
    out[1] = rgba709(l.y, u, v);
  }
}

__device__ void catmullRom(float t, float w[4]) {
  w[0] = t * (-0.5f + t * (1.0f - 0.5f * t));
  w[1] = 1.0f + t * t * (1.5f * t - 2.5f);
  w[2] = t * (0.5f + t * (2.0f - 1.5f * t));
  w[3] = t * t * (0.5f * t - 0.5f);
}
__global__ void bicubicResize(const float* src, int sw, int sh, float* dst, int dw, int dh) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= dw || y >= dh) return;
  float fx = (x + 0.5f) * sw / dw - 0.5f, fy = (y + 0.5f) * sh / dh - 0.5f;
  int ix = (int)floorf(fx), iy = (int)floorf(fy);
  float wx[4], wy[4];
  catmullRom(fx - ix, wx);
  catmullRom(fy - iy, wy);
  float sum = 0.0f;
  for (int j = 0; j < 4; j++) {
    int yy = min(max(iy + j - 1, 0), sh - 1);
    float row = 0.0f;
    for (int i = 0; i < 4; i++) {
      int xx = min(max(ix + i - 1, 0), sw - 1);
      row += wx[i] * src[yy * sw + xx];
    }
    sum += wy[j] * row;
  }
  dst[y * dw + x] = fminf(fmaxf(sum, 0.0f), 1.0f);
}

// ---- 13. dynamics
// fourth order in space, with a sponge at the edges; u's next replaces u's last
__global__ void wave_sponge(const double* __restrict__ u, double* __restrict__ last, int nx, int ny,
                            float courant2, int sponge) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 2;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (x >= nx - 2 || y >= ny - 2) return;
  const int at = y * nx + x;
  const double c = u[at];
  const double lap = (16.0 * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx]) -
                      (u[at - 2] + u[at + 2] + u[at - 2 * nx] + u[at + 2 * nx]) - 60.0 * c) /
                     12.0;
  const int edge = min(min(x, nx - 1 - x), min(y, ny - 1 - y));
  double damp = 0.0;
  if (edge < sponge) {
    const double s = (double)(sponge - edge) / sponge;
    damp = 0.3 * s * s;
  }
  last[at] = (2.0 * c - (1.0 - damp) * last[at] + courant2 * lap) / (1.0 + damp);
}

// heat, where each cell has its own conductivity
#define HX 32
#define HY 8
__global__ void heat_conduct(const float* T, const float* K, float* out, int nx, int ny, float dt) {
  __shared__ float t[HY + 2][HX + 2], k[HY + 2][HX + 2];
  const int gx = blockIdx.x * HX + threadIdx.x, gy = blockIdx.y * HY + threadIdx.y;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  const int at = gy * nx + gx;
  t[ly][lx] = T[at];
  k[ly][lx] = K[at];
  if (threadIdx.x == 0) {
    const int a = gx > 0 ? at - 1 : at;
    t[ly][0] = T[a];
    k[ly][0] = K[a];
  }
  if (threadIdx.x == HX - 1) {
    const int a = gx < nx - 1 ? at + 1 : at;
    t[ly][HX + 1] = T[a];
    k[ly][HX + 1] = K[a];
  }
  if (threadIdx.y == 0) {
    const int a = gy > 0 ? at - nx : at;
    t[0][lx] = T[a];
    k[0][lx] = K[a];
  }
  if (threadIdx.y == HY - 1) {
    const int a = gy < ny - 1 ? at + nx : at;
    t[HY + 1][lx] = T[a];
    k[HY + 1][lx] = K[a];
  }
  __syncthreads();
  const float kc = k[ly][lx], tc = t[ly][lx];
  float flow = 2.0f * kc * k[ly][lx - 1] / (kc + k[ly][lx - 1]) * (t[ly][lx - 1] - tc);
  flow += 2.0f * kc * k[ly][lx + 1] / (kc + k[ly][lx + 1]) * (t[ly][lx + 1] - tc);
  flow += 2.0f * kc * k[ly - 1][lx] / (kc + k[ly - 1][lx]) * (t[ly - 1][lx] - tc);
  flow += 2.0f * kc * k[ly + 1][lx] / (kc + k[ly + 1][lx]) * (t[ly + 1][lx] - tc);
  out[at] = tc + dt * flow;
}

// ---- 14. learning
// 32 queries a block, four threads a query; keys and values in tiles of 32
__global__ void attention_block(const float* __restrict__ Q, const float* __restrict__ K,
                                const float* __restrict__ V, float* __restrict__ O, int seq,
                                float scale) {
  __shared__ float q[32][65], k[32][65], v[32][64], p[32][33];
  const int t = threadIdx.x, row = t >> 2, part = t & 3;
  const size_t head = (size_t)blockIdx.y * seq * 64;
  for (int e = t; e < 2048; e += 128) q[e >> 6][e & 63] = Q[head + blockIdx.x * 2048 + e] * scale;
  float acc[16];
#pragma unroll
  for (int i = 0; i < 16; i++) acc[i] = 0.0f;
  float m = -1e30f, l = 0.0f;
  for (int j0 = 0; j0 < seq; j0 += 32) {
    __syncthreads();
    for (int e = t; e < 2048; e += 128) {
      k[e >> 6][e & 63] = K[head + (size_t)j0 * 64 + e];
      v[e >> 6][e & 63] = V[head + (size_t)j0 * 64 + e];
    }
    __syncthreads();
    float s[8] = {};
#pragma unroll 8
    for (int d = 0; d < 64; d++) {
      const float qd = q[row][d];
#pragma unroll
      for (int i = 0; i < 8; i++) s[i] += qd * k[part + 4 * i][d];
    }
    float top = m;
#pragma unroll
    for (int i = 0; i < 8; i++) top = fmaxf(top, s[i]);
    top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
    top = fmaxf(top, __shfl_xor_sync(~0u, top, 2));
    const float fade = __expf(m - top);
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++) {
      s[i] = __expf(s[i] - top);
      sum += s[i];
      p[row][part + 4 * i] = s[i];
    }
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    l = l * fade + sum;
    m = top;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 16; i++) acc[i] *= fade;
#pragma unroll 4
    for (int j = 0; j < 32; j++) {
      const float w = p[row][j];
#pragma unroll
      for (int i = 0; i < 16; i++) acc[i] += w * v[j][part + 4 * i];
    }
  }
  const float inv = 1.0f / l;
#pragma unroll
  for (int i = 0; i < 16; i++)
    O[head + (size_t)(blockIdx.x * 32 + row) * 64 + part + 4 * i] = acc[i] * inv;
}

// the mean of a bag of embeddings of 64; a warp a bag
__global__ void embedding_bag(const float2* __restrict__ table, const int* __restrict__ indices,
                              float2* __restrict__ out, int bags, int size) {
  const int bag = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (bag >= bags) return;
  float2 sum = make_float2(0, 0);
  for (int i = 0; i < size; i++) {
    const float2 e = table[(size_t)indices[bag * size + i] * 32 + lane];
    sum.x += e.x;
    sum.y += e.y;
  }
  out[bag * 32 + lane] = make_float2(sum.x / size, sum.y / size);
}

// sums and squares of each column, for batch norm; blocks of 32 x 16
__global__ void bn_column_stats(const float* x, float* sum, float* square, int rows, int cols,
                                int rowsPerBlock) {
  __shared__ float s1[16][32], s2[16][32];
  const int c = blockIdx.x * 32 + threadIdx.x;
  const int end = min(rows, (int)(blockIdx.y + 1) * rowsPerBlock);
  float a = 0, b = 0;
  for (int r = blockIdx.y * rowsPerBlock + threadIdx.y; r < end; r += 16) {
    const float v = x[(size_t)r * cols + c];
    a += v;
    b += v * v;
  }
  s1[threadIdx.y][threadIdx.x] = a;
  s2[threadIdx.y][threadIdx.x] = b;
  __syncthreads();
  for (int h = 8; h > 0; h >>= 1) {
    if (threadIdx.y < h) {
      s1[threadIdx.y][threadIdx.x] += s1[threadIdx.y + h][threadIdx.x];
      s2[threadIdx.y][threadIdx.x] += s2[threadIdx.y + h][threadIdx.x];
    }
    __syncthreads();
  }
  if (threadIdx.y == 0) {
    atomicAdd(&sum[c], s1[0][threadIdx.x]);
    atomicAdd(&square[c], s2[0][threadIdx.x]);
  }
}

// ---- 15. Monte Carlo
__device__ __forceinline__ unsigned nextTaus(uint4& s) {
  s.x = ((s.x & 0xfffffffeu) << 12) ^ (((s.x << 13) ^ s.x) >> 19);
  s.y = ((s.y & 0xfffffff8u) << 4) ^ (((s.y << 2) ^ s.y) >> 25);
  s.z = ((s.z & 0xfffffff0u) << 17) ^ (((s.z << 3) ^ s.z) >> 11);
  s.w = 1664525u * s.w + 1013904223u;
  return s.x ^ s.y ^ s.z ^ s.w;
}
__device__ uint4 seedTaus(unsigned id) {
  unsigned h = id * 0x9E3779B9u + 0x7F4A7C15u;
  uint4 s;
  h = (h ^ (h >> 16)) * 0x85EBCA6Bu, s.x = h | 128u;
  h = (h ^ (h >> 13)) * 0xC2B2AE35u, s.y = h | 128u;
  h = (h ^ (h >> 16)) * 0x85EBCA6Bu, s.z = h | 128u;
  h = (h ^ (h >> 13)) * 0xC2B2AE35u, s.w = h;
  return s;
}
// a call under Heston's stochastic variance
__global__ void heston_call(float* payoff, int steps, float strike, float rate, float kappa,
                            float theta, float xi, float rho) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 rng = seedTaus(path);
  const float dt = 1.0f / steps, ortho = sqrtf(1.0f - rho * rho);
  float logS = logf(100.0f), v = theta;
  for (int i = 0; i < steps; i++) {
    const float u1 = (nextTaus(rng) >> 8) * (1.0f / 16777216.0f) + 1e-8f;
    const float u2 = (nextTaus(rng) >> 8) * (1.0f / 16777216.0f);
    const float radius = sqrtf(-2.0f * logf(u1));
    float sn, cs;
    __sincosf(6.2831853f * u2, &sn, &cs);
    const float z1 = radius * cs, z2 = rho * z1 + ortho * radius * sn;
    const float vp = fmaxf(v, 0.0f), root = sqrtf(vp * dt);
    logS += (rate - 0.5f * vp) * dt + root * z2;
    v += kappa * (theta - vp) * dt + xi * root * z1;
  }
  payoff[path] = expf(-rate) * fmaxf(expf(logS) - strike, 0.0f);
}

// photons through a slab: free paths, Henyey-Greenstein scattering, roulette
__global__ void photon_slab(float* absorbed, float* escaped, float depth, float albedo, float g,
                            unsigned seed) {
  __shared__ float tally[128];
  if (threadIdx.x < 128) tally[threadIdx.x] = 0.0f;
  __syncthreads();
  uint4 rng = seedTaus(seed + blockIdx.x * blockDim.x + threadIdx.x);
#define UNIFORM() ((nextTaus(rng) >> 8) * (1.0f / 16777216.0f))
  float z = 0.0f, mu = 1.0f, weight = 1.0f, out = 0.0f;
  while (true) {
    z -= mu * logf(UNIFORM() + 1e-8f);
    if (z < 0.0f || z >= depth) {
      if (z >= depth) out = weight;
      break;
    }
    const float loss = weight * (1.0f - albedo);
    atomicAdd(&tally[min(127, (int)(z / depth * 128.0f))], loss);
    weight -= loss;
    if (weight < 0.1f) {
      if (UNIFORM() > 0.1f) break;
      weight *= 10.0f;
    }
    const float f = (1.0f - g * g) / (1.0f - g + 2.0f * g * UNIFORM());
    const float cosT = (1.0f + g * g - f * f) / (2.0f * g);
    const float sinT = sqrtf(fmaxf(0.0f, 1.0f - cosT * cosT));
    mu = mu * cosT + sqrtf(fmaxf(0.0f, 1.0f - mu * mu)) * sinT * cosf(6.2831853f * UNIFORM());
    mu = fminf(1.0f, fmaxf(-1.0f, mu));
  }
#undef UNIFORM
  for (int o = 16; o > 0; o >>= 1) out += __shfl_down_sync(~0u, out, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(escaped, out);
  __syncthreads();
  if (threadIdx.x < 128) atomicAdd(&absorbed[threadIdx.x], tally[threadIdx.x]);
}

// ---- 16. ciphers
// GOST 28147 as a counter; the eight tables of 16 lie in constant memory
__constant__ unsigned char gostBox[8][16] = {
    {12, 4, 6, 2, 10, 5, 11, 9, 14, 8, 13, 7, 0, 3, 15, 1},
    {6, 8, 2, 3, 9, 10, 5, 12, 1, 14, 4, 7, 11, 13, 0, 15},
    {11, 3, 5, 8, 2, 15, 10, 13, 14, 1, 7, 4, 12, 9, 6, 0},
    {12, 8, 2, 1, 13, 4, 15, 6, 7, 0, 10, 5, 3, 14, 9, 11},
    {7, 15, 5, 10, 8, 1, 6, 13, 0, 9, 3, 14, 11, 4, 2, 12},
    {5, 13, 15, 6, 9, 2, 12, 10, 11, 7, 8, 1, 4, 3, 14, 0},
    {8, 14, 2, 5, 6, 9, 1, 12, 15, 4, 11, 0, 13, 10, 3, 7},
    {1, 7, 14, 13, 0, 5, 8, 3, 4, 15, 10, 6, 9, 12, 11, 2}};
__device__ unsigned gostRound(unsigned x) {
  unsigned y = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) y |= (unsigned)gostBox[i][(x >> (4 * i)) & 15] << (4 * i);
  return (y << 11) | (y >> 21);
}
__global__ void gost_counter(const uint2* plain, uint2* cipher, const unsigned* key, int blocks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks) return;
  unsigned k[8];
  for (int j = 0; j < 8; j++) k[j] = key[j];
  unsigned a = i, b = 0x01010104u;
  for (int r = 0; r < 3; r++)
#pragma unroll
    for (int j = 0; j < 8; j += 2) {
      b ^= gostRound(a + k[j]);
      a ^= gostRound(b + k[j + 1]);
    }
#pragma unroll
  for (int j = 7; j > 0; j -= 2) {
    b ^= gostRound(a + k[j]);
    a ^= gostRound(b + k[j - 1]);
  }
  uint2 p = plain[i];
  cipher[i] = make_uint2(p.x ^ b, p.y ^ a);
}

// Blowfish, block by block; its boxes in shared memory
__global__ void blowfish_ecb(const uint2* __restrict__ in, uint2* __restrict__ out,
                             const unsigned* __restrict__ boxes, const unsigned* __restrict__ keys,
                             int n) {
  __shared__ unsigned S[4][256];
  __shared__ unsigned P[18];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) S[i >> 8][i & 255] = boxes[i];
  if (threadIdx.x < 18) P[threadIdx.x] = keys[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint2 v = in[i];
    unsigned l = v.x, r = v.y;
#pragma unroll
    for (int k = 0; k < 16; k += 2) {
      l ^= P[k];
      r ^= ((S[0][l >> 24] + S[1][(l >> 16) & 255]) ^ S[2][(l >> 8) & 255]) + S[3][l & 255];
      r ^= P[k + 1];
      l ^= ((S[0][r >> 24] + S[1][(r >> 16) & 255]) ^ S[2][(r >> 8) & 255]) + S[3][r & 255];
    }
    out[i] = make_uint2(r ^ P[17], l ^ P[16]);
  }
}

// ---- 17. bits and searches
// Tanimoto's likeness of fingerprints of 1024 bits to one of them; eight lanes a fingerprint
__global__ void tanimoto_1024(const uint4* __restrict__ prints, const uint4* __restrict__ query,
                              float* __restrict__ likeness, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = t & 7, stride = gridDim.x * blockDim.x / 8;
  const uint4 q = query[lane];
  for (int i = t >> 3; i < n; i += stride) {
    const uint4 p = prints[i * 8 + lane];
    int both = __popc(p.x & q.x) + __popc(p.y & q.y) + __popc(p.z & q.z) + __popc(p.w & q.w);
    int any = __popc(p.x | q.x) + __popc(p.y | q.y) + __popc(p.z | q.z) + __popc(p.w | q.w);
    const unsigned mask = 0xffu << (threadIdx.x & 24);
    for (int o = 4; o > 0; o >>= 1) {
      both += __shfl_down_sync(mask, both, o, 8);
      any += __shfl_down_sync(mask, any, o, 8);
    }
    if (lane == 0) likeness[i] = any ? (float)both / any : 0.0f;
  }
}

// a table of sorted knots, looked up by halves and interpolated
__global__ void interpolate_table(const float* __restrict__ knots, const float* __restrict__ values,
                                  int n, const float* __restrict__ at, float* __restrict__ result,
                                  int queries) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries) return;
  const float x = at[i];
  int lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    const int mid = (lo + hi) / 2;
    if (knots[mid] <= x)
      lo = mid;
    else
      hi = mid;
  }
  const float f = (x - knots[lo]) / (knots[hi] - knots[lo]);
  result[i] = values[lo] + f * (values[hi] - values[lo]);
}

// ---- 18. sorting and sums
// one stage of a bitonic sort, keys and values
__global__ void bitonicMergeGlobal(float* keys, unsigned* values, unsigned size, unsigned stride) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned pos = 2 * i - (i & (stride - 1));
  bool up = (pos & size) == 0;
  float a = keys[pos], b = keys[pos + stride];
  unsigned va = values[pos], vb = values[pos + stride];
  if ((a > b) == up) {
    keys[pos] = b;
    keys[pos + stride] = a;
    values[pos] = vb;
    values[pos + stride] = va;
  }
}

// where a mask of bytes is zero; sixteen bytes a thread
__global__ void zero_indices(const uint4* __restrict__ mask, int* __restrict__ indices, int* found,
                             int vectors) {
  __shared__ int warpSums[8];
  __shared__ int base;
  const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const uint4 v = i < vectors ? mask[i] : make_uint4(~0u, ~0u, ~0u, ~0u);
  const unsigned z[4] = {__vcmpeq4(v.x, 0), __vcmpeq4(v.y, 0), __vcmpeq4(v.z, 0),
                         __vcmpeq4(v.w, 0)};
  const int mine = (__popc(z[0]) + __popc(z[1]) + __popc(z[2]) + __popc(z[3])) / 8;
  int upto = mine;
  for (int o = 1; o < 32; o <<= 1) {
    const int u = __shfl_up_sync(~0u, upto, o);
    if (lane >= o) upto += u;
  }
  if (lane == 31) warpSums[warp] = upto;
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int w = 0; w < 8; w++) {
      const int s = warpSums[w];
      warpSums[w] = total;
      total += s;
    }
    base = atomicAdd(found, total);
  }
  __syncthreads();
  int at = base + warpSums[warp] + upto - mine;
#pragma unroll
  for (int k = 0; k < 16; k++)
    if ((z[k / 4] >> (k % 4 * 8)) & 1) indices[at++] = i * 16 + k;
}

__global__ void columnSums(const float* m, float* sums, int rows, int cols, int chunk) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  int r0 = blockIdx.y * chunk, r1 = min(rows, r0 + chunk);
  float s = 0.0f;
  for (int r = r0; r < r1; r++) s += m[(size_t)r * cols + c];
  atomicAdd(&sums[c], s);
}

// ---- 19. signals
__device__ __forceinline__ float2 cmul(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
// a pass of Stockham's transform of n, radix 4; ns is how far it has come
__global__ void fft_radix4_pass(const float2* __restrict__ in, float2* __restrict__ out, int n,
                                int ns) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int quarter = n / 4;
  if (j >= quarter) return;
  const int k = j & (ns - 1);
  float2 v0 = in[j], v1 = in[j + quarter], v2 = in[j + 2 * quarter], v3 = in[j + 3 * quarter];
  float s, c;
  sincospif(-0.5f * k / ns, &s, &c);
  const float2 w1 = make_float2(c, s), w2 = cmul(w1, w1), w3 = cmul(w2, w1);
  v1 = cmul(v1, w1);
  v2 = cmul(v2, w2);
  v3 = cmul(v3, w3);
  const float2 a = make_float2(v0.x + v2.x, v0.y + v2.y), b = make_float2(v0.x - v2.x, v0.y - v2.y);
  const float2 d = make_float2(v1.x + v3.x, v1.y + v3.y);
  const float2 e = make_float2(v1.y - v3.y, v3.x - v1.x);  // -i (v1 - v3)
  float2* to = out + (j - k) * 4 + k;
  to[0] = make_float2(a.x + d.x, a.y + d.y);
  to[ns] = make_float2(b.x + e.x, b.y + e.y);
  to[2 * ns] = make_float2(a.x - d.x, a.y - d.y);
  to[3 * ns] = make_float2(b.x - e.x, b.y - e.y);
}

// a lag a thread, the signal in pieces through shared memory
__global__ void autocorrelate_pieces(const float* signal, float* result, int n) {
  __shared__ float s[1024 + 256];
  const int start = blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1280; i += 256) s[i] = start + i < n ? signal[start + i] : 0.0f;
  __syncthreads();
  const int lag = threadIdx.x;
  float sum = 0.0f;
#pragma unroll 4
  for (int i = 0; i < 1024; i++) sum += s[i] * s[i + lag];
  atomicAdd(&result[lag], sum);
}

// the 5/3 wavelet down the columns: low rows to the top half, high rows to the bottom half
__global__ void dwt53_columns(const int* __restrict__ in, int* __restrict__ out, int width,
                              int height, int pairs) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  const int half = height / 2, y0 = blockIdx.y * pairs, y1 = min(half, y0 + pairs);
  int even = in[2 * y0 * width + x];
  int before;  // the high number above
  if (y0 > 0)
    before = in[(2 * y0 - 1) * width + x] - ((in[(2 * y0 - 2) * width + x] + even) >> 1);
  else
    before = in[width + x] - ((even + in[2 * width + x]) >> 1);
  for (int y = y0; y < y1; y++) {
    const int odd = in[(2 * y + 1) * width + x];
    const int next = 2 * y + 2 < height ? in[(2 * y + 2) * width + x] : even;
    const int high = odd - ((even + next) >> 1);
    out[y * width + x] = even + ((before + high + 2) >> 2);
    out[(half + y) * width + x] = high;
    before = high;
    even = next;
  }
}

// ---- 20. geometry
// points by coordinate, D of them; counts what each centre gets
template <int D>
__global__ void kmeans_label(const float* __restrict__ points, const float* __restrict__ centres,
                             int* __restrict__ label, int* counts, int n, int k) {
  extern __shared__ float c[];
  int* tally = (int*)(c + k * D);
  for (int i = threadIdx.x; i < k * D; i += blockDim.x) c[i] = centres[i];
  for (int i = threadIdx.x; i < k; i += blockDim.x) tally[i] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float p[D];
#pragma unroll
    for (int d = 0; d < D; d++) p[d] = points[d * n + i];
    float best = 3e38f;
    int which = 0;
    for (int j = 0; j < k; j++) {
      float dist = 0.0f;
#pragma unroll
      for (int d = 0; d < D; d++) {
        const float diff = p[d] - c[j * D + d];
        dist += diff * diff;
      }
      if (dist < best) best = dist, which = j;
    }
    label[i] = which;
    atomicAdd(&tally[which], 1);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < k; j += blockDim.x)
    if (tally[j]) atomicAdd(&counts[j], tally[j]);
}

// the nearest of the training descriptors, 64 signed bytes each, where it is clearly nearest
__global__ void match_descriptors(const int4* __restrict__ query, const int4* __restrict__ train,
                                  int* __restrict__ match, int trains) {
  __shared__ int4 tile[64][4];
  __shared__ int norm[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  int4 q[4];
#pragma unroll
  for (int w = 0; w < 4; w++) q[w] = query[i * 4 + w];
  float best = 3e38f, second = 3e38f;
  int where = -1, qq = 0;
#pragma unroll
  for (int w = 0; w < 4; w++) {
    qq = __dp4a(q[w].x, q[w].x, qq);
    qq = __dp4a(q[w].y, q[w].y, qq);
    qq = __dp4a(q[w].z, q[w].z, qq);
    qq = __dp4a(q[w].w, q[w].w, qq);
  }
  for (int base = 0; base < trains; base += 64) {
    int tt = 0;
    for (int w = 0; w < 4; w++) {
      const int4 v = train[(base + t) * 4 + w];
      tile[t][w] = v;
      tt = __dp4a(v.x, v.x, __dp4a(v.y, v.y, __dp4a(v.z, v.z, __dp4a(v.w, v.w, tt))));
    }
    norm[t] = tt;
    __syncthreads();
    for (int j = 0; j < 64; j++) {
      int dot = 0;
#pragma unroll
      for (int w = 0; w < 4; w++) {
        const int4 v = tile[j][w];
        dot = __dp4a(q[w].x, v.x, dot);
        dot = __dp4a(q[w].y, v.y, dot);
        dot = __dp4a(q[w].z, v.z, dot);
        dot = __dp4a(q[w].w, v.w, dot);
      }
      const float dist = (float)(qq + norm[j] - 2 * dot);
      if (dist < best) {
        second = best;
        best = dist;
        where = base + j;
      } else if (dist < second) {
        second = dist;
      }
    }
    __syncthreads();
  }
  match[i] = best < 0.8f * second ? where : -1;
}
