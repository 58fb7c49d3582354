// Style: forgotten timing with clock64() in the kernel, the result in an unused variable.
// Right: the clock changes nothing; the loop is the plain one.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  long long t0 = clock64();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    c[i] = a[i] + b[i];
  long long t1 = clock64();
  if (t1 < t0) __trap();
}
