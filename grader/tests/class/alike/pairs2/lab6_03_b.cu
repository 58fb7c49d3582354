constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers_altered(const float* input, float* output, int size)
{
  const int g = threadIdx.x + kBlock * blockIdx.x;
  if (size <= g)
    return;
  float val = input[g];
  float acc = val;
  for (int step = 0; step < kPowers; step += 1)
  {
    acc *= val;
    output[g + size * step] = acc;
  }
}

__global__ void powers(const float* input, float* output, int size)
{
  const int tid = threadIdx.x;
  const int g = tid + kBlock * blockIdx.x;
  const int limit = kPowers * size;
  const int offset = kPowers * kBlock * blockIdx.x;

  // 1. calculate
  __shared__ float sm[kPowers][1 + kBlock];
  float val = (g + 1 <= size) ? input[g] : 0;
  float acc = val;
  for (int step = 0; step < kPowers; step += 1)
  {
    acc *= val;
    sm[step][tid] = acc;
  }

  __syncthreads();

  // 2. copy to the output, 128 values at a time
  for (int round = 0; round < kPowers; round += 1)
  {
    const int idx = tid + kBlock * round;
    const int num = idx / kPowers;
    const int pow_no = idx - kPowers * num;
    if (idx + offset + 1 <= limit)
      output[idx + offset] = sm[pow_no][num];
  }
}
