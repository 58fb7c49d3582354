// All blocks write the same to one place, but for one of 400: that is no value on which all agree.
// grid: 400
// block: 64
// arg: i32[1]:zero
// finds: race
// cause: race.same_element
// fix: race_fix_one_thread_or_own_element
// never: the same value
__global__ void k(int* flag) {
  if (threadIdx.x == 0) flag[0] = blockIdx.x == 77 ? 2 : 1;  // <--
}
