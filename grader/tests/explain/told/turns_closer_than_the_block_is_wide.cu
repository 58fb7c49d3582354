// The threads of a block store side by side, and each turn of the loop goes on by 32, as if the block were a warp.
// grid: 1
// block: 128
// arg: f32[1024]:random
// arg: f32[1024]:poison
// finds: race
// says: let each turn of the loop go on by as many elements as the block's threads store side by side, 128 (blockDim.x), not by 32
// says: at line {1} thread (32,0,0) begins 32 elements after thread (0,0,0), where that one comes to in its next turn
// never: has to be times what one block covers
__global__ void k(const float* in, float* out) {
  for (int turn = 0; turn < 8; ++turn)
    out[turn * 32 + threadIdx.x] = in[turn * 128 + threadIdx.x];  // <--
}
