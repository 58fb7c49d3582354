// Half of a warp stores and leaves; the other half meets among itself, which orders nothing of what those have done.
// grid: 1
// block: 32
// arg: f32[32]:poison
// finds: race
// cause: race.missing_syncwarp
// evidence: race_group_orders_its_own
// fix: race_fix_one_syncwarp
__global__ void k(float* out) {
  __shared__ float s[32];
  const int lane = threadIdx.x;
  if (lane >= 16) {
    s[lane] = lane;  // <--
    return;
  }
  __syncwarp(0xffff);
  out[lane] = s[lane + 16];  // <--
}
