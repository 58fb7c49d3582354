// verdict: wrong_result
// defect: wrong_result.multiples
// float4 and double2, but n need not be a multiple of their width: the last few
// elements are left out.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  struct alignas(16) Vector {
    T v[16 / sizeof(T)];
  };
  const int vectors = n / (16 / sizeof(T));
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
    const Vector va = reinterpret_cast<const Vector*>(a)[i];
    const Vector vb = reinterpret_cast<const Vector*>(b)[i];
    Vector vc;
    for (int k = 0; k < 16 / sizeof(T); ++k) vc.v[k] = va.v[k] + vb.v[k];
    reinterpret_cast<Vector*>(c)[i] = vc;
  }
}
