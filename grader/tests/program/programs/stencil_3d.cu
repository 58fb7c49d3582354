// 7-point stencil on a volume: threads cover a plane and march along z,
// with the values above and below in registers.
#include <cstdlib>
#include <iostream>
#include <vector>

inline void must(cudaError_t e) {
  if (e != cudaSuccess) {
    std::cerr << cudaGetErrorString(e) << "\n";
    std::exit(1);
  }
}
#define MUST(x) must(x)

namespace {

constexpr int NX = 48, NY = 40, NZ = 12;
constexpr int BX = 16, BY = 8;

inline __host__ __device__ int at(int x, int y, int z) { return (z * NY + y) * NX + x; }

__global__ void laplace(const int* __restrict__ in, int* __restrict__ out) {
  __shared__ int plane[BY + 2][BX + 2];
  const int x = blockIdx.x * BX + threadIdx.x;
  const int y = blockIdx.y * BY + threadIdx.y;
  const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
  const bool inner = x > 0 && x < NX - 1 && y > 0 && y < NY - 1;

  int below = in[at(x, y, 0)];
  int here = in[at(x, y, 1)];
  for (int z = 1; z < NZ - 1; ++z) {
    const int above = in[at(x, y, z + 1)];

    __syncthreads();  // the last plane is no longer read
    plane[sy][sx] = here;
    if (threadIdx.x == 0 && x > 0) plane[sy][0] = in[at(x - 1, y, z)];
    if (threadIdx.x == BX - 1 && x < NX - 1) plane[sy][BX + 1] = in[at(x + 1, y, z)];
    if (threadIdx.y == 0 && y > 0) plane[0][sx] = in[at(x, y - 1, z)];
    if (threadIdx.y == BY - 1 && y < NY - 1) plane[BY + 1][sx] = in[at(x, y + 1, z)];
    __syncthreads();

    if (inner) {
      out[at(x, y, z)] = plane[sy][sx - 1] + plane[sy][sx + 1] + plane[sy - 1][sx] +
                         plane[sy + 1][sx] + below + above - 6 * here;
    }
    below = here;
    here = above;
  }
}

}  // namespace

int main() {
  static_assert(NX % BX == 0 && NY % BY == 0, "no partial blocks");
  const size_t bytes = sizeof(int) * NX * NY * NZ;
  std::vector<int> in(NX * NY * NZ), out(in.size()), expected(in.size(), 0);
  for (int z = 0; z < NZ; ++z)
    for (int y = 0; y < NY; ++y)
      for (int x = 0; x < NX; ++x) in[at(x, y, z)] = x * x + 2 * y * y - z * z * z;

  for (int z = 1; z < NZ - 1; ++z)
    for (int y = 1; y < NY - 1; ++y)
      for (int x = 1; x < NX - 1; ++x)
        expected[at(x, y, z)] = in[at(x - 1, y, z)] + in[at(x + 1, y, z)] + in[at(x, y - 1, z)] +
                                in[at(x, y + 1, z)] + in[at(x, y, z - 1)] + in[at(x, y, z + 1)] -
                                6 * in[at(x, y, z)];

  int *d_in, *d_out;
  MUST(cudaMalloc(&d_in, bytes));
  MUST(cudaMalloc(&d_out, bytes));
  MUST(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
  MUST(cudaMemset(d_out, 0, bytes));
  laplace<<<dim3(NX / BX, NY / BY), dim3(BX, BY)>>>(d_in, d_out);
  MUST(cudaGetLastError());
  MUST(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  MUST(cudaFree(d_in));
  MUST(cudaFree(d_out));

  // The second differences are 2, 4 and -6z.
  std::cout << "at (5, 5, 1): " << out[at(5, 5, 1)] << "\n";
  std::cout << "at (5, 5, 7): " << out[at(5, 5, 7)] << "\n";
  std::cout << (out == expected ? "PASS" : "FAIL") << "\n";
  return out == expected ? 0 : 1;
}

// output:
// at (5, 5, 1): 0
// at (5, 5, 7): -36
// PASS
