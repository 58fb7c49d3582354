// Style: macros for the thread number, the warp and the sector size; loads by __ldg.
// Right: __ldg is an ordinary load through the read-only path, and the index is the usual one.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define WARP 32
#define FLOATS_PER_SECTOR (32 / sizeof(float))
#define SECTOR(k) ((k) / (int)FLOATS_PER_SECTOR)

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  if ((int)TID < n) {
    float value = __ldg(&in[offset + (int)TID * stride]);
    out[TID] = value;
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  if ((int)TID < cases) {
    int o = __ldg(&offset[TID]), s = __ldg(&stride[TID]);
    int result = 0, previous = SECTOR(o) - 1;
#pragma unroll 4
    for (int j = 0; j < WARP; ++j, o += s) {
      result += SECTOR(o) > previous;
      previous = SECTOR(o);
    }
    sectors[TID] = result;
  }
}
