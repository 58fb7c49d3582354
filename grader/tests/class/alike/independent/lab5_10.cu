// Lab 5: matrix product through shared tiles.
//
// C = A B. A has n rows and m columns, B has m rows and p columns, C has n rows and p columns, all
// row after row: c[i * p + j] = sum over k of a[i * m + k] * b[k * p + j], and 0 where m is 0.
//
// Blocks are 32 x 32 threads, one element of C a thread. Block (blockIdx.x, blockIdx.y) takes the
// tile of C whose top left corner is at row 32 * blockIdx.y, column 32 * blockIdx.x. n, m and p
// need not be multiples of 32.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p)
{
	__shared__ float blockA[kTile][kTile];
	__shared__ float blockB[kTile][kTile];

	int lx = threadIdx.x;
	int ly = threadIdx.y;
	int gx = lx + blockIdx.x * kTile;
	int gy = ly + blockIdx.y * kTile;
	float sum = 0.0;

	int full = m / kTile;
	int rest = m % kTile;

	// whole tiles: only the outer edges have to be tested
	for (int t = 0; t < full; t++) {
		blockA[ly][lx] = gy < n ? a[gy * m + (t * kTile + lx)] : 0.0f;
		blockB[ly][lx] = gx < p ? b[(t * kTile + ly) * p + gx] : 0.0f;
		__syncthreads();
		for (int k = 0; k < kTile; k++)
			sum += blockA[ly][k] * blockB[k][lx];
		__syncthreads();
	}

	// the last one, incomplete
	if (rest > 0) {
		int k0 = full * kTile;
		blockA[ly][lx] = (gy < n && lx < rest) ? a[gy * m + (k0 + lx)] : 0.0f;
		blockB[ly][lx] = (gx < p && ly < rest) ? b[(k0 + ly) * p + gx] : 0.0f;
		__syncthreads();
		for (int k = 0; k < kTile; k++)
			sum += blockA[ly][k] * blockB[k][lx];
	}

	if (gx < p && gy < n)
		c[gy * p + gx] = sum;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
