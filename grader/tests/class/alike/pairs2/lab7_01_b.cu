struct ComplexQuadDouble {
  double part[8];
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void to_structures(const double* from, ComplexQuadDouble* to, int len)
{
    const int tid = threadIdx.x;
    const int base = kBlock * blockIdx.x;
    __shared__ double cache[kParts][2 + kBlock];

    // read every array
    const int mine = tid + base;
    if (mine + 1 <= len)
    {
        int pos = mine;
        for (int p = 0; p < kParts; p += 1)
        {
            cache[p][tid] = from[pos];
            pos += len;
        }
    }
    __syncthreads();

    // write them back in the other order
    for (int e = tid; e < kBlock * kParts; e += kBlock)
    {
        const int p = e % kParts;
        const int q = e / kParts;
        const int target = q + base;
        if (target + 1 <= len)
            to[target].part[p] = cache[p][q];
    }
}

__global__ void scale_arrays(const double* from, double* to, double s, int len)
{
    const int id = threadIdx.x + blockDim.x * blockIdx.x;
    if (id >= len)
        return;
    for (int p = 0; p < kParts; p += 1)
    {
        const int pos = id + len * p;
        to[pos] = s * from[pos];
    }
}

__global__ void scale_structures(const ComplexQuadDouble* from, ComplexQuadDouble* to, double s,
                                 int len)
{
    const int id = threadIdx.x + blockDim.x * blockIdx.x;
    if (id >= len)
        return;
    for (int p = 0; p < kParts; p += 1)
    {
        const double old = from[id].part[p];
        to[id].part[p] = s * old;
    }
}
