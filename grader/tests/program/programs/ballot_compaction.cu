// Compaction by warp votes: a ballot ranks the kept lanes, one atomic per warp.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA(call)                                                            \
  do {                                                                        \
    cudaError_t cuda_error = cuda##call;                                      \
    if (cuda_error != cudaSuccess) {                                          \
      fprintf(stderr, "cuda%s: %s\n", #call, cudaGetErrorString(cuda_error)); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

__device__ __host__ inline bool is_palindrome(unsigned n) {
  unsigned reversed = 0;
  for (unsigned rest = n; rest > 0; rest /= 10) reversed = 10 * reversed + rest % 10;
  return reversed == n;
}

struct VoteCounts {
  unsigned kept;
  unsigned empty_warps;
  unsigned full_warps;
};

// The block is whole warps, and every thread votes, in range or not.
__global__ void collect_palindromes(unsigned limit, unsigned* out, VoteCounts* counts) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x & 31u;
  const bool keep = n < limit && is_palindrome(n);

  const unsigned votes = __ballot_sync(0xffffffffu, keep);
  const bool none = !__any_sync(0xffffffffu, keep);
  const bool all = __all_sync(0xffffffffu, keep || n >= limit);

  unsigned base = 0;
  if (lane == 0) {
    if (votes != 0) base = atomicAdd(&counts->kept, (unsigned)__popc(votes));
    if (none) atomicAdd(&counts->empty_warps, 1u);
    if (all) atomicAdd(&counts->full_warps, 1u);
  }
  base = __shfl_sync(0xffffffffu, base, 0);
  if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = n;
}

int main() {
  const unsigned limit = 12000, block = 128;
  const unsigned grid = (limit + block - 1) / block;

  unsigned* d_out;
  VoteCounts *d_counts, counts;
  CUDA(Malloc(&d_out, limit * sizeof(unsigned)));
  CUDA(Malloc(&d_counts, sizeof counts));
  CUDA(Memset(d_counts, 0, sizeof counts));
  collect_palindromes<<<grid, block>>>(limit, d_out, d_counts);
  CUDA(GetLastError());
  CUDA(Memcpy(&counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost));
  std::vector<unsigned> out(counts.kept);
  CUDA(Memcpy(out.data(), d_out, counts.kept * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CUDA(Free(d_out));
  CUDA(Free(d_counts));

  // Warps come in any order, so the result is sorted before it is compared.
  std::sort(out.begin(), out.end());
  std::vector<unsigned> expected;
  unsigned empty_warps = 0, full_warps = 0;
  for (unsigned warp = 0; warp < grid * block / 32; ++warp) {
    unsigned found = 0, in_range = 0;
    for (unsigned n = warp * 32; n < warp * 32 + 32 && n < limit; ++n) {
      ++in_range;
      if (!is_palindrome(n)) continue;
      ++found;
      expected.push_back(n);
    }
    empty_warps += found == 0;
    full_warps += found == in_range;
  }

  printf("palindromes below %u: %zu, the largest is %u\n", limit, out.size(), out.back());
  printf("warps without: %u, warps with nothing else: %u\n", counts.empty_warps, counts.full_warps);
  bool ok = out == expected && counts.empty_warps == empty_warps && counts.full_warps == full_warps;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// palindromes below 12000: 219, the largest is 11911
// warps without: 242, warps with nothing else: 1
// PASS
