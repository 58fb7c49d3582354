// Memory of the device heap outlives a launch.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  T* keep = static_cast<T*>(malloc(sizeof(T)));
  *keep = a[0];
  for (int i = first; i < n; i += step) c[i] = a[i] + b[i] + (*keep - a[0]);
}
