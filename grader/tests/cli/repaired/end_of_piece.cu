// lab: lab9
// change: for (int k = from + threadIdx.x; k < n && k < from + share; k += blockDim.x)
// why: change_end_of_part
constexpr int kBins = 256;

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int mine[kBins];
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) mine[v] = 0;
  __syncthreads();
  // each block takes a share of the bytes
  const int share = (n + gridDim.x - 1) / gridDim.x;
  const int from = share * blockIdx.x;
  for (int k = from + threadIdx.x; k < n; k += blockDim.x)
    atomicAdd(&mine[data[k]], 1);
  __syncthreads();
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) atomicAdd(&counts[v], mine[v]);
}
