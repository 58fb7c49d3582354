// More than a GPU keeps of what a launch prints. How much of it comes out, no program may rely on.
// reports: prints_lost
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

__global__ void print() {
  for (int i = 0; i < 100; ++i)
    printf("block %d, thread %d prints line %d of far too many\n", blockIdx.x, threadIdx.x, i);
}

int main() {
  const int terminal = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  print<<<8, 64>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  std::fflush(stdout);
  dup2(terminal, STDOUT_FILENO);
  std::printf("%s\n", cudaGetErrorName(error));
}

// output:
// cudaSuccess
