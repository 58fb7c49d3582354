// The programming guide's own loop around atomicCAS: its first read is a plain one, and compared once more.
// grid: 2
// block: 64
// arg: f64[1]:zero
// arg: f64[128]:random
// finds: race warning
// cause: race.plain_beside_atomic
// evidence: race_checked_by_swap
// fix: race_fix_read_atomically
__global__ void k(double* s, const double* in) {
  unsigned long long* p = (unsigned long long*)s;
  unsigned long long old = *p, assumed;  // <--
  const double v = in[blockIdx.x * 64 + threadIdx.x];
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));  // <--
  } while (assumed != old);
}
