// Mandelbrot set in fixed-point arithmetic: host and device agree to the bit.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define W 64
#define H 22
#define MAX_ITER 100
#define SHIFT 24

#define cuda_ok(x) cuda_ok_(x, __LINE__)
static void cuda_ok_(cudaError_t e, int line) {
  if (e) {
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
    exit(1);
  }
}

typedef long long fixed;

__host__ __device__ static fixed mul(fixed a, fixed b) { return (a * b) >> SHIFT; }

__host__ __device__ static int iterations(int px, int py) {
  const fixed one = (fixed)1 << SHIFT;
  const fixed cx = px * (3 * one) / W - 2 * one - one / 8;
  const fixed cy = py * (5 * one / 2) / H - 5 * one / 4;
  fixed x = 0, y = 0;
  int n = 0;
  while (n < MAX_ITER) {
    fixed xx = mul(x, x), yy = mul(y, y);
    if (xx + yy > 4 * one) break;
    y = 2 * mul(x, y) + cy;
    x = xx - yy + cx;
    n++;
  }
  return n;
}

__global__ void mandelbrot(unsigned char* image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < W && y < H) image[y * W + x] = (unsigned char)iterations(x, y);
}

int main(void) {
  static unsigned char image[H * W], expected[H * W];
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) expected[y * W + x] = (unsigned char)iterations(x, y);

  unsigned char* d_image;
  cuda_ok(cudaMalloc((void**)&d_image, sizeof image));
  dim3 block(16, 8);
  dim3 grid((W + 15) / 16, (H + 7) / 8);
  mandelbrot<<<grid, block>>>(d_image);
  cuda_ok(cudaGetLastError());
  cuda_ok(cudaMemcpy(image, d_image, sizeof image, cudaMemcpyDeviceToHost));
  cuda_ok(cudaFree(d_image));

  for (int y = 0; y < H; y++) {
    char line[W + 1];
    int end = 0;
    for (int x = 0; x < W; x++) {
      int n = image[y * W + x];
      line[x] = n == MAX_ITER ? '#' : n > 10 ? '+' : n > 4 ? '.' : ' ';
      if (line[x] != ' ') end = x + 1;
    }
    line[end] = 0;
    printf("|%s\n", line);
  }
  int same = memcmp(image, expected, sizeof image) == 0;
  puts(same ? "PASS" : "FAIL");
  return !same;
}

// output:
// |
// |                                         ...
// |                                      ....+..+.
// |                                    ......+++....
// |                                 .......+####+.......
// |                             ...+.+..+++++###++.+....+.
// |                       ..........+################+#+++..
// |                  .............++###################+....
// |              .....+...++.....+########################+.
// |           ........++######++++#######################+..
// |         .......+++##########+#######################+...
// |   ################################################++....
// |         .......+++##########+#######################+...
// |           ........++######++++#######################+..
// |              .....+...++.....+########################+.
// |                  .............++###################+....
// |                       ..........+################+#+++..
// |                             ...+.+..+++++###++.+....+.
// |                                 .......+####+.......
// |                                    ......+++....
// |                                      ....+..+.
// |                                         ...
// PASS
