// Times a kernel with events. Times differ from run to run, so none is printed.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                               \
  do {                                                                            \
    cudaError_t e = (call);                                                       \
    if (e != cudaSuccess) {                                                       \
      fprintf(stderr, "%s(%d): %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

class GpuTimer {
 public:
  GpuTimer() {
    CHECK(cudaEventCreate(&start_));
    CHECK(cudaEventCreate(&stop_));
  }
  ~GpuTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  void start() { CHECK(cudaEventRecord(start_)); }
  void stop() { CHECK(cudaEventRecord(stop_)); }

  float elapsed_ms() {
    CHECK(cudaEventSynchronize(stop_));
    CHECK(cudaEventQuery(stop_));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start_, stop_));
    return ms;
  }

 private:
  cudaEvent_t start_, stop_;
};

__global__ void horner(const double* x, double* y, int n, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double value = 1.0;
  for (int d = degree; d > 0; --d) value = 1.0 + value * x[i] / d;  // the series of e^x
  y[i] = value;
}

int main() {
  const int n = 8192;
  std::vector<double> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = 2.0 * i / n - 1.0;

  double *dx, *dy;
  CHECK(cudaMalloc(&dx, n * sizeof(double)));
  CHECK(cudaMalloc(&dy, n * sizeof(double)));
  CHECK(cudaMemcpy(dx, x.data(), n * sizeof(double), cudaMemcpyHostToDevice));

  GpuTimer timer;
  timer.start();
  horner<<<n / 128, 128>>>(dx, dy, n, 20);
  timer.stop();
  CHECK(cudaGetLastError());
  const bool positive = timer.elapsed_ms() > 0;

  CHECK(cudaMemcpy(y.data(), dy, n * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += !(std::fabs(y[i] - std::exp(x[i])) < 1e-12);
  printf("e is about %.5f\n", 1.0 / y[0]);
  printf("wrong: %d\n", wrong);
  printf("time is positive: %s\n", positive ? "yes" : "no");
  puts(wrong == 0 && positive ? "PASS" : "FAIL");
  return wrong == 0 && positive ? 0 : 1;
}

// output:
// e is about 2.71828
// wrong: 0
// time is positive: yes
// PASS
