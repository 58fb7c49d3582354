// stmatrix puts fragments of 8 x 8 halves into shared memory, as they are and transposed: where ldmatrix finds them again, and as
// the PTX ISA says: lane i holds of row i / 4 the columns 2 * (i % 4) and the next; transposed, of that column these rows.
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

// out: the four tiles, each row after row; then what ldmatrix reads of them.
template <bool kTransposed>
__global__ void store_tiles(uint32_t* out) {
  __shared__ __align__(16) uint32_t tiles[4 * 32];
  const int lane = threadIdx.x;
  uint32_t r[4], back[4];
  for (uint32_t i = 0; i < 4; ++i) r[i] = (1000 * i + 2 * lane) | (1000 * i + 2 * lane + 1) << 16;
  // lane i has the address of row i % 8 of tile i / 8
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tiles[4 * lane]));
  if (kTransposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%4], {%0,%1,%2,%3};" ::"r"(r[0]),
                 "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(address)
                 : "memory");
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(back[0]), "=r"(back[1]), "=r"(back[2]), "=r"(back[3])
                 : "r"(address));
  } else {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%2], {%0,%1};" ::"r"(r[0]), "r"(r[1]),
                 "r"(address)
                 : "memory");
    const unsigned rest = address + 16 * 16;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%1], {%0};" ::"r"(r[2]), "r"(rest)
                 : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%1], {%0};" ::"r"(r[3]), "r"(rest + 128)
                 : "memory");
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(back[0]), "=r"(back[1]), "=r"(back[2]), "=r"(back[3])
                 : "r"(address));
  }
  for (int i = 0; i < 4; ++i) {
    out[32 * i + lane] = tiles[32 * i + lane];
    out[128 + 32 * i + lane] = back[i] == r[i];
  }
}

template <bool kTransposed>
void test() {
  uint32_t host[256], *out;
  CHECK(cudaMalloc(&out, sizeof host));
  store_tiles<kTransposed><<<1, 32>>>(out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  int wrong = 0, different = 0;
  for (uint32_t tile = 0; tile < 4; ++tile)
    for (uint32_t row = 0; row < 8; ++row)
      for (uint32_t column = 0; column < 8; ++column) {
        const uint32_t word = host[32 * tile + 4 * row + column / 2];
        const uint32_t is = word >> 16 * (column % 2) & 0xFFFF;
        const uint32_t right = 1000 * tile + (kTransposed ? 8 * column + row : 8 * row + column);
        wrong += is != right;
      }
  for (int i = 0; i < 128; ++i) different += host[128 + i] != 1;
  printf("%d halves wrong, %d words not found again\n", wrong, different);
  CHECK(cudaFree(out));
}

int main() {
  test<false>();
  test<true>();
}

// output:
// 0 halves wrong, 0 words not found again
// 0 halves wrong, 0 words not found again
