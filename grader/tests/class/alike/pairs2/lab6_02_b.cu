// Lab 6: powers, staged with exclusive or
constexpr int kPowers = 32;
constexpr int kBlock = 128;

// place in the warp's buffer
__device__ int place(int exponent, int who) {
  const int column = who ^ exponent;
  return column + 32 * who;
}

__global__ void powers(const float* in, float* out, int len) {
  const int w = threadIdx.x / 32;
  const int id = threadIdx.x % 32;
  const int begin = 32 * w + kBlock * blockIdx.x;
  const int number = id + begin;
  __shared__ float store[kPowers * kBlock];
  const int shift = kPowers * 32 * w;

  float num = 0.0f;
  if (number + 1 <= len) {
    num = in[number];
  }
  float prod = num;
  for (int e = 0; e <= kPowers - 1; e += 1) {
    prod = num * prod;
    store[place(e, id) + shift] = prod;
  }

  __syncwarp();

  int end = len - begin;
  if (end > 32) end = 32;
  for (int s = 0; s + 1 <= end; s += 1) {
    out[id + kPowers * (s + begin)] = store[place(id, s) + shift];
  }
}

__global__ void powers_altered(const float* in, float* out, int len) {
  const int number = threadIdx.x + kBlock * blockIdx.x;
  if (number + 1 <= len) {
    const float num = in[number];
    float prod = num;
    int where = number;
    for (int e = 0; e <= kPowers - 1; e += 1) {
      prod = num * prod;
      out[where] = prod;
      where += len;
    }
  }
}
