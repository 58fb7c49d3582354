// Structures with padding, which nobody writes: kernels that store members, copy whole structures, and what comes to the host.
#include <cstdio>

struct Item {
  double value;
  int id;
};
struct Tagged {
  char tag;
  int number;
  short last;
};
template <typename T>
struct Pair {
  T first;
  char second;
};

__global__ void make(Item* items, Tagged* tagged, Pair<double>* pairs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Item item;
  item.value = i * 0.5;
  item.id = i;
  items[i] = item;
  tagged[i].tag = 'a';
  tagged[i].number = i;
  tagged[i].last = 3;
  pairs[i].first = i;
  pairs[i].second = 'b';
}
__global__ void turn(const Item* in, Item* out, const Tagged* from, Tagged* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[n - 1 - i] = in[i];
  to[n - 1 - i] = from[i];
}

int main() {
  const int n = 500;
  static Item host_items[n];
  static Tagged host_tagged[n];
  static Pair<double> host_pairs[n];
  Item *items, *turned_items;
  Tagged *tagged, *turned_tagged;
  Pair<double>* pairs;
  cudaMalloc(&items, sizeof host_items);
  cudaMalloc(&turned_items, sizeof host_items);
  cudaMalloc(&tagged, sizeof host_tagged);
  cudaMalloc(&turned_tagged, sizeof host_tagged);
  cudaMalloc(&pairs, sizeof host_pairs);
  make<<<2, 256>>>(items, tagged, pairs, n);
  turn<<<2, 256>>>(items, turned_items, tagged, turned_tagged, n);
  cudaMemcpy(host_items, items, sizeof host_items, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_items, turned_items, sizeof host_items, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_tagged, turned_tagged, sizeof host_tagged, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_pairs, pairs, sizeof host_pairs, cudaMemcpyDeviceToHost);
  std::printf("%g %d %d %g\n", host_items[0].value, host_items[1].id, host_tagged[9].number,
              host_pairs[7].first);
  cudaFree(items);
  cudaFree(turned_items);
  cudaFree(tagged);
  cudaFree(turned_tagged);
  cudaFree(pairs);
}
// output:
// 249.5 498 490 7
