// 16 bytes per access: float4 or double2. A quarter (or half) of the instructions moves the same
// bytes, and more of them are in flight. Memory from cudaMalloc is aligned to 256 bytes, so
// the vectors are aligned too; the last few elements are handled one by one.
template <typename T>
struct Vector16;
template <>
struct Vector16<float> {
  using Type = float4;
};
template <>
struct Vector16<double> {
  using Type = double2;
};

__device__ float4 add(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ double2 add(double2 a, double2 b) { return make_double2(a.x + b.x, a.y + b.y); }

template <typename T>
__global__ void vecadd(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n) {
  using Vector = typename Vector16<T>::Type;
  constexpr int kWidth = sizeof(Vector) / sizeof(T);
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  const int vectors = n / kWidth;
  const Vector* va = reinterpret_cast<const Vector*>(a);
  const Vector* vb = reinterpret_cast<const Vector*>(b);
  Vector* vc = reinterpret_cast<Vector*>(c);
  for (int i = thread; i < vectors; i += stride) vc[i] = add(va[i], vb[i]);
  for (int i = vectors * kWidth + thread; i < n; i += stride) c[i] = a[i] + b[i];
}
