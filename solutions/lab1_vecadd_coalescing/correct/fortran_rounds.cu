// Style: someone from Fortran: the number of rounds is worked out first, 1-based, the guard in the loop.
// Right: round R covers elements (R-1)*THREADS+1 to R*THREADS, each thread has one of them.
template <typename REAL>
__global__ void vecadd(const REAL* a, const REAL* b, REAL* c, int n) {
  int NTHR = gridDim.x * blockDim.x;
  int ME = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int NROUND = (n + NTHR - 1) / NTHR;
  for (int R = 1; R <= NROUND; R++) {
    int I = (R - 1) * NTHR + ME;
    if (I <= n) {
      c[I - 1] = a[I - 1] + b[I - 1];
    }
  }
}
