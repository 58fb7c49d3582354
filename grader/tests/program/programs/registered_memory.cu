// Memory of the host that is registered: kernels use it by the host's pointer and by the device's, copies by either.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                              \
    }                                                            \
  } while (0)

__global__ void add(int* numbers, int what) { numbers[threadIdx.x] += what; }

int main() {
  const int count = 64;
  int *numbers = new int[count], *there, *device, back[count];
  int usable = 0;
  CHECK(cudaDeviceGetAttribute(&usable, cudaDevAttrCanUseHostPointerForRegisteredMem, 0));
  std::printf("%d\n", usable);
  for (int i = 0; i < count; ++i) numbers[i] = i;
  CHECK(cudaHostRegister(numbers, count * sizeof(int), cudaHostRegisterDefault));
  CHECK(cudaHostGetDevicePointer(&there, numbers, 0));
  add<<<1, count>>>(numbers, 100);
  add<<<1, count - 1>>>(there + 1, 1000);
  CHECK(cudaDeviceSynchronize());
  std::printf("%d %d\n", numbers[0], numbers[count - 1]);
  CHECK(cudaMalloc(&device, sizeof back));
  CHECK(cudaMemcpy(device, there, sizeof back, cudaMemcpyDefault));
  CHECK(cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost));
  std::printf("%d\n", back[count - 1]);
  CHECK(cudaHostUnregister(numbers));
  numbers[0] += 5;
  std::printf("%d %d\n", numbers[0], numbers[count - 1]);
  std::printf("%s\n", cudaGetErrorName(cudaHostUnregister(numbers)));
  CHECK(cudaFree(device));
  delete[] numbers;
}

// output:
// 1
// 100 1163
// 1163
// 105 1163
// cudaErrorHostMemoryNotRegistered
