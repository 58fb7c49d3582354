// Two threads change one counter, one of them without an atomic function.
// grid: 1
// block: 96
// arg: i32[1]:zero
// finds: race
// cause: race.plain_beside_atomic
// evidence: race_undoes_change
// fix: race_fix_make_atomic
// with: line {2}
__global__ void k(int* out) {
  if (threadIdx.x == 40)
    atomicAdd(out, 1);  // <--
  else if (threadIdx.x == 70)
    *out = *out + 1;  // <--
}
