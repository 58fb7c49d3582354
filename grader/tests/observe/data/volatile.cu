// Volatile variables, as data that nothing orders and as flags, and bit-fields, which are set by parts of bytes. What
// volatile_test.cpp expects of each kernel stands there. All are launched with 2 blocks of 64 threads on `in`, 128 elements,
// and `out`, 128 elements of 0.

__global__ void mirrored(const int* in, int* out) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  s[t] = t;
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void mirrored_fenced(const int* in, int* out) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  s[t] = t;
  __threadfence_block();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void across_blocks(volatile int* in, int* out) {
  const int t = blockIdx.x * 64 + threadIdx.x;
  in[t] = t;
  __threadfence();
  out[t] = in[127 - t];
}

__global__ void scan(const int* in, int* out) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int v = t >= d ? s[t] + s[t - d] : s[t];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  out[blockIdx.x * 64 + t] = s[t];
}

__global__ void ordered(const int* in, int* out) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void spin(const int* in, int* out) {
  __shared__ volatile int value, ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = in[3];
    __threadfence_block();
    ready = 1;
  }
  if (threadIdx.x == 32) {
    while (ready == 0) {
    }
    __threadfence_block();
    out[blockIdx.x] = value;
  }
}

// value and state in one word
__global__ void packed(const int* in, unsigned long long* out) {
  volatile unsigned long long* word = out;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *word = 1ull << 32 | static_cast<unsigned>(in[5]);
  } else {
    unsigned long long seen;
    do {
      seen = *word;
    } while (seen >> 32 == 0);
    out[1] = static_cast<unsigned>(seen);
  }
}

// one thread asks, all go by its answer
__global__ void asked_by_one(const int* in, int* out) {
  __shared__ int state;
  volatile int* flag = out;
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) *flag = in[1] + 1;
    return;
  }
  do {
    __syncthreads();
    if (threadIdx.x == 0) state = *flag;
    __syncthreads();
  } while (state == 0);
  out[64 + threadIdx.x] = 1;
}

__device__ __noinline__ int look(volatile int* flag) { return *flag; }

__global__ void asked_by_call(const int* in, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    *static_cast<volatile int*>(out) = in[1] + 1;
  else
    while (look(out) == 0) {
    }
}

__global__ void locked(const int* in, int* out) {
  volatile int* sum = out + 1;
  if (threadIdx.x != 0) return;
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence();
  *sum = *sum + in[blockIdx.x];
  __threadfence();
  atomicExch(out, 0);
}

__global__ void last_block(const int* in, int* out) {
  volatile int* parts = out + 1;
  if (threadIdx.x != 0) return;
  parts[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (atomicAdd(out, 1) != 1) return;
  __threadfence();
  out[3] = parts[0] + parts[1];
}

struct Fields {
  unsigned a : 4, b : 4;
};
struct Wide {
  unsigned a : 5, b : 7, c : 20;
};

__global__ void fields(const int* in, int* out) {
  __shared__ Fields s[64];
  const int t = threadIdx.x;
  s[t].a = in[t];
  s[t].b = 4;
  __syncthreads();
  if (s[63 - t].b == 4) out[blockIdx.x * 64 + t] = s[63 - t].a;
}

__global__ void wide_fields(const int* in, int* out) {
  __shared__ Wide s[64];
  const int t = threadIdx.x;
  s[t].a = in[t];
  s[t].b = 3;
  s[t].c = 7;
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t].a + s[63 - t].b + s[63 - t].c;
}

__global__ void field_forgotten(const int* in, int* out) {
  __shared__ Wide s[64];
  const int t = threadIdx.x;
  s[t].a = in[t];
  __syncthreads();
  if (s[63 - t].c == 7) out[blockIdx.x * 64 + t] = 1;
}

__global__ void shifted(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (in[t] < 0) s[t] = 1;
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t] * 4;
}

__global__ void lowest_bit(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (in[t] < 0) s[t] = 1;
  __syncthreads();
  if (s[63 - t] & 1) out[blockIdx.x * 64 + t] = 4;
}
