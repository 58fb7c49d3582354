// Letter histogram: every thread adds to counters in global memory.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

static void HandleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}

const int LETTERS = 26;

__global__ void count_letters(const char* text, int length, unsigned int* counts) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  while (i < length) {
    char c = text[i];
    if (c >= 'a' && c <= 'z') atomicAdd(&counts[c - 'a'], 1);
    i += stride;
  }
}

int main() {
  const std::string sentence = "the quick brown fox jumps over the lazy dog, again and again; ";
  std::string text;
  while (text.size() < 20000) text += sentence;
  const int length = (int)text.size();

  char* dev_text;
  unsigned int* dev_counts;
  HANDLE_ERROR(cudaMalloc((void**)&dev_text, length));
  HANDLE_ERROR(cudaMalloc((void**)&dev_counts, LETTERS * sizeof(unsigned int)));
  HANDLE_ERROR(cudaMemcpy(dev_text, text.data(), length, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_counts, 0, LETTERS * sizeof(unsigned int)));

  count_letters<<<8, 256>>>(dev_text, length, dev_counts);
  HANDLE_ERROR(cudaGetLastError());

  unsigned int counts[LETTERS];
  HANDLE_ERROR(cudaMemcpy(counts, dev_counts, sizeof(counts), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_text));
  HANDLE_ERROR(cudaFree(dev_counts));

  unsigned int expected[LETTERS];
  memset(expected, 0, sizeof(expected));
  for (char c : text) {
    if (c >= 'a' && c <= 'z') expected[c - 'a']++;
  }

  printf("characters: %d\n", length);
  printf("a: %u, e: %u, z: %u\n", counts['a' - 'a'], counts['e' - 'a'], counts['z' - 'a']);
  if (memcmp(counts, expected, sizeof(counts)) != 0) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}

// output:
// characters: 20026
// a: 1938, e: 969, z: 323
// PASS
