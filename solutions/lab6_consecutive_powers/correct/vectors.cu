// For speed. `powers`: a thread stages its powers four at a time, and the block stores them as one
// run of 16 KB, 16 bytes per thread. With nine places of 16 bytes per number, eight threads that write
// (nine places apart) and eight that read (next to each other) each fill all 32 banks.
//
// The limit is then not the writing: the numbers are 3 % of the bytes, but while each block reads
// its own, memory keeps switching from writing to reading and back, and every switch
// costs time. So the numbers of 4096 blocks are fetched into the L2 at once, by 128 neighbouring
// blocks that start almost together, to stay there until they are used (evict_last; the hint
// outlives the kernel, cuCtxResetPersistingL2Cache() clears it). And fewer blocks run at once than
// could, so the concurrent writes are closer together.
//
// `powers_altered`: 128 neighbouring numbers of one power are 512 bytes, which one warp stores with
// one instruction. Its numbers are fetched in the same way.
constexpr int kPowers = 32;
constexpr int kBlock = 128;
constexpr int kQuads = kPowers / 4;

constexpr int kTogether = 4096;               // blocks whose numbers are fetched at one go
constexpr int kAhead = 256;                   // so many blocks before the first of them
constexpr int kLine = 32;                     // floats that one prefetch brings
constexpr int kFetchers = kTogether / kLine;  // blocks that do it: one line a thread
constexpr int kPlaces = 2944;  // of 16 bytes, 46 KB: four blocks an SM (a block needs 1152, or 32)

__device__ void fetch_ahead(const float* x, int n) {
  const int block = blockIdx.x % kTogether;
  if (block >= kFetchers) return;
  const long long first = static_cast<long long>(blockIdx.x - block + kAhead) * kBlock;
  const long long line = first + (block * kBlock + threadIdx.x) * kLine;
  if (line < n) asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(x + line));
}

__global__ void __launch_bounds__(kBlock)
    powers(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float4 staged[kPlaces];
  const int first = blockIdx.x * kBlock;
  const int t = threadIdx.x;
  const float value = first + t < n ? x[first + t] : 0.0f;
  fetch_ahead(x, n);
  float power = value;
#pragma unroll
  for (int k = 0; k < kQuads; ++k) {
    float4 quad;
    quad.x = power *= value;
    quad.y = power *= value;
    quad.z = power *= value;
    quad.w = power *= value;
    staged[t * (kQuads + 1) + k] = quad;
  }
  __syncthreads();

  const bool aligned = reinterpret_cast<size_t>(y) % 16 == 0;
#pragma unroll
  for (int step = 0; step < kQuads; ++step) {
    const int number = step * (kBlock / kQuads) + t / kQuads;
    if (first + number >= n) continue;
    const float4 quad = staged[number * (kQuads + 1) + t % kQuads];
    float* to = y + static_cast<size_t>(first + number) * kPowers + t % kQuads * 4;
    if (aligned) {
      *reinterpret_cast<float4*>(to) = quad;
    } else {
      to[0] = quad.x;
      to[1] = quad.y;
      to[2] = quad.z;
      to[3] = quad.w;
    }
  }
}

__device__ float4 times(float4 a, float4 b) {
  return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

__global__ void __launch_bounds__(kBlock)
    powers_altered(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float4 numbers[kPlaces];
  const int first = blockIdx.x * kBlock;
  const int t = threadIdx.x;
  const float value = first + t < n ? x[first + t] : 0.0f;
  fetch_ahead(x, n);
  if (first + kBlock > n || n % 4 != 0 || reinterpret_cast<size_t>(y) % 16 != 0) {
    float power = value;
#pragma unroll
    for (int k = 0; k < kPowers; ++k) {
      power *= value;
      if (first + t < n) y[static_cast<size_t>(k) * n + first + t] = power;
    }
    return;
  }
  reinterpret_cast<float*>(numbers)[t] = value;
  __syncthreads();

  // Each thread takes four numbers, each warp every fourth power.
  const int warp = t / 32;
  const float4 v = numbers[t % 32];
  const float4 v2 = times(v, v);
  const float4 v4 = times(v2, v2);
  float4 power = v2;
  if (warp & 1) power = times(power, v);
  if (warp & 2) power = times(power, v2);
#pragma unroll
  for (int k = 0; k < kPowers; k += 4) {
    float* to = y + static_cast<size_t>(k + warp) * n + first;
    reinterpret_cast<float4*>(to)[t % 32] = power;
    power = times(power, v4);
  }
}
