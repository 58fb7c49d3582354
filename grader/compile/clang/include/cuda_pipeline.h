// Asynchronous copies from global to shared memory, as cuda_pipeline_primitives.h has them.
#pragma once
__LABKIT_FN void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from,
                                         size_t bytes, size_t zeros = 0) {
  const unsigned int shared = (unsigned int)__cvta_generic_to_shared(to);
  const unsigned int taken = (unsigned int)(bytes - zeros);
  if (bytes == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(taken)
                 : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(from), "r"(taken)
                 : "memory");
  else if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                 "r"(taken)
                 : "memory");
  else
    __trap();
}
__LABKIT_FN void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
#define __LABKIT_WAIT(n)                                      \
  case n:                                                     \
    asm volatile("cp.async.wait_group " #n ";" ::: "memory"); \
    break;
__LABKIT_FN void __pipeline_wait_prior(size_t groups) {
  switch (groups) {
    __LABKIT_WAIT(0)
    __LABKIT_WAIT(1)
    __LABKIT_WAIT(2)
    __LABKIT_WAIT(3)
    __LABKIT_WAIT(4)
    __LABKIT_WAIT(5)
    __LABKIT_WAIT(6)
    __LABKIT_WAIT(7)
    default:
      asm volatile("cp.async.wait_group 8;" ::: "memory");
  }
}
#undef __LABKIT_WAIT
