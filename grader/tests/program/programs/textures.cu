// A cudaArray read through two texture objects: nearest texel and bilinear.
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

const int kWidth = 16, kHeight = 12;

cudaTextureObject_t make_texture(cudaArray_t array, cudaTextureFilterMode filter) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;

  cudaTextureDesc texture = {};
  texture.addressMode[0] = cudaAddressModeClamp;
  texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = filter;
  texture.readMode = cudaReadModeElementType;
  texture.normalizedCoords = 0;

  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  return object;
}

// The coordinate of sample i; texel centers are at .5. Starts outside the image.
__host__ __device__ inline float coordinate(int i) { return 0.25f * i - 1.0f; }

__global__ void sample(cudaTextureObject_t texture, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    out[y * width + x] = tex2D<float>(texture, coordinate(x), coordinate(y));
  }
}

float texel(const std::vector<float>& image, int x, int y) {
  x = x < 0 ? 0 : x >= kWidth ? kWidth - 1 : x;
  y = y < 0 ? 0 : y >= kHeight ? kHeight - 1 : y;
  return image[y * kWidth + x];
}

float nearest(const std::vector<float>& image, float x, float y) {
  return texel(image, int(std::floor(x)), int(std::floor(y)));
}

float bilinear(const std::vector<float>& image, float x, float y) {
  float fx = std::floor(x - 0.5f), fy = std::floor(y - 0.5f);
  float a = x - 0.5f - fx, b = y - 0.5f - fy;
  int i = int(fx), j = int(fy);
  return (1 - a) * (1 - b) * texel(image, i, j) + a * (1 - b) * texel(image, i + 1, j) +
         (1 - a) * b * texel(image, i, j + 1) + a * b * texel(image, i + 1, j + 1);
}

int main() {
  std::vector<float> image(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) image[i] = float(16 * (i * 7 % 31));

  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, kWidth, kHeight));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), kWidth * sizeof(float),
                            kWidth * sizeof(float), kHeight, cudaMemcpyHostToDevice));

  const int width = 4 * (kWidth + 2), height = 4 * (kHeight + 2);
  std::vector<float> out(width * height);
  float* d_out;
  CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));

  bool ok = true;
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    cudaTextureObject_t texture = make_texture(array, filter);
    sample<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(texture, d_out, width,
                                                                          height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));

    // Weights are multiples of 1/4 and texels of 16: every blend is exact.
    int wrong = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        auto reference = filter == cudaFilterModePoint ? nearest : bilinear;
        wrong += out[y * width + x] != reference(image, coordinate(x), coordinate(y));
      }
    }
    const float middle = out[height / 2 * width + width / 2 + 1];
    printf("%s: %.0f, wrong: %d\n", filter == cudaFilterModePoint ? "point" : "linear", middle,
           wrong);
    ok = ok && wrong == 0;
  }
  CHECK(cudaFree(d_out));
  CHECK(cudaFreeArray(array));
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// point: 240, wrong: 0
// linear: 308, wrong: 0
// PASS
