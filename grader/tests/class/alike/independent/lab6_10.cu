constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float pot[kBlock][kPowers + 1];
  int spur = threadIdx.x & 31;
  int i = blockIdx.x * kBlock + threadIdx.x;
  int k = 0;

  // Potenzen berechnen
  if (i < n) {
    float a = x[i];
    float b = a;
    do {
      b *= a;
      pot[threadIdx.x][k] = b;
      ++k;
    } while (k < kPowers);
  }

  __syncwarp();

  // Warp schreibt gemeinsam, Zahl fuer Zahl
  for (int z = threadIdx.x - spur; z < (int)threadIdx.x - spur + 32; ++z) {
    int ziel = (blockIdx.x * kBlock + z) * kPowers + spur;
    if (ziel < n * kPowers) y[ziel] = pot[z][spur];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    float a = x[i];
    float b = a * a;
    for (int ziel = i; ziel < n * kPowers; ziel += n) {
      y[ziel] = b;
      b *= a;
    }
  }
}
