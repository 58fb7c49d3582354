// lab: lab0
// change: if (blockIdx.x * blockDim.x + threadIdx.x < n) out[blockIdx.x * blockDim.x + threadIdx.x] = in[i];
// Lab 0: copy with an offset and a stride, and how many sectors that touches.

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// The sectors that a warp touches in copy(), with an offset of 1 and a stride of 1:
enum {
  kLoadSectors = 5,   // with its load
  kStoreSectors = 4,  // with its store
};

// copy: out[i] = in[offset + i * stride] for every i with 0 <= i < n.
//
// The grader launches at least n threads, in blocks of any size; some threads may be left over, and
// n may be 0. Thread number i takes element i:
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x;
//
// `in` has just the elements that are asked for, so that those left over must touch nothing.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = offset + (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  if (i < n) out[i] = in[i];
}

// predict: for each of `cases` pairs of an offset and a stride, into how many different sectors the
// 32 floats fall that a warp loads in copy(), when its threads have i = 0 to 31.
//
// A sector is 32 bytes, 8 floats; `in` begins with one, so in[0] to in[7] are the first sector, and
// in[k] lies in sector k / 8. The launch has at least `cases` threads, one for each case. Offsets
// are 0 or more, strides 1 or more.
__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    int count = 1;
    for (int i = 1; i < 32; i++) {
      int here = offset[c] + i * stride[c];
      int before = offset[c] + (i - 1) * stride[c];
      if (here / 8 != before / 8) count++;
    }
    sectors[c] = count;
  }
}
