// Which stores of a warp that come back to the same sectors leave its SM as one. A kernel a row: each lane stores `Stores` times,
// `Width` words at once, side by side, from a place that is `Stride` words behind its neighbour's; between two stores `Gap`
// dependent additions, and what `Between` says. Counted by
//   nvcc -O3 -arch=sm_90 -o store_merge store_merge.cu
//   ncu --csv --page raw --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,\
//     lts__t_sectors_srcunit_tex_op_write.sum,lts__t_requests_srcunit_tex_op_write.sum,dram__bytes_write.sum,gpu__time_duration.sum \
//     ./store_merge
#include <cstdio>

/// Before each store but the first: a load from a line that is in L1, a load from a new line, a store to shared memory and a load
/// from it, a barrier. `first`: a load from a new line before all stores. `of_others`: every second warp loads and stores nothing.
enum Between { nothing, known_line, new_line, first, shared_memory, barrier, of_others };

template <int Width>
struct Words;
template <>
struct Words<1> {
  using Type = float;
  static __device__ Type of(float v) { return v; }
};
template <>
struct Words<2> {
  using Type = float2;
  static __device__ Type of(float v) { return make_float2(v, v); }
};
template <>
struct Words<4> {
  using Type = float4;
  static __device__ Type of(float v) { return make_float4(v, v, v, v); }
};

template <int Stride, int Stores, int Width, int Gap, Between between>
__global__ void store(const float* in, float* out, int n, float by) {
  using Type = typename Words<Width>::Type;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = by;
  volatile float* const mine = out + size_t(i) * Stride;
  const volatile float* const from = in + threadIdx.x;
  __shared__ volatile float passed[256];
  if (between == known_line) v += from[0];
  if (between == first) v += from[size_t(blockIdx.x) * blockDim.x];
  if (between == of_others && threadIdx.x / 32 % 2 == 1) {
    for (int k = 0; k < Stores; ++k) v += from[(size_t(blockIdx.x) * Stores + k) * blockDim.x];
    if (v == 7.0f) mine[0] = v;  // never
    return;
  }
#pragma unroll
  for (int k = 0; k < Stores; ++k) {
#pragma unroll
    for (int g = 0; g < Gap; ++g) v = v * by + by;
    if (between == known_line && k > 0) v += from[0];
    if (between == new_line && k > 0) v += from[(size_t(blockIdx.x) * Stores + k) * blockDim.x];
    if (between == shared_memory && k > 0) {
      passed[threadIdx.x] = v;
      v += passed[threadIdx.x];
    }
    if (between == barrier && k > 0) __syncthreads();
    const Type stored = Words<Width>::of(v);
    if constexpr (Width == 1) mine[k] = stored;
    if constexpr (Width == 2)
      asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(out + size_t(i) * Stride + 2 * k),
                   "f"(stored.x), "f"(stored.y)
                   : "memory");
    if constexpr (Width == 4)
      asm volatile(
          "st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out + size_t(i) * Stride + 4 * k),
          "f"(stored.x), "f"(stored.y), "f"(stored.z), "f"(stored.w)
          : "memory");
  }
}

constexpr int kWords = 1 << 24;  // 64 MiB, more than L2 holds
float *in, *out;

template <int Stride, int Stores, int Width, int Gap, Between between>
void measure() {
  const auto kernel = store<Stride, Stores, Width, Gap, between>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
  for (const int shared : {0, 200 << 10}) {  // 64 warps an SM, and 8
    kernel<<<kWords / Stride / 256, 256, shared>>>(in, out, kWords / Stride, 0.5f);
    cudaDeviceSynchronize();
  }
}

int main() {
  cudaMalloc(&in, size_t(kWords) * 4 * 4);
  cudaMalloc(&out, size_t(kWords) * 4);
  // how far apart the lanes are
  measure<1, 1, 1, 0, nothing>();
  measure<2, 2, 1, 0, nothing>();
  measure<3, 3, 1, 0, nothing>();
  measure<4, 4, 1, 0, nothing>();
  measure<5, 5, 1, 0, nothing>();
  measure<6, 3, 1, 0, nothing>();
  measure<6, 6, 1, 0, nothing>();
  measure<7, 7, 1, 0, nothing>();
  measure<8, 2, 1, 0, nothing>();
  measure<8, 8, 1, 0, nothing>();
  measure<12, 12, 1, 0, nothing>();
  measure<16, 8, 1, 0, nothing>();
  measure<32, 8, 1, 0, nothing>();
  // wide ones
  measure<4, 2, 2, 0, nothing>();
  measure<8, 4, 2, 0, nothing>();
  measure<8, 2, 4, 0, nothing>();
  measure<16, 4, 4, 0, nothing>();
  measure<32, 8, 4, 0, nothing>();
  // additions between
  measure<2, 2, 1, 1, first>();
  measure<2, 2, 1, 2, first>();
  measure<2, 2, 1, 3, first>();
  measure<2, 2, 1, 4, first>();
  measure<2, 2, 1, 5, first>();
  measure<2, 2, 1, 6, first>();
  measure<2, 2, 1, 8, first>();
  measure<2, 2, 1, 12, first>();
  measure<2, 2, 1, 16, first>();
  measure<2, 2, 1, 64, first>();
  measure<2, 2, 1, 256, first>();
  measure<4, 4, 1, 1, first>();
  measure<4, 4, 1, 2, first>();
  measure<4, 4, 1, 4, first>();
  measure<4, 4, 1, 6, first>();
  measure<4, 4, 1, 8, first>();
  measure<4, 4, 1, 16, first>();
  measure<4, 4, 1, 64, first>();
  measure<1, 4, 1, 1, first>();
  measure<1, 4, 1, 2, first>();
  measure<1, 4, 1, 4, first>();
  measure<1, 4, 1, 6, first>();
  measure<1, 4, 1, 8, first>();
  measure<1, 4, 1, 16, first>();
  measure<1, 4, 1, 64, first>();
  measure<2, 2, 1, 4, nothing>();
  measure<4, 4, 1, 4, nothing>();
  measure<8, 8, 1, 4, nothing>();
  measure<8, 8, 1, 4, first>();
  measure<2, 2, 1, 16, nothing>();
  measure<4, 4, 1, 16, nothing>();
  measure<8, 8, 1, 16, nothing>();
  measure<8, 8, 1, 16, first>();
  measure<2, 2, 1, 64, nothing>();
  measure<4, 4, 1, 64, nothing>();
  measure<8, 8, 1, 64, nothing>();
  measure<8, 8, 1, 64, first>();
  // accesses between
  measure<2, 2, 1, 0, known_line>();
  measure<4, 4, 1, 0, known_line>();
  measure<6, 3, 1, 0, known_line>();
  measure<8, 8, 1, 0, known_line>();
  measure<2, 2, 1, 0, new_line>();
  measure<4, 4, 1, 0, new_line>();
  measure<6, 3, 1, 0, new_line>();
  measure<8, 8, 1, 0, new_line>();
  measure<2, 2, 1, 0, first>();
  measure<4, 4, 1, 0, first>();
  measure<6, 3, 1, 0, first>();
  measure<8, 8, 1, 0, first>();
  measure<8, 2, 4, 0, first>();
  measure<4, 2, 2, 0, first>();
  measure<3, 3, 1, 0, first>();
  measure<5, 5, 1, 0, first>();
  measure<7, 7, 1, 0, first>();
  measure<12, 12, 1, 0, first>();
  measure<16, 8, 1, 0, first>();
  measure<2, 2, 1, 0, shared_memory>();
  measure<4, 4, 1, 0, shared_memory>();
  measure<6, 3, 1, 0, shared_memory>();
  measure<8, 8, 1, 0, shared_memory>();
  measure<2, 2, 1, 0, barrier>();
  measure<4, 4, 1, 0, barrier>();
  measure<6, 3, 1, 0, barrier>();
  measure<8, 8, 1, 0, barrier>();
  measure<2, 2, 1, 0, of_others>();
  measure<4, 4, 1, 0, of_others>();
  measure<6, 3, 1, 0, of_others>();
  measure<8, 8, 1, 0, of_others>();
  std::fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
