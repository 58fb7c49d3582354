constexpr int kTile = 32;

// my transpose
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols)
{
    __shared__ T block[kTile][kTile];
    int x0 = blockIdx.x * 32;
    int y0 = blockIdx.y * 32;

    int cc = threadIdx.x + x0;
    int rr = threadIdx.y + y0;
    if (cc + 1 <= cols && rr + 1 <= rows)
        block[threadIdx.y][threadIdx.x] = in[cc + cols * rr];
    __syncthreads();

    int p = threadIdx.x + y0;
    int q = threadIdx.y + x0;
    if (p + 1 <= rows && q + 1 <= cols)
        out[p + rows * q] = block[threadIdx.x][threadIdx.y];
}
