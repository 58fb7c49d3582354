// A loop over many elements on all cores.
#pragma once
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace labkit {

/// Fewer elements than this are not worth a thread.
inline constexpr std::uint64_t kParallelGrain = 1 << 18;

/// Calls work(begin, end) for ranges that together make [0, count), each once, in any order and from
/// several threads at a time; back when all are done. `grain`: elements worth a thread. `work` must
/// not throw.
template <typename Work>
void in_parallel(std::uint64_t count, std::uint64_t grain, const Work& work) {
  const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::uint64_t parts =
      std::clamp<std::uint64_t>(count / std::max<std::uint64_t>(1, grain), 1, cores);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 1; i < parts; ++i)
    threads.emplace_back(
        [&work, count, parts, i] { work(count * i / parts, count * (i + 1) / parts); });
  work(std::uint64_t{0}, count / parts);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace labkit
