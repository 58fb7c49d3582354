// lab: lab9
// change: const unsigned word = *p;
// why: change_sign
constexpr int kBins = 256;

enum { kGlobalAtomics = 262144, kSharedAtomics = 16777216 };

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int local[kBins];
  for (int* p = local + threadIdx.x; p < local + kBins; p += blockDim.x) *p = 0;
  __syncthreads();

  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  const int everybody = gridDim.x * blockDim.x;

  // four bytes with each load
  const unsigned* words = reinterpret_cast<const unsigned*>(data);
  for (const unsigned* p = words + me; p < words + n / 4; p += everybody) {
    const int word = *p;
    atomicAdd(local + (word & 0xff), 1);
    atomicAdd(local + (word >> 8 & 0xff), 1);
    atomicAdd(local + (word >> 16 & 0xff), 1);
    atomicAdd(local + (word >> 24), 1);
  }
  // up to three bytes at the end
  if (me < n % 4) atomicAdd(local + data[n - 1 - me], 1);
  __syncthreads();

  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(counts + b, *(local + b));
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {}
