// Lab 0: copy with an offset and a stride, and how many sectors that touches.

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// The sectors that a warp touches in copy(), with an offset of 1 and a stride of 1:
enum {
  kLoadSectors = 0,   // with its load
  kStoreSectors = 0,  // with its store
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
  // TODO: one line for which element is this thread's, one that asks whether there is such an
  // element, one that copies it.
}

// predict: for each of `cases` pairs of an offset and a stride, into how many different sectors the
// 32 floats fall that a warp loads in copy(), when its threads have i = 0 to 31.
//
// A sector is 32 bytes, 8 floats; `in` begins with one, so in[0] to in[7] are the first sector, and
// in[k] lies in sector k / 8. The launch has at least `cases` threads, one for each case. Offsets
// are 0 or more, strides 1 or more.
__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  // TODO: thread c writes sectors[c] for offset[c] and stride[c]. Count with a loop over the 32
  // floats: the first one counts, and each other one whose sector is not that of the float before.
}
