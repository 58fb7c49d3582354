// Exclusive scan of an array of any length up to 256 * 256, in three kernels:
// scan each block, scan the block totals, add the offsets.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

#define CUDA_OR_DIE(call) die_unless_success((call), #call)

void die_unless_success(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::cerr << call << ": " << cudaGetErrorName(status) << "\nFAIL\n";
  std::exit(1);
}

constexpr int kThreads = 256;

// Exclusive scan of one value per thread; the total goes to every thread.
__device__ uint32_t scan_block(uint32_t value, uint32_t& total) {
  __shared__ uint32_t warp_totals[kThreads / 32];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

  uint32_t inclusive = value;
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const uint32_t from = __shfl_up_sync(~0u, inclusive, delta);
    if (lane >= delta) inclusive += from;
  }
  if (lane == 31) warp_totals[warp] = inclusive;
  __syncthreads();

  uint32_t before = 0;
  total = 0;
  for (unsigned w = 0; w < kThreads / 32; ++w) {
    if (w == warp) before = total;
    total += warp_totals[w];
  }
  return before + inclusive - value;
}

__global__ void scan_blocks(const uint32_t* in, uint32_t* out, uint32_t* totals, int size) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  uint32_t total;
  const uint32_t prefix = scan_block(i < size ? in[i] : 0, total);
  if (i < size) out[i] = prefix;
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void scan_totals(uint32_t* totals, int blocks) {
  const int i = threadIdx.x;
  uint32_t unused;
  const uint32_t prefix = scan_block(i < blocks ? totals[i] : 0, unused);
  if (i < blocks) totals[i] = prefix;
}

__global__ void add_offsets(uint32_t* out, const uint32_t* offsets, int size) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < size) out[i] += offsets[blockIdx.x];
}

int main() {
  const int size = 50000;
  const int blocks = (size + kThreads - 1) / kThreads;

  std::vector<uint32_t> in(size), out(size);
  for (int i = 0; i < size; ++i) in[i] = (i ^ (i >> 3)) & 15;

  uint32_t *d_in, *d_out, *d_totals;
  CUDA_OR_DIE(cudaMalloc(&d_in, size * sizeof(uint32_t)));
  CUDA_OR_DIE(cudaMalloc(&d_out, size * sizeof(uint32_t)));
  CUDA_OR_DIE(cudaMalloc(&d_totals, blocks * sizeof(uint32_t)));
  CUDA_OR_DIE(cudaMemcpy(d_in, in.data(), size * sizeof(uint32_t), cudaMemcpyDefault));

  scan_blocks<<<blocks, kThreads>>>(d_in, d_out, d_totals, size);
  CUDA_OR_DIE(cudaGetLastError());
  scan_totals<<<1, kThreads>>>(d_totals, blocks);
  CUDA_OR_DIE(cudaGetLastError());
  add_offsets<<<blocks, kThreads>>>(d_out, d_totals, size);
  CUDA_OR_DIE(cudaGetLastError());
  CUDA_OR_DIE(cudaMemcpy(out.data(), d_out, size * sizeof(uint32_t), cudaMemcpyDefault));

  for (uint32_t* pointer : {d_in, d_out, d_totals}) CUDA_OR_DIE(cudaFree(pointer));

  uint32_t running = 0;
  int errors = 0;
  for (int i = 0; i < size; ++i) {
    if (out[i] != running) ++errors;
    running += in[i];
  }
  std::cout << "blocks: " << blocks << "\n";
  std::cout << "last prefix: " << out.back() << "\n";
  std::cout << "errors: " << errors << "\n";
  std::cout << (errors ? "FAIL" : "PASS") << "\n";
  return errors ? 1 : 0;
}

// output:
// blocks: 196
// last prefix: 374994
// errors: 0
// PASS
