constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* src, T* dst, int height, int width)
{
    const int lx = threadIdx.x, ly = threadIdx.y;
    // position in the source
    const int col = lx + kTile * blockIdx.x;
    const int row = ly + kTile * blockIdx.y;
    // position in the destination
    const int newCol = lx + kTile * blockIdx.y;
    const int newRow = ly + kTile * blockIdx.x;

    __shared__ T buf[kTile][kTile];

    if (col + 1 <= width && row + 1 <= height)
        buf[ly][lx] = src[col + width * row];

    __syncthreads();   // the whole block has to be done

    if (newCol + 1 <= height && newRow + 1 <= width)
    {
        const T value = buf[lx][ly];
        dst[newCol + height * newRow] = value;
    }
}
