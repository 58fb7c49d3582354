// Variables that are read before anything has set them, and some that only look so. What unset_test.cpp expects of each kernel
// stands there. All are launched with 2 blocks of 64 threads; in[i] = i, out holds 128 elements that nobody has written.

__global__ void sum_not_started(const float* in, float* out, int n) {
  float sum;
  for (int k = 0; k < n; ++k) sum += in[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void one_branch(const float* in, float* out, int n) {
  float value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void as_index(const float* in, float* out, int n) {
  int index;
  if (n > 100) index = 3;
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[index & 63];
}

__global__ void as_condition(const float* in, float* out, int n) {
  bool found;
  for (int k = 0; k < n; ++k)
    if (in[k] < 0) found = true;
  out[blockIdx.x * blockDim.x + threadIdx.x] = found ? 1 : 2;
}

__global__ void both_branches(const float* in, float* out, int n) {
  float value;
  if (threadIdx.x < n)
    value = in[threadIdx.x];
  else
    value = 0;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void same_condition(const float* in, float* out, int n) {
  float value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n) out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void first_turn(const float* in, float* out, int n) {
  float last, sum = 0;
  for (int k = 0; k < n; ++k) {
    if (k > 0) sum += in[k] - last;
    last = in[k];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
