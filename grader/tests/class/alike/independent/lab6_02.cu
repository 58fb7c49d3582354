constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n)
{
    __shared__ float buf[kBlock / 32][32][33];

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
    {
        const float xi = x[i];
        float p = xi * xi;
        buf[warp][lane][0] = p;
        for (int k = 1; k < kPowers; ++k)
        {
            p = p * xi;
            buf[warp][lane][k] = p;
        }
    }

    __syncwarp();

    const int base = blockIdx.x * blockDim.x + warp * 32;
    for (int j = 0; j < 32 && base + j < n; ++j)
        y[(base + j) * kPowers + lane] = buf[warp][j][lane];
}

// no shared memory necessary
__global__ void powers_altered(const float* x, float* y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        const float xi = x[i];
        float p = xi * xi;
        y[i] = p;
        for (int k = 1; k < kPowers; ++k)
        {
            p = p * xi;
            y[k * n + i] = p;
        }
    }
}
