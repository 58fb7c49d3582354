constexpr int kPowers = 32;
constexpr int kBlock = 128;
constexpr int PITCH = kPowers + 1;

__global__ void powers(const float* x, float* y, int n)
{
	__shared__ float sh[4 * 32 * PITCH];

	unsigned int tid = threadIdx.x;
	unsigned int idx = blockIdx.x * kBlock + tid;
	unsigned int lane = tid & 31;
	float *warpsh = &sh[(tid >> 5) * 32 * PITCH];

	float r[kPowers];
	float val = (idx < n) ? x[idx] : 0;

	/* compute all in registers */
	r[0] = val * val;
	#pragma unroll
	for (int k = 1; k < kPowers; k++)
		r[k] = r[k - 1] * val;

	/* stage */
	#pragma unroll
	for (int k = 0; k < kPowers; k++)
		warpsh[lane * PITCH + k] = r[k];
	__syncwarp();

	/* write out, one number after the other */
	unsigned int out = (idx - lane) * kPowers + lane;
	#pragma unroll
	for (int k = 0; k < 32; k++) {
		if (out < n * kPowers)
			y[out] = warpsh[k * PITCH + lane];
		out += kPowers;
	}
}

__global__ void powers_altered(const float* x, float* y, int n)
{
	unsigned int idx = blockIdx.x * kBlock + threadIdx.x;
	if (idx < n) {
		float val = x[idx];
		float cur = val;
		for (int k = 0; k < kPowers; k++)
			y[k * n + idx] = (cur *= val);
	}
}
