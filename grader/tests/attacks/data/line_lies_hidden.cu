// As line_lies, where a reader of the text takes the directive for a comment and the compiler does not.
#if 0
 it's " /*
#endif
%:li\
ne 1 "/etc/passwd"
// */
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}
