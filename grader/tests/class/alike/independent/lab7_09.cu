struct ComplexQuadDouble {
  double part[8];
};
constexpr int kParts = 8;
constexpr int kBlock = 256;

// AoS
__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n)
{
	int num = blockIdx.x * kBlock + threadIdx.x;
	for (int k = kParts - 1; k >= 0; k--) {
		if (num < n)
			w[num].part[k] = factor * z[num].part[k];
	}
}

// SoA
__global__ void scale_arrays(const double* z, double* w, double factor, int n)
{
	int num = blockIdx.x * kBlock + threadIdx.x;
	const double* zp = z + num;
	double* wp = w + num;
	for (int k = 0; k < kParts; k++) {
		if (num < n)
			wp[k * n] = factor * zp[k * n];
	}
}

// SoA -> AoS
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n)
{
	__shared__ double tile[kBlock / 32][8][34];
	int lane = threadIdx.x & 31;
	int warp = threadIdx.x >> 5;
	int base = blockIdx.x * kBlock + 32 * warp;   // each warp converts its own 32 numbers

	for (int k = 0; k < 8; k++)
		if (base + lane < n)
			tile[warp][k][lane] = z[k * n + base + lane];
	__syncwarp();

	int k = lane & 7;
	for (int j = lane >> 3; j < 32; j += 4)
		if (base + j < n)
			w[base + j].part[k] = tile[warp][k][j];
}
