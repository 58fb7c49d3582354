// A short numbers structures of 64 bytes: from 32768 on it is negative, and the element far before the array.
// grid: 300
// block: 128
// arg: f64[307200]:random
// arg: f64[307200]:poison
// arg: i32:38400
// finds: out_of_bounds
// cause: out_of_bounds.negative_index
// fix: bounds_fix_short_index
struct Eight {
  double part[8];
};

__global__ void k(const Eight* in, Eight* out, int n) {
  short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];  // <--
}
