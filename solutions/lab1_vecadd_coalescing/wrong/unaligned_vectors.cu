// verdict: misaligned
// defect: misaligned
// So as not to leave a tail, the last vector ends where the array ends. It may then begin
// at an address that is not a multiple of 16 bytes.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  struct alignas(16) Vector {
    T v[16 / sizeof(T)];
  };
  constexpr int kWidth = 16 / sizeof(T);
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  if (n < kWidth) {
    for (int i = thread; i < n; i += stride) c[i] = a[i] + b[i];
    return;
  }
  for (int i = thread * kWidth; i < n; i += stride * kWidth) {
    const int at = min(i, n - kWidth);
    const Vector va = *reinterpret_cast<const Vector*>(a + at);  // <--
    const Vector vb = *reinterpret_cast<const Vector*>(b + at);
    Vector vc;
    for (int k = 0; k < kWidth; ++k) vc.v[k] = va.v[k] + vb.v[k];
    *reinterpret_cast<Vector*>(c + at) = vc;
  }
}
