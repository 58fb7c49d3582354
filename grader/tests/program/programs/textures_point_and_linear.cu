// Every address mode, with coordinates in texels and from 0 to 1, nearest texel and blended, and texels of several formats.
// Coordinates are multiples of 1/8 texel that are never at the border of two, and texels multiples of 64: so all values are exact.
#include <cuda_fp16.h>

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

const int kWidth = 8, kHeight = 4, kSamples = 24;
const char* const kModes[] = {"wrap", "clamp", "mirror", "border"};

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode,
                               cudaTextureFilterMode filter, bool normalized,
                               cudaTextureReadMode read = cudaReadModeElementType,
                               float border = 0) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  for (auto& one : texture.addressMode) one = mode;
  texture.filterMode = filter;
  texture.readMode = read;
  texture.normalizedCoords = normalized;
  for (float& one : texture.borderColor) one = border;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  return object;
}

template <typename T>
cudaArray_t array_of(const std::vector<T>& texels, int width, int height,
                     const cudaChannelFormatDesc& format) {
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height));
  const int rows = height == 0 ? 1 : height;
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(T), width * sizeof(T), rows,
                            cudaMemcpyHostToDevice));
  return array;
}

// Of sample i, in texels.
__host__ __device__ float place(int i, int size) { return (i - 4) * size / 16.0f + 0.125f; }

__global__ void sample_1d(cudaTextureObject_t texture, bool normalized, float* out) {
  const int i = threadIdx.x;
  const float x = place(i, kWidth);
  out[i] = tex1D<float>(texture, normalized ? x / kWidth : x);
}

__global__ void sample_2d(cudaTextureObject_t texture, bool normalized, float* out) {
  const int i = threadIdx.x, j = threadIdx.y;
  const float x = place(i, kWidth), y = place(j, kHeight);
  out[j * kSamples + i] =
      tex2D<float>(texture, normalized ? x / kWidth : x, normalized ? y / kHeight : y);
}

int inside(int i, int size, int mode, bool normalized) {
  if (i >= 0 && i < size) return i;
  if (mode == cudaAddressModeBorder) return -1;
  if (mode == cudaAddressModeWrap && normalized) return ((i % size) + size) % size;
  if (mode == cudaAddressModeMirror && normalized) {
    const int k = ((i % (2 * size)) + 2 * size) % (2 * size);
    return k < size ? k : 2 * size - 1 - k;
  }
  return i < 0 ? 0 : size - 1;
}

float texel(const std::vector<float>& image, int x, int y, float border) {
  return x < 0 || y < 0 ? border : image[y * kWidth + x];
}

float expected(const std::vector<float>& image, float x, float y, int height, int mode, bool linear,
               bool normalized, float border) {
  float sum = 0;
  const float px = linear ? x - 0.5f : x, py = linear && height > 1 ? y - 0.5f : y;
  const int i = int(std::floor(px)), j = int(std::floor(py));
  for (int dy = 0; dy < (linear && height > 1 ? 2 : 1); ++dy)
    for (int dx = 0; dx < (linear ? 2 : 1); ++dx) {
      const float wx = !linear ? 1 : dx ? px - i : 1 - (px - i);
      const float wy = !linear || height == 1 ? 1 : dy ? py - j : 1 - (py - j);
      sum += wx * wy *
             texel(image, inside(i + dx, kWidth, mode, normalized),
                   height == 1 ? 0 : inside(j + dy, height, mode, normalized), border);
    }
  // a GPU blends the only row with that outside of it, which all modes but this one take for the same
  if (linear && height == 1 && mode == cudaAddressModeBorder) sum = (sum + border) / 2;
  return sum;
}

int wrong = 0;

void address_modes() {
  std::vector<float> image(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) image[i] = 64.0f * (i * 7 % 31);
  const std::vector<float> row(image.begin(), image.begin() + kWidth);
  const cudaArray_t one = array_of(row, kWidth, 0, cudaCreateChannelDesc<float>()),
                    two = array_of(image, kWidth, kHeight, cudaCreateChannelDesc<float>());
  std::vector<float> out(kSamples * kSamples);
  float* d_out;
  CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));
  for (int mode = 0; mode < 4; ++mode)
    for (int normalized = 0; normalized < 2; ++normalized)
      for (int linear = 0; linear < 2; ++linear) {
        const float border = mode == cudaAddressModeBorder && normalized ? 640.0f : 0.0f;
        const auto filter = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        const auto address = cudaTextureAddressMode(mode);
        const auto read = cudaReadModeElementType;
        cudaTextureObject_t texture = texture_of(one, address, filter, normalized, read, border);
        sample_1d<<<1, kSamples>>>(texture, normalized, d_out);
        CHECK(cudaMemcpy(out.data(), d_out, kSamples * sizeof(float), cudaMemcpyDeviceToHost));
        CHECK(cudaDestroyTextureObject(texture));
        printf("%s %s %s:", kModes[mode], normalized ? "normalized" : "texels",
               linear ? "linear" : "point");
        for (int i = 0; i < kSamples; ++i) {
          printf(" %g", out[i]);
          wrong +=
              out[i] != expected(row, place(i, kWidth), 0, 1, mode, linear, normalized, border);
        }
        texture = texture_of(two, address, filter, normalized, read, border);
        sample_2d<<<1, dim3(kSamples, kSamples)>>>(texture, normalized, d_out);
        CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
        CHECK(cudaDestroyTextureObject(texture));
        double sum = 0;
        for (int j = 0; j < kSamples; ++j)
          for (int i = 0; i < kSamples; ++i) {
            const float value = out[j * kSamples + i];
            sum += value * (1 + i + 3 * j);
            wrong += value != expected(image, place(i, kWidth), place(j, kHeight), kHeight, mode,
                                       linear, normalized, border);
          }
        printf(" | %.3f\n", sum);
      }
  CHECK(cudaFree(d_out));
  CHECK(cudaFreeArray(one));
  CHECK(cudaFreeArray(two));
}

template <typename T>
__global__ void read_texels(cudaTextureObject_t texture, T* out, float offset) {
  out[threadIdx.x] = tex2D<T>(texture, threadIdx.x + offset, 0.5f);
}

template <typename Texel, typename Value>
std::vector<Value> values_of(const std::vector<Texel>& texels, const cudaChannelFormatDesc& format,
                             cudaTextureReadMode read, float offset = 0.5f) {
  const int width = int(texels.size());
  const cudaArray_t array = array_of(texels, width, 1, format);
  const cudaTextureObject_t texture =
      texture_of(array, cudaAddressModeClamp,
                 offset == 0.5f ? cudaFilterModePoint : cudaFilterModeLinear, false, read);
  std::vector<Value> values(width);
  Value* d_out;
  CHECK(cudaMalloc(&d_out, width * sizeof(Value)));
  read_texels<Value><<<1, width>>>(texture, d_out, offset);
  CHECK(cudaMemcpy(values.data(), d_out, width * sizeof(Value), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_out));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
  return values;
}

void formats() {
  const auto as_is = cudaReadModeElementType, as_fraction = cudaReadModeNormalizedFloat;
  printf("signed char:");
  for (int v : values_of<signed char, signed char>({-128, -1, 0, 127},
                                                   cudaCreateChannelDesc<signed char>(), as_is))
    printf(" %d", v);
  printf("\nuchar4:");
  for (uchar4 v : values_of<uchar4, uchar4>({{1, 2, 3, 4}, {255, 0, 128, 7}},
                                            cudaCreateChannelDesc<uchar4>(), as_is))
    printf(" (%d %d %d %d)", v.x, v.y, v.z, v.w);
  printf("\nshort2:");
  for (short2 v : values_of<short2, short2>({{-32768, 32767}, {-2, 5}},
                                            cudaCreateChannelDesc<short2>(), as_is))
    printf(" (%d %d)", v.x, v.y);
  printf("\nunsigned short:");
  for (unsigned v : values_of<unsigned short, unsigned short>(
           {0, 40000, 65535}, cudaCreateChannelDesc<unsigned short>(), as_is))
    printf(" %u", v);
  printf("\nint2:");
  for (int2 v : values_of<int2, int2>({{-2147483647 - 1, 2147483647}, {3, -4}},
                                      cudaCreateChannelDesc<int2>(), as_is))
    printf(" (%d %d)", v.x, v.y);
  printf("\nuint4:");
  for (uint4 v :
       values_of<uint4, uint4>({{0, 4294967295u, 5, 6}}, cudaCreateChannelDesc<uint4>(), as_is))
    printf(" (%u %u %u %u)", v.x, v.y, v.z, v.w);
  printf("\nfloat4:");
  for (float4 v :
       values_of<float4, float4>({{1, -2, 0.5f, 1e30f}}, cudaCreateChannelDesc<float4>(), as_is))
    printf(" (%g %g %g %g)", v.x, v.y, v.z, v.w);
  // 1, -2, 65504, and the smallest half
  const std::vector<unsigned short> halves = {0x3c00, 0xc000, 0x7bff, 0x0001};
  printf("\nhalf:");
  for (float v : values_of<unsigned short, float>(halves, cudaCreateChannelDescHalf(), as_is))
    printf(" %a", v);
  // of the largest integer: what rounding there may be does not show
  printf("\nfractions of 255:");
  for (float4 v :
       values_of<uchar4, float4>({{0, 1, 128, 255}}, cudaCreateChannelDesc<uchar4>(), as_fraction))
    printf(" %.3f %.3f %.3f %.3f", 255 * v.x, 255 * v.y, 255 * v.z, 255 * v.w);
  printf("\nfractions of 127:");
  for (float v : values_of<signed char, float>({-128, -127, -1, 64, 127},
                                               cudaCreateChannelDesc<signed char>(), as_fraction))
    printf(" %.3f", 127 * v);
  printf("\nfractions of 32767:");
  for (float2 v : values_of<short2, float2>({{-32768, 32767}, {-2, 5}},
                                            cudaCreateChannelDesc<short2>(), as_fraction))
    printf(" %.2f %.2f", 32767 * v.x, 32767 * v.y);
  printf("\nblended fractions of 255:");
  for (float v : values_of<unsigned char, float>(
           {0, 64, 128, 255}, cudaCreateChannelDesc<unsigned char>(), as_fraction, 0.75f))
    printf(" %.2f", 255 * v);
  printf("\nblended halves:");
  for (float v : values_of<unsigned short, float>({0x3c00, 0xc000, 0x4400, 0x0000},
                                                  cudaCreateChannelDescHalf(), as_is, 0.75f))
    printf(" %g", v);
  printf("\n");
}

// Where a coordinate lies between two steps of 1/256 of a texel, the weight is the nearest step (here: none is half way).
__global__ void ramp(cudaTextureObject_t texture, float* out) {
  const int i = threadIdx.x;
  out[i] = tex2D<float>(texture, 0.5f + (i + 0.25f) / 256, 0.5f);
}

void steps() {
  const cudaArray_t array = array_of<float>({0, 256}, 2, 1, cudaCreateChannelDesc<float>());
  const cudaTextureObject_t texture =
      texture_of(array, cudaAddressModeClamp, cudaFilterModeLinear, false);
  std::vector<float> out(256);
  float* d_out;
  CHECK(cudaMalloc(&d_out, 256 * sizeof(float)));
  ramp<<<1, 256>>>(texture, d_out);
  CHECK(cudaMemcpy(out.data(), d_out, 256 * sizeof(float), cudaMemcpyDeviceToHost));
  int off = 0;
  for (int i = 0; i < 256; ++i) off += out[i] != i;
  printf("steps of 1/256: %g %g %g, other than the nearest: %d\n", out[0], out[1], out[255], off);
  CHECK(cudaFree(d_out));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

__global__ void gather(cudaTextureObject_t texture, float4* out) {
  out[0] = tex2Dgather<float4>(texture, 1.0f, 1.0f);
  out[1] = tex2Dgather<float4>(texture, 2.25f, 1.75f, 1);
}

void gathers() {
  std::vector<float2> image;
  for (int i = 0; i < 12; ++i) image.push_back({float(i), float(100 + i)});
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  CHECK(cudaMallocArray(&array, &format, 4, 3, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), 32, 32, 3, cudaMemcpyHostToDevice));
  const cudaTextureObject_t texture =
      texture_of(array, cudaAddressModeClamp, cudaFilterModePoint, false);
  float4 out[2];
  float4* d_out;
  CHECK(cudaMalloc(&d_out, sizeof out));
  gather<<<1, 1>>>(texture, d_out);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (const float4& v : out) printf("gather: %g %g %g %g\n", v.x, v.y, v.z, v.w);
  CHECK(cudaFree(d_out));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

int main() {
  address_modes();
  formats();
  steps();
  gathers();
  printf("wrong: %d\n", wrong);
  return wrong != 0;
}

// output:
// wrap texels point: 0 0 0 0 0 0 448 448 896 896 1344 1344 1792 1792 256 256 704 704 1152 1152 1152 1152 1152 1152 | 22238208.000
// wrap texels linear: 0 0 0 0 0 56 280 504 728 952 1176 1400 1624 1600 832 312 536 760 984 1152 1152 1152 1152 1152 | 22404996.000
// wrap normalized point: 704 704 1152 1152 0 0 448 448 896 896 1344 1344 1792 1792 256 256 704 704 1152 1152 0 0 448 448 | 23801856.000
// wrap normalized linear: 536 760 984 1008 432 56 280 504 728 952 1176 1400 1624 1600 832 312 536 760 984 1008 432 56 280 504 | 24011076.000
// clamp texels point: 0 0 0 0 0 0 448 448 896 896 1344 1344 1792 1792 256 256 704 704 1152 1152 1152 1152 1152 1152 | 22238208.000
// clamp texels linear: 0 0 0 0 0 56 280 504 728 952 1176 1400 1624 1600 832 312 536 760 984 1152 1152 1152 1152 1152 | 22404996.000
// clamp normalized point: 0 0 0 0 0 0 448 448 896 896 1344 1344 1792 1792 256 256 704 704 1152 1152 1152 1152 1152 1152 | 22238208.000
// clamp normalized linear: 0 0 0 0 0 56 280 504 728 952 1176 1400 1624 1600 832 312 536 760 984 1152 1152 1152 1152 1152 | 22404996.000
// mirror texels point: 0 0 0 0 0 0 448 448 896 896 1344 1344 1792 1792 256 256 704 704 1152 1152 1152 1152 1152 1152 | 22238208.000
// mirror texels linear: 0 0 0 0 0 56 280 504 728 952 1176 1400 1624 1600 832 312 536 760 984 1152 1152 1152 1152 1152 | 22404996.000
// mirror normalized point: 448 448 0 0 0 0 448 448 896 896 1344 1344 1792 1792 256 256 704 704 1152 1152 1152 1152 704 704 | 24907776.000
// mirror normalized linear: 616 392 168 0 0 56 280 504 728 952 1176 1400 1624 1600 832 312 536 760 984 1152 1152 1096 872 648 | 24990204.000
// border texels point: 0 0 0 0 0 0 448 448 896 896 1344 1344 1792 1792 256 256 704 704 1152 1152 0 0 0 0 | 11347968.000
// border texels linear: 0 0 0 0 0 28 140 252 364 476 588 700 812 800 416 156 268 380 492 504 216 0 0 0 | 11407488.000
// border normalized point: 640 640 640 640 0 0 448 448 896 896 1344 1344 1792 1792 256 256 704 704 1152 1152 640 640 640 640 | 20973568.000
// border normalized linear: 640 640 640 600 440 348 460 572 684 796 908 1020 1132 1120 736 476 588 700 812 864 736 640 640 640 | 20992128.000
// signed char: -128 -1 0 127
// uchar4: (1 2 3 4) (255 0 128 7)
// short2: (-32768 32767) (-2 5)
// unsigned short: 0 40000 65535
// int2: (-2147483648 2147483647) (3 -4)
// uint4: (0 4294967295 5 6)
// float4: (1 -2 0.5 1e+30)
// half: 0x1p+0 -0x1p+1 0x1.ffcp+15 0x1p-24
// fractions of 255: 0.000 1.000 128.000 255.000
// fractions of 127: -127.000 -127.000 -1.000 64.000 127.000
// fractions of 32767: -32767.00 32767.00 -2.00 5.00
// blended fractions of 255: 16.00 80.00 159.75 255.00
// blended halves: 0.25 -0.5 3 0
// steps of 1/256: 0 1 255, other than the nearest: 0
// gather: 4 5 1 0
// gather: 109 110 106 105
// wrong: 0
