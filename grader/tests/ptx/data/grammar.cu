// What the parser must understand, as a compiler writes it. The .ptx beside it were made with NVRTC:
//   13.0: --gpu-architecture=compute_90 -lineinfo -std=c++17   -> grammar_nvrtc13_sm90.ptx
//   11.8: --gpu-architecture=compute_75 -lineinfo -std=c++17   -> grammar_nvrtc118_sm75.ptx
// with the name expressions kernel<float> and kernel<double> (paths in .file cut to the file name).
__constant__ float weights[4] = {1.5f, -2.f, 3.25f, 0.f};
__device__ int counter;
__device__ int values[3] = {1, 2, -3};
__device__ int* second_value = &values[1];
struct Mixed {
  short a;
  char b;
  const char* text;
  float f;
};
__device__ Mixed mixed = {7, 'x', "hello", 1.0f};
#pragma pack(push, 1)
struct Packed {
  char tag;
  const int* pointer;
};
#pragma pack(pop)
__device__ Packed packed = {3, &values[2]};
__constant__ const char* names[2] = {"alpha", "beta"};

typedef int (*Operation)(int, int);
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ Operation operations[2] = {plus, times};

struct Big {
  int v[6];
  double d;
};
__device__ __noinline__ Big doubled(Big big, float4 q) {
  big.v[0] += q.x;
  big.d *= 2;
  return big;
}
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ float cubed(float x) { return x * x * x; }
__device__ float sum_of_cubes(float x, float y) { return cubed(x) + cubed(y); }

extern __shared__ float dynamic[];

template <class T>
__global__ void __launch_bounds__(128, 2) kernel(const T* __restrict__ in, T* out, Big big, int n) {
  __shared__ T tile[32][33];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T local[8];
  for (int k = 0; k < 8; ++k) local[k] = in[i + k];
  tile[threadIdx.x / 32][threadIdx.x % 32] = local[n & 7];
  dynamic[threadIdx.x] = weights[n & 3];
  __syncthreads();
  Big result = doubled(big, make_float4(1, 2, 3, 4));
  int value = operations[n & 1](result.v[n % 6], fibonacci(n));
  const unsigned ballot = __ballot_sync(~0u, value > 3);
  int s = __shfl_down_sync(~0u, value, 4);
  int all = 0;
  const int match = __match_all_sync(~0u, value, &all);
  atomicAdd(&counter, s + match + all);
  atomicCAS(&values[0], 1, 2);
  asm volatile(
      "{\n .reg .pred p; .reg .b32 t;\n setp.ne.s32 p, %1, 0;\n @p mov.b32 t, 5;\n @!p mov.b32 t, 6;\n"
      " bra DONE;\nDONE:\n add.s32 %0, t, %1;\n}"
      : "=r"(s)
      : "r"(s));
  asm volatile("{ .reg .pred p; .reg .b32 t;\n setp.eq.s32 p, %0, WARP_SZ;\n @p bra DONE;\nDONE:\n mov.b32 t, -0x10; }" ::"r"(s));
  if (s == 77) printf("%d %s %f\n", s, names[n & 1], (double)local[0]);
  assert(s != 78);
  float4 four = reinterpret_cast<const float4*>(dynamic)[threadIdx.x / 4];
  out[i] = tile[threadIdx.x % 32][threadIdx.x / 32] + (T)(s + ballot + *second_value + mixed.a + *packed.pointer) +
           four.x + four.w + sum_of_cubes(four.y, dynamic[threadIdx.x ^ 1]);
}
