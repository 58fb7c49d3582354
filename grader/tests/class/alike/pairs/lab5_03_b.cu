constexpr int kTile = 32;

__constant__ int matmul_registers_shape[4] = {32, 8, 32, 32};

// Registers version. A thread has four results, below one another.
__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p)
{
    const int ty = threadIdx.y;
    const int tx = threadIdx.x;
    const int column = tx + kTile * blockIdx.x;

    float res[4];
    for (int e = 0; e <= 3; e++)
        res[e] = 0.0f;

    __shared__ float tileB[kTile][kTile];
    __shared__ float tileA[kTile][kTile];

    for (int start = 0; m > start; start += kTile)
    {
        for (int line = ty; line <= kTile - 1; line += 8)
        {
            int row = line + kTile * blockIdx.y;
            tileB[line][tx] = (column >= p || start + line >= m) ? 0.0f : b[column + p * (line + start)];
            tileA[line][tx] = (start + tx >= m || row >= n) ? 0.0f : a[start + tx + m * row];
        }
        __syncthreads();
        #pragma unroll
        for (int l = 0; l <= kTile - 1; l++)
        {
            const float common = tileB[l][tx];
            for (int e = 0; e <= 3; e++)
                res[e] = res[e] + common * tileA[8 * e + ty][l];
        }
        __syncthreads();
    }

    for (int e = 0; e <= 3; e++)
    {
        int row = 8 * e + ty + kTile * blockIdx.y;
        if (column < p && row < n)
            c[column + p * row] = res[e];
    }
}

// Plain version
__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p)
{
    const int ty = threadIdx.y;
    const int tx = threadIdx.x;
    const int column = tx + kTile * blockIdx.x;
    const int row = ty + kTile * blockIdx.y;
    float res = 0.0f;

    __shared__ float tileB[kTile][kTile];
    __shared__ float tileA[kTile][kTile];

    for (int start = 0; m > start; start += kTile)
    {
        tileB[ty][tx] = (column < p && start + ty < m) ? b[column + p * (ty + start)] : 0.0f;
        tileA[ty][tx] = (start + tx < m && row < n) ? a[start + tx + m * row] : 0.0f;
        __syncthreads();
        #pragma unroll
        for (int l = 0; l <= kTile - 1; l++)
            res = res + tileB[l][tx] * tileA[ty][l];
        __syncthreads();
    }

    if (column < p && row < n)
        c[column + p * row] = res;
}
