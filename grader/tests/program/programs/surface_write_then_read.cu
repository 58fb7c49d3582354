// A kernel writes a cudaArray through a surface, another reads it through a texture and through the surface.
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

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
cudaSurfaceObject_t surface_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

// x counts bytes, y rows.
__global__ void write_rows(cudaSurfaceObject_t surface, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) surf2Dwrite(100.0f * y + x, surface, x * (int)sizeof(float), y);
}

__global__ void shift(cudaTextureObject_t texture, cudaSurfaceObject_t to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  surf2Dwrite(tex2D<float>(texture, x + 1.5f, y + 0.5f), to, x * (int)sizeof(float), y);
}

// Outside of the surface: 0, the nearest element, and stores that are dropped.
__global__ void boundaries(cudaSurfaceObject_t surface, float* out, int width, int height) {
  const int i = (int)threadIdx.x - 2;
  out[threadIdx.x] = surf2Dread<float>(surface, i * 4, 1, cudaBoundaryModeZero);
  out[16 + threadIdx.x] = surf2Dread<float>(surface, i * 4, height + 3, cudaBoundaryModeClamp);
  float value;
  surf2Dread(&value, surface, 4, i, cudaBoundaryModeClamp);
  out[32 + threadIdx.x] = value;
  __syncthreads();
  surf2Dwrite(-1.0f, surface, (i + width) * 4, 2, cudaBoundaryModeZero);
}

__global__ void pack(cudaSurfaceObject_t bytes, cudaSurfaceObject_t pairs,
                     cudaSurfaceObject_t shorts) {
  const int i = threadIdx.x;
  surf1Dwrite(make_uchar4(i, 2 * i, 3 * i, 4 * i), bytes, i * (int)sizeof(uchar4));
  surf1Dwrite(make_float2(i, -i), pairs, i * (int)sizeof(float2));
  surf1Dwrite((short)(1000 * i - 8000), shorts, i * (int)sizeof(short));
}

__global__ void unpack(cudaSurfaceObject_t bytes, cudaSurfaceObject_t pairs,
                       cudaSurfaceObject_t shorts, float* out) {
  const int i = threadIdx.x;
  const uchar4 b = surf1Dread<uchar4>(bytes, i * (int)sizeof(uchar4));
  const float2 p = surf1Dread<float2>(pairs, i * (int)sizeof(float2));
  const short s = surf1Dread<short>(shorts, i * (int)sizeof(short));
  out[i] = b.x + b.y + b.z + b.w + 100 * p.x + 10 * p.y + s;
}

int main() {
  const int width = 12, height = 10;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t first, second;
  CHECK(cudaMallocArray(&first, &format, width, height, cudaArraySurfaceLoadStore));
  CHECK(cudaMallocArray(&second, &format, width, height, cudaArraySurfaceLoadStore));
  const cudaSurfaceObject_t to_first = surface_of(first), to_second = surface_of(second);
  const dim3 grid(2, 2), block(8, 8);
  write_rows<<<grid, block>>>(to_first, width, height);
  CHECK(cudaGetLastError());

  const cudaResourceDesc resource = resource_of(first);
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  shift<<<grid, block>>>(texture, to_second, width, height);
  CHECK(cudaGetLastError());

  std::vector<float> image(width * height);
  CHECK(cudaMemcpy2DFromArray(image.data(), width * sizeof(float), second, 0, 0,
                              width * sizeof(float), height, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      wrong += image[y * width + x] != 100.0f * y + (x + 1 < width ? x + 1 : width - 1);
  printf("shifted: %g %g %g, wrong: %d\n", image[0], image[width - 1], image[width * height - 1],
         wrong);

  std::vector<float> out(48);
  float* d_out;
  CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));
  boundaries<<<1, 16>>>(to_second, d_out, width, height);
  CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int row = 0; row < 3; ++row) {
    printf("%s:", row == 0 ? "zero" : row == 1 ? "clamp x" : "clamp y");
    for (int i = 0; i < 16; ++i) printf(" %g", out[16 * row + i]);
    printf("\n");
  }
  std::vector<float> row(width);
  CHECK(cudaMemcpy2DFromArray(row.data(), width * sizeof(float), second, 0, 2,
                              width * sizeof(float), 1, cudaMemcpyDeviceToHost));
  printf("row 2:");
  for (float one : row) printf(" %g", one);
  printf("\n");

  // a part of one array into another
  CHECK(cudaMemcpy2DArrayToArray(first, 4, 1, second, 8, 3, 5 * sizeof(float), 2,
                                 cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy2DFromArray(row.data(), width * sizeof(float), first, 0, 2, width * sizeof(float),
                              1, cudaMemcpyDeviceToHost));
  printf("copied:");
  for (float one : row) printf(" %g", one);
  printf("\n");

  const int n = 16;
  const cudaChannelFormatDesc of_bytes = cudaCreateChannelDesc<uchar4>(),
                              of_pairs = cudaCreateChannelDesc<float2>(),
                              of_shorts = cudaCreateChannelDesc<short>();
  cudaArray_t bytes, pairs, shorts;
  CHECK(cudaMallocArray(&bytes, &of_bytes, n, 0, cudaArraySurfaceLoadStore));
  CHECK(cudaMallocArray(&pairs, &of_pairs, n, 0, cudaArraySurfaceLoadStore));
  CHECK(cudaMallocArray(&shorts, &of_shorts, n, 0, cudaArraySurfaceLoadStore));
  const cudaSurfaceObject_t s_bytes = surface_of(bytes), s_pairs = surface_of(pairs),
                            s_shorts = surface_of(shorts);
  pack<<<1, n>>>(s_bytes, s_pairs, s_shorts);
  unpack<<<1, n>>>(s_bytes, s_pairs, s_shorts, d_out);
  CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) wrong += out[i] != 10 * i + 90 * i + 1000 * i - 8000;
  printf("packed: %g %g, wrong: %d\n", out[1], out[n - 1], wrong);

  for (auto one : {to_first, to_second, s_bytes, s_pairs, s_shorts})
    CHECK(cudaDestroySurfaceObject(one));
  CHECK(cudaDestroyTextureObject(texture));
  for (cudaArray_t one : {first, second, bytes, pairs, shorts}) CHECK(cudaFreeArray(one));
  CHECK(cudaFree(d_out));
  return wrong != 0;
}

// output:
// shifted: 1 11 911, wrong: 0
// zero: 0 0 101 102 103 104 105 106 107 108 109 110 111 111 0 0
// clamp x: 901 901 901 902 903 904 905 906 907 908 909 910 911 911 911 911
// clamp y: 2 2 2 102 202 302 402 502 602 702 802 902 902 902 902 902
// row 2: 201 202 203 204 205 206 207 208 209 210 -1 -1
// copied: 200 403 404 405 406 407 206 207 208 209 210 211
// packed: -6900 8500, wrong: 0
