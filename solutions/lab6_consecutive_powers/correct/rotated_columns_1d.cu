// Style: a flat tile whose rows are rotated by the lane, (k + lane) % 32, macros, unsigned indices.
// Right: one power of 32 lanes and 32 powers of one lane both cover all residues modulo 32.
#define POWERS 32
#define BLOCK 128
#define SLOT(r, k) (((r) << 5) | (((k) + (r)) & 31))

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float buf[BLOCK * POWERS];
  unsigned tid = threadIdx.x;
  unsigned gid = blockIdx.x * blockDim.x + tid;
  unsigned warp0 = tid & ~31u, lane = tid & 31u;
  unsigned k;

  if (gid < n) {
    float v = x[gid], p = v;
    for (k = 0; k < POWERS; k++) {
      p *= v;
      buf[SLOT(tid, k)] = p;
    }
  }
  __syncwarp();
  for (k = 0; k < 32; k++) {
    unsigned num = blockIdx.x * blockDim.x + warp0 + k;
    if (num >= n) break;
    y[num * POWERS + lane] = buf[SLOT(warp0 + k, lane)];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned k;
  float v, p;

  if (gid >= n) return;
  p = v = x[gid];
  for (k = 0; k < POWERS; k++) y[k * n + gid] = (p *= v);
}
