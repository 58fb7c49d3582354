// lab: lab2
// change: int r = idx % rows;
// change: int c = idx / rows;
enum { kStoreSectors = 32, kLoadSectors = 32 };

#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  int c = GX, r = GY;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

// Here I start from the place in out (idx), because out is what must be coalesced,
// and work out which element of in belongs there.
template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int x = GX, y = GY;
  if (x >= rows || y >= cols) return;
  int idx = y * rows + x;   // neighbours in x -> neighbours in out
  int r = idx % cols;
  int c = idx / cols;
  out[idx] = in[r * cols + c];
}
