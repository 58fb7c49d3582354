// The same, by the names of the device runtime.
extern "C" __device__ int cudaLaunchDeviceV2(void*, void*);
extern "C" __device__ void* cudaGetParameterBufferV2(void*, dim3, dim3, unsigned);
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    cudaLaunchDeviceV2(cudaGetParameterBufferV2((void*)a, dim3(64), dim3(256), 0), nullptr);
}
