// lab: lab0
// change: int current = sector_of(offset[c]);
// Lab 0: copy with an offset and a stride, and how many sectors that touches.

// 32 floats starting at in[1]: 1..32, so sectors 0,1,2,3,4. out starts at 0.
enum {
  kLoadSectors = 5,   // with its load
  kStoreSectors = 4,  // with its store
};

// copy: out[i] = in[offset + i * stride] for every i with 0 <= i < n.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // spare thread
  out[i] = in[offset + i * stride];
}

// which sector holds in[element]
__device__ int sector_of(int element) { return element / 8; }

// predict: how many different sectors the 32 floats of a warp fall into
__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    // The first float always opens one sector, so we begin with 1 and only look for changes.
    int different = 1;
    int current = 0;  // the sector we are in
    for (int lane = 0; lane < 32; lane++) {
      const int s = sector_of(offset[c] + lane * stride[c]);
      if (s != current) {
        different++;
        current = s;
      }
    }
    sectors[c] = different;
  }
}
