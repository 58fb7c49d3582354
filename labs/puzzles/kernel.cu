// Ten puzzles. In each kernel, replace ____ by an expression, save, and see what the grader says:
// `./kit watch puzzles` grades each time you save. `./kit show puzzles` lists the variables that tell
// a thread where it is.

#define ____ 0  // the blank; a kernel that still has one is not graded

// 1. Thread. One block is launched. Thread t writes t to out[t]: 0 1 2 3 ...
__global__ void p1_thread(int* out) {
  int i = ____;  // TODO
  out[i] = i;
}

// 2. Block. Now there are several blocks, of blockDim.x threads each. out is 0 1 2 3 ... as before:
// block 1 continues where block 0 ends.
__global__ void p2_block(int* out) {
  int i = ____;  // TODO
  out[i] = i;
}

// 3. Guard. Only whole blocks can be launched, so there may be more threads than the n elements.
// Threads without an element must not touch memory.
__global__ void p3_guard(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (____) {  // TODO
    out[i] = 2 * in[i];
  }
}

// 4. Mirror. out[0] = in[n - 1], out[1] = in[n - 2], ...
__global__ void p4_mirror(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[____];  // TODO
  }
}

// 5. Stride. Now there are more elements than threads. In one step of the loop, each thread of the
// grid takes one element, all of them neighbours. Then each moves on by as many elements as the grid
// has threads; the grid has gridDim.x blocks. Each thread adds up those it took.
__global__ void p5_stride(const int* in, int* sums, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = thread; i < n; i += ____) {  // TODO
    sum += in[i];
  }
  sums[thread] = sum;
}

// 6. Row and column. Blocks and grids can have two dimensions, x and y. A matrix lies in memory row
// by row: first the `columns` elements of row 0, then those of row 1, ...
__global__ void p6_row_column(int* out, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    out[____] = 100 * row + column;  // TODO
  }
}

// 7. Turn. out is the transpose of in: its row 3 is column 3 of in. It has `columns` rows, and each of
// them has `rows` elements.
__global__ void p7_turn(const int* in, int* out, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    out[____] = in[row * columns + column];  // TODO
  }
}

// 8. Corner. The matrix is cut into tiles of 16 x 16, one for each block. A block's tile begins at row
// 16 * blockIdx.y and column 16 * blockIdx.x, but its rows do not follow one another in memory: they
// are a row of the matrix apart. Read its first element.
__global__ void p8_corner(const int* in, int* corners, int columns) {
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    corners[blockIdx.y * gridDim.x + blockIdx.x] = in[____];  // TODO
  }
}

// 9. Barrier. Each block reverses its 256 elements, through shared memory. A thread reads what another
// thread of its block wrote, so all of them must have finished writing first. __syncthreads() makes
// all threads of a block wait for each other.
__global__ void p9_barrier(const int* in, int* out) {
  __shared__ int tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  ____;  // TODO
  out[i] = tile[255 - threadIdx.x];
}

// 10. Warp sum. The 32 threads of a warp can read each other's variables, without memory:
// __shfl_down_sync(0xffffffff, sum, distance) is the `sum` of the thread `distance` places
// higher. After distances of 16, 8, 4, 2 and 1, the first thread of the warp has the sum of all 32.
__global__ void p10_warp_sum(const int* in, int* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += ____;  // TODO
  }
  if (threadIdx.x % 32 == 0) {
    sums[i / 32] = sum;
  }
}
