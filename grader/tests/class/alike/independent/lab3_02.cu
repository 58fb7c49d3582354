constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols)
{
    __shared__ T tile[kTile][kTile + 1];   // +1 against bank conflicts (lab 4)

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;

    const int row0 = kTile * blockIdx.y;
    const int col0 = kTile * blockIdx.x;

    bool canRead = (row0 + ty < rows) && (col0 + tx < cols);
    if (canRead)
        tile[ty][tx] = in[(row0 + ty) * cols + (col0 + tx)];

    __syncthreads();

    bool canWrite = (col0 + ty < cols) && (row0 + tx < rows);
    if (canWrite)
        out[(col0 + ty) * rows + (row0 + tx)] = tile[tx][ty];
}
