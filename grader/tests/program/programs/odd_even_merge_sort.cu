// Batcher's odd-even merge sort: one launch per column of the network.
#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

static bool good = true;

#define CHECKED(call)                                                                     \
  do {                                                                                    \
    cudaError_t e = (call);                                                               \
    if (e != cudaSuccess) {                                                               \
      std::cerr << __FILE__ << '(' << __LINE__ << "): " << cudaGetErrorString(e) << '\n'; \
      good = false;                                                                       \
    }                                                                                     \
  } while (0)

// Compares keys[i] with keys[i + k] for the pairs of column (p, k).
__global__ void merge_column(int* keys, int n, int p, int k) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = k % p;  // 0 in the first column of a merge, k later
  const int i = first + t / k * 2 * k + t % k;
  if (i + k >= n) return;
  if (i / (2 * p) != (i + k) / (2 * p)) return;
  const int a = keys[i];
  const int b = keys[i + k];
  if (a > b) {
    keys[i] = b;
    keys[i + k] = a;
  }
}

int main() {
  const int n = 4096;  // a power of two
  std::vector<int> keys(n);
  std::mt19937 random(2024);
  for (int& key : keys) key = int(random() % 100000) - 50000;
  std::vector<int> sorted = keys;
  std::sort(sorted.begin(), sorted.end());

  int* device_keys = nullptr;
  CHECKED(cudaMalloc(&device_keys, n * sizeof(int)));
  CHECKED(cudaMemcpy(device_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice));

  int launches = 0;
  for (int p = 1; p < n; p *= 2) {
    for (int k = p; k >= 1; k /= 2) {
      merge_column<<<n / 2 / 256, 256>>>(device_keys, n, p, k);
      CHECKED(cudaGetLastError());
      ++launches;
    }
  }
  CHECKED(cudaMemcpy(keys.data(), device_keys, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECKED(cudaFree(device_keys));

  good = good && keys == sorted;
  std::cout << launches << " launches for " << n << " keys" << std::endl;
  std::cout << "smallest " << keys.front() << ", largest " << keys.back() << std::endl;
  std::cout << (good ? "PASS" : "FAIL") << std::endl;
  return good ? 0 : 1;
}

// output:
// 78 launches for 4096 keys
// smallest -49835, largest 49977
// PASS
