// lab: lab3
// change: dst.x = gid.y * kTile + gtid.x;
// change: dst.y = gid.x * kTile + gtid.y;
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T groupShared[kTile][kTile];

  const int2 gtid = make_int2(threadIdx.x, threadIdx.y);
  const int2 gid = make_int2(blockIdx.x, blockIdx.y);

  int2 src;
  src.x = gid.x * kTile + gtid.x;
  src.y = gid.y * kTile + gtid.y;
  if (src.x < cols && src.y < rows) {
    groupShared[gtid.y][gtid.x] = in[src.y * cols + src.x];
  }

  __syncthreads();

  int2 dst;
  dst.x = gid.x * kTile + gtid.x;
  dst.y = gid.y * kTile + gtid.y;
  if (dst.x < rows && dst.y < cols) {
    out[dst.y * rows + dst.x] = groupShared[gtid.x][gtid.y];
  }
}
