// A table of device functions in constant memory, and one picked by the host.
#include <iostream>
#include <vector>

#define CHECK(call)                                                           \
  do {                                                                        \
    const cudaError_t check_result = (call);                                  \
    if (check_result != cudaSuccess) {                                        \
      std::cerr << #call << ": " << cudaGetErrorString(check_result) << "\n"; \
      return 1;                                                               \
    }                                                                         \
  } while (0)

using Operation = int (*)(int, int);

__host__ __device__ int add(int a, int b) { return a + b; }
__host__ __device__ int subtract(int a, int b) { return a - b; }
__host__ __device__ int multiply(int a, int b) { return a * b; }
__host__ __device__ int larger(int a, int b) { return a > b ? a : b; }

__constant__ Operation operations[] = {add, subtract, multiply, larger};
__device__ Operation multiply_on_device = multiply;

// Instruction: two bits pick the operation, the rest is the operand.
__global__ void interpret(const unsigned* program, int length, int* accumulators) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int value = thread;
  for (int pc = 0; pc < length; ++pc) {
    // Threads of a warp may take different operations.
    const unsigned code = (program[pc] + thread) & 3;
    value = operations[code](value, int(program[pc] >> 2)) % 1000;
  }
  accumulators[thread] = value;
}

__global__ void fold(Operation combine, const int* values, int count, int* result) {
  int folded = values[0];
  for (int i = 1; i < count; ++i) folded = combine(folded, values[i] % 5 + 1) % 1009;
  *result = folded;
}

int main() {
  const int threads = 256;
  const std::vector<unsigned> program = {6, 13, 23, 36, 41, 7, 50, 33, 18, 29};
  const int length = int(program.size());

  unsigned* d_program = nullptr;
  int *d_values = nullptr, *d_result = nullptr;
  CHECK(cudaMalloc(&d_program, length * sizeof(unsigned)));
  CHECK(cudaMalloc(&d_values, threads * sizeof(int)));
  CHECK(cudaMalloc(&d_result, sizeof(int)));
  CHECK(cudaMemcpy(d_program, program.data(), length * sizeof(unsigned), cudaMemcpyHostToDevice));

  interpret<<<2, threads / 2>>>(d_program, length, d_values);
  CHECK(cudaGetLastError());

  Operation combine = nullptr;  // an address of the device: the host only passes it on
  CHECK(cudaMemcpyFromSymbol(&combine, multiply_on_device, sizeof combine));
  fold<<<1, 1>>>(combine, d_values, threads, d_result);
  CHECK(cudaGetLastError());

  std::vector<int> values(threads);
  int result = 0;
  CHECK(cudaMemcpy(values.data(), d_values, threads * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_program));
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_result));

  const Operation host_operations[] = {add, subtract, multiply, larger};
  bool same = true;
  for (int thread = 0; thread < threads; ++thread) {
    int value = thread;
    for (unsigned code : program) {
      value = host_operations[(code + thread) & 3](value, int(code >> 2)) % 1000;
    }
    same = same && value == values[thread];
  }
  int folded = values[0];
  for (int i = 1; i < threads; ++i) folded = multiply(folded, values[i] % 5 + 1) % 1009;

  std::cout << "values: " << values[0] << ' ' << values[1] << ' ' << values[2] << ' ' << values[3]
            << "\nfolded: " << result << '\n';
  same = same && folded == result;
  std::cout << (same ? "PASS" : "FAIL") << '\n';
  return same ? 0 : 1;
}

// output:
// values: 153 672 25 34
// folded: -413
// PASS
