// Of solutions/lab6_consecutive_powers/correct/whole_block.cu
#define COUNT 32
#define THREADS 128

__global__ void powers_altered(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int me = threadIdx.x + THREADS * blockIdx.x;
  if (n <= me) return;
  const float base = x[me];
  float result = base;
  int e = 0;
  while (e < COUNT) {
    result = base * result;
    y[me + n * (size_t)e] = result;
    ++e;
  }
}

__global__ void powers(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int id = threadIdx.x;
  const int begin = THREADS * blockIdx.x;
  __shared__ float table[THREADS][COUNT + 1];
  if (n > id + begin) {
    const float base = x[id + begin];
    float result = base;
    int e = 0;
    while (e < COUNT) {
      result = base * result;
      table[id][e] = result;
      ++e;
    }
  }
  __syncthreads();
  float* target = y + COUNT * (size_t)begin;
  const int most = COUNT * min(n - begin, THREADS);
  int round = 0;
  while (round < COUNT) {
    const int place = id + THREADS * round;
    if (most > place) target[place] = table[place / COUNT][place % COUNT];
    ++round;
  }
}
