constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers_altered(const float* src, float* dst, int count)
{
    const int id = threadIdx.x + kBlock * blockIdx.x;
    if (id + 1 > count) return;
    const float v = src[id];
    float cur = v * v;
    for (int e = 0; e < kPowers; e += 1)
    {
        dst[id + count * e] = cur;
        cur = v * cur;
    }
}

__global__ void powers(const float* src, float* dst, int count)
{
    const int t = threadIdx.x;
    const int blockStart = kBlock * blockIdx.x;
    const int warpStart = 32 * (t / 32);
    const int inWarp = t - warpStart;
    const int id = t + blockStart;
    __shared__ float buffer[kBlock][1 + kPowers];   // 33 wide

    // compute
    if (id + 1 <= count)
    {
        const float v = src[id];
        float cur = v * v;
        for (int e = 0; e < kPowers; e += 1)
        {
            buffer[t][e] = cur;
            cur = v * cur;
        }
    }

    __syncwarp();

    // write out
    for (int s = warpStart; s < 32 + warpStart; s += 1)
    {
        const int which = s + blockStart;
        if (which + 1 <= count)
            dst[inWarp + kPowers * which] = buffer[s][inWarp];
    }
}
