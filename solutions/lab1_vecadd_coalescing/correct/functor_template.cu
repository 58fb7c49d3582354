// Style: a generic transform with a functor, as in the STL; ranges as structs.
// Right: the range gives each thread the numbers of a grid-stride loop.
struct GridRange {
  int n;
  struct Iterator {
    int i, step, n;
    __device__ int operator*() const { return i; }
    __device__ Iterator& operator++() {
      i += step;
      return *this;
    }
    __device__ bool operator!=(const Iterator& e) const { return i < e.n; }
  };
  __device__ Iterator begin() const {
    return {int(threadIdx.x + blockIdx.x * blockDim.x), int(gridDim.x * blockDim.x), n};
  }
  __device__ Iterator end() const { return {n, 0, n}; }
};

struct Plus {
  template <typename U>
  __device__ U operator()(const U& x, const U& y) const {
    return x + y;
  }
};

template <typename In, typename Out, typename Op>
__device__ void transform(In a, In b, Out c, int n, Op op) {
  for (int i : GridRange{n}) c[i] = op(a[i], b[i]);
}

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  transform(a, b, c, n, Plus{});
}
