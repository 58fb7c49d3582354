// Structures as kernel parameters, by value: nested, with arrays and padding.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECKED(call)                                        \
  do {                                                       \
    cudaError_t status = (call);                             \
    if (status != cudaSuccess) {                             \
      std::printf("%s\nFAIL\n", cudaGetErrorString(status)); \
      std::exit(1);                                          \
    }                                                        \
  } while (0)

struct Range {
  short first;
  short last;
};

struct Polynomial {
  char degree;  // padding follows
  double coefficients[6];

  __host__ __device__ double operator()(double x) const {
    double value = 0;
    for (int i = degree; i >= 0; --i) value = value * x + coefficients[i];
    return value;
  }
};

template <typename T>
struct Span {
  T* data;
  size_t size;
  __host__ __device__ T& operator[](size_t i) const { return data[i]; }
};

struct Task {
  Polynomial polynomial;
  Range range;
  Span<double> output;
  bool reverse;
};

__global__ void evaluate(Task task, char marker, Span<char> marks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= int(task.output.size)) return;
  const int x = task.reverse ? task.range.last - i : task.range.first + i;
  task.output[i] = task.polynomial(x);
  marks[i] = marker;
  task.range.first = 0;  // a copy: no other thread sees this
}

int main() {
  // x^5 - 3x^3 + 2x - 7 over integers: every step is exact.
  Task task = {{5, {-7, 2, 0, -3, 0, 1}}, {-40, 40}, {nullptr, 81}, false};
  Span<char> marks{nullptr, task.output.size};
  CHECKED(cudaMalloc(&task.output.data, task.output.size * sizeof(double)));
  CHECKED(cudaMalloc(&marks.data, marks.size));

  bool ok = true;
  for (bool reverse : {false, true}) {
    task.reverse = reverse;
    const char marker = reverse ? 'r' : 'f';
    evaluate<<<3, 32>>>(task, marker, marks);
    CHECKED(cudaGetLastError());

    std::vector<double> values(task.output.size);
    std::vector<char> copied(marks.size);
    CHECKED(cudaMemcpy(values.data(), task.output.data, values.size() * sizeof(double),
                       cudaMemcpyDeviceToHost));
    CHECKED(cudaMemcpy(copied.data(), marks.data, copied.size(), cudaMemcpyDeviceToHost));
    for (int i = 0; i < int(values.size()); ++i) {
      const double x = reverse ? 40 - i : i - 40;
      ok = ok && values[i] == task.polynomial(x) && copied[i] == marker;
    }
    std::printf("%c: %.0f ... %.0f ... %.0f\n", marker, values[0], values[43], values[80]);
  }
  CHECKED(cudaFree(task.output.data));
  CHECKED(cudaFree(marks.data));
  std::printf("range is unchanged: %s\n", task.range.first == -40 ? "yes" : "no");
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// f: -102208087 ... 161 ... 102208073
// r: 102208073 ... -175 ... -102208087
// range is unchanged: yes
// PASS
