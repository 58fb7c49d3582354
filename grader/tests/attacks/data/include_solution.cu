// The reference solution of the same kit.
#include "@ROOT@/solutions/lab1_vecadd_coalescing/correct/grid_stride.cu"
