// Lab 20: reversing an array.
//
// out[n - 1 - i] = in[i] for every i with 0 <= i < n.
//
// The grader chooses the launch: a one-dimensional grid of one-dimensional blocks, of any size.
// There may be fewer threads than elements, or more, and n may be 0.
__global__ void reversal(const float* in, float* out, int n) {
  // TODO: let every thread move its share of the elements.
}
