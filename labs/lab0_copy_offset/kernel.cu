// Lab 0: copy with an offset and a stride, and how many sectors that touches.
#define ____ 0  // a blank, as in the puzzles; a kernel that still has one is not graded

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// The sectors that a warp touches in copy(), with an offset of 1 and a stride of 1:
enum {
  kLoadSectors = 0,   // with its load
  kStoreSectors = 0,  // with its store
};

// copy: out[i] = in[offset + i * stride] for every i with 0 <= i < n.
//
// The grader launches at least n threads, in blocks of any size; n may be 0. Thread number i takes
// element i, as in puzzles 2 and 3. A thread without an element must not read `in` either.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  // TODO: three lines: compute i, check that there is an element i, copy it.
}

// predict: a warp loads 32 floats in copy(), those with i = 0 to 31. How many different sectors are
// they in? Each thread counts for one case: thread c for offset[c] and stride[c].
//
// A sector is 32 bytes, 8 floats, and in[0] is at the start of one: in[0] to in[7] are the first
// sector, and in[k] is in sector k / 8. Offsets are 0 or more, strides 1 or more.
__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int count = 1;  // the sector of the first float
  for (int i = 1; i < 32; ++i) {
    int here = offset[c] + i * stride[c], before = here - stride[c];
    if (____) ++count;  // TODO: are in[here] and in[before] in different sectors?
  }
  sectors[c] = count;
}
