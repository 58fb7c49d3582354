// 2^30 additions.
#define A0(x) x + x
#define A1(x) A0(A0(A0(A0(A0(x)))))
#define A2(x) A1(A1(A1(A1(A1(A1(x))))))
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  c[0] = A2(a[0]);
}
