constexpr int kTile = 32;

__global__ void matmul(const float* lhs, const float* rhs, float* result, int R, int K, int C)
{
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    __shared__ float Bs[kTile][kTile];
    __shared__ float As[kTile][kTile];
    float acc = 0;
    const int j = tx + kTile * blockIdx.x;
    const int i = ty + kTile * blockIdx.y;

    for (int off = 0; off + 1 <= K; off = off + kTile)
    {
        float v = 0;                 // B first
        const int kb = ty + off;
        if (j < C && kb < K)
            v = rhs[j + C * kb];
        Bs[ty][tx] = v;

        float u = 0;                 // then A
        const int ka = tx + off;
        if (ka < K && i < R)
            u = lhs[ka + K * i];
        As[ty][tx] = u;

        __syncthreads();
        for (int q = 0; q < kTile; q += 1)
            acc = Bs[q][tx] * As[ty][q] + acc;
        __syncthreads();
    }

    if (j + 1 <= C && i + 1 <= R)
        result[j + C * i] = acc;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

// not done
__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
