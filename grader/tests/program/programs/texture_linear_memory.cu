// Textures on memory of cudaMalloc() and cudaMallocPitch(), without an array.
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

template <typename T>
cudaTextureObject_t texture_of(T* memory, size_t bytes,
                               cudaTextureReadMode read = cudaReadModeElementType) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc texture = {};
  texture.readMode = read;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  return object;
}

// Past both ends a texel is 0.
__global__ void reverse(cudaTextureObject_t floats, cudaTextureObject_t bytes,
                        cudaTextureObject_t quads, float* out, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = tex1Dfetch<float>(floats, n - i);
  const int4 quad = tex1Dfetch<int4>(quads, i - 1);
  sums[i] =
      tex1Dfetch<unsigned char>(bytes, i) + quad.x + 10 * quad.y + 100 * quad.z + 1000 * quad.w;
}

__global__ void transpose(cudaTextureObject_t texture, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

__global__ void blend(cudaTextureObject_t texture, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex2D<float>(texture, (i - 2) / 16.0f, 0.375f);
}

int main() {
  const int n = 1000;
  std::vector<float> floats(n), out(n);
  std::vector<unsigned char> bytes(n);
  std::vector<int4> quads(n);
  for (int i = 0; i < n; ++i) {
    floats[i] = 0.5f * i + 1;
    bytes[i] = (unsigned char)(i * 37);
    quads[i] = {i, i + 1, -i, 2};
  }
  float *d_floats, *d_out;
  unsigned char* d_bytes;
  int4* d_quads;
  int* d_sums;
  CHECK(cudaMalloc(&d_floats, n * sizeof(float)));
  CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  CHECK(cudaMalloc(&d_bytes, n));
  CHECK(cudaMalloc(&d_quads, n * sizeof(int4)));
  CHECK(cudaMalloc(&d_sums, n * sizeof(int)));
  CHECK(cudaMemcpy(d_floats, floats.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_bytes, bytes.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_quads, quads.data(), n * sizeof(int4), cudaMemcpyHostToDevice));
  const cudaTextureObject_t of_floats = texture_of(d_floats, n * sizeof(float)),
                            of_bytes = texture_of(d_bytes, n),
                            of_quads = texture_of(d_quads, n * sizeof(int4));
  reverse<<<(n + 255) / 256, 256>>>(of_floats, of_bytes, of_quads, d_out, d_sums, n);
  CHECK(cudaGetLastError());
  std::vector<int> sums(n);
  CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(sums.data(), d_sums, n * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += out[i] != (i == 0 ? 0 : floats[n - i]);
    const int4 q = i == 0 ? int4{0, 0, 0, 0} : quads[i - 1];
    wrong += sums[i] != bytes[i] + q.x + 10 * q.y + 100 * q.z + 1000 * q.w;
  }
  printf("fetched: %g %g %g, %d %d %d, wrong: %d\n", out[0], out[1], out[n - 1], sums[0], sums[1],
         sums[n - 1], wrong);
  for (auto one : {of_floats, of_bytes, of_quads}) CHECK(cudaDestroyTextureObject(one));

  const int width = 40, height = 30;
  std::vector<float> image(width * height);
  for (int i = 0; i < width * height; ++i) image[i] = 16.0f * (i % 53);
  float* d_image;
  size_t pitch;
  CHECK(cudaMallocPitch(&d_image, &pitch, width * sizeof(float), height));
  CHECK(cudaMemcpy2D(d_image, pitch, image.data(), width * sizeof(float), width * sizeof(float),
                     height, cudaMemcpyHostToDevice));
  float* d_turned;
  CHECK(cudaMalloc(&d_turned, width * height * sizeof(float)));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = d_image;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  transpose<<<dim3(3, 2), dim3(16, 16)>>>(object, d_turned, width, height);
  std::vector<float> turned(width * height);
  CHECK(cudaMemcpy(turned.data(), d_turned, turned.size() * sizeof(float), cudaMemcpyDeviceToHost));
  wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) wrong += turned[x * height + y] != image[y * width + x];
  printf("transposed, wrong: %d\n", wrong);

  cudaResourceDesc same;
  CHECK(cudaGetTextureObjectResourceDesc(&same, object));
  printf("described: %d %zu x %zu\n", same.resType == cudaResourceTypePitch2D,
         same.res.pitch2D.width, same.res.pitch2D.height);
  CHECK(cudaDestroyTextureObject(object));

  // coordinates from 0 to 1 that wrap around, blended: 40 texels, so that 1/16 is 2.5 of them
  texture.filterMode = cudaFilterModeLinear;
  texture.normalizedCoords = 1;
  texture.addressMode[0] = cudaAddressModeWrap;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  blend<<<1, 32>>>(object, d_turned, 20);
  CHECK(cudaMemcpy(turned.data(), d_turned, 20 * sizeof(float), cudaMemcpyDeviceToHost));
  printf("blended:");
  for (int i = 0; i < 20; ++i) printf(" %g", turned[i]);
  printf("\n");

  CHECK(cudaDestroyTextureObject(object));
  texture.normalizedCoords = 0;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  const cudaError_t filter = cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  printf("blended integers: %s\n", filter == cudaSuccess ? "made" : "refused");
  cudaGetLastError();

  CHECK(cudaFree(d_floats));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_bytes));
  CHECK(cudaFree(d_quads));
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_image));
  CHECK(cudaFree(d_turned));
  return wrong != 0;
}

// output:
// fetched: 0 500.5 1.5, 0 2047 -86713, wrong: 0
// transposed, wrong: 0
// described: 1 40 x 30
// blended: 648 52 196 340 380 420 460 500 540 580 620 660 488 528 568 608 648 52 196 340
// blended integers: refused
