// Lab 7
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_arrays(const double* src, double* dst, double f, int count)
{
  const int g = threadIdx.x + kBlock * blockIdx.x;
  if (g + 1 <= count) {
    double reg[kParts];
#pragma unroll
    for (int j = 0; j < kParts; j += 1) {
      reg[j] = f * src[count * j + g];
    }
#pragma unroll
    for (int j = 0; j < kParts; j += 1) {
      dst[count * j + g] = reg[j];
    }
  }
}

__global__ void scale_structures(const ComplexQuadDouble* src, ComplexQuadDouble* dst, double f,
                                 int count)
{
  const int g = threadIdx.x + kBlock * blockIdx.x;
  if (g + 1 <= count) {
    double* output = dst[g].part;
    const double* input = src[g].part;
#pragma unroll
    for (int j = 0; j < kParts; j += 1) {
      output[j] = input[j] * f;
    }
  }
}

// where a part is kept in shared memory
__device__ int slot(int part_no, int who)
{
  const int mask = (who / 2) % 8;
  return (mask ^ part_no) + kParts * who;
}

__global__ void to_structures(const double* src, ComplexQuadDouble* dst, int count)
{
  const int start = kBlock * blockIdx.x;
  const int me = threadIdx.x;
  const int remaining = kParts * count - kParts * start;
  double* target = dst[start].part;
  __shared__ double shared_parts[kParts * kBlock];

  const int g = me + start;
  if (g + 1 <= count) {
#pragma unroll
    for (int j = 0; j < kParts; j += 1) {
      const double tmp = src[count * j + g];
      shared_parts[slot(j, me)] = tmp;
    }
  }

  __syncthreads();

#pragma unroll
  for (int r = 0; r < kParts; r += 1) {
    const int pos = me + kBlock * r;
    if (pos + 1 <= remaining) {
      const int j = pos % kParts;
      const int who = pos / kParts;
      target[pos] = shared_parts[slot(j, who)];
    }
  }
}
