// ldmatrix brings tiles of 8 x 8 halves from shared memory into registers, as they are and transposed, with rows that are
// padded so that no two of them share a bank.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                         \
  do {                                                                      \
    cudaError_t rc = (call);                                                \
    if (rc != cudaSuccess) {                                                \
      printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(rc)); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

constexpr int kRows = 16, kColumns = 16, kPitch = kColumns + 8;

// out: what each lane holds of the four tiles, as they are and transposed.
__global__ void load_tiles(const uint16_t* in, uint32_t* out) {
  __shared__ __align__(16) uint16_t tile[kRows * kPitch];
  int lane = threadIdx.x;
  for (int i = lane; i < kRows * kColumns; i += 32)
    tile[i / kColumns * kPitch + i % kColumns] = in[i];
  __syncthreads();
  // Lane i has the address of row i % 8 of tile i / 8; tiles go down first, then to the right.
  const uint16_t* row = &tile[(lane % 16) * kPitch + lane / 16 * 8];
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  uint32_t r[4], t[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(t[0]), "=r"(t[1]), "=r"(t[2]), "=r"(t[3])
               : "r"(address));
  for (int i = 0; i < 4; ++i) {
    out[i * 32 + lane] = r[i];
    out[(4 + i) * 32 + lane] = t[i];
  }
}

int main() {
  uint16_t in[kRows * kColumns], *d_in;
  uint32_t out[8 * 32], *d_out;
  for (int i = 0; i < kRows * kColumns; ++i) in[i] = uint16_t(100 * (i / kColumns) + i % kColumns);
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  load_tiles<<<1, 32>>>(d_in, d_out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));

  int wrong = 0;
  for (int i = 0; i < 4; ++i)
    for (int lane = 0; lane < 32; ++lane) {
      int row = i % 2 * 8, column = i / 2 * 8;  // of the tile
      for (int half = 0; half < 2; ++half) {
        int across = lane / 4, along = lane % 4 * 2 + half;
        int plain = out[i * 32 + lane] >> 16 * half & 0xffff;
        int turned = out[(4 + i) * 32 + lane] >> 16 * half & 0xffff;
        wrong += plain != in[(row + across) * kColumns + column + along];
        wrong += turned != in[(row + along) * kColumns + column + across];
      }
    }
  printf("lane 9 of tile 1: %u %u, transposed: %u %u\n", out[32 + 9] & 0xffff, out[32 + 9] >> 16,
         out[5 * 32 + 9] & 0xffff, out[5 * 32 + 9] >> 16);
  printf("wrong: %d\n", wrong);
  puts(wrong ? "FAIL" : "PASS");
  return wrong ? 1 : 0;
}

// output:
// lane 9 of tile 1: 1002 1003, transposed: 1002 1102
// wrong: 0
// PASS
