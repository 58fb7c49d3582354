// Forty-four more kernels in the manner of many authors. third_launches.csv says how each is launched.
#include <cuda_fp16.h>

// ---- 1. images
// one pixel a thread, straight from global memory
__global__ void sobel(const unsigned char* src, unsigned char* dst, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    dst[y * width + x] = 0;
    return;
  }
  int p00 = src[(y - 1) * width + x - 1], p01 = src[(y - 1) * width + x],
      p02 = src[(y - 1) * width + x + 1];
  int p10 = src[y * width + x - 1], p12 = src[y * width + x + 1];
  int p20 = src[(y + 1) * width + x - 1], p21 = src[(y + 1) * width + x],
      p22 = src[(y + 1) * width + x + 1];
  int gx = -p00 + p02 - 2 * p10 + 2 * p12 - p20 + p22;
  int gy = -p00 - 2 * p01 - p02 + p20 + 2 * p21 + p22;
  float mag = sqrtf((float)(gx * gx + gy * gy));
  dst[y * width + x] = mag > 255.0f ? 255 : (unsigned char)mag;
}

#define BILATERAL_RADIUS 3
__global__ void bilateralFilter(const float* __restrict__ in, float* __restrict__ out, int w, int h,
                                float sigmaSpace, float sigmaRange) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float a = -0.5f / (sigmaSpace * sigmaSpace), b = -0.5f / (sigmaRange * sigmaRange);
  const float centre = in[y * w + x];
  float sum = 0.0f, norm = 0.0f;
  for (int dy = -BILATERAL_RADIUS; dy <= BILATERAL_RADIUS; dy++) {
    const int yy = min(max(y + dy, 0), h - 1);
    for (int dx = -BILATERAL_RADIUS; dx <= BILATERAL_RADIUS; dx++) {
      const int xx = min(max(x + dx, 0), w - 1);
      const float v = in[yy * w + xx];
      const float d = v - centre;
      const float weight = __expf((float)(dx * dx + dy * dy) * a + d * d * b);
      sum += weight * v;
      norm += weight;
    }
  }
  out[y * w + x] = sum / norm;
}

// the horizontal pass of a separable convolution; block is 64x4
#define CONV_R 8
__constant__ float c_gauss[2 * CONV_R + 1] = {0.0044f, 0.0091f, 0.0170f, 0.0291f, 0.0453f, 0.0645f,
                                              0.0838f, 0.0993f, 0.0950f, 0.0993f, 0.0838f, 0.0645f,
                                              0.0453f, 0.0291f, 0.0170f, 0.0091f, 0.0044f};
__global__ void convolutionRows(const float* d_src, float* d_dst, int imageW, int imageH) {
  __shared__ float s_row[4][64 + 2 * CONV_R];
  const int x0 = blockIdx.x * 64, y = blockIdx.y * 4 + threadIdx.y;
  for (int i = threadIdx.x; i < 64 + 2 * CONV_R; i += 64) {
    const int x = x0 + i - CONV_R;
    s_row[threadIdx.y][i] = (x >= 0 && x < imageW && y < imageH) ? d_src[y * imageW + x] : 0.0f;
  }
  __syncthreads();
  const int x = x0 + threadIdx.x;
  if (x >= imageW || y >= imageH) return;
  float sum = 0;
#pragma unroll
  for (int j = -CONV_R; j <= CONV_R; j++)
    sum += c_gauss[CONV_R - j] * s_row[threadIdx.y][threadIdx.x + j + CONV_R];
  d_dst[y * imageW + x] = sum;
}

__global__ void rgb2hsv(const unsigned char* rgb, float* hsv, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float r = rgb[3 * i + 0] / 255.0f;
    float g = rgb[3 * i + 1] / 255.0f;
    float b = rgb[3 * i + 2] / 255.0f;
    float mx = fmaxf(r, fmaxf(g, b));
    float mn = fminf(r, fminf(g, b));
    float delta = mx - mn;
    float h = 0.0f;
    if (delta > 0.0f) {
      if (mx == r)
        h = 60.0f * ((g - b) / delta);
      else if (mx == g)
        h = 60.0f * ((b - r) / delta + 2.0f);
      else
        h = 60.0f * ((r - g) / delta + 4.0f);
      if (h < 0.0f) h += 360.0f;
    }
    hsv[3 * i + 0] = h;
    hsv[3 * i + 1] = mx > 0.0f ? delta / mx : 0.0f;
    hsv[3 * i + 2] = mx;
  }
}

// ---- 2. dynamics
__global__ void game_of_life(const unsigned char* cells, unsigned char* next, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const int left = (x + w - 1) % w, right = (x + 1) % w;
  const int up = ((y + h - 1) % h) * w, down = ((y + 1) % h) * w, mid = y * w;
  const int alive = cells[up + left] + cells[up + x] + cells[up + right] + cells[mid + left] +
                    cells[mid + right] + cells[down + left] + cells[down + x] + cells[down + right];
  next[mid + x] = alive == 3 || (alive == 2 && cells[mid + x]) ? 1 : 0;
}

// pull, BGK collision, periodic, structure of arrays
__global__ void lbm_d2q9(const float* __restrict__ f, float* __restrict__ g, int nx, int ny,
                         float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  const int plane = nx * ny;
  const int xm = x == 0 ? nx - 1 : x - 1, xp = x == nx - 1 ? 0 : x + 1;
  const int ym = y == 0 ? ny - 1 : y - 1, yp = y == ny - 1 ? 0 : y + 1;
  const float f0 = f[y * nx + x];
  const float f1 = f[1 * plane + y * nx + xm];
  const float f2 = f[2 * plane + ym * nx + x];
  const float f3 = f[3 * plane + y * nx + xp];
  const float f4 = f[4 * plane + yp * nx + x];
  const float f5 = f[5 * plane + ym * nx + xm];
  const float f6 = f[6 * plane + ym * nx + xp];
  const float f7 = f[7 * plane + yp * nx + xp];
  const float f8 = f[8 * plane + yp * nx + xm];
  const float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
  const float inv = 1.0f / rho;
  const float ux = (f1 + f5 + f8 - f3 - f6 - f7) * inv;
  const float uy = (f2 + f5 + f6 - f4 - f7 - f8) * inv;
  const float usq = 1.5f * (ux * ux + uy * uy);
  const float w0 = 4.0f / 9.0f * rho, w1 = rho / 9.0f, w2 = rho / 36.0f;
  float cu;
  const int o = y * nx + x;
  g[o] = f0 + omega * (w0 * (1.0f - usq) - f0);
  cu = 3.0f * ux;
  g[1 * plane + o] = f1 + omega * (w1 * (1.0f + cu + 0.5f * cu * cu - usq) - f1);
  g[3 * plane + o] = f3 + omega * (w1 * (1.0f - cu + 0.5f * cu * cu - usq) - f3);
  cu = 3.0f * uy;
  g[2 * plane + o] = f2 + omega * (w1 * (1.0f + cu + 0.5f * cu * cu - usq) - f2);
  g[4 * plane + o] = f4 + omega * (w1 * (1.0f - cu + 0.5f * cu * cu - usq) - f4);
  cu = 3.0f * (ux + uy);
  g[5 * plane + o] = f5 + omega * (w2 * (1.0f + cu + 0.5f * cu * cu - usq) - f5);
  g[7 * plane + o] = f7 + omega * (w2 * (1.0f - cu + 0.5f * cu * cu - usq) - f7);
  cu = 3.0f * (uy - ux);
  g[6 * plane + o] = f6 + omega * (w2 * (1.0f + cu + 0.5f * cu * cu - usq) - f6);
  g[8 * plane + o] = f8 + omega * (w2 * (1.0f - cu + 0.5f * cu * cu - usq) - f8);
}

__global__ void wave_equation(const double* prev, const double* cur, double* next, int nx, int ny,
                              float c2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
    int p = j * nx + i;
    double lap = cur[p - 1] + cur[p + 1] + cur[p - nx] + cur[p + nx] - 4.0 * cur[p];
    next[p] = 2.0 * cur[p] - prev[p] + c2 * lap;
  }
}

__global__ void heat3d(const float* u, float* un, int n, float alpha) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  int id = (z * n + y) * n + x;
  if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
    un[id] = u[id];
  } else {
    un[id] = u[id] + alpha * (u[id - 1] + u[id + 1] + u[id - n] + u[id + n] + u[id - n * n] +
                              u[id + n * n] - 6.0f * u[id]);
  }
}

// ---- 3. linear algebra
// a warp a row
__global__ void gemv_rows(const float* __restrict__ A, const float* __restrict__ x,
                          float* __restrict__ y, int m, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= m) return;
  const float* a = A + (size_t)row * n;
  float acc = 0.0f;
  for (int j = lane; j < n; j += 32) acc += a[j] * x[j];
  for (int offset = 16; offset > 0; offset /= 2) acc += __shfl_down_sync(0xffffffff, acc, offset);
  if (lane == 0) y[row] = acc;
}

// y += A^T x, a thread a column, rows shared out over blockIdx.y
__global__ void gemv_columns(const float* __restrict__ A, const float* __restrict__ x, float* y,
                             int m, int n, int rowsPerBlock) {
  extern __shared__ float xs[];
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = blockIdx.y * rowsPerBlock;
  for (int i = threadIdx.x; i < rowsPerBlock; i += blockDim.x)
    xs[i] = first + i < m ? x[first + i] : 0.0f;
  __syncthreads();
  if (col >= n) return;
  float sum = 0.0f;
  const int rows = min(rowsPerBlock, m - first);
  for (int i = 0; i < rows; ++i) sum += A[(size_t)(first + i) * n + col] * xs[i];
  atomicAdd(&y[col], sum);
}

// the trailing update of a right-looking LU without pivots
__global__ void lu_update(double* a, int n, int k) {
  __shared__ double l[16], u[16];
  const int row = k + 1 + blockIdx.y * 16 + threadIdx.y;
  const int col = k + 1 + blockIdx.x * 16 + threadIdx.x;
  if (threadIdx.x == 0 && row < n) l[threadIdx.y] = a[row * n + k] / a[k * n + k];
  if (threadIdx.y == 0 && col < n) u[threadIdx.x] = a[k * n + col];
  __syncthreads();
  if (row < n && col < n) a[row * n + col] -= l[threadIdx.y] * u[threadIdx.x];
}

__global__ void batched_matmul_16(const float* A, const float* B, float* C) {
  __shared__ float sa[16][16];
  __shared__ float sb[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const size_t base = (size_t)blockIdx.x * 256;
  sa[ty][tx] = A[base + ty * 16 + tx];
  sb[ty][tx] = B[base + ty * 16 + tx];
  __syncthreads();
  float c = 0;
  for (int k = 0; k < 16; k++) c += sa[ty][k] * sb[k][tx];
  C[base + ty * 16 + tx] = c;
}

// ---- 4. machine learning
// scores[h][i][j] = q[h][i] . k[h][j] / 8 for heads of 64
__global__ void attention_scores(const __half* Q, const __half* K, float* S, int seq) {
  __shared__ float qs[16][64];
  __shared__ float ks[16][65];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int head = blockIdx.z, i0 = blockIdx.y * 16, j0 = blockIdx.x * 16;
  const __half* q = Q + ((size_t)head * seq + i0) * 64;
  const __half* k = K + ((size_t)head * seq + j0) * 64;
  for (int c = tx; c < 64; c += 16) {
    qs[ty][c] = __half2float(q[ty * 64 + c]);
    ks[ty][c] = __half2float(k[ty * 64 + c]);
  }
  __syncthreads();
  float dot = 0.0f;
#pragma unroll
  for (int d = 0; d < 64; ++d) dot += qs[ty][d] * ks[tx][d];
  S[((size_t)head * seq + i0 + ty) * seq + j0 + tx] = dot * 0.125f;
}

// rows of 512 halves, 64 threads of 16 bytes
__global__ void embedding_gather(const int* __restrict__ tokens, const uint4* __restrict__ table,
                                 uint4* __restrict__ out) {
  const int token = tokens[blockIdx.x];
  out[(size_t)blockIdx.x * 64 + threadIdx.x] = table[(size_t)token * 64 + threadIdx.x];
}

// training: a block a channel of NCHW
__global__ void batch_norm(const float* x, const float* gamma, const float* beta, float* y, int N,
                           int C, int HW, float eps) {
  __shared__ float sum[512];
  __shared__ float sq[512];
  const int c = blockIdx.x, t = threadIdx.x;
  float s = 0.0f, s2 = 0.0f;
  for (int n = 0; n < N; n++) {
    const float* p = x + ((size_t)n * C + c) * HW;
    for (int i = t; i < HW; i += blockDim.x) {
      float v = p[i];
      s += v;
      s2 += v * v;
    }
  }
  sum[t] = s;
  sq[t] = s2;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride) {
      sum[t] += sum[t + stride];
      sq[t] += sq[t + stride];
    }
    __syncthreads();
  }
  const float count = (float)N * HW;
  const float mean = sum[0] / count;
  const float var = sq[0] / count - mean * mean;
  const float scale = gamma[c] * rsqrtf(var + eps), shift = beta[c] - mean * scale;
  for (int n = 0; n < N; n++) {
    const size_t at = ((size_t)n * C + c) * HW;
    for (int i = t; i < HW; i += blockDim.x) y[at + i] = x[at + i] * scale + shift;
  }
}

// C[m][n] = A[m][k] . B[n][k], four signed bytes an int
__global__ void gemm_int8(const int* __restrict__ A, const int* __restrict__ B, int* __restrict__ C,
                          int N, int K4) {
  __shared__ int As[32][33], Bs[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  int acc = 0;
  for (int k0 = 0; k0 < K4; k0 += 32) {
    As[ty][tx] = A[row * K4 + k0 + tx];
    Bs[ty][tx] = B[(blockIdx.x * 32 + ty) * K4 + k0 + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k++) acc = __dp4a(As[ty][k], Bs[tx][k], acc);
    __syncthreads();
  }
  C[row * N + col] = acc;
}

// ---- 5. Monte Carlo
__global__ void estimate_pi(unsigned int* hits, int samples, int seed) {
  __shared__ unsigned int cache[256];
  unsigned int state = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + seed;
  unsigned int inside = 0;
  for (int i = 0; i < samples; i++) {
    state = state * 1664525u + 1013904223u;
    float x = (state >> 8) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    float y = (state >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y <= 1.0f) inside++;
  }
  cache[threadIdx.x] = inside;
  __syncthreads();
  for (int i = blockDim.x / 2; i != 0; i /= 2) {
    if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(hits, cache[0]);
}

__device__ inline float cnd(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f,
              A5 = 1.330274429f, RSQRT2PI = 0.39894228040143267794f;
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = RSQRT2PI * expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  return d > 0 ? 1.0f - c : c;
}
__global__ void black_scholes(const float* S, const float* X, const float* T, float* call,
                              float* put, int n, float R, float V) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = S[i], x = X[i], t = T[i];
    float sqrtT = sqrtf(t);
    float d1 = (logf(s / x) + (R + 0.5f * V * V) * t) / (V * sqrtT);
    float d2 = d1 - V * sqrtT;
    float n1 = cnd(d1), n2 = cnd(d2);
    float e = expf(-R * t);
    call[i] = s * n1 - x * e * n2;
    put[i] = x * e * (1.0f - n2) - s * (1.0f - n1);
  }
}

__global__ void random_walk(int2* end, int* longest, int walkers, int steps) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= walkers) return;
  unsigned s = id * 2654435761u + 1u;
  int x = 0, y = 0, far = 0;
  for (int i = 0; i < steps; ++i) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    switch (s >> 30) {
      case 0:
        x++;
        break;
      case 1:
        x--;
        break;
      case 2:
        y++;
        break;
      default:
        y--;
        break;
    }
    const int d = abs(x) + abs(y);
    if (d > far) far = d;
  }
  end[id] = make_int2(x, y);
  atomicMax(longest, far);
}

// Asian option in double; Philox 4x32-10 and Box-Muller, two normals a call
__device__ uint4 philox(uint4 c, uint2 key) {
  for (int r = 0; r < 10; r++) {
    unsigned hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
    unsigned hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
    c = make_uint4(hi1 ^ c.y ^ key.x, lo1, hi0 ^ c.w ^ key.y, lo0);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return c;
}
__global__ void asian_option(double* payoff, int paths, int steps, float strike, float rate,
                             float vol) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= paths) return;
  const double dt = 1.0 / steps;
  const double drift = (rate - 0.5 * vol * vol) * dt, diffusion = vol * sqrt(dt);
  double s = 100.0, total = 0.0;
  for (int i = 0; i < steps; i += 2) {
    const uint4 r = philox(make_uint4(p, i, 0, 0), make_uint2(1234u, 5678u));
    const double u1 = (r.x + 1.0) * 2.3283064365386963e-10, u2 = r.y * 2.3283064365386963e-10;
    const double radius = sqrt(-2.0 * log(u1));
    double sn, cs;
    sincos(6.283185307179586 * u2, &sn, &cs);
    s *= exp(drift + diffusion * radius * cs);
    total += s;
    s *= exp(drift + diffusion * radius * sn);
    total += s;
  }
  const double mean = total * dt;
  payoff[p] = mean > strike ? mean - strike : 0.0;
}

// ---- 6. text and hashes
// the table is made by the block; a thread a chunk
__global__ void crc32_chunks(const unsigned char* data, unsigned int* crc, int chunks, int length) {
  __shared__ unsigned int table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    unsigned int c = i;
    for (int b = 0; b < 8; b++) c = (c & 1) ? (c >> 1) ^ 0xEDB88320u : c >> 1;
    table[i] = c;
  }
  __syncthreads();
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= chunks) return;
  const unsigned char* p = data + (size_t)id * length;
  unsigned int c = 0xFFFFFFFFu;
  for (int i = 0; i < length; i++) c = table[(c ^ p[i]) & 0xFF] ^ (c >> 8);
  crc[id] = ~c;
}

// ten rounds of AES with four tables; ECB, 16 bytes a thread
__global__ void aes_rounds(const uint4* __restrict__ in, uint4* __restrict__ out,
                           const unsigned* __restrict__ tables, const unsigned* __restrict__ keys,
                           int n) {
  __shared__ unsigned t0[256], t1[256], t2[256], t3[256];
  __shared__ unsigned rk[44];
  const int t = threadIdx.x;
  t0[t] = tables[t];
  t1[t] = tables[256 + t];
  t2[t] = tables[512 + t];
  t3[t] = tables[768 + t];
  if (t < 44) rk[t] = keys[t];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    uint4 v = in[i];
    unsigned a = v.x ^ rk[0], b = v.y ^ rk[1], c = v.z ^ rk[2], d = v.w ^ rk[3];
    for (int r = 1; r <= 10; ++r) {
      unsigned na =
          t0[a >> 24] ^ t1[(b >> 16) & 255] ^ t2[(c >> 8) & 255] ^ t3[d & 255] ^ rk[4 * r];
      unsigned nb =
          t0[b >> 24] ^ t1[(c >> 16) & 255] ^ t2[(d >> 8) & 255] ^ t3[a & 255] ^ rk[4 * r + 1];
      unsigned nc =
          t0[c >> 24] ^ t1[(d >> 16) & 255] ^ t2[(a >> 8) & 255] ^ t3[b & 255] ^ rk[4 * r + 2];
      unsigned nd =
          t0[d >> 24] ^ t1[(a >> 16) & 255] ^ t2[(b >> 8) & 255] ^ t3[c & 255] ^ rk[4 * r + 3];
      a = na;
      b = nb;
      c = nc;
      d = nd;
    }
    out[i] = make_uint4(a, b, c, d);
  }
}

__constant__ char c_pattern[9] = "abbacadd";
__global__ void find_substring(const char* text, int* matches, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n - m) return;
  int k = 0;
  while (k < m && text[i + k] == c_pattern[k]) k++;
  if (k == m) atomicAdd(matches, 1);
}

// codes of 256 bits against one query
__global__ void hamming_256(const ulonglong2* __restrict__ codes, const ulonglong2* query,
                            int* __restrict__ distance, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const ulonglong2 q0 = query[0], q1 = query[1];
  const ulonglong2 c0 = codes[2 * (size_t)i], c1 = codes[2 * (size_t)i + 1];
  distance[i] =
      __popcll(c0.x ^ q0.x) + __popcll(c0.y ^ q0.y) + __popcll(c1.x ^ q1.x) + __popcll(c1.y ^ q1.y);
}

// ---- 7. graphs and search
// every vertex has `degree` neighbours; level < 0: not seen yet
__global__ void bfs_level(const int* __restrict__ level, const int* __restrict__ neighbours,
                          int* queued, int* queue, int* count, int vertices, int degree,
                          int current) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || level[v] != current) return;
  const int begin = v * degree, end = begin + degree;
  for (int e = begin; e < end; ++e) {
    const int u = neighbours[e];
    if (level[u] < 0 && atomicExch(&queued[u], 1) == 0) {
      const int at = atomicAdd(count, 1);
      queue[at] = u;
    }
  }
}

__global__ void floyd_warshall_step(int* dist, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  int through = dist[i * n + k] + dist[k * n + j];
  if (through < dist[i * n + j]) dist[i * n + j] = through;
}

__global__ void lower_bounds(const int* sorted, int n, const int* keys, int* found, int m) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < m) {
    int key = keys[tid];
    int lo = 0, hi = n;
    while (lo < hi) {
      int mid = (lo + hi) / 2;
      if (sorted[mid] < key)
        lo = mid + 1;
      else
        hi = mid;
    }
    found[tid] = lo;
  }
}

// merge path: a thread makes eight outputs
template <int PER>
__global__ void merge_path(const int* __restrict__ a, int na, const int* __restrict__ b, int nb,
                           int* __restrict__ out) {
  const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * PER;
  if (diagonal >= na + nb) return;
  int lo = max(0, diagonal - nb), hi = min(diagonal, na);
  while (lo < hi) {
    const int mid = (lo + hi) >> 1;
    if (a[mid] <= b[diagonal - 1 - mid])
      lo = mid + 1;
    else
      hi = mid;
  }
  int i = lo, j = diagonal - lo;
  const int stop = min(diagonal + PER, na + nb);
  for (int k = diagonal; k < stop; ++k) {
    const bool first = j >= nb || (i < na && a[i] <= b[j]);
    out[k] = first ? a[i++] : b[j++];
  }
}

// ---- 8. sorting and scans
__global__ void bitonic_step(int* data, int j, int k) {
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned int ixj = i ^ j;
  if (ixj > i) {
    int a = data[i], b = data[ixj];
    if ((i & k) == 0) {
      if (a > b) {
        data[i] = b;
        data[ixj] = a;
      }
    } else {
      if (a < b) {
        data[i] = b;
        data[ixj] = a;
      }
    }
  }
}

// stream compaction: an atomic a warp, places from a ballot
__global__ void compact_ballot(const float* __restrict__ in, float* __restrict__ out, int* total,
                               int n, float limit) {
  const int lane = threadIdx.x & 31;
  const int stride = gridDim.x * blockDim.x;
  for (int base = blockIdx.x * blockDim.x; base < n; base += stride) {
    const int i = base + threadIdx.x;
    const float v = i < n ? in[i] : 0.0f;
    const bool keep = i < n && v > limit;
    const unsigned mask = __ballot_sync(0xffffffffu, keep);
    int start = 0;
    if (lane == 0 && mask != 0) start = atomicAdd(total, __popc(mask));
    start = __shfl_sync(0xffffffffu, start, 0);
    if (keep) out[start + __popc(mask & ((1u << lane) - 1))] = v;
  }
}

#define BINS 4096
__global__ void histogram_4096(const unsigned* values, unsigned* bins, int n) {
  __shared__ unsigned local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&local[values[i] & (BINS - 1)], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    if (local[b] > 0) atomicAdd(&bins[b], local[b]);
}

// sums of the columns of halves; block 32x16, two columns a thread, rowsEach rows a block
__global__ void column_sums_half(const __half2* m, float2* partial, int rows, int cols2,
                                 int rowsEach) {
  __shared__ float2 acc[16][32];
  const int c = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.y * rowsEach, last = min(first + rowsEach, rows);
  float2 s = make_float2(0.0f, 0.0f);
  for (int r = first + threadIdx.y; r < last; r += 16) {
    const float2 v = __half22float2(m[(size_t)r * cols2 + c]);
    s.x += v.x;
    s.y += v.y;
  }
  acc[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < 16; ++k) {
      s.x += acc[k][threadIdx.x].x;
      s.y += acc[k][threadIdx.x].y;
    }
    partial[blockIdx.y * cols2 + c] = s;
  }
}

// ---- 9. signals
// one in-place radix-2 stage, decimation in time; half = half the butterfly
__global__ void fft_radix2_stage(float2* data, int n, int half) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n / 2) return;
  const int group = t / half, k = t % half;
  const int top = group * half * 2 + k, bottom = top + half;
  float sn, cs;
  sincosf(-3.14159265358979f * k / half, &sn, &cs);
  const float2 a = data[top], b = data[bottom];
  const float2 w = make_float2(b.x * cs - b.y * sn, b.x * sn + b.y * cs);
  data[top] = make_float2(a.x + w.x, a.y + w.y);
  data[bottom] = make_float2(a.x - w.x, a.y - w.y);
}

// decimates by two
template <int TAPS>
__global__ void fir_decimate(const float* in, const float* taps, float* out, int n) {
  __shared__ float h[TAPS];
  if (threadIdx.x < TAPS) h[threadIdx.x] = taps[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float y = 0.0f;
#pragma unroll
  for (int k = 0; k < TAPS; k++) y += h[k] * in[2 * i + k];
  out[i] = y;
}

// a block a lag
__global__ void autocorrelation(const float* __restrict__ x, float* __restrict__ r, int n) {
  __shared__ float warps[8];
  const int lag = blockIdx.x;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n - lag; i += blockDim.x) sum += x[i] * x[i + lag];
  for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = sum;
  __syncthreads();
  if (threadIdx.x < 8) {
    sum = warps[threadIdx.x];
    for (int d = 4; d; d >>= 1) sum += __shfl_down_sync(0xffu, sum, d);
    if (threadIdx.x == 0) r[lag] = sum / n;
  }
}

// all ten levels of blocks of 1024, 512 threads
__global__ void haar_1024(const float* in, float* out) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  const size_t base = (size_t)blockIdx.x * 1024;
  s[t] = in[base + t];
  s[t + 512] = in[base + t + 512];
  __syncthreads();
  for (int len = 512; len >= 1; len /= 2) {
    float lo = 0, hi = 0;
    if (t < len) {
      float a = s[2 * t], b = s[2 * t + 1];
      lo = (a + b) * 0.70710678f;
      hi = (a - b) * 0.70710678f;
    }
    __syncthreads();
    if (t < len) {
      s[t] = lo;
      out[base + len + t] = hi;
    }
    __syncthreads();
  }
  if (t == 0) out[base] = s[0];
}

// ---- 10. geometry
// points of DIM numbers, structure of arrays; the centres in shared memory
template <int DIM>
__global__ void kmeans_assign(const float* __restrict__ points, const float* __restrict__ centres,
                              unsigned char* __restrict__ cluster, int n, int k) {
  extern __shared__ float sc[];
  for (int i = threadIdx.x; i < k * DIM; i += blockDim.x) sc[i] = centres[i];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float p[DIM];
#pragma unroll
  for (int d = 0; d < DIM; d++) p[d] = points[d * n + i];
  float best = 3.4e38f;
  int which = 0;
  for (int c = 0; c < k; c++) {
    float dist = 0;
#pragma unroll
    for (int d = 0; d < DIM; d++) {
      float diff = p[d] - sc[c * DIM + d];
      dist += diff * diff;
    }
    if (dist < best) {
      best = dist;
      which = c;
    }
  }
  cluster[i] = (unsigned char)which;
}

__global__ void nearest_neighbour(const float* qx, const float* qy, const float* qz,
                                  const float* px, const float* py, const float* pz, int* index,
                                  float* dist, int queries, int points) {
  __shared__ float3 tile[128];
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = min(q, queries - 1);
  const float x = qx[at], y = qy[at], z = qz[at];
  float best = 1e30f;
  int bestIndex = -1;
  for (int base = 0; base < points; base += 128) {
    const int p = base + threadIdx.x;
    if (p < points) tile[threadIdx.x] = make_float3(px[p], py[p], pz[p]);
    __syncthreads();
    const int count = min(128, points - base);
    for (int j = 0; j < count; ++j) {
      const float dx = tile[j].x - x, dy = tile[j].y - y, dz = tile[j].z - z;
      const float d = dx * dx + dy * dy + dz * dz;
      if (d < best) {
        best = d;
        bestIndex = base + j;
      }
    }
    __syncthreads();
  }
  if (q < queries) {
    index[q] = bestIndex;
    dist[q] = sqrtf(best);
  }
}

__global__ void ray_spheres(const float4* __restrict__ spheres, uchar4* __restrict__ image, int w,
                            int h, int count) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  float dx = (px - 0.5f * w) / h, dy = (py - 0.5f * h) / h, dz = 1.0f;
  const float len = rsqrtf(dx * dx + dy * dy + dz * dz);
  dx *= len;
  dy *= len;
  dz *= len;
  float nearest = 1e20f;
  int hit = -1;
  for (int s = 0; s < count; s++) {
    const float4 c = spheres[s];
    const float b = c.x * dx + c.y * dy + (c.z + 4.0f) * dz;
    const float cc = c.x * c.x + c.y * c.y + (c.z + 4.0f) * (c.z + 4.0f) - c.w * c.w;
    const float disc = b * b - cc;
    if (disc > 0.0f) {
      const float t = b - sqrtf(disc);
      if (t > 0.0f && t < nearest) {
        nearest = t;
        hit = s;
      }
    }
  }
  uchar4 colour = make_uchar4(20, 20, 40, 255);
  if (hit >= 0) {
    const float4 c = spheres[hit];
    const float nz = (nearest * dz - c.z - 4.0f) / c.w;
    const unsigned char shade = (unsigned char)(255.0f * fminf(fabsf(nz), 1.0f));
    colour = make_uchar4(shade, shade, (hit * 37) & 255, 255);
  }
  image[py * w + px] = colour;
}

// xyzxyz...; six numbers a block
__global__ void bounding_boxes(const float3* p, float* boxes, int n) {
  __shared__ float3 smin[256], smax[256];
  float3 lo = make_float3(1e30f, 1e30f, 1e30f), hi = make_float3(-1e30f, -1e30f, -1e30f);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float3 v = p[i];
    lo.x = fminf(lo.x, v.x);
    lo.y = fminf(lo.y, v.y);
    lo.z = fminf(lo.z, v.z);
    hi.x = fmaxf(hi.x, v.x);
    hi.y = fmaxf(hi.y, v.y);
    hi.z = fmaxf(hi.z, v.z);
  }
  const int t = threadIdx.x;
  smin[t] = lo;
  smax[t] = hi;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s) {
      smin[t].x = fminf(smin[t].x, smin[t + s].x);
      smin[t].y = fminf(smin[t].y, smin[t + s].y);
      smin[t].z = fminf(smin[t].z, smin[t + s].z);
      smax[t].x = fmaxf(smax[t].x, smax[t + s].x);
      smax[t].y = fmaxf(smax[t].y, smax[t + s].y);
      smax[t].z = fmaxf(smax[t].z, smax[t + s].z);
    }
    __syncthreads();
  }
  if (t == 0) {
    float* b = boxes + 6 * blockIdx.x;
    b[0] = smin[0].x;
    b[1] = smin[0].y;
    b[2] = smin[0].z;
    b[3] = smax[0].x;
    b[4] = smax[0].y;
    b[5] = smax[0].z;
  }
}

// ---- 11. little ones
__constant__ char c_base64[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__global__ void base64_encode(const unsigned char* in, uchar4* out, int triples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= triples) return;
  const unsigned v = (in[3 * i] << 16) | (in[3 * i + 1] << 8) | in[3 * i + 2];
  out[i] = make_uchar4(c_base64[v >> 18], c_base64[(v >> 12) & 63], c_base64[(v >> 6) & 63],
                       c_base64[v & 63]);
}

// the k greatest of a row of at most 1024, one after another; 128 threads a row
__global__ void top_k_row(const float* in, float* values, int* indices, int cols, int k) {
  __shared__ float row[1024];
  __shared__ float best[128];
  __shared__ int where[128];
  const int t = threadIdx.x;
  for (int c = t; c < cols; c += 128) row[c] = in[blockIdx.x * cols + c];
  __syncthreads();
  for (int round = 0; round < k; ++round) {
    float m = -1e30f;
    int at = -1;
    for (int c = t; c < cols; c += 128)
      if (row[c] > m) {
        m = row[c];
        at = c;
      }
    best[t] = m;
    where[t] = at;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
      if (t < s && best[t + s] > best[t]) {
        best[t] = best[t + s];
        where[t] = where[t + s];
      }
      __syncthreads();
    }
    if (t == 0) {
      values[blockIdx.x * k + round] = best[0];
      indices[blockIdx.x * k + round] = where[0];
      row[where[0]] = -1e30f;
    }
    __syncthreads();
  }
}

// L x = b for lower triangles of 32, column after column, a warp a system
__global__ void solve_lower_32(const double* L, const double* b, double* x, int systems) {
  const int system = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (system >= systems) return;
  const double* l = L + (size_t)system * 1024;
  double mine = b[system * 32 + lane];
  for (int j = 0; j < 32; ++j) {
    const double c = lane >= j ? l[j * 32 + lane] : 0.0;
    if (lane == j) mine /= c;
    const double xj = __shfl_sync(0xffffffffu, mine, j);
    if (lane > j) mine -= c * xj;
  }
  x[system * 32 + lane] = mine;
}

// parallel cyclic reduction of one tridiagonal system of 512, one block
__global__ void tridiagonal_pcr(const float* lower, const float* diag, const float* upper,
                                const float* rhs, float* x) {
  __shared__ float a[512], b[512], c[512], d[512];
  const int i = threadIdx.x;
  a[i] = i == 0 ? 0.0f : lower[i];
  b[i] = diag[i];
  c[i] = i == 511 ? 0.0f : upper[i];
  d[i] = rhs[i];
  __syncthreads();
  for (int s = 1; s < 512; s *= 2) {
    const int lo = i - s, hi = i + s;
    float na = 0, nb = b[i], nc = 0, nd = d[i];
    if (lo >= 0) {
      const float k1 = a[i] / b[lo];
      na = -a[lo] * k1;
      nb -= c[lo] * k1;
      nd -= d[lo] * k1;
    }
    if (hi < 512) {
      const float k2 = c[i] / b[hi];
      nc = -c[hi] * k2;
      nb -= a[hi] * k2;
      nd -= d[hi] * k2;
    }
    __syncthreads();
    a[i] = na;
    b[i] = nb;
    c[i] = nc;
    d[i] = nd;
    __syncthreads();
  }
  x[i] = d[i] / b[i];
}
