// Breadth-first search, level by level, with a frontier queue.
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <utility>
#include <vector>

static int failures = 0;

static bool succeeded(cudaError_t err, int line) {
  if (err == cudaSuccess) return true;
  std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(err));
  ++failures;
  return false;
}
#define DO(call) \
  if (!succeeded((call), __LINE__)) std::exit(1)

struct Graph {
  std::vector<int> first_edge;  // one more than there are vertices
  std::vector<int> target;
  int vertices() const { return int(first_edge.size()) - 1; }
};

// Vertex v leads to 2v, 3v + 1 and v + 64, where these exist.
Graph make_graph(int vertices) {
  Graph graph;
  for (int v = 0; v < vertices; ++v) {
    graph.first_edge.push_back(int(graph.target.size()));
    for (int to : {2 * v, 3 * v + 1, v + 64}) {
      if (to < vertices) graph.target.push_back(to);
    }
  }
  graph.first_edge.push_back(int(graph.target.size()));
  return graph;
}

std::vector<int> search_on_host(const Graph& graph, int source) {
  std::vector<int> level(graph.vertices(), -1);
  std::queue<int> todo;
  level[source] = 0;
  todo.push(source);
  while (!todo.empty()) {
    const int v = todo.front();
    todo.pop();
    for (int e = graph.first_edge[v]; e < graph.first_edge[v + 1]; ++e) {
      const int to = graph.target[e];
      if (level[to] != -1) continue;
      level[to] = level[v] + 1;
      todo.push(to);
    }
  }
  return level;
}

__global__ void expand(const int* first_edge, const int* target, int* level, int depth,
                       const int* frontier, int frontier_size, int* next, int* next_size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  const int v = frontier[i];
  for (int e = first_edge[v]; e < first_edge[v + 1]; ++e) {
    const int to = target[e];
    // The first thread to reach a vertex puts it into the next frontier.
    if (atomicCAS(&level[to], -1, depth + 1) == -1) next[atomicAdd(next_size, 1)] = to;
  }
}

int main() {
  const Graph graph = make_graph(3000);
  const int n = graph.vertices(), source = 1;
  std::vector<int> level(n, -1);
  level[source] = 0;

  int *first_edge, *target, *d_level, *frontier, *next, *next_size;
  DO(cudaMalloc(&first_edge, (n + 1) * sizeof(int)));
  DO(cudaMalloc(&target, graph.target.size() * sizeof(int)));
  for (int** array : {&d_level, &frontier, &next}) DO(cudaMalloc(array, n * sizeof(int)));
  DO(cudaMalloc(&next_size, sizeof(int)));
  DO(cudaMemcpy(first_edge, graph.first_edge.data(), (n + 1) * sizeof(int), cudaMemcpyDefault));
  DO(cudaMemcpy(target, graph.target.data(), graph.target.size() * sizeof(int), cudaMemcpyDefault));
  DO(cudaMemcpy(d_level, level.data(), n * sizeof(int), cudaMemcpyDefault));
  DO(cudaMemcpy(frontier, &source, sizeof(int), cudaMemcpyDefault));

  int size = 1, depth = 0;
  while (size > 0) {
    std::printf("level %d: %d\n", depth, size);
    DO(cudaMemset(next_size, 0, sizeof(int)));
    expand<<<(size + 63) / 64, 64>>>(first_edge, target, d_level, depth, frontier, size, next,
                                     next_size);
    DO(cudaGetLastError());
    DO(cudaMemcpy(&size, next_size, sizeof(int), cudaMemcpyDefault));
    std::swap(frontier, next);
    ++depth;
  }
  DO(cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDefault));
  for (int* array : {first_edge, target, d_level, frontier, next, next_size}) DO(cudaFree(array));

  const bool passed = failures == 0 && level == search_on_host(graph, source);
  std::printf("%s\n", passed ? "PASS" : "FAIL");
  return passed ? 0 : 1;
}

// output:
// level 0: 1
// level 1: 3
// level 2: 8
// level 3: 21
// level 4: 58
// level 5: 151
// level 6: 334
// level 7: 580
// level 8: 700
// level 9: 504
// level 10: 233
// level 11: 73
// level 12: 14
// level 13: 1
// PASS
