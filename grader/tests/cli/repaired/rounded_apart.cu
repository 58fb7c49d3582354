// lab: lab0
// change: const int sector = sectorOf(offset[c] + lane * step);
// Lab 0: copy with an offset and a stride, and how many sectors that touches.

enum {
  kLoadSectors = 5,
  kStoreSectors = 4,
};

constexpr int kWarpSize = 32;
constexpr int kFloatsPerSector = 8;

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;

  const auto sectorOf = [](int element) { return element / kFloatsPerSector; };

  // Read each of them once; hoist what does not depend on the lane out of the loop.
  const int start = sectorOf(offset[c]);
  const int step = stride[c];

  int count = 1;  // the first float always needs its sector
  int current = start;
  for (int lane = 1; lane < kWarpSize; ++lane) {
    const int sector = start + sectorOf(lane * step);
    if (sector == current) continue;
    current = sector;
    ++count;
  }
  sectors[c] = count;
}
