// What a branch takes of a warp's time: loops, and conditions around a part of them. One row a measurement: kind,limit,warps of the one
// block,cycles of an iteration. Kinds: 0 a chain of 4 (of multiply-adds) in a counted loop, 8 of 20, 1 a loop that goes on while the chain's
// end says so, 2 then 16 more if the chain's end is over the limit, 3 one more, 4 two such conditions, 5 a reciprocal, 7 then 16 more for
// lanes from the limit on and 4 for all, 6 the same with 16 others for the rest.
//   nvcc -O3 -arch=sm_90 -o branches branches.cu && ./branches
#include <cstdio>
#define F(x) asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(x) : "f"(a));
#define F4(x) F(x) F(x) F(x) F(x)
#define F16(x) F4(x) F4(x) F4(x) F4(x)
#define LANE                   \
  int lane = threadIdx.x & 31; \
  asm volatile("" : "+r"(lane));
template <int kind>
__global__ void k(float a, float limit, int turns, float* out, long long* cycles) {
  float x = 0, y = 0;
  long long begin = clock64();
  if (kind == 1) {
    int t = 0;
#pragma unroll 1
    while (x < limit && t < turns) {
      F4(x)++ t;
    }
  } else {
#pragma unroll 1
    for (int t = 0; t < turns; ++t) {
      F4(x)
      if (kind == 2 && x > limit) {
        F16(x)
      }
      if (kind == 3 && x > limit) {
        F(x)
      }
      if (kind == 4) {
        if (x > limit) {
          F16(x)
        }
        F4(y)
        if (y > limit) {
          F16(y)
        }
      }
      if (kind == 5 && x > limit) x += 1 / (x + a + 2);
      if (kind == 6) {
        LANE if (lane >= limit) { F16(x) }
        else {F16(y)} F4(x)
      }
      if (kind == 7) {
        LANE if (lane >= limit){F16(x)} F4(x)
      }
      if (kind == 8) {
        F16(x)
      }
    }
  }
  cycles[0] = clock64() - begin;
  out[threadIdx.x] = x + y;
}
float* o;
long long* c;
template <int kind>
void row(float limit) {
  for (int warps : {1, 8, 32}) {
    long long h = 0;
    for (int i = 0; i < 2; ++i) k<kind><<<1, 32 * warps>>>(0, limit, 2000, o, c);
    cudaMemcpy(&h, c, 8, cudaMemcpyDeviceToHost);
    printf("%d,limit %g,warps %d,%.2f\n", kind, limit, warps, h / 2e3);
  }
}
int main() {
  cudaMalloc(&o, 1 << 16), cudaMalloc(&c, 64);
  for (int l : {-1, 1}) row<0>(l), row<8>(l), row<2>(l), row<3>(l), row<4>(l), row<5>(l);
  row<1>(1);
  for (int l : {0, 16, 32}) row<6>(l), row<7>(l);
}
