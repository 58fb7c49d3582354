// Updates of shared places: read, change, write. What updates_test.cpp expects of each kernel stands there. All are launched
// with 2 blocks of 64 threads: in[i] = i % 16, out[i] = 0, all 128 elements of both written before.

__global__ void shared_histogram(const int* in, int* out) {
  __shared__ int bins[16];
  const int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  bins[in[t]]++;
  __syncthreads();
  if (t < 16) atomicAdd(&out[t], bins[t]);
}

__global__ void global_histogram(const int* in, int* out) {
  out[in[threadIdx.x]]++;
}

__global__ void shared_counter(const int* in, int* out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  if (in[threadIdx.x] > 7) n++;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, n);
}

__global__ void two_lines(const int* in, int* out) {
  int old = out[0];
  __syncwarp();
  out[0] = old + 1;
}

__global__ void maximum(const int* in, int* out) {
  __shared__ int most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  const int v = in[threadIdx.x];
  if (v > most) most = v;
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(out, most);
}

__global__ void found_bits(const int* in, int* out) {
  __shared__ unsigned bits;
  if (threadIdx.x == 0) bits = 0;
  __syncthreads();
  bits |= 1u << (in[threadIdx.x] / 16);
  __syncthreads();
  if (threadIdx.x == 0) atomicOr(out, static_cast<int>(bits));
}

__device__ __noinline__ int next_of(const int* counter) { return *counter + 1; }

__global__ void through_call(const int* in, int* out) {
  const int next = next_of(out);
  __syncwarp();
  *out = next;
}

__global__ void volatile_counter(const int* in, int* out) {
  volatile int* n = out;
  if (threadIdx.x % 32 == 0) *n = *n + 1;
}

__global__ void flag_set(const int* in, int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (in[threadIdx.x] > 7) flag = 1;
  __syncthreads();
  if (threadIdx.x == 0) atomicOr(out, flag);
}

__global__ void same_constant(const int* in, int* out) {
  out[0] = 7;
}

__global__ void same_input(const int* in, int* out) {
  out[0] = in[3] + 1;
}

__global__ void atomic_histogram(const int* in, int* out) {
  __shared__ int bins[16];
  const int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[t]], 1);
  __syncthreads();
  if (t < 16) atomicAdd(&out[t], bins[t]);
}

__global__ void warp_counters(const int* in, int* out) {
  __shared__ int count[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) count[warp] = 0;
  __syncwarp();
  for (int turn = 0; turn < 3; ++turn) {
    if (lane == turn) count[warp] += in[turn];
    __syncwarp();
  }
  if (lane == 0) atomicAdd(out, count[warp]);
}

__global__ void reduction(const int* in, int* out) {
  __shared__ int sum[64];
  const int t = threadIdx.x;
  sum[t] = in[t];
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) sum[t] += sum[t + step];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, sum[0]);
}

__global__ void own_element(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) out[i] += in[i];
}

__global__ void with_lock(const int* in, int* out) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicCAS(&out[1], 0, 1) != 0) {
  }
  __threadfence();
  out[0]++;
  __threadfence();
  atomicExch(&out[1], 0);
}

__global__ void warp_tree(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 16];
    __syncwarp();
    if (t == 0) atomicAdd(out, s[0]);
  }
}

__global__ void twice_and_one(const int* in, int* out) {
  out[0] = out[0] * 2 + 1;
}

__global__ void raised_to_seven(const int* in, int* out) {
  if (out[0] < 7) out[0] = 7;
}

__global__ void any_above(const int* in, int* out) {
  __shared__ bool any;
  if (threadIdx.x == 0) any = false;
  __syncthreads();
  any = any || in[threadIdx.x] > 7;
  __syncthreads();
  if (threadIdx.x == 0) atomicOr(out, any);
}
