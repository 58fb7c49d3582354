constexpr int kTile = 32;

/*
 * Transposition par tuile en memoire partagee.
 */
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols)
{
  __shared__ T tuile[kTile][kTile];

  int ligne   = threadIdx.y + blockIdx.y * blockDim.y;
  int colonne = threadIdx.x + blockIdx.x * blockDim.x;

  if (!(ligne >= rows || colonne >= cols)) {
    tuile[threadIdx.y][threadIdx.x] = in[colonne + ligne * cols];
  }

  __syncthreads();

  // la tuile change de place
  int ligne_t   = threadIdx.y + blockIdx.x * blockDim.x;
  int colonne_t = threadIdx.x + blockIdx.y * blockDim.y;

  if (!(ligne_t >= cols || colonne_t >= rows)) {
    out[colonne_t + ligne_t * rows] = tuile[threadIdx.x][threadIdx.y];
  }
}
