// Adds two vectors in managed memory: host and device use the same pointers.
#include <iostream>
#include <stdexcept>
#include <string>

#define TRY_CUDA(expr) throw_on_error((expr), __LINE__)

void throw_on_error(cudaError_t error, int line) {
  if (error != cudaSuccess) {
    throw std::runtime_error("line " + std::to_string(line) + ": " + cudaGetErrorString(error));
  }
}

template <typename T>
class ManagedArray {
 public:
  explicit ManagedArray(size_t size) : size_(size) {
    TRY_CUDA(cudaMallocManaged(&data_, size * sizeof(T)));
  }
  ~ManagedArray() { cudaFree(data_); }
  ManagedArray(const ManagedArray&) = delete;
  ManagedArray& operator=(const ManagedArray&) = delete;

  T* data() { return data_; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }

 private:
  T* data_ = nullptr;
  size_t size_;
};

__global__ void add(double* sum, const double* a, const double* b, size_t size) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) sum[i] = a[i] + b[i];
}

bool run() {
  ManagedArray<double> a(10000), b(10000), sum(10000);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = double(i);
    b[i] = double(i) * double(i);
  }

  const unsigned block = 128;
  const unsigned grid = unsigned((sum.size() + block - 1) / block);
  add<<<grid, block>>>(sum.data(), a.data(), b.data(), sum.size());
  TRY_CUDA(cudaGetLastError());
  TRY_CUDA(cudaDeviceSynchronize());  // the host may read only after this

  for (size_t i = 0; i < sum.size(); ++i) {
    if (sum[i] != double(i) * double(i + 1)) {
      std::cout << "wrong at " << i << '\n';
      return false;
    }
  }
  std::cout << "sum[99] = " << sum[99] << '\n';
  std::cout << "sum[999] = " << sum[999] << '\n';
  return true;
}

int main() {
  bool passed = false;
  try {
    passed = run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  std::cout << (passed ? "PASS" : "FAIL") << std::endl;
  return passed ? 0 : 1;
}

// output:
// sum[99] = 9900
// sum[999] = 999000
// PASS
