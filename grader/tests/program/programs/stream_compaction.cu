// Keeps the elements that fulfil a predicate, in order: flags, prefix sum, scatter.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#define CHECK_CUDA(what)                                                  \
  do {                                                                    \
    auto const status = (what);                                           \
    if (status != cudaSuccess) {                                          \
      std::fprintf(stderr, "%s (%s)\n", cudaGetErrorName(status), #what); \
      std::exit(EXIT_FAILURE);                                            \
    }                                                                     \
  } while (0)

constexpr int block_size = 256;

struct is_square_free {
  __host__ __device__ bool operator()(int n) const {
    for (int d = 2; d * d <= n; ++d) {
      if (n % (d * d) == 0) return false;
    }
    return n > 0;
  }
};

template <class Predicate>
__global__ void flag_and_scan(int const* in, int n, int* positions, int* block_counts,
                              Predicate keep) {
  __shared__ int scan[block_size];
  int const tid = threadIdx.x;
  int const i = blockIdx.x * block_size + tid;
  int const flag = i < n && keep(in[i]);
  scan[tid] = flag;
  __syncthreads();
  for (int d = 1; d < block_size; d *= 2) {
    int const left = tid >= d ? scan[tid - d] : 0;
    __syncthreads();
    scan[tid] += left;
    __syncthreads();
  }
  if (i < n) positions[i] = flag ? scan[tid] - 1 : -1;
  if (tid == block_size - 1) block_counts[blockIdx.x] = scan[tid];
}

__global__ void scatter(int const* in, int n, int const* positions, int const* block_offsets,
                        int* out) {
  int const i = blockIdx.x * block_size + threadIdx.x;
  if (i < n && positions[i] >= 0) out[block_offsets[blockIdx.x] + positions[i]] = in[i];
}

int main() {
  int const n = 6000;
  int const blocks = (n + block_size - 1) / block_size;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = i * 7 % 5003;

  int *d_in, *d_out, *d_positions, *d_counts;
  CHECK_CUDA(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&d_positions, n * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&d_counts, blocks * sizeof(int)));
  CHECK_CUDA(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));

  flag_and_scan<<<blocks, block_size>>>(d_in, n, d_positions, d_counts, is_square_free{});
  CHECK_CUDA(cudaGetLastError());

  // The few block counts are scanned on the host.
  std::vector<int> counts(blocks);
  CHECK_CUDA(cudaMemcpy(counts.data(), d_counts, blocks * sizeof(int), cudaMemcpyDeviceToHost));
  int kept = 0;
  for (int& count : counts) {
    int const start = kept;
    kept += count;
    count = start;
  }
  CHECK_CUDA(cudaMemcpy(d_counts, counts.data(), blocks * sizeof(int), cudaMemcpyHostToDevice));
  scatter<<<blocks, block_size>>>(d_in, n, d_positions, d_counts, d_out);
  CHECK_CUDA(cudaGetLastError());

  std::vector<int> out(kept);
  CHECK_CUDA(cudaMemcpy(out.data(), d_out, kept * sizeof(int), cudaMemcpyDeviceToHost));
  for (int* p : {d_in, d_out, d_positions, d_counts}) CHECK_CUDA(cudaFree(p));

  std::vector<int> expected;
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), is_square_free{});
  std::printf("kept %d of %d\n", kept, n);
  std::printf("first: %d %d %d\n", out[0], out[1], out[2]);
  std::printf(out == expected ? "PASS\n" : "FAIL\n");
  return out == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}

// output:
// kept 3601 of 6000
// first: 7 14 21
// PASS
