// The same on an array that has been set: now updates are lost.
// grid: 2
// block: 64
// arg: f32[64]:random
// arg: f32[64]:zero
// arg: i32:64
// finds: race
// cause: race.lost_update
// evidence: race_update_lost
// fix: race_fix_atomic_or_own_element
// with: function atomicAdd
__global__ void k(const float* a, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] += a[i];  // <--
}
