// Conway's game of life on a torus, two buffers, a glider.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace life {

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::cerr << what << ": " << cudaGetErrorString(status) << '\n';
  std::exit(1);
}
#define LIFE_REQUIRE(call) ::life::require((call), #call)

using Cell = uint8_t;

struct Size {
  int width, height;
  __host__ __device__ int cells() const { return width * height; }
};

__host__ __device__ Cell next_state(const Cell* board, Size size, int x, int y) {
  int neighbors = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const int nx = (x + dx + size.width) % size.width;
      const int ny = (y + dy + size.height) % size.height;
      neighbors += board[ny * size.width + nx];
    }
  }
  return neighbors == 3 || (neighbors == 2 && board[y * size.width + x]);
}

__global__ void generation(const Cell* board, Cell* next, Size size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size.cells()) next[i] = next_state(board, size, i % size.width, i / size.width);
}

std::vector<Cell> play_on_device(const std::vector<Cell>& start, Size size, int generations) {
  Cell *board = nullptr, *next = nullptr;
  LIFE_REQUIRE(cudaMalloc(&board, start.size()));
  LIFE_REQUIRE(cudaMalloc(&next, start.size()));
  LIFE_REQUIRE(cudaMemcpy(board, start.data(), start.size(), cudaMemcpyHostToDevice));
  for (int g = 0; g < generations; ++g) {
    generation<<<(size.cells() + 127) / 128, 128>>>(board, next, size);
    LIFE_REQUIRE(cudaGetLastError());
    std::swap(board, next);
  }
  std::vector<Cell> end(start.size());
  LIFE_REQUIRE(cudaMemcpy(end.data(), board, end.size(), cudaMemcpyDeviceToHost));
  LIFE_REQUIRE(cudaFree(board));
  LIFE_REQUIRE(cudaFree(next));
  return end;
}

std::vector<Cell> play_on_host(std::vector<Cell> board, Size size, int generations) {
  std::vector<Cell> next(board.size());
  for (int g = 0; g < generations; ++g) {
    for (int i = 0; i < size.cells(); ++i) {
      next[i] = next_state(board.data(), size, i % size.width, i / size.width);
    }
    board.swap(next);
  }
  return board;
}

}  // namespace life

int main() {
  const life::Size size{16, 12};
  const std::vector<std::string> glider = {".O.", "..O", "OOO"};
  std::vector<life::Cell> start(size.cells(), 0);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) start[y * size.width + x] = glider[y][x] == 'O';

  const int generations = 20;  // the glider moves 5 cells right and down
  const auto end = life::play_on_device(start, size, generations);
  const bool passed = end == life::play_on_host(start, size, generations);

  std::cout << "after " << generations << " generations:\n";
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) std::cout << (end[y * size.width + x] ? 'O' : '.');
    std::cout << '\n';
  }
  std::cout << (passed ? "PASS" : "FAIL") << '\n';
  return passed ? 0 : 1;
}

// output:
// after 20 generations:
// ................
// ................
// ................
// ................
// ................
// ......O.........
// .......O........
// .....OOO........
// ................
// ................
// ................
// ................
// PASS
