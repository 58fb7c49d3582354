// Accelerations of n bodies; a block walks over tiles of float4 bodies (w: mass).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define gpuErrchk(ans) gpuAssert((ans), __FILE__, __LINE__)

inline void gpuAssert(cudaError_t code, const char* file, int line) {
  if (code == cudaSuccess) return;
  fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
  exit(code);
}

constexpr float SOFTENING_SQUARED = 0.01f;
constexpr int TILE = 64;

__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
  float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING_SQUARED;
  float invDist = 1.0f / sqrtf(distSqr);
  float s = bj.w * invDist * invDist * invDist;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

// The number of bodies is a multiple of TILE.
__global__ void calculateForces(const float4* positions, float4* accelerations, int n) {
  __shared__ float4 shPosition[TILE];
  int gtid = blockIdx.x * TILE + threadIdx.x;
  float4 myPosition = positions[gtid];
  float3 acc = {0.0f, 0.0f, 0.0f};

  for (int tile = 0; tile < n / TILE; tile++) {
    shPosition[threadIdx.x] = positions[tile * TILE + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < TILE; j++) acc = bodyBodyInteraction(myPosition, shPosition[j], acc);
    __syncthreads();
  }
  accelerations[gtid] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}

int main() {
  const int n = 6 * TILE;
  std::vector<float4> bodies(n), acc(n);
  unsigned rng = 7;
  auto next = [&rng] {
    rng = rng * 747796405u + 2891336453u;
    return (rng >> 8) / 16777216.0f;
  };
  for (float4& b : bodies) {
    b.x = 2 * next() - 1;
    b.y = 2 * next() - 1;
    b.z = 2 * next() - 1;
    b.w = next();
  }

  float4 *d_pos, *d_acc;
  gpuErrchk(cudaMalloc(&d_pos, n * sizeof(float4)));
  gpuErrchk(cudaMalloc(&d_acc, n * sizeof(float4)));
  gpuErrchk(cudaMemcpy(d_pos, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  calculateForces<<<n / TILE, TILE>>>(d_pos, d_acc, n);
  gpuErrchk(cudaGetLastError());
  gpuErrchk(cudaMemcpy(acc.data(), d_acc, n * sizeof(float4), cudaMemcpyDeviceToHost));
  gpuErrchk(cudaFree(d_pos));
  gpuErrchk(cudaFree(d_acc));

  double worst = 0, size = 0;  // against double precision
  for (int i = 0; i < n; i++) {
    double a[3] = {};
    for (int j = 0; j < n; j++) {
      double dx = double(bodies[j].x) - bodies[i].x;
      double dy = double(bodies[j].y) - bodies[i].y;
      double dz = double(bodies[j].z) - bodies[i].z;
      double s = bodies[j].w / std::pow(dx * dx + dy * dy + dz * dz + SOFTENING_SQUARED, 1.5);
      a[0] += dx * s;
      a[1] += dy * s;
      a[2] += dz * s;
    }
    worst = std::max({worst, std::fabs(a[0] - acc[i].x), std::fabs(a[1] - acc[i].y),
                      std::fabs(a[2] - acc[i].z)});
    size = std::max({size, std::fabs(a[0]), std::fabs(a[1]), std::fabs(a[2])});
  }
  bool ok = worst <= 1e-4 * size;
  printf("bodies: %d, tiles: %d\n", n, n / TILE);
  printf("relative error at most 1e-4: %s\n", ok ? "yes" : "no");
  printf(ok ? "PASS\n" : "FAIL\n");
  return ok ? 0 : 1;
}

// output:
// bodies: 384, tiles: 6
// relative error at most 1e-4: yes
// PASS
