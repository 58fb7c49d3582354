// Lab 5
constexpr int kTile = 32;

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

// Reads an element; everything outside of the matrix counts as zero.
__device__ float fetchOrZero(const float* mat, int h, int w, int r, int c)
{
    float res = 0.0f;
    if (c < w && r < h) {
        res = mat[c + w * r];
    }
    return res;
}

// The bonus version: every thread has a 4 by 4 grid of outputs
__global__ void matmul_registers(const float* A, const float* B, float* C, int N, int M, int P)
{
    const int ly = threadIdx.y;
    const int lx = threadIdx.x;
    const int firstCol = 64 * blockIdx.x + lx;
    const int firstRow = 64 * blockIdx.y + ly;
    __shared__ float bPart[16][64];
    __shared__ float aPart[64][16];

    float total[4][4];
#pragma unroll
    for (int e = 0; e < 16; e += 1) {
        total[e / 4][e % 4] = 0.0f;
    }

    for (int base = 0; base + 1 <= M; base += 16) {
#pragma unroll
        for (int d = 0; d < 64; d += 16) {
            bPart[ly][d + lx] = fetchOrZero(B, M, P, ly + base, d + firstCol);
            aPart[d + ly][lx] = fetchOrZero(A, N, M, d + firstRow, lx + base);
        }
        __syncthreads();

#pragma unroll
        for (int z = 0; z < 16; z += 1) {
            float right[4];
            float left[4];
#pragma unroll
            for (int d = 0; d < 4; d += 1) {
                right[d] = bPart[z][d * 16 + lx];
                left[d] = aPart[d * 16 + ly][z];
            }
#pragma unroll
            for (int cc = 0; cc < 4; cc += 1) {
#pragma unroll
                for (int rr = 0; rr < 4; rr += 1) {
                    total[rr][cc] = right[cc] * left[rr] + total[rr][cc];
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int cc = 0; cc < 4; cc += 1) {
        const int col = cc * 16 + firstCol;
#pragma unroll
        for (int rr = 0; rr < 4; rr += 1) {
            const int row = rr * 16 + firstRow;
            if (col + 1 <= P && row + 1 <= N) {
                C[col + P * row] = total[rr][cc];
            }
        }
    }
}

// The simple version
__global__ void matmul(const float* A, const float* B, float* C, int N, int M, int P)
{
    __shared__ float bPart[kTile][kTile];
    __shared__ float aPart[kTile][kTile];
    const int ly = threadIdx.y;
    const int lx = threadIdx.x;
    const int col = lx + kTile * blockIdx.x;
    const int row = ly + kTile * blockIdx.y;

    float total = 0.0f;
    const int count = (kTile + M - 1) / kTile;
    for (int w = 0; w + 1 <= count; w += 1) {
        const int base = kTile * w;
        bPart[ly][lx] = fetchOrZero(B, M, P, ly + base, col);
        aPart[ly][lx] = fetchOrZero(A, N, M, row, lx + base);
        __syncthreads();
#pragma unroll
        for (int z = 0; z < kTile; z += 1) {
            total = bPart[z][lx] * aPart[ly][z] + total;
        }
        __syncthreads();
    }

    if (col + 1 <= P && row + 1 <= N) {
        C[col + P * row] = total;
    }
}
