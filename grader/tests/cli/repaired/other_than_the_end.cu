// lab: lab1
// change: __device__ bool operator!=(const Iterator& other) const { return value_ < other.value_; }
// Lab 1: vector addition, coalesced. With a small range, so that the kernel itself reads like C++.

enum {
  kFloatSectors = 4,
  kDoubleSectors = 8,
};

// The indices below n that belong to the calling thread: its number in the grid, then always as many
// further as there are threads.
class GridStrideRange {
 public:
  class Iterator {
   public:
    __device__ Iterator(int value, int step) : value_(value), step_(step) {}
    __device__ int operator*() const { return value_; }
    __device__ Iterator& operator++() {
      value_ += step_;
      return *this;
    }
    __device__ bool operator!=(const Iterator& other) const { return value_ != other.value_; }

   private:
    int value_;
    int step_;
  };

  __device__ explicit GridStrideRange(int n) : n_(n) {}
  __device__ Iterator begin() const {
    return Iterator(blockIdx.x * blockDim.x + threadIdx.x, threads());
  }
  __device__ Iterator end() const { return Iterator(n_, threads()); }

 private:
  __device__ static int threads() { return gridDim.x * blockDim.x; }
  int n_;
};

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (const int i : GridStrideRange(n)) {
    c[i] = a[i] + b[i];
  }
}
