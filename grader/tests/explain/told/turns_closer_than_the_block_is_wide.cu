// The threads of a block store side by side, and each turn of the loop goes on by 32, as if the block were a warp.
// grid: 1
// block: 128
// arg: f32[1024]:random
// arg: f32[1024]:poison
// finds: race
// evidence: step_next_iteration
// fix: step_fix_block_in_loop
// with: elements 128
// with: step 32
__global__ void k(const float* in, float* out) {
  for (int turn = 0; turn < 8; ++turn)
    out[turn * 32 + threadIdx.x] = in[turn * 128 + threadIdx.x];  // <--
}
