// tex2DLod() of a texture that has one level: whatever the level, the texel is that of tex2D().
// nvcc only: clang's headers here have no tex2DLod()
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

__global__ void sample(cudaTextureObject_t texture, float* out) {
  const float x = threadIdx.x + 0.5f, y = threadIdx.y + 0.5f;
  const int at = threadIdx.y * blockDim.x + threadIdx.x;
  out[at] = tex2DLod<float>(texture, x, y, 0) - tex2D<float>(texture, x, y) + at;
}

int main() {
  const int width = 8, height = 4;
  float texels[width * height], result[width * height];
  for (int i = 0; i < width * height; ++i) texels[i] = 10 * i;
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, width * sizeof(float), width * sizeof(float),
                            height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  float* out;
  CHECK(cudaMalloc(&out, sizeof result));
  sample<<<1, dim3(width, height)>>>(texture, out);
  CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < width * height; ++i) wrong += result[i] != i;
  std::printf("%d of %d texels differ\n", wrong, width * height);
  CHECK(cudaFree(out));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

// output:
// 0 of 32 texels differ
