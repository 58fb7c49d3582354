// Of each structure one member is set, the other is not, and between them lies padding.
// grid: 1
// block: 64
// arg: f64[128]:poison
// finds: uninitialized
// cause: uninitialized.variable
struct Pair {
  float count;
  double sum;
};

__global__ void k(Pair* pairs) {
  Pair pair;
  pair.count = threadIdx.x;
  pairs[threadIdx.x] = pair;  // <--
}
