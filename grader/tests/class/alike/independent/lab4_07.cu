constexpr int kMaxTile = 32;

#define TX ((int)threadIdx.x)
#define TY ((int)threadIdx.y)

__global__ void transpose_static(const float* in, float* out, int rows, int cols)
{
    __shared__ float t[kMaxTile * (kMaxTile + 1)];
    const int ld = kMaxTile + 1;
    const int ib = blockIdx.y * blockDim.y;
    const int jb = blockIdx.x * blockDim.x;

    if (ib + TY < rows && jb + TX < cols)
        t[TY * ld + TX] = in[(ib + TY) * cols + jb + TX];
    __syncthreads();
    if (jb + TY < cols && ib + TX < rows)
        out[(jb + TY) * rows + ib + TX] = t[TX * ld + TY];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols)
{
    extern __shared__ float tile[];
    const int ldt = blockDim.x + 1;
    const int ib = blockIdx.y * blockDim.y;
    const int jb = blockIdx.x * blockDim.x;

    if (ib + TY < rows && jb + TX < cols)
        tile[TY * ldt + TX] = in[(ib + TY) * cols + jb + TX];
    __syncthreads();
    if (jb + TY < cols && ib + TX < rows)
        out[(jb + TY) * rows + ib + TX] = tile[TX * ldt + TY];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
