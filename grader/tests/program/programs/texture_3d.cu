// An array of three directions: filled and read back by cudaMemcpy3D(), read as a texture, written as a surface.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                           \
  do {                                                                     \
    cudaError_t err = (x);                                                 \
    if (err != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(err)); \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

const int kX = 8, kY = 6, kZ = 4;

// In texels, multiples of 1/4 that are never at the border of two.
__host__ __device__ float place(int i) { return 0.5f * i - 0.75f; }

__global__ void sample(cudaTextureObject_t texture, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  out[(z * 14 + y) * 18 + x] = tex3D<float>(texture, place(x), place(y), place(z));
}

__global__ void scale(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  float value;
  surf3Dread(&value, surface, x * (int)sizeof(float), y, z);
  surf3Dwrite(2 * value, surface, x * (int)sizeof(float), y, z);
}

__global__ void fill(cudaPitchedPtr volume) {
  char* row = (char*)volume.ptr + (threadIdx.z * volume.ysize + threadIdx.y) * volume.pitch;
  ((float*)row)[threadIdx.x] += threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
}

float texel(const std::vector<float>& volume, int x, int y, int z) {
  x = x < 0 ? 0 : x >= kX ? kX - 1 : x;
  y = y < 0 ? 0 : y >= kY ? kY - 1 : y;
  z = z < 0 ? 0 : z >= kZ ? kZ - 1 : z;
  return volume[(z * kY + y) * kX + x];
}

float expected(const std::vector<float>& volume, float x, float y, float z, bool linear) {
  if (!linear) return texel(volume, int(floorf(x)), int(floorf(y)), int(floorf(z)));
  const int i = int(floorf(x - 0.5f)), j = int(floorf(y - 0.5f)), k = int(floorf(z - 0.5f));
  const float a = x - 0.5f - i, b = y - 0.5f - j, c = z - 0.5f - k;
  float sum = 0;
  for (int d = 0; d < 8; ++d)
    sum += (d & 1 ? a : 1 - a) * (d & 2 ? b : 1 - b) * (d & 4 ? c : 1 - c) *
           texel(volume, i + (d & 1), j + (d >> 1 & 1), k + (d >> 2));
  return sum;
}

int main() {
  const cudaExtent extent = make_cudaExtent(kX, kY, kZ);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent, cudaArraySurfaceLoadStore));
  cudaChannelFormatDesc its_format;
  cudaExtent its_extent;
  unsigned flags = 0;
  CHECK(cudaArrayGetInfo(&its_format, &its_extent, &flags, array));
  printf("array: %zu x %zu x %zu, %d bits, flags %u\n", its_extent.width, its_extent.height,
         its_extent.depth, its_format.x, flags);

  std::vector<float> volume(kX * kY * kZ);
  for (size_t i = 0; i < volume.size(); ++i) volume[i] = 64.0f * (i * 11 % 47);
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(volume.data(), kX * sizeof(float), kX, kY);
  in.dstArray = array;
  in.extent = extent;
  in.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&in));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  std::vector<float> out(18 * 14 * 10);
  float* d_out;
  CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));
  int wrong = 0;
  for (bool linear : {false, true}) {
    cudaTextureDesc description = {};
    for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
    description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    sample<<<10, dim3(18, 14)>>>(texture, d_out);
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));
    double sum = 0;
    for (int z = 0; z < 10; ++z)
      for (int y = 0; y < 14; ++y)
        for (int x = 0; x < 18; ++x) {
          const float value = out[(z * 14 + y) * 18 + x];
          sum += value;
          wrong += value != expected(volume, place(x), place(y), place(z), linear);
        }
    printf("%s: %g %g %g, sum %.3f, wrong: %d\n", linear ? "linear" : "point", out[0], out[777],
           out[out.size() - 1], sum, wrong);
  }

  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  scale<<<1, dim3(kX, kY, kZ)>>>(surface);
  CHECK(cudaDestroySurfaceObject(surface));

  // a part of the array, 4 x 3 x 2 texels from (2, 1, 1) on, into memory with pitched rows, to which a kernel adds
  cudaPitchedPtr part;
  CHECK(cudaMalloc3D(&part, make_cudaExtent(4 * sizeof(float), 3, 2)));
  CHECK(cudaMemset3D(part, 0, make_cudaExtent(4 * sizeof(float), 3, 2)));
  cudaMemcpy3DParms middle = {};
  middle.srcArray = array;
  middle.srcPos = make_cudaPos(2, 1, 1);
  middle.dstPtr = part;
  middle.extent = make_cudaExtent(4, 3, 2);
  middle.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3D(&middle));
  fill<<<1, dim3(4, 3, 2)>>>(part);
  std::vector<float> back(24);
  cudaMemcpy3DParms home = {};
  home.srcPtr = part;
  home.dstPtr = make_cudaPitchedPtr(back.data(), 4 * sizeof(float), 4, 3);
  home.extent = make_cudaExtent(4 * sizeof(float), 3, 2);
  home.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&home));
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x)
        wrong += back[(z * 3 + y) * 4 + x] !=
                 2 * volume[((z + 1) * kY + y + 1) * kX + x + 2] + x + 10 * y + 100 * z;
  printf("part: %g %g %g, wrong: %d\n", back[0], back[1], back[23], wrong);

  CHECK(cudaFree(part.ptr));
  CHECK(cudaFree(d_out));
  CHECK(cudaFreeArray(array));
  return wrong != 0;
}

// output:
// array: 8 x 6 x 4, 32 bits, flags 2
// point: 0 0 2112, sum 3673600.000, wrong: 0
// linear: 0 352 2112, sum 3673600.000, wrong: 0
// part: 3456 4865 1659, wrong: 0
