constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers_altered(const float* x, float* y, int n)
{
    int gid = threadIdx.x + blockIdx.x * blockDim.x;
    if (gid >= n)
        return;
    float f = x[gid];
    float g = f * f;
    y[gid] = g;
    for (int step = 1; step <= kPowers - 1; ++step)
        y[gid + step * n] = g = f * g;
}

__global__ void powers(const float* x, float* y, int n)
{
    int tid = threadIdx.x;
    int pos = tid % warpSize;
    int gid = tid + blockIdx.x * blockDim.x;
    __shared__ float mem[kBlock][kPowers];

    float f = gid < n ? x[gid] : 0.0f;
    float g = f * f;
    mem[tid][pos] = g;
    for (int step = 1; step <= kPowers - 1; ++step)
    {
        g = f * g;
        mem[tid][pos ^ step] = g;
    }

    int begin = tid - pos;
    __syncwarp();   // the warp only

    for (int line = 0; line <= warpSize - 1; ++line)
    {
        int target = line + gid - pos;
        if (target >= n)
            continue;
        y[pos + target * kPowers] = mem[line + begin][line ^ pos];
    }
}
