// A module with debug information. The .ptx beside it were made with NVRTC and -G (--device-debug):
//   13.0: --gpu-architecture=compute_90 -G -std=c++17   -> debug_nvrtc13_sm90.ptx
//   11.8: --gpu-architecture=compute_80 -G -std=c++17   -> debug_nvrtc118_sm80.ptx
__device__ int twice(int x) { return 2 * x; }
extern "C" __global__ void halve(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = twice(tile[threadIdx.x]) / 4;
}
