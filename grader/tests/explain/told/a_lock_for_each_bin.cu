// Hundreds of locks, each taken by many threads, each of which takes many.
// grid: 1
// block: 64
// arg: i32[300]:zero
// arg: i32[300]:zero
// finds: nothing
__global__ void k(int* lock, int* bin) {
  for (int i = 0; i < 40; ++i) {
    const int b = (threadIdx.x * 7 + i * 11) % 300;
    for (bool done = false; !done;) {
      if (atomicCAS(&lock[b], 0, 1) != 0) continue;
      __threadfence();
      bin[b] = bin[b] + i;
      __threadfence();
      atomicExch(&lock[b], 0);
      done = true;
    }
  }
}
