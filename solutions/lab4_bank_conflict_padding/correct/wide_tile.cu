// The bonus kernel for speed: 16 bytes in every access, global or shared. A thread loads 4 x 4
// elements in four loads, transposes them in its registers (only the names change) and stages four
// rows of four. Eight threads with 16 bytes each fill the 32 banks. Here they stage rows four rows
// apart, so one unused place of 16 bytes after every four rows puts them in eight different
// places. Consecutive blocks handle tiles below one another, so together they write whole rows of
// the output: memory benefits even more from long runs of writes than from long runs of reads.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int pitch = blockDim.x + 1;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y * pitch + threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  if (out_r < cols && out_c < rows)
    out[out_r * rows + out_c] = tile[threadIdx.x * pitch + threadIdx.y];
}

constexpr int kTile = 64;
constexpr int kThreads = 256;
constexpr int kQuads = kTile / 4;                     // groups of four floats in a row
constexpr int kPieces = kQuads * kQuads / kThreads;   // of 4 x 4 elements a thread
constexpr int kQuadPlaces = kTile * kQuads + kQuads;  // one unused after every four rows
__constant__ int transpose_rows_shape[4] = {kThreads, 1, kTile, kTile};

__device__ int place(int row, int quad) { return row * kQuads + row / 4 + quad; }

__device__ float4 fetch(const float* from) { return __ldg(reinterpret_cast<const float4*>(from)); }

// Rows whose length is no multiple of four floats, and arrays that do not begin at a multiple of 16
// bytes: one float at a time, through a tile with a pitch of 65.
__device__ void transpose_floats(const float* in, float* out, int rows, int cols, int r0, int c0,
                                 float* tile) {
  constexpr int kPitch = kTile + 1;
  const int x = threadIdx.x % kTile;
#pragma unroll 8
  for (int y = threadIdx.x / kTile; y < kTile; y += kThreads / kTile) {
    if (r0 + y < rows && c0 + x < cols)
      tile[y * kPitch + x] = in[static_cast<size_t>(r0 + y) * cols + c0 + x];
  }
  __syncthreads();
#pragma unroll 8
  for (int y = threadIdx.x / kTile; y < kTile; y += kThreads / kTile) {
    if (c0 + y < cols && r0 + x < rows)
      out[static_cast<size_t>(c0 + y) * rows + r0 + x] = tile[x * kPitch + y];
  }
}

__global__ void __launch_bounds__(kThreads)
    transpose_rows(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  __shared__ float4 tile[kQuadPlaces];  // of the output: row c holds column c of the input
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  const int r0 = block % gridDim.y * kTile;
  const int c0 = block / gridDim.y * kTile;
  const bool in_quads = rows % 4 == 0 && cols % 4 == 0 &&
                        (reinterpret_cast<size_t>(in) | reinterpret_cast<size_t>(out)) % 16 == 0;
  if (!in_quads) {
    transpose_floats(in, out, rows, cols, r0, c0, reinterpret_cast<float*>(tile));
    return;
  }

  float4 piece[kPieces][4];
#pragma unroll
  for (int i = 0; i < kPieces; ++i) {
    const int t = threadIdx.x + i * kThreads;
    const int r = t / kQuads * 4;
    const int c = t % kQuads * 4;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (r0 + r < rows && c0 + c < cols)
        piece[i][j] = fetch(&in[static_cast<size_t>(r0 + r + j) * cols + c0 + c]);
    }
  }
#pragma unroll
  for (int i = 0; i < kPieces; ++i) {
    const int t = threadIdx.x + i * kThreads;
    const int r = t / kQuads * 4;
    const int c = t % kQuads * 4;
    const float4* p = piece[i];
    tile[place(c, r / 4)] = make_float4(p[0].x, p[1].x, p[2].x, p[3].x);
    tile[place(c + 1, r / 4)] = make_float4(p[0].y, p[1].y, p[2].y, p[3].y);
    tile[place(c + 2, r / 4)] = make_float4(p[0].z, p[1].z, p[2].z, p[3].z);
    tile[place(c + 3, r / 4)] = make_float4(p[0].w, p[1].w, p[2].w, p[3].w);
  }
  __syncthreads();

#pragma unroll
  for (int i = 0; i < 4 * kPieces; ++i) {
    const int t = threadIdx.x + i * kThreads;
    const int c = t / kQuads;
    const int r = t % kQuads * 4;
    if (c0 + c < cols && r0 + r < rows)
      *reinterpret_cast<float4*>(&out[static_cast<size_t>(c0 + c) * rows + r0 + r]) =
          tile[place(c, r / 4)];
  }
}
