// How fast L2 answers requests for one to four sectors of random lines (gather), what stores to several arrays at once take (fill), and
// what L2 keeps of the lines that many threads walk at once, each its own (walk; past L1). One row a measurement.
//   nvcc -O3 -arch=sm_90 -o reuse reuse.cu && ./reuse
//   ncu --clock-control none --cache-control all -k walk --metrics dram__bytes_read.sum,lts__t_sectors_op_read.sum --csv ./reuse
#include <cstdio>
typedef unsigned W;
__device__ W hashed(W s) {
  s = (s ^ 61u) ^ (s >> 16);
  s *= 9u;
  s ^= s >> 4;
  s *= 0x27d4eb2du;
  return s ^ (s >> 15);
}
__global__ void gather(const W* in, W lines, int sectors, W* out) {
  W t = blockIdx.x * 256u + threadIdx.x, lane = t & 31, sum = 0;
#pragma unroll 8
  for (int r = 0; r < 256; ++r)
    sum += __ldcg(in + hashed((t >> 5) * 4099u + r * 131u + lane / sectors * 77u) % lines * 32 +
                  lane % sectors * 8);
  if (sum == 1) out[t] = sum;
}
__global__ void fill(W* out, int arrays, size_t apart, W n, int rounds) {
  for (int r = 0; r < rounds; ++r)
    for (W i = blockIdx.x * 256u + threadIdx.x; i < n; i += gridDim.x * 256u)
#pragma unroll 4
      for (int a = 0; a < arrays; ++a) out[a * apart + i] = r + a;
}
__global__ void walk(const W* in, int arrays, size_t apart, int words, W* out) {
  size_t t = blockIdx.x * 256u + threadIdx.x;
  W sum = 0;
#pragma unroll 1
  for (int w = 0; w < words; ++w)
#pragma unroll 1
    for (int a = 0; a < arrays; ++a) sum += __ldcg(in + a * apart + t * 32 + w);
  if (sum == 1) out[t] = sum;
}
W *d, *o;
cudaEvent_t e, f;
template <class L>
double us(L go) {
  float best = 1e9, ms;
  for (int i = 0; i < 5; ++i) {
    cudaMemset(o, i, 256 << 20);
    cudaEventRecord(e);
    go();
    cudaEventRecord(f);
    cudaEventSynchronize(f);
    cudaEventElapsedTime(&ms, e, f);
    if (ms < best) best = ms;
  }
  return best * 1e3;
}
int main() {
  cudaEventCreate(&e), cudaEventCreate(&f);
  cudaMalloc(&d, 1 << 30), cudaMalloc(&o, 256 << 20), cudaMemset(d, 0, 1 << 30);
  for (W l : {8192u, 65536u, 131072u})
    for (int s : {1, 2, 4}) {
      double t = us([&] { gather<<<1056, 256>>>(d, l, s, o); });
      printf("gather,%u lines,%d sectors,%.1f us,%.1f sectors/ns\n", l, s, t, 69206.016 / t);
    }
  for (size_t m : {8, 256})
    for (int a : {1, 4, 16, 32})
      for (int p : {0, 8224}) {
        W n = (m << 18) / a;
        int r = m < 9 ? 16 : 1;
        double t = us([&] { fill<<<1056, 256>>>(d, a, n + p, n, r); });
        printf("fill,%zu MB,%d arrays,pad %d,%.1f us,%.2f lines/ns\n", m, a, p, t,
               m * 8.192 * r / t);
      }
  for (int w : {8, 32})
    for (int a : {1, 2, 4})
      for (int b : {264, 528, 792, 1056}) {
        double t = us([&] { walk<<<b, 256>>>(d, a, 8650752, w, o); });
        printf("walk,%d words,%d arrays,%.1f MB,%.1f us\n", w, a, b * a * .032768, t);
      }
}
