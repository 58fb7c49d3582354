struct ComplexQuadDouble {
  double part[8];
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor, int n)
{
    const int tid = threadIdx.x + kBlock * blockIdx.x;
    if (tid >= n)
        return;

    const ComplexQuadDouble& src = z[tid];
    ComplexQuadDouble& dst = w[tid];

    #pragma unroll
    for (int p = 0; p < kParts; ++p)
        dst.part[p] = factor * src.part[p];
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n)
{
    const int tid = threadIdx.x + kBlock * blockIdx.x;
    if (tid >= n)
        return;

    #pragma unroll
    for (int p = 0; p < kParts; ++p)
    {
        const int idx = p * n + tid;
        w[idx] = factor * z[idx];
    }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n)
{
    __shared__ double stage[kParts][kBlock + 2];   // pitch 258: 16 different bank pairs

    const int first = kBlock * blockIdx.x;
    const int tid = threadIdx.x;

    if (first + tid < n)
        for (int p = 0; p < kParts; ++p)
            stage[p][tid] = z[p * n + first + tid];

    __syncthreads();

    double* out = reinterpret_cast<double*>(w + first);
    for (int s = 0; s < kParts; ++s)
    {
        const int e = s * kBlock + tid;
        if (first + e / kParts < n)
            out[e] = stage[e % kParts][e / kParts];
    }
}
