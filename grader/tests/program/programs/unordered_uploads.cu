// Kernels that use what is copied to the device in another stream, without waiting for it; and those that do not, or wait.
#include <cstdio>

__global__ void add_up(const int* in, int* out, int first, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += in[first + i];
  *out = sum;
}

int main() {
  const int count = 1024, parts = 4, each = count / parts;
  int *host, *in, *out, sums[parts];
  cudaMallocHost(&host, count * sizeof(int));
  for (int i = 0; i < count; ++i) host[i] = i;
  cudaMalloc(&in, count * sizeof(int));
  cudaMalloc(&out, parts * sizeof(int));
  cudaStream_t streams[parts];
  for (cudaStream_t& one : streams) cudaStreamCreate(&one);
  for (int p = 0; p < parts; ++p)
    cudaMemcpyAsync(in + p * each, host + p * each, each * sizeof(int), cudaMemcpyHostToDevice,
                    streams[p]);
  for (int p = 0; p < parts; ++p) add_up<<<1, 1, 0, streams[p]>>>(in, out + p, p * each, each);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(in, host, each * sizeof(int), cudaMemcpyHostToDevice, streams[0]);
  add_up<<<1, 1, 0, streams[1]>>>(in, out, 0, each);  // <-- unordered_upload
  cudaEvent_t copied;
  cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
  cudaMemcpyAsync(in, host, each * sizeof(int), cudaMemcpyHostToDevice, streams[0]);
  cudaEventRecord(copied, streams[0]);
  cudaStreamWaitEvent(streams[1], copied, 0);
  add_up<<<1, 1, 0, streams[1]>>>(in, out, 0, each);
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  for (const int sum : sums) std::printf("%d\n", sum);
  for (cudaStream_t one : streams) cudaStreamDestroy(one);
  cudaEventDestroy(copied);
  cudaFree(in);
  cudaFree(out);
  cudaFreeHost(host);
}
// output:
// 32640
// 98176
// 163712
// 229248
