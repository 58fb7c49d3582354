// Structures with bytes that belong to no member, copied through shared memory and registers.
// grid: 1
// block: 64
// arg: f64[64]:random
// arg: f64[128]:poison
// arg: f32[256]:poison
// finds: nothing
struct Pair {
  float count;
  double sum;
};
struct __align__(16) Point {
  float x, y, z;
};

__global__ void k(const double* in, Pair* pairs, Point* points) {
  __shared__ Point s[64];
  const int t = threadIdx.x;
  Pair pair;
  pair.count = t;
  pair.sum = in[t];
  pairs[t] = pair;
  s[t].x = t;
  s[t].y = 1;
  s[t].z = 2;
  __syncthreads();
  points[t] = s[63 - t];
}
