// Inclusive scan of one block after Hillis and Steele, with two buffers,
// and exclusive scan after Blelloch, in place. Both in shared memory.
#include <cstdio>
#include <cstdlib>

#define N 512

#define SAFE_CALL(stmt)                                                           \
  do {                                                                            \
    cudaError_t ret = (stmt);                                                     \
    if (ret != cudaSuccess) {                                                     \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(ret)); \
      exit(EXIT_FAILURE);                                                         \
    }                                                                             \
  } while (0)

__global__ void inclusive_scan(const int* in, int* out) {
  __shared__ int buf[2][N];
  int tid = threadIdx.x;
  int cur = 0;

  buf[cur][tid] = in[tid];
  __syncthreads();
  for (int d = 1; d < N; d <<= 1) {
    int sum = buf[cur][tid];
    if (tid >= d) sum += buf[cur][tid - d];
    cur = 1 - cur;
    buf[cur][tid] = sum;
    __syncthreads();
  }
  out[tid] = buf[cur][tid];
}

__global__ void exclusive_scan(const int* in, int* out) {
  extern __shared__ int tree[];
  int tid = threadIdx.x;  // N / 2 threads, two elements each

  tree[2 * tid] = in[2 * tid];
  tree[2 * tid + 1] = in[2 * tid + 1];

  int offset = 1;
  for (int d = N >> 1; d > 0; d >>= 1) {  // up: build sums
    __syncthreads();
    if (tid < d) tree[offset * (2 * tid + 2) - 1] += tree[offset * (2 * tid + 1) - 1];
    offset <<= 1;
  }
  if (tid == 0) tree[N - 1] = 0;
  for (int d = 1; d < N; d <<= 1) {  // down: hand out prefixes
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      int left = offset * (2 * tid + 1) - 1;
      int right = offset * (2 * tid + 2) - 1;
      int t = tree[left];
      tree[left] = tree[right];
      tree[right] += t;
    }
  }
  __syncthreads();

  out[2 * tid] = tree[2 * tid];
  out[2 * tid + 1] = tree[2 * tid + 1];
}

int main(void) {
  int in[N], incl[N], excl[N];
  for (int i = 0; i < N; i++) in[i] = (i * 7) % 10;

  int *d_in, *d_out;
  SAFE_CALL(cudaMalloc((void**)&d_in, sizeof(in)));
  SAFE_CALL(cudaMalloc((void**)&d_out, sizeof(in)));
  SAFE_CALL(cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice));

  inclusive_scan<<<1, N>>>(d_in, d_out);
  SAFE_CALL(cudaGetLastError());
  SAFE_CALL(cudaMemcpy(incl, d_out, sizeof(incl), cudaMemcpyDeviceToHost));

  exclusive_scan<<<1, N / 2, N * sizeof(int)>>>(d_in, d_out);
  SAFE_CALL(cudaGetLastError());
  SAFE_CALL(cudaMemcpy(excl, d_out, sizeof(excl), cudaMemcpyDeviceToHost));

  SAFE_CALL(cudaFree(d_in));
  SAFE_CALL(cudaFree(d_out));

  int running = 0, bad = 0;
  for (int i = 0; i < N; i++) {
    bad += excl[i] != running;
    running += in[i];
    bad += incl[i] != running;
  }
  printf("inclusive: %d %d %d %d ... %d\n", incl[0], incl[1], incl[2], incl[3], incl[N - 1]);
  printf("exclusive: %d %d %d %d ... %d\n", excl[0], excl[1], excl[2], excl[3], excl[N - 1]);
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

// output:
// inclusive: 0 7 11 12 ... 2302
// exclusive: 0 0 7 11 ... 2295
// PASS
