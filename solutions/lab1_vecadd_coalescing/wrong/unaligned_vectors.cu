// verdict: misaligned
// The tail is taken by a float4 that starts where the elements begin to be left over, not at a
// multiple of 16 bytes.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  struct alignas(16) Vector {
    T v[16 / sizeof(T)];
  };
  constexpr int kWidth = 16 / sizeof(T);
  const int stride = gridDim.x * blockDim.x * kWidth;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * kWidth; i < n; i += stride) {
    const int at = i + kWidth <= n || n < kWidth ? i : n - kWidth;
    const Vector va = *reinterpret_cast<const Vector*>(a + at);
    const Vector vb = *reinterpret_cast<const Vector*>(b + at);
    Vector vc;
    for (int k = 0; k < kWidth; ++k) vc.v[k] = va.v[k] + vb.v[k];
    *reinterpret_cast<Vector*>(c + at) = vc;
  }
}
