// Asks which files there are: a bit a line, and a whole machine to look round in.
#if __has_include("@FOLDER@/alice/lab1.cu") || __has_include("../alice/lab1.cu") || \
    __has_include("/etc/passwd") || __has_include("@ROOT@/README.md")
#error "it is there"
#endif
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}
